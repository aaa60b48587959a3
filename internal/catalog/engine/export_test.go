package engine

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// MaxAttempts is the maximum number of attempts of a transaction.
const MaxAttempts = maxAttempts

// Pool returns the connection pool.
func (db *DB) Pool() *sql.DB { return db.pool }

// OnFullDisk opens a SQLite database as on a disk that is full while full is set.
func OnFullDisk(full *atomic.Bool) Option {
	return func(db *DB) { db.dialect.connector.Connector = &fullDisk{db.dialect.connector.Connector, full} }
}

type fullDisk struct {
	driver.Connector
	full *atomic.Bool
}

func (d *fullDisk) Connect(ctx context.Context) (driver.Conn, error) {
	if d.full.Load() {
		return nil, unix.ENOSPC
	}
	return d.Connector.Connect(ctx)
}
