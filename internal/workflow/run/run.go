// Package run runs workflows. A run is stored with what has become of each
// node, so that it can be read while it goes on, and another process can go on
// with it when this one is lost.
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
	// Inputs is an object of the input variables.
	Inputs jsontree.Value
	// Metadata is an object of strings that goes along with everything that
	// the run logs.
	Metadata jsontree.Value
	// AllOutputs says that who waits for the end wants to know of all nodes.
	AllOutputs bool
	// CallbackURL is who is told of the end, "" for nobody.
	CallbackURL string
	// Channel ends the name of a channel on which somebody waits, "" for none.
	Channel string
	// StartedBy is who started it.
	StartedBy string
	CreatedAt time.Time
	// EndedAt is when the last node became final, nil before.
	EndedAt *time.Time
}

// Status is what has become of a node.
type Status string

// The statuses; the last three are final.
const (
	Queued  Status = "QUEUED"
	Running Status = "RUNNING"
	Success Status = "SUCCESS"
	Failed  Status = "FAILED"
	Skipped Status = "SKIPPED"
)

// Final reports whether nothing more happens to the node.
func (s Status) Final() bool { return s == Success || s == Failed || s == Skipped }

// NodeState is what has become of a node of a run.
type NodeState struct {
	// Position is where the node stands in the definition.
	Position int
	Status   Status
	// Value is what came out, absent unless the node succeeded.
	Value jsontree.Value
	// Message says shortly why the node failed, or was skipped; Raw says all
	// that is known of it.
	Message, Raw string
	// Sequence is the order in which the nodes of the run became final, from 1;
	// 0 before.
	Sequence int
	// StartedAt and EndedAt are nil as long as they lie ahead.
	StartedAt, EndedAt *time.Time
}
