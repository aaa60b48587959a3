package catalog

import "database/sql"

// What the tests of this package need to see of its inside.
var (
	Fold     = fold
	LostRace = lostRace
)

// MaxAttempts is how often a transaction runs at most.
const MaxAttempts = maxAttempts

// DB is the pool of a catalog.
func (c *Catalog) DB() *sql.DB { return c.db }
