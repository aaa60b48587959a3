package catalogtest

import (
	"database/sql"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
)

// Clock is the clock of a database. It stands still until a test moves it.
type Clock struct {
	*check.Clock
	t    testing.TB
	pool *sql.DB
}

// StopClock replaces the clock of the database at an address. The catalog must
// have been opened before.
func StopClock(t testing.TB, dsn string, at time.Time) *Clock {
	t.Helper()
	c := &Clock{check.NewClock(at), t, Raw(t, dsn)}
	for _, statement := range []string{
		`DROP VIEW clock`, `CREATE TABLE test_clock (micros BIGINT NOT NULL)`,
		`INSERT INTO test_clock (micros) VALUES (0)`, `CREATE VIEW clock AS SELECT micros FROM test_clock`,
	} {
		check.Must(c.pool.ExecContext(t.Context(), statement))(t)
	}
	c.Advance(0)
	return c
}

// Advance moves the clock.
func (c *Clock) Advance(by time.Duration) {
	c.t.Helper()
	c.Clock.Advance(by)
	check.Must(c.pool.ExecContext(c.t.Context(), `UPDATE test_clock SET micros = $1`, c.Now().UnixMicro()))(c.t)
}

// Jobs returns the subjects of all jobs, oldest first.
func (c *Clock) Jobs() []int64 {
	c.t.Helper()
	rows, err := c.pool.QueryContext(c.t.Context(), `SELECT subject_id FROM job ORDER BY id`)
	check.OK(c.t, err)
	defer func() { check.OK(c.t, rows.Close()) }()
	subjects := []int64{}
	for rows.Next() {
		var subject int64
		check.OK(c.t, rows.Scan(&subject))
		subjects = append(subjects, subject)
	}
	check.OK(c.t, rows.Err())
	return subjects
}
