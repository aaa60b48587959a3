package catalog

import (
	"context"
	"database/sql"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

const (
	// maxAttempts bounds how often a transaction runs that lost against others.
	maxAttempts = 10
	// maxQueueing bounds the wait for a turn.
	maxQueueing = 30 * time.Second
)

// txKey finds the transaction of one catalog in a context.
type txKey struct{ catalog *Catalog }

type transaction struct {
	tx statements
	// changed are the workspaces whose entities the transaction changes.
	changed []int64
	// noted says that the transaction has an entry in the audit log, unaudited
	// that it changed something without one.
	noted, unaudited bool
	// broken is why the transaction can no longer be committed.
	broken error
}

// InTx runs fn in a transaction, which travels in the context fn is given:
// every call made with that context belongs to it, and calls made with
// another context see nothing of it. An error of fn, or a panic, undoes all
// and is passed on.
//
// A call within a transaction joins it. When such an inner fn fails, only its
// own changes are undone and the outer one may go on.
//
// fn runs again when the transaction loses against another one (deadlock,
// lock, lost race), so it must not change anything but the catalog, and it
// must not use the context in several goroutines. After a bounded number of
// attempts the fault is Unavailable with a time to come back. What fn has
// read may be changed by others until it writes to the same entity.
func (c *Catalog) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	if current := c.current(ctx); current != nil {
		return current.step(ctx, fn)
	}
	if err := take(ctx, c.writers); err != nil {
		return err
	}
	defer giveBack(c.writers)
	err := c.attempt(ctx, fn)
	if !retryable(err) {
		return err
	}
	return c.retry(ctx, fn)
}

func (c *Catalog) retry(ctx context.Context, fn func(ctx context.Context) error) error {
	if err := take(ctx, c.retries); err != nil {
		return err
	}
	defer giveBack(c.retries)
	for attempt := 2; ; attempt++ {
		err := c.attempt(ctx, fn)
		if !retryable(err) || attempt == maxAttempts {
			return err
		}
		if err := pause(ctx, attempt); err != nil {
			return err
		}
	}
}

// inTx is InTx for a function with a result.
func inTx[T any](ctx context.Context, c *Catalog, fn func(ctx context.Context) (T, error)) (T, error) {
	var result T
	err := c.InTx(ctx, func(ctx context.Context) (err error) {
		result, err = fn(ctx)
		return err
	})
	if err != nil {
		var zero T
		return zero, err
	}
	return result, nil
}

func (c *Catalog) current(ctx context.Context) *transaction {
	current, _ := ctx.Value(txKey{c}).(*transaction)
	return current
}

// take waits for a token.
func take(ctx context.Context, tokens chan struct{}) error {
	timeout := time.NewTimer(maxQueueing)
	defer timeout.Stop()
	select {
	case tokens <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-timeout.C:
		return fault.Busy(time.Second, nil, "the catalog is busy")
	}
}

func giveBack(tokens chan struct{}) { <-tokens }

func (c *Catalog) attempt(ctx context.Context, fn func(ctx context.Context) error) error {
	// SQLite ignores the level: one writer at a time is stricter anyway.
	tx, err := c.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		return mapError(ctx, err)
	}
	defer func() { _ = tx.Rollback() }() // does nothing after a commit
	current := &transaction{tx: tx}
	inside := context.WithValue(ctx, txKey{c}, current)
	if err := fn(inside); err != nil {
		return err
	}
	if current.broken != nil {
		return current.broken
	}
	if current.unaudited {
		return errUnaudited
	}
	if err := c.revisions.beforeCommit(inside, c, current.changed); err != nil {
		return err
	}
	err = tx.Commit()
	c.revisions.afterCommit(current.changed)
	return mapError(ctx, err)
}

// step runs fn between savepoints: PostgreSQL refuses all further statements
// after one that failed, SQLite does not, and so both go on alike.
func (t *transaction) step(ctx context.Context, fn func(ctx context.Context) error) error {
	if err := t.control(ctx, `SAVEPOINT step`); err != nil {
		return err
	}
	before := *t
	if err := fn(ctx); err != nil {
		t.undoStep(context.WithoutCancel(ctx))
		t.changed, t.noted, t.unaudited = before.changed, before.noted, before.unaudited
		return err
	}
	return t.control(ctx, `RELEASE SAVEPOINT step`)
}

// undoStep needs no result: where it fails, the transaction is broken.
func (t *transaction) undoStep(ctx context.Context) {
	if t.control(ctx, `ROLLBACK TO SAVEPOINT step`) == nil {
		_ = t.control(ctx, `RELEASE SAVEPOINT step`)
	}
}

// control runs a savepoint command; where one fails, nothing can be known of
// the transaction's state any more.
func (t *transaction) control(ctx context.Context, command string) error {
	if _, err := t.tx.ExecContext(ctx, command); err != nil {
		t.broken = mapError(ctx, err)
		return t.broken
	}
	return nil
}

// pause waits a little longer with each attempt.
func pause(ctx context.Context, attempt int) error {
	timer := time.NewTimer(time.Duration(attempt*attempt) * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
