package dataset

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/ingest"
	"github.com/promptuary/promptuary/internal/trace"
)

const (
	// maxTraceSpans is the number of spans of a trace that are considered.
	maxTraceSpans = 20_000
	// maxCalls and maxCallBytes limit the request logs added by one call.
	maxCalls     = 1000
	maxCallBytes = maxRewritten
)

// TraceInput says what of a trace to add to a draft.
type TraceInput struct {
	TraceID string
	// SpanID is the span to start from, "" for the first root.
	SpanID string
	// Calls says to add a row for each request log at or below the span, instead of
	// one row for the span.
	Calls   bool
	Creator *string
}

// AddTrace appends rows for a trace to the draft of a group, and returns the draft
// and the number of rows. If there is no draft, it is created with the rows of
// the newest dataset. The fault is BadRequest for an unknown group or if there is
// nothing to add or too much, NotFound for an unknown trace or span, and
// Forbidden if the caller may not edit the group.
func (s *Service) AddTrace(ctx context.Context, workspace, groupID int64, in TraceInput) (Dataset, int, error) {
	if _, err := s.group(ctx, workspace, groupID); err != nil {
		return Dataset{}, 0, unknownGroup(err)
	}
	rows, err := s.traceRows(ctx, workspace, in)
	if err != nil {
		return Dataset{}, 0, err
	}
	if err := access.Require(ctx, access.DatasetEdit); err != nil {
		return Dataset{}, 0, err
	}
	if err := s.ensureDraft(ctx, workspace, groupID, in.Creator); err != nil {
		return Dataset{}, 0, unknownGroup(err)
	}
	draft, err := s.append(ctx, workspace, groupID, rows)
	return draft, len(rows), err
}

// unknownGroup returns the fault that clients expect for an unknown group.
func unknownGroup(err error) error {
	if fault.Is(err, fault.NotFound) {
		return fault.BadRequestf("Dataset group not found")
	}
	return err
}

// ensureDraft creates the draft of a group unless it exists.
func (s *Service) ensureDraft(ctx context.Context, workspace, groupID int64, creator *string) error {
	if _, err := s.draft(ctx, workspace, groupID); !fault.Is(err, fault.NotFound) {
		return err
	}
	var source *int64
	newest, err := s.store.FindDataset(ctx, workspace, groupID, 0)
	switch {
	case err == nil:
		source = &newest.Version.ID
	case !fault.Is(err, fault.NotFound):
		return err
	}
	_, err = s.CreateDraft(ctx, workspace, groupID, source, creator)
	if fault.Is(err, fault.Conflict) {
		return nil // somebody else did
	}
	return err
}

func (s *Service) traceRows(ctx context.Context, workspace int64, in TraceInput) ([]logRow, error) {
	found, err := s.logs.Trace(ctx, workspace, in.TraceID, maxTraceSpans)
	if err != nil {
		return nil, missing(err, "Trace not found")
	}
	part, err := partOf(found, reqlog.NormalSpanID(in.SpanID))
	if err != nil {
		return nil, err
	}
	from := traceReader{logs: s.logs, workspace: workspace, trace: found}
	if in.Calls {
		return from.calls(ctx, part)
	}
	return from.row(ctx, part)
}

// traceReader makes rows of a trace.
type traceReader struct {
	logs      Logs
	workspace int64
	trace     *reqlog.Trace
	read      int64
}

// calls returns a row for each request log of the spans.
func (r *traceReader) calls(ctx context.Context, part []int) (rows []logRow, err error) {
	seen := map[int64]bool{}
	for _, at := range part {
		id := r.trace.LogIDs[at]
		if id == 0 || seen[id] {
			continue
		}
		seen[id] = true
		if len(rows) == maxCalls {
			return nil, fault.BadRequestf("The trace has more than %d request logs", maxCalls)
		}
		l, err := r.log(ctx, id)
		if err != nil {
			return nil, err
		}
		rows = append(rows, rowOf(l, nil))
	}
	if len(rows) == 0 {
		return nil, fault.BadRequestf("The trace has no request logs")
	}
	return rows, nil
}

// log returns a request log, unless the logs read until now are too large.
func (r *traceReader) log(ctx context.Context, id int64) (*reqlog.Log, error) {
	l, err := r.logs.Get(ctx, r.workspace, id)
	if err != nil {
		return nil, missing(err, "Request log not found")
	}
	if r.read += ingest.EstimateSize(l); r.read > maxCallBytes {
		return nil, fault.BadRequestf("The request logs of the trace are too large for one request")
	}
	return l, nil
}

// row returns one row: the input and the output of the first span, the span, and
// its children, each in a column with its name.
func (r *traceReader) row(ctx context.Context, part []int) ([]logRow, error) {
	input, output, err := r.content(ctx, part[0])
	if err != nil {
		return nil, err
	}
	cells := []cell{{"input", input}, {"output", output}}
	used := map[string]bool{"input": true, "output": true}
	anchor := r.trace.Spans[part[0]]
	for n, at := range part {
		span := r.trace.Spans[at]
		if n > 0 && span.ParentID != anchor.SpanID {
			continue
		}
		if len(cells) == MaxColumns {
			return nil, fault.BadRequestf("The span has more than %d children", MaxColumns-3)
		}
		value, err := r.value(ctx, at)
		if err != nil {
			return nil, err
		}
		cells = append(cells, cell{unused(span.Name, used), value})
	}
	return []logRow{{cells: cells}}, nil
}

// value returns a span as a cell.
func (r *traceReader) value(ctx context.Context, at int) ([]byte, error) {
	input, output, err := r.content(ctx, at)
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Key("input").Raw(input)
		w.Key("output").Raw(output)
		w.Key("attributes").Raw(compact(orEmpty(r.trace.Spans[at].Attributes)))
	})
	return w.Bytes(), err
}

func orEmpty(object []byte) []byte {
	if len(object) == 0 {
		return []byte("{}")
	}
	return object
}

// content returns the input and the output of a span, from its request log where
// the span does not have them.
func (r *traceReader) content(ctx context.Context, at int) (input, output []byte, err error) {
	input, output = trace.Content(r.trace.Spans[at])
	if id := r.trace.LogIDs[at]; id != 0 && (input == nil || output == nil) {
		l, err := r.log(ctx, id)
		if err != nil {
			return nil, nil, err
		}
		if input == nil {
			input = compact(l.Input)
		}
		if output == nil {
			output = response(l.Output)
		}
	}
	return input, output, nil
}

// unused returns a name for a column that no other column of the row has.
func unused(name string, used map[string]bool) string {
	if name == "" {
		name = "span"
	}
	free := name
	for n := 2; used[free]; n++ {
		free = fmt.Sprintf("%s_%d", name, n)
	}
	used[free] = true
	return free
}
