// Package repricing computes the prices of request logs again, at the prices of
// today. A re-pricing is a job. Log by log, it writes the new prices to the
// store of logs, which keeps the prices that logs were written with, so that it
// can be reverted.
package repricing

import (
	"context"
	"math"
	"time"

	"github.com/promptuary/promptuary/internal/audit"
)

// State is how far a re-pricing is.
type State string

// The states. A re-pricing that was cancelled or failed has changed the logs that
// it has counted, and can be reverted.
const (
	Running   State = "running"
	Done      State = "done"
	Cancelled State = "cancelled"
	Failed    State = "failed"
	Reverting State = "reverting"
	Reverted  State = "reverted"
)

// Repricing is a re-pricing of the logs that a query selects.
type Repricing struct {
	ID        int64
	Workspace int64
	// Query is a JSON object with the members of a search: filter_group, filters
	// and q.
	Query string
	// IncludeSent says that prices that clients sent are replaced, too.
	IncludeSent bool
	State       State
	// Failure is why it failed, "" otherwise.
	Failure string
	// Last is the id of the last log there was when it began. Later logs have the
	// prices of today.
	Last int64
	// Total is the number of logs that matched when it began.
	Total int64
	Progress
	CreatedBy *string
	CreatedAt time.Time
	// EndedAt is nil while it runs or is being reverted.
	EndedAt *time.Time
}

// Active reports whether there is a job for it.
func (r *Repricing) Active() bool { return r.State == Running || r.State == Reverting }

// Part returns which part of it is done, or undone while it is being reverted,
// from 0 to 1.
func (r *Repricing) Part() float64 {
	done, all := r.Logs, r.Total
	if r.State == Reverting {
		done, all = r.Undone, r.Upto
	}
	if !r.Active() || all == 0 {
		return 1
	}
	return min(float64(done)/float64(all), 1)
}

// Progress is what has been done.
type Progress struct {
	// Done and Upto limit the part that is counted, but may not be written yet:
	// the logs after Done, up to Upto. Those up to Done are written.
	Done int64 `json:"done"`
	Upto int64 `json:"upto"`
	// Undone is the log up to which prices were reverted.
	Undone int64 `json:"undone"`
	Tally
}

// Tally counts logs and sums up prices.
type Tally struct {
	// Logs is the number of logs, and Changed of those that get another price.
	Logs    int64 `json:"logs"`
	Changed int64 `json:"changed"`
	// Sent is the number of logs that keep the price that a client sent, and
	// Unpriced of those that keep theirs because their model has no price or they
	// have no tokens.
	Sent     int64 `json:"sent"`
	Unpriced int64 `json:"unpriced"`
	// OldUSD and NewUSD are the sums of the prices before and after.
	OldUSD float64 `json:"old_usd"`
	NewUSD float64 `json:"new_usd"`
}

func (t *Tally) add(other Tally) {
	t.Logs += other.Logs
	t.Changed += other.Changed
	t.Sent += other.Sent
	t.Unpriced += other.Unpriced
	t.OldUSD = sum(t.OldUSD, other.OldUSD)
	t.NewUSD = sum(t.NewUSD, other.NewUSD)
}

// sum adds two prices. It stays finite, because JSON has no other numbers.
func sum(a, b float64) float64 { return min(a+b, math.MaxFloat64) }

// Store stores re-pricings. Its methods join the transaction of the context.
type Store interface {
	// InTx calls fn in a transaction.
	InTx(ctx context.Context, fn func(ctx context.Context) error) error

	// CreateRepricing stores a re-pricing that runs, and returns it with its id.
	// The fault is Conflict if the workspace has another one that is active.
	CreateRepricing(ctx context.Context, r Repricing) (Repricing, error)

	// GetRepricing returns a re-pricing, or a NotFound fault.
	GetRepricing(ctx context.Context, workspace, id int64) (Repricing, error)

	// ListRepricings returns re-pricings of a workspace, the newest first, and
	// their number.
	ListRepricings(ctx context.Context, workspace int64, offset, limit int) ([]Repricing, int64, error)

	// SaveRepricing stores the state, the progress and the end of a re-pricing
	// that is in the state from, and adds an audit entry unless the action is "".
	// The fault is Conflict if it is in another state, or if it becomes active and
	// the workspace has another one that is.
	SaveRepricing(ctx context.Context, from State, r Repricing, action audit.Action) error

	// NoteRepricing adds an audit entry.
	NoteRepricing(ctx context.Context, r Repricing, action audit.Action) error
}
