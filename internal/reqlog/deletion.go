package reqlog

import (
	"encoding/json"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/template"
)

// Deletion deletes logs of a workspace, only their texts, or only some of their
// metadata and scores. The traces of the logs go with them, because spans repeat what
// was said: all their spans, and their end.
type Deletion struct {
	Workspace int64
	// Logs are ids, in rising order. Those that the workspace does not have are
	// ignored.
	Logs []int64
	// Traces are ids of further traces that go, without their logs.
	Traces []string
	// TextsOnly keeps the logs with everything that is counted, and deletes what
	// DropTexts does.
	TextsOnly bool
	// RemovedPaths and RemovedScores, if there are any, keep the logs, and delete
	// everything under these metadata keys and the scores with these names. Their
	// traces stay, unless WithTraces is set.
	RemovedPaths, RemovedScores []string
	WithTraces                  bool
	// SpanKeys and ClosureKeys are the keys of the spans and ends of traces that go.
	// Stores add those that they have.
	SpanKeys, ClosureKeys []int64
}

// KeepsLogs reports whether the logs stay.
func (d *Deletion) KeepsLogs() bool { return d.TextsOnly || d.Removes() }

// Removes reports whether only metadata or scores are deleted.
func (d *Deletion) Removes() bool { return len(d.RemovedPaths)+len(d.RemovedScores) > 0 }

// Removal returns the annotation that has the same effect on a log.
func (d *Deletion) Removal() Annotation {
	return Annotation{RemovedPaths: d.RemovedPaths, RemovedScores: d.RemovedScores}
}

// TakesTraces reports whether the traces of the logs go.
func (d *Deletion) TakesTraces() bool { return d.WithTraces || !d.Removes() }

// MaxDeleted is the number of logs, and of traces, that one Deletion may have.
const MaxDeleted = 5_000

// Reclaimed is what became of the storage of deleted logs.
type Reclaimed struct {
	// Files is the number of files that were rewritten or removed.
	Files int64 `json:"files"`
	// BytesBefore and BytesAfter are the sizes of these files.
	BytesBefore int64 `json:"bytes_before"`
	BytesAfter  int64 `json:"bytes_after"`
	// DamagedBytes is the size of damaged parts, in which nothing could be searched
	// for.
	DamagedBytes int64 `json:"damaged_bytes"`
}

// ReclaimProgress is told which part of reclaiming is done, from 0 to 1, and what the
// call has reclaimed until now.
type ReclaimProgress func(part float64, done Reclaimed)

// Add adds what another part has reclaimed.
func (r *Reclaimed) Add(other Reclaimed) {
	r.Files += other.Files
	r.BytesBefore += other.BytesBefore
	r.BytesAfter += other.BytesAfter
	r.DamagedBytes += other.DamagedBytes
}

// DropTexts removes what was said from a log: its input, output, parameters, input
// variables and error message, and what is derived from them, except for numbers
// and names of tools. Metadata, tags and scores stay.
func (l *Log) DropTexts() {
	l.Input, l.Output, l.Parameters = withoutText(l.Input), withoutText(l.Output), nil
	l.Variables, l.ErrorMessage, l.TextsDeleted = nil, "", true
	x := &l.Index
	x.InputText, x.OutputText, x.ThinkingText, x.Output, x.Variables = "", "", "", nil, nil
}

// withoutText returns an empty template of the same kind.
func withoutText(body json.RawMessage) json.RawMessage {
	tree, err := jsontree.Parse(body)
	if err == nil && template.KindOf(tree) == template.Completion {
		return json.RawMessage(`{"type":"completion","content":[]}`)
	}
	return json.RawMessage(`{"type":"chat","messages":[]}`)
}
