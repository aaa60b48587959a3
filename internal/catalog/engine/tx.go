package engine

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/fair"
	"github.com/promptuary/promptuary/internal/fault"
)

const (
	// maxAttempts limits the attempts of a transaction that loses conflicts.
	maxAttempts = 10
	// maxQueueing limits the wait for a turn.
	maxQueueing = 30 * time.Second
)

// txKey is the context key of the transaction of one database.
type txKey struct{ db *DB }

type transaction struct {
	tx statements
	// changed are the workspaces whose revision the transaction changes.
	changed []int64
	// audited is set when the transaction has an audit entry, unaudited when it
	// has changed something without one.
	audited, unaudited bool
	// last is what runs before the commit.
	last []func(ctx context.Context) error
	// broken is the reason why the transaction cannot be committed.
	broken error
}

// InTx runs fn in a transaction as entity.Transactor promises.
func (db *DB) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	if current := db.current(ctx); current != nil {
		return current.step(ctx, fn)
	}
	if err := db.Writable(ctx); err != nil {
		return err
	}
	release, err := turn(ctx, db.writers)
	if err != nil {
		return err
	}
	defer release()
	err = db.attempt(ctx, fn)
	if !retryable(err) {
		return err
	}
	return db.retry(ctx, fn)
}

func (db *DB) retry(ctx context.Context, fn func(ctx context.Context) error) error {
	release, err := turn(ctx, db.retries)
	if err != nil {
		return err
	}
	defer release()
	for attempt := 2; ; attempt++ {
		err := db.attempt(ctx, fn)
		if !retryable(err) || attempt == maxAttempts {
			return err
		}
		if err := pause(ctx, attempt); err != nil {
			return err
		}
	}
}

// Transact is InTx for a function with a result.
func Transact[T any](ctx context.Context, db *DB, fn func(ctx context.Context) (T, error)) (T, error) {
	var result T
	err := db.InTx(ctx, func(ctx context.Context) (err error) {
		result, err = fn(ctx)
		return err
	})
	if err != nil {
		var zero T
		return zero, err
	}
	return result, nil
}

// BeforeCommit runs fn at the end of the current transaction, unless the step that
// called it is rolled back. What locks rows that many transactions share belongs
// there: it is not held while a transaction waits for others.
func BeforeCommit(ctx context.Context, db *DB, fn func(ctx context.Context) error) error {
	current := db.current(ctx)
	if current == nil {
		return errors.New("catalog: there is no transaction to end")
	}
	current.last = append(current.last, fn)
	return nil
}

func (db *DB) current(ctx context.Context) *transaction {
	current, _ := ctx.Value(txKey{db}).(*transaction)
	return current
}

// turn waits for the turn of the caller's workspace.
func turn(ctx context.Context, queue *fair.Queue) (release func(), err error) {
	patient, cancel := context.WithTimeoutCause(ctx, maxQueueing, fault.Busy(time.Second, nil, "The catalog is busy"))
	defer cancel()
	release, err = queue.Acquire(patient, access.CallerOf(ctx).Workspace)
	if ctx.Err() != nil && err != nil {
		return nil, ctx.Err()
	}
	return release, err
}

// Writers returns the queue of transactions.
func (db *DB) Writers() *fair.Queue { return db.writers }

func (db *DB) attempt(ctx context.Context, fn func(ctx context.Context) error) error {
	// SQLite ignores the level; a single writer is stricter anyway.
	tx, err := db.pool.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		return mapError(ctx, err)
	}
	defer func() { _ = tx.Rollback() }() // a no-op after a commit
	current := &transaction{tx: tx}
	inside := context.WithValue(ctx, txKey{db}, current)
	if err := fn(inside); err != nil {
		return err
	}
	for _, do := range current.last {
		if err := do(inside); err != nil {
			return err
		}
	}
	if current.broken != nil {
		return current.broken
	}
	if current.unaudited {
		return errUnaudited
	}
	if err := db.revisions.beforeCommit(inside, db, current.changed); err != nil {
		return err
	}
	if err := db.checkIntact(); err != nil {
		return err
	}
	err = tx.Commit()
	db.revisions.afterCommit(current.changed)
	return mapError(ctx, err)
}

// step runs fn inside a savepoint, so that both engines can continue after a
// failed statement. Without it PostgreSQL would reject all further statements.
func (t *transaction) step(ctx context.Context, fn func(ctx context.Context) error) error {
	if err := t.control(ctx, `SAVEPOINT step`); err != nil {
		return err
	}
	before := *t
	if err := fn(ctx); err != nil {
		t.undoStep(context.WithoutCancel(ctx))
		t.changed, t.audited, t.unaudited, t.last = before.changed, before.audited, before.unaudited, before.last
		return err
	}
	return t.control(ctx, `RELEASE SAVEPOINT step`)
}

// undoStep returns nothing: if it fails, the transaction is marked as broken.
func (t *transaction) undoStep(ctx context.Context) {
	if t.control(ctx, `ROLLBACK TO SAVEPOINT step`) == nil {
		_ = t.control(ctx, `RELEASE SAVEPOINT step`)
	}
}

// control runs a savepoint command. If it fails, the state of the transaction is
// unknown and the transaction is marked as broken.
func (t *transaction) control(ctx context.Context, command string) error {
	if _, err := t.tx.ExecContext(ctx, command); err != nil {
		t.broken = mapError(ctx, err)
		return t.broken
	}
	return nil
}

// pause waits longer with each attempt.
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

// LockWorkspace prevents other transactions from locking the workspace until the
// current one ends. It serialises changes that depend on more than one row, such
// as moves between folders.
func LockWorkspace(ctx context.Context, db *DB, workspaceID int64) error {
	_, err := ExecUnaudited(ctx, db, table.Workspace.Update(`
SET created_at = created_at
WHERE id = $1`), workspaceID)
	return err
}
