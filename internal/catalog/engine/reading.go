package engine

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"os"
	"sync"
	"time"

	"modernc.org/sqlite"
)

const (
	// leaveFor is how long a new connection waits until those that can only read
	// are closed.
	leaveFor = 2 * time.Second
	// leaveEvery is the shortest time between two attempts to write again.
	leaveEvery = time.Second
)

// sqliteConnector opens connections to a SQLite file. On a full disk there may be
// no room for the index of the write-ahead log, which all connections share and
// without which none can be opened. Then connections are opened that have an
// index of their own in memory and can only read. As long as one of them is open,
// all new ones are like it.
type sqliteConnector struct {
	driver.Connector // for reading and writing
	reading          driver.Connector
	index            string // the path of the shared index

	mu    sync.Mutex
	open  int           // connections that can only read
	gone  chan struct{} // closed when none of them is left; nil unless they are to be closed
	tried time.Time     // the last attempt to write again
}

func newSQLiteConnector(path string, address url.URL) (*sqliteConnector, error) {
	writing, err := sqlite.NewConnector(address.String())
	if err != nil {
		return nil, err
	}
	address.RawQuery += "&readonly_shm=1"
	reading, err := sqlite.NewConnector(address.String())
	return &sqliteConnector{Connector: writing, reading: reading, index: path + "-shm"}, err
}

// Connect implements driver.Connector.
func (c *sqliteConnector) Connect(ctx context.Context) (driver.Conn, error) {
	c.awaitGone(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open == 0 {
		conn, err := c.Connector.Connect(ctx)
		if classOf(err) != diskFull {
			return conn, err
		}
	}
	return c.connectReading(ctx)
}

// awaitGone waits for a while if connections that can only read are being closed.
func (c *sqliteConnector) awaitGone(ctx context.Context) {
	c.mu.Lock()
	gone := c.gone
	c.mu.Unlock()
	if gone == nil {
		return
	}
	select {
	case <-gone:
	case <-ctx.Done():
	case <-time.After(leaveFor): // the caller may hold one of them
	}
}

// connectReading opens a connection that can only read. SQLite wants the file of
// the shared index to exist, with any content.
func (c *sqliteConnector) connectReading(ctx context.Context) (driver.Conn, error) {
	file, err := os.OpenFile(c.index, os.O_RDONLY|os.O_CREATE, 0o600)
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("open the SQLite file for reading: %w", err)
	}
	conn, err := c.reading.Connect(ctx)
	if err != nil {
		return nil, err
	}
	full, ok := conn.(sqliteConn)
	if !ok {
		return nil, errors.Join(errors.New("the SQLite driver lacks a method"), conn.Close())
	}
	c.open++
	return &readingConn{full, c}, nil
}

// leave closes the connections that can only read, so that new ones can write if
// there is room. It reports whether they can.
func (c *sqliteConnector) leave(ctx context.Context, pool *sql.DB) bool {
	c.mu.Lock()
	if c.open == 0 || c.gone != nil || time.Since(c.tried) < leaveEvery {
		defer c.mu.Unlock()
		return c.open == 0
	}
	c.gone = make(chan struct{})
	c.mu.Unlock()
	pool.SetMaxIdleConns(-1) // closes the idle ones
	pool.SetMaxIdleConns(sqliteReaders + 1)
	_ = pool.PingContext(ctx) // opens a connection; what matters is of which kind
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gone, c.tried = nil, time.Now()
	return c.open == 0
}

// leaving reports whether connections that can only read are being closed.
func (c *sqliteConnector) leaving() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.gone != nil
}

// closed counts a closed connection.
func (c *sqliteConnector) closed() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open--
	if c.open == 0 && c.gone != nil {
		close(c.gone)
		c.gone = nil
	}
}

// readsOnly reports whether connections can only read.
func (c *sqliteConnector) readsOnly() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open > 0
}

// sqliteConn lists the methods of the driver's connections.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// readingConn is a connection that can only read.
type readingConn struct {
	sqliteConn
	from *sqliteConnector
}

// IsValid implements driver.Validator.
func (c *readingConn) IsValid() bool { return !c.from.leaving() && c.sqliteConn.IsValid() }

// Close implements driver.Conn.
func (c *readingConn) Close() error {
	defer c.from.closed()
	return c.sqliteConn.Close()
}

// Writable returns the fault of all changes if the disk was too full to open the
// database for more than reading, and nil otherwise. It tries to open it again
// first.
func (db *DB) Writable(ctx context.Context) error {
	if !db.ReadsOnly() || db.dialect.connector.leave(ctx, db.pool) {
		return nil
	}
	return errDiskFull(errors.New("the catalog is open for reading only"))
}

// ReadsOnly reports whether the disk was too full to open the database for more
// than reading.
func (db *DB) ReadsOnly() bool {
	return db.dialect.connector != nil && db.dialect.connector.readsOnly()
}
