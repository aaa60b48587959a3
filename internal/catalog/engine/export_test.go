package engine

import (
	"database/sql"
)

// MaxAttempts is the maximum number of attempts of a transaction.
const MaxAttempts = maxAttempts

// Pool returns the connection pool.
func (db *DB) Pool() *sql.DB { return db.pool }
