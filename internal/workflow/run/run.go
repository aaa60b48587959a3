// Package run runs workflows. A run is stored with the state of each node, so
// that clients can read it while it is active, and another process can continue
// it if this one is lost.
package run

import (
	"time"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Run is one execution of a version of a workflow.
type Run struct {
	ID         int64
	Workspace  int64
	WorkflowID int64
	VersionID  int64
	// DryRun reports whether it runs edits of the version, which are stored with it,
	// instead of the version.
	DryRun bool
	// Inputs is an object of the input variables.
	Inputs jsontree.Value
	// Metadata is an object of strings that is added to all request logs of the
	// run.
	Metadata jsontree.Value
	// AllOutputs reports whether clients that wait for the end want all nodes.
	AllOutputs bool
	// CallbackURL is called at the end, "" for none.
	CallbackURL string
	// Channel is the last part of the name of a channel, "" for none.
	Channel string
	// StartedBy is who started it.
	StartedBy string
	CreatedAt time.Time
	// EndedAt is when the last node became final, nil before.
	EndedAt *time.Time
}

// Status is the status of a node or a run.
type Status string

// The statuses; the last three are final.
const (
	Queued  Status = "QUEUED"
	Running Status = "RUNNING"
	Success Status = "SUCCESS"
	Failed  Status = "FAILED"
	Skipped Status = "SKIPPED"
)

// Final reports whether the node no longer changes.
func (s Status) Final() bool { return s == Success || s == Failed || s == Skipped }

// NodeState is the state of a node of a run.
type NodeState struct {
	// Position is the index of the node in the definition.
	Position int
	Status   Status
	// Value is absent unless the node succeeded.
	Value jsontree.Value
	// Message is a short explanation of why the node failed or was skipped; Raw
	// has all details.
	Message, Raw string
	// Retries is how often the node has failed and was, or will be, run again. While
	// it waits for that, its status is Queued, and Message and Raw are about the last
	// failure.
	Retries int
	// Sequence is the order in which the nodes of the run became final, from 1; 0
	// before.
	Sequence int
	// StartedAt is when the node first started and EndedAt when it became final; nil
	// until then.
	StartedAt, EndedAt *time.Time
}
