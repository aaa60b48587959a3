package eval

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/runtrace"
	"github.com/promptuary/promptuary/internal/step"
)

// MaxTracedRows is the maximum number of rows in the trace of a run. There are
// fewer if the rows have many spans.
const MaxTracedRows = 1000

// TraceID returns the id of the trace that the run writes.
func (r *Run) TraceID() string { return runtrace.ID(string(Kind), r.Workspace, r.ID) }

// rowTracer writes the trace of a run: a span for each of the first rows, and
// below it one for each cell whose step takes a while. Values of other cells are
// part of the row.
type rowTracer struct {
	root *runtrace.Span
	// rows is the number of rows that are traced.
	rows int64
	// names are the names of the columns, of the dataset first.
	names    []string
	computed []grid.Column
	clock    func() time.Time
}

func (s *Service) newTracer(run Run, given []string, computed []grid.Column) rowTracer {
	t := rowTracer{names: slices.Clone(given), computed: computed, clock: s.clock}
	spans := int64(1)
	for _, c := range computed {
		t.names = append(t.names, c.Name)
		if found, known := step.Find(c.Type); known && found.Work() != step.Inline {
			spans++
		}
	}
	t.rows = min(run.Rows, MaxTracedRows, runtrace.MaxSpans/spans)
	t.root = s.traces.Trace(run.Workspace, run.TraceID(), jsontree.Value{}).Root(runtrace.Part{
		Name: "Evaluation Run", Type: "EVAL", Start: run.CreatedAt, Attributes: func(w *jsontree.Writer) {
			w.Key("report_id").Int(run.ID)
			w.Key("report_name").String(run.Name)
			w.Key("parent_report_id").Int(run.ReportID)
			w.Key("dataset_id").Int(run.DatasetID)
			w.Key("workspace_id").Int(run.Workspace)
			w.Key("rows").Int(run.Rows)
			w.Key("traced_rows").Int(t.rows)
		},
	})
	if run.State == StateRows {
		t.root.Begin()
	}
	return t
}

// row returns the span of a row that begins, nil if it is not traced.
func (t *rowTracer) row(position int64, values []jsontree.Value) *runtrace.Span {
	if t.root == nil || position >= t.rows {
		return nil
	}
	number := strconv.FormatInt(position+1, 10)
	return t.root.Child("row "+number, runtrace.Part{
		Name: "Row " + number, Type: "ROW", Start: t.clock(), Input: t.object(t.given(), values),
	})
}

func (t *rowTracer) object(names []string, values []jsontree.Value) []byte {
	at := make(map[string]jsontree.Value, len(names))
	for i, name := range names {
		if _, known := at[name]; !known && i < len(values) {
			at[name] = values[i]
		}
	}
	return runtrace.Object(names, func(name string) jsontree.Value { return at[name] })
}

// given returns the names of the columns of the dataset.
func (t *rowTracer) given() []string { return t.names[:len(t.names)-len(t.computed)] }

// rowEnded writes the span of a row that continued from the known cells.
func (t *rowTracer) rowEnded(span *runtrace.Span, known, cells []grid.Cell) {
	if span == nil {
		return
	}
	r := runtrace.Result{End: t.clock()}
	values := make([]jsontree.Value, len(cells))
	for i := range cells {
		values[i] = cells[i].Value
		if cells[i].Status == grid.Failed && r.Error == "" {
			r.Error = fmt.Sprintf("column '%s' failed: %s", t.computed[i].Name, cells[i].Error)
		}
		if i < len(known) && known[i].Status == grid.Running && cells[i].Error == grid.Interrupted {
			t.cellSpan(span, t.computed[i], nil).Finish(runtrace.Result{End: r.End, Error: grid.Interrupted})
		}
	}
	r.Output = t.object(t.names[len(t.given()):], values)
	span.Finish(r)
}

// cell implements grid.Grid.Began.
func (t *rowTracer) cell(ctx context.Context, c grid.Column, sources []string, values step.Values) (context.Context, func(grid.Cell)) {
	row := runtrace.From(ctx)
	if row == nil {
		return ctx, func(grid.Cell) {}
	}
	span := t.cellSpan(row, c, runtrace.Object(sources, func(name string) jsontree.Value {
		value, _ := values.Get(name)
		return value
	}))
	return runtrace.With(ctx, span), func(cell grid.Cell) {
		span.Finish(runtrace.Result{End: t.clock(), Output: cell.Value.Raw(), Error: cell.Error})
	}
}

func (t *rowTracer) cellSpan(row *runtrace.Span, c grid.Column, input []byte) *runtrace.Span {
	return row.Child("column "+strconv.FormatInt(c.ID, 10), runtrace.Part{
		Name: c.Name + ": " + strings.ToLower(c.Type), Type: c.Type, Start: t.clock(), Input: input,
	})
}

// ended writes the span of the run.
func (t *rowTracer) ended(run Run, end End) {
	r := runtrace.Result{End: end.At, Error: end.Note, Output: []byte(end.Result.Score)}
	if failed := run.Counts.Failed; failed > 0 && r.Error == "" {
		r.Error = fmt.Sprintf("%d of %d cells failed", failed, run.Cells)
	}
	t.root.Finish(r)
}
