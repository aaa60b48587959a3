package installation

import (
	"context"
	"encoding/json"
	"time"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
)

// counted is the recent calls of a caller, and the time of the database.
type counted struct {
	calls []int64 // in microseconds, oldest first
	now   int64
}

func scanCounted(r engine.Row) (counted, error) {
	var c counted
	var calls string
	if err := r.Scan(&calls, &c.now); err != nil {
		return c, err
	}
	return c, json.Unmarshal([]byte(calls), &c.calls)
}

// verdict is the result of counting a call.
type verdict struct {
	wait time.Duration
	ok   bool
}

// CountCall counts a call of a caller together with all servers, unless the
// caller has already made the maximum number of calls within the window. Then ok
// is false, and wait is the time until the next call is allowed.
func (s *Store) CountCall(ctx context.Context, limit, caller string, most int, window time.Duration) (wait time.Duration, ok bool, err error) {
	result, err := engine.Transact(ctx, s.db, func(ctx context.Context) (verdict, error) {
		// It locks the row, too.
		known, err := engine.ExecOne(ctx, s.db, scanCounted, table.RateLimit.Insert(`
(name, caller, calls, updated_at)
VALUES ($1, $2, '[]', `+engine.Clock+`)
ON CONFLICT (name, caller) DO UPDATE SET updated_at = excluded.updated_at
RETURNING calls, updated_at`), limit, caller)
		if err != nil {
			return verdict{}, err
		}
		recent := within(known, window)
		if len(recent) >= most {
			oldest := recent[len(recent)-most]
			return verdict{wait: window - time.Duration(known.now-oldest)*time.Microsecond}, nil
		}
		calls, err := json.Marshal(append(recent, known.now))
		if err != nil {
			return verdict{}, err
		}
		_, err = engine.Exec(ctx, s.db, table.RateLimit.Update(`
SET calls = $3
WHERE name = $1
AND caller = $2`), limit, caller, string(calls))
		return verdict{ok: true}, err
	})
	result, err = engine.Wrap(result, err, "count the call")
	return result.wait, result.ok, err
}

// within returns the calls that are younger than the window.
func within(c counted, window time.Duration) []int64 {
	for i, at := range c.calls {
		if time.Duration(c.now-at)*time.Microsecond < window {
			return c.calls[i:]
		}
	}
	return nil
}

// ForgetCalls removes callers without a call within the window.
func (s *Store) ForgetCalls(ctx context.Context, window time.Duration) error {
	_, err := engine.Transact(ctx, s.db, func(ctx context.Context) (int64, error) {
		return engine.Exec(ctx, s.db, table.RateLimit.Delete(`
WHERE updated_at < `+engine.Clock+` - $1`), window)
	})
	return engine.WrapError(err, "forget calls")
}
