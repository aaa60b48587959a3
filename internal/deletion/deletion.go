// Package deletion deletes request logs: those that a query selects, those with
// given ids, those of a user, and those that a workspace has kept long enough. Or it
// deletes their texts, a metadata key or a score. A deletion is a job. It hides the logs part by part, then has the store of logs
// remove them from its files, and ends with a certificate of what was deleted.
package deletion

import (
	"context"
	"time"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// State is how far a deletion is.
type State string

// The states. While a deletion is running, logs are hidden, after which no read
// finds them. While it is reclaiming, they are removed from the files. What was
// deleted before it was cancelled or failed is gone.
const (
	Running    State = "running"
	Reclaiming State = "reclaiming"
	Done       State = "done"
	Cancelled  State = "cancelled"
	Failed     State = "failed"
)

// Source is why logs are deleted.
type Source string

// The sources.
const (
	ByQuery     Source = "query"
	ByIDs       Source = "ids"
	ByUser      Source = "user"
	ByRetention Source = "retention"
)

// Deletion is a deletion of logs, or of a part of them.
type Deletion struct {
	ID        int64
	Workspace int64
	Source    Source
	// Query is a JSON object with the members of a search: filter_group, filters
	// and q.
	Query string
	// User is whose logs and traces are deleted, "" for others.
	User string
	// TextsOnly keeps the logs with everything that is counted.
	TextsOnly bool
	// MetadataKey or ScoreName, unless "", is all that is deleted of the logs, of those
	// that have it. With a key go all keys below it.
	MetadataKey, ScoreName string
	// WithTraces deletes the traces of these logs, too, which go with other deletions
	// anyway.
	WithTraces bool
	State      State
	// Failure is why it failed, "" otherwise.
	Failure string
	// After and Last limit the ids of the logs: greater than After, and not greater
	// than Last, which is the last one there was when it began.
	After, Last int64
	// Total is the number of logs that matched when it began.
	Total int64
	Progress
	CreatedBy *string
	CreatedAt time.Time
	// EndedAt is nil while it is active.
	EndedAt *time.Time
}

// Active reports whether there is a job for it.
func (d *Deletion) Active() bool { return d.State == Running || d.State == Reclaiming }

// Removes reports whether the logs stay, without a metadata key or a score.
func (d *Deletion) Removes() bool { return d.MetadataKey != "" || d.ScoreName != "" }

// hidingPart is the part of the progress of a deletion at which all logs are hidden.
const hidingPart = 0.5

// Part returns which part of it is done, from 0 to 1.
func (d *Deletion) Part() float64 {
	switch {
	case !d.Active():
		return 1
	case d.State == Reclaiming:
		return hidingPart + (1-hidingPart)*min(d.ReclaimedPart, 1)
	case d.Total == 0:
		return 0
	}
	return hidingPart * min(float64(d.Logs)/float64(d.Total), 1)
}

// Progress is what has been done, and at the end the certificate.
type Progress struct {
	// Done and Upto limit the part that is counted, but may not be hidden yet: the
	// logs after Done, up to Upto. Those up to Done are hidden.
	Done int64 `json:"done"`
	Upto int64 `json:"upto"`
	// Logs is the number of logs that were deleted, or lost a part, and Traces
	// that of traces of the user that were deleted besides those of logs.
	Logs   int64 `json:"logs"`
	Traces int64 `json:"traces"`
	// FirstID and LastID are the lowest and highest id of these logs, 0 without any.
	FirstID int64 `json:"first_id"`
	LastID  int64 `json:"last_id"`
	// Digest is the state of the SHA-256 of the ids, each in decimal with a newline
	// after it, in rising order.
	Digest []byte `json:"digest,omitempty"`
	// Cancelled says that it continues with removing what is hidden from the files.
	Cancelled bool `json:"cancelled,omitempty"`
	// ReclaimedPart is which part of the files was looked at, from 0 to 1.
	ReclaimedPart float64          `json:"reclaimed_part"`
	Reclaimed     reqlog.Reclaimed `json:"reclaimed"`
}

// Store stores deletions and rules of retention. Its methods join the transaction of
// the context.
type Store interface {
	// InTx calls fn in a transaction.
	InTx(ctx context.Context, fn func(ctx context.Context) error) error

	// CreateDeletion stores a deletion that runs, and returns it with its id.
	CreateDeletion(ctx context.Context, d Deletion) (Deletion, error)

	// GetDeletion returns a deletion, or a NotFound fault.
	GetDeletion(ctx context.Context, workspace, id int64) (Deletion, error)

	// ListDeletions returns deletions of a workspace, the newest first, and their
	// number.
	ListDeletions(ctx context.Context, workspace int64, offset, limit int) ([]Deletion, int64, error)

	// SaveDeletion stores the state, the progress and the end of a deletion that is
	// in the state from. At its end it adds an audit entry. The fault is Conflict if
	// it is in another state.
	SaveDeletion(ctx context.Context, from State, d Deletion) error

	// NoteDeletion adds an audit entry.
	NoteDeletion(ctx context.Context, d Deletion, action audit.Action) error
}
