package eval_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// traced waits for the end of a run and of its trace, and returns the trace with
// its root first.
func (p *process) traced(run eval.Run) []*reqlog.Span {
	p.lab.t.Helper()
	p.await(run.ID, ended)
	var spans []*reqlog.Span
	check.Eventually(p.lab.t, "the trace ends", func() bool {
		spans = p.lab.traces.Spans(p.lab.workspace, run.TraceID())
		return len(spans) > 0 && spans[0].Status != reqlog.SpanUnset
	})
	return spans
}

func attribute(span *reqlog.Span, name string) string {
	return string(check.JSON(string(span.Attributes)).Get(name).Raw())
}

func TestTraceOfARun(t *testing.T) {
	t.Parallel()
	l := newLab(t, catalogtest.SQLite(t))
	p := l.process("one", func(_ context.Context, body string) (string, error) {
		if strings.Contains(body, "row 1") {
			return "", errors.New("broken")
		}
		return `"yes"`, nil
	}, true)
	run := p.start(p.evaluation(l.dataset("d", numbers(2)), calling(l)...))
	p.traced(run)
	lines := strings.SplitAfter(l.traces.Tree(l.workspace, run.TraceID()), "\n") // rows run at the same time
	slices.Sort(lines)
	const failure = "The step failed because of an internal error"
	check.Equal(t, "trace", strings.Join(lines, ""), `    called: endpoint ERROR {} ! `+failure+`
    called: endpoint OK {} -> "yes"
  Row 1 OK {"n":"0","text":"the text of row 0"} -> {"words":5,"called":"yes","same":"yes"}
  Row 2 ERROR {"n":"1","text":"the text of row 1"} -> {"words":5} ! column 'called' failed: `+failure+`
Evaluation Run ERROR -> `+p.run(run.ID).Run.Result.Score+` ! 2 of 6 cells failed
`)
}

// TestTraceOfManyRows evaluates more rows than a trace has.
func TestTraceOfManyRows(t *testing.T) {
	t.Parallel()
	l := newLab(t, catalogtest.SQLite(t))
	p := l.process("one", nil, true)
	run := p.start(p.evaluation(l.dataset("d", numbers(eval.MaxTracedRows+500)), plain(l)...))
	spans := p.traced(run)
	check.Equal(t, "spans", len(spans), 1+eval.MaxTracedRows)
	check.Equal(t, "rows", attribute(spans[0], "rows")+" "+attribute(spans[0], "traced_rows"), fmt.Sprint(eval.MaxTracedRows+500, eval.MaxTracedRows))
	check.Equal(t, "missing spans", attribute(spans[0], "missing_spans"), "")
	check.Equal(t, "run", attribute(spans[0], "report_id"), fmt.Sprint(run.ID))
}

// TestTraceOfARunThatAnotherProcessContinues loses a process while requests are
// in progress.
func TestTraceOfARunThatAnotherProcessContinues(t *testing.T) {
	t.Parallel()
	l, g := newLab(t, catalogtest.SQLite(t)), newGate()
	first := l.process("one", g.post, true)
	run := first.start(first.evaluation(l.dataset("d", numbers(40)), calling(l)...))
	for range 16 {
		<-g.entered
	}
	first.await(run.ID, func(run *eval.Run) bool { return run.Counts.Running == 16 })
	first.stop(0)
	close(g.open)
	spans := l.process("two", g.post, true).traced(run)
	check.Equal(t, "spans", len(spans), 1+40+40)
	failed := 0
	for _, span := range spans {
		if span.StatusMessage == grid.Interrupted {
			failed++
		}
	}
	check.Equal(t, "interrupted cells", failed, 16)
	check.Equal(t, "root", spans[0].Status+" "+spans[0].StatusMessage, "ERROR 32 of 120 cells failed")
}
