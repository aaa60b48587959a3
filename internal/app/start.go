package app

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

// lateWrite is a write of the start that a full disk has prevented.
type lateWrite struct {
	what string
	do   func(context.Context) error
}

// firstStart is what the first start has created, and has yet to be handed over.
type firstStart struct {
	// key is the API key created at the first start, empty at later starts.
	key string
	// owner and token are the address of the owner and the token of the sign-in link,
	// empty once an owner has signed in. The token is also empty if an operator has
	// created another link.
	owner, token string
}

// orLater makes a write of the start that an existing installation can do without
// for a while. If the disk is full, it is made when there is room.
func (a *App) orLater(ctx context.Context, what string, do func(context.Context) error) error {
	err := do(ctx)
	if !errors.Is(err, unix.ENOSPC) {
		return err
	}
	a.log.Warn("the disk is full: a step of the start is postponed", "step", what, "error", err)
	a.late = append(a.late, lateWrite{what, do})
	return nil
}

// writable returns why changes or request logs are refused, or nil. It finds out
// whether there is room again.
func (a *App) writable(ctx context.Context) error {
	return errors.Join(a.catalog.Writable(ctx), a.logs.Store.Healthy())
}

// readsOnly reports whether changes or request logs are refused.
func (a *App) readsOnly() bool { return a.catalog.ReadsOnly() || a.logs.Store.Healthy() != nil }

// tellReadOnly logs that the server starts without being able to write.
func (a *App) tellReadOnly() {
	if a.catalog.ReadsOnly() {
		a.log.Error("the disk of the catalog is full: the server answers reads and refuses changes until there is room")
	}
	if err := a.logs.Store.Healthy(); err != nil {
		a.log.Error("the server answers reads and refuses request logs until there is room", "error", err)
	}
}

// lateEvery is how often the writes that a full disk has prevented are tried.
const lateEvery = 2 * time.Second

// finishStart makes the writes that a full disk has prevented when there is room,
// or ends with ctx.
func (a *App) finishStart(ctx context.Context) {
	if len(a.late) == 0 && !a.readsOnly() {
		return
	}
	ticker := time.NewTicker(lateEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if a.writable(ctx) == nil && a.writeLate(ctx) {
			a.log.Info("the disk has room again: changes and request logs are accepted")
			return
		}
	}
}

// writeLate makes the writes that are left, and reports whether none is left.
func (a *App) writeLate(ctx context.Context) bool {
	for len(a.late) > 0 {
		err := a.late[0].do(ctx)
		if errors.Is(err, unix.ENOSPC) || ctx.Err() != nil {
			return false
		}
		if err != nil {
			a.log.Error("a postponed step of the start failed", "step", a.late[0].what, "error", err)
			return false
		}
		a.late = a.late[1:]
	}
	return true
}
