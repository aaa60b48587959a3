package eval_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/eval"
)

// plain returns columns that are fast; the last one fails in every third row.
func plain(l *lab) []eval.NewColumn {
	return []eval.NewColumn{
		l.column("MATH_OPERATOR", "large", `{"sources": ["n"], "operator": "ge", "value": 500}`),
		l.column("COUNT", "words", `{"source": "text", "type": "words"}`),
		l.column("MATH_OPERATOR", "left", `{"sources": ["n"], "operator": "%", "value": 3}`),
		l.column("MATH_OPERATOR", "divided", `{"sources": ["n", "left"], "operator": "/"}`),
	}
}

func TestRunComputesAllRows(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		p := l.process("one", nil, true)
		run := p.start(p.evaluation(l.dataset("d", numbers(1500)), plain(l)...))
		found := p.await(run.ID, ended)
		want := eval.Counts{Completed: 1500*3 + 1000, Failed: 500}
		if diff := cmp.Diff(want, found.Run.Counts); diff != "" {
			t.Errorf("counts (-want +got):\n%s", diff)
		}
		rows := p.rows(run.ID, entity.Page{Offset: 499, Limit: 3})
		wantRows := [][]string{
			{"COMPLETED false", "COMPLETED 5", "COMPLETED 1", "COMPLETED 499"},
			{"COMPLETED true", "COMPLETED 5", "COMPLETED 2", "COMPLETED 250"},
			{"COMPLETED true", "COMPLETED 5", "COMPLETED 0", "FAILED " + failureOf(p, run.ID)},
		}
		if diff := cmp.Diff(wantRows, rows); diff != "" {
			t.Errorf("rows (-want +got):\n%s", diff)
		}
		if found.Columns[2].Score != "66.66666666666667" || !strings.Contains(found.Run.Result.Score, `"column_name":"divided"`) {
			t.Errorf("the score is %s, that of the first column %s", found.Run.Result.Score, found.Columns[2].Score)
		}
	})
}

// failureOf returns the error of the last cell of the first row.
func failureOf(p *process, id int64) string {
	text, _ := strings.CutPrefix(p.rows(id, entity.Page{Limit: 1})[0][3], "FAILED ")
	return text
}

// gate blocks requests until it is opened.
type gate struct {
	calls
	open    chan struct{}
	entered chan struct{}
}

func newGate() *gate { return &gate{open: make(chan struct{}), entered: make(chan struct{}, 10_000)} }

func (g *gate) post(ctx context.Context, body string) (string, error) {
	g.add(body)
	g.entered <- struct{}{}
	select {
	case <-g.open:
		return "true", nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// calling returns columns of which one has a side effect.
func calling(l *lab) []eval.NewColumn {
	return []eval.NewColumn{
		l.column("COUNT", "words", `{"source": "text", "type": "words"}`),
		l.column("ENDPOINT", "called", `{"url": "https://example.com"}`),
		l.column("COALESCE", "same", `{"sources": ["called", "words"]}`),
	}
}

// TestSideEffectsAreStoredFirst reads a run while its requests are in progress.
func TestSideEffectsAreStoredFirst(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		g := newGate()
		p := l.process("one", g.post, true)
		run := p.start(p.evaluation(l.dataset("d", numbers(40)), calling(l)...))
		for range 16 {
			<-g.entered
		}
		now := p.await(run.ID, func(run *eval.Run) bool { return run.Counts.Running > 0 }).Run.Counts
		if diff := cmp.Diff(eval.Counts{Completed: 16, Running: 16, Queued: 88}, now); diff != "" {
			t.Errorf("during 16 requests (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([][]string{{"COMPLETED 5", "RUNNING", "QUEUED"}}, p.rows(run.ID, entity.Page{Limit: 1})); diff != "" {
			t.Errorf("the first row (-want +got):\n%s", diff)
		}
		if score := check.Must(p.Score(l.ctx, l.workspace, run.ID))(t); !strings.Contains(score, `"score_type":"none"`) {
			t.Errorf("the score while it runs is %s", score)
		}
		close(g.open)
		found := p.await(run.ID, ended)
		if diff := cmp.Diff(eval.Counts{Completed: 120}, found.Run.Counts); diff != "" {
			t.Errorf("in the end (-want +got):\n%s", diff)
		}
		if most, different := g.most(); most != 1 || different != 40 {
			t.Errorf("%d different calls, one of them %d times", different, most)
		}
	})
}

// TestAnotherProcessContinues loses a process while requests are in progress.
// Steps that may have taken effect are not repeated, and nothing else is lost.
func TestAnotherProcessContinues(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		g := newGate()
		first := l.process("one", g.post, true)
		run := first.start(first.evaluation(l.dataset("d", numbers(40)), calling(l)...))
		for range 16 {
			<-g.entered
		}
		first.await(run.ID, func(run *eval.Run) bool { return run.Counts.Running == 16 })
		first.stop(0)
		close(g.open)
		second := l.process("two", g.post, true)
		found := second.await(run.ID, ended)
		// The words of all rows, the calls and what depends on them of 24.
		if diff := cmp.Diff(eval.Counts{Completed: 40 + 2*24, Failed: 2 * 16}, found.Run.Counts); diff != "" {
			t.Errorf("counts (-want +got):\n%s", diff)
		}
		if most, different := g.most(); most != 1 || different != 40 {
			t.Errorf("%d different calls, one of them %d times", different, most)
		}
		rows := second.rows(run.ID, entity.Page{Limit: 40})
		for i, row := range rows {
			if row[0] != "COMPLETED 5" || slices.Contains(row, "QUEUED") || slices.Contains(row, "RUNNING") {
				t.Errorf("row %d is %v", i, row)
			}
		}
	})
}

// TestStopFinishesActiveSteps stops a process without a deadline.
func TestStopFinishesActiveSteps(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		g := newGate()
		first := l.process("one", g.post, true)
		run := first.start(first.evaluation(l.dataset("d", numbers(40)), calling(l)...))
		for range 16 {
			<-g.entered
		}
		stopped := make(chan struct{})
		go func() { first.stop(time.Minute); close(stopped) }()
		time.AfterFunc(200*time.Millisecond, func() { close(g.open) })
		<-stopped
		if now := first.run(run.ID).Run; now.EndedAt != nil || now.Counts.Running != 0 || now.Counts.Failed != 0 {
			t.Errorf("after the stop the run is %+v", now)
		}
		found := l.process("two", g.post, true).await(run.ID, ended)
		if diff := cmp.Diff(eval.Counts{Completed: 120}, found.Run.Counts); diff != "" {
			t.Errorf("in the end (-want +got):\n%s", diff)
		}
		if most, different := g.most(); most != 1 || different != 40 {
			t.Errorf("%d different calls, one of them %d times", different, most)
		}
	})
}

func TestCancelledRunEnds(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		g := newGate()
		p := l.process("one", g.post, true)
		run := p.start(p.evaluation(l.dataset("d", numbers(100)), calling(l)...))
		<-g.entered
		check.Must(p.Cancel(l.ctx, l.workspace, run.ID))(t)
		found := p.await(run.ID, ended)
		if c := found.Run.Counts; c.Completed+c.Failed != 300 || c.Failed < 200 {
			t.Errorf("counts are %+v", c)
		}
		if last := p.rows(run.ID, entity.Page{Offset: 99, Limit: 1}); last[0][0] != "FAILED The run was cancelled" {
			t.Errorf("the last row is %v", last)
		}
		if !strings.Contains(found.Run.Result.Score, "The run was cancelled") {
			t.Errorf("the score is %s", found.Run.Result.Score)
		}
		again := check.Must(p.Cancel(l.ctx, l.workspace, run.ID))(t)
		if again.EndedAt == nil {
			t.Error("the run did not end")
		}
	})
}

// TestManyInterruptions stops processes repeatedly. The rows are the same as
// those of an uninterrupted run.
func TestManyInterruptions(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		over := l.dataset("d", numbers(20_000))
		p := l.process("first", nil, true)
		run := p.start(p.evaluation(over, plain(l)...))
		for i := 0; ; i++ {
			now := p.await(run.ID, func(run *eval.Run) bool { return run.EndedAt != nil || run.Counts.Completed > int64(i)*10_000 })
			if now.Run.EndedAt != nil {
				break
			}
			p.stop(time.Duration(i%2) * time.Minute)
			p = l.process(fmt.Sprintf("process %d", i), nil, true)
		}
		found := p.await(run.ID, ended)
		if c := found.Run.Counts; c.Completed+c.Failed != 80_000 || c.Failed != 6667 {
			t.Errorf("counts are %+v", c)
		}
		if found.Columns[2].Score != "97.5" {
			t.Errorf("the score of the first column is %s", found.Columns[2].Score)
		}
	})
}

// TestScoresByCode lets code compute the score of a run, at its end and later.
func TestScoresByCode(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		p := l.process("one", nil, true)
		of := p.evaluation(l.dataset("d", numbers(1200)), plain(l)...)
		check.Must(p.SetScoreCard(l.ctx, l.workspace, of.Entity.ID, []string{"large"}, &eval.Scoring{Code: "words", Language: "PYTHON"}))(t)
		found := p.await(p.start(of).ID, ended)
		if !strings.HasPrefix(found.Run.Result.Score, `{"overall_score":6000,"score_type":"custom"`) || found.Run.Result.Matrix != `[[["rows",1200]]]` {
			t.Errorf("the result is %+v", found.Run.Result)
		}
		changed := check.Must(p.SetScoreCard(l.ctx, l.workspace, found.Run.ID, []string{"large", "words"}, nil))(t)
		if !strings.HasPrefix(changed.Run.Result.Score, `{"overall_score":31.666666666666668,"score_type":"multi_column"`) || changed.Run.Result.Matrix != "" {
			t.Errorf("the result is then %+v", changed.Run.Result)
		}
	})
}

// TestScoreByCodeWithoutRows checks that a run without rows reports that it has
// scoring code.
func TestScoreByCodeWithoutRows(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		p := l.process("one", nil, true)
		for name, scoring := range map[string]*eval.Scoring{"with code": {Code: "words", Language: "PYTHON"}, "without": nil} {
			of := p.evaluation(l.dataset(name, numbers(0)), plain(l)...)
			check.Must(p.SetScoreCard(l.ctx, l.workspace, of.Entity.ID, nil, scoring))(t)
			want := fmt.Sprintf(`{"overall_score":null,"score_type":"none","has_custom_scoring":%t,`, scoring != nil)
			if got := p.start(of).Result.Score; !strings.HasPrefix(got, want) {
				t.Errorf("%s: the score is %s", name, got)
			}
		}
	})
}

// TestScoreCardOfActiveRun checks that a new scoring is applied when the run
// ends.
func TestScoreCardOfActiveRun(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		g := newGate()
		p := l.process("one", g.post, true)
		run := p.start(p.evaluation(l.dataset("d", numbers(10)), calling(l)...))
		<-g.entered
		check.Must(p.SetScoreCard(l.ctx, l.workspace, run.ID, []string{"words"}, nil))(t)
		close(g.open)
		found := p.await(run.ID, ended)
		if !strings.Contains(found.Run.Result.Score, `"column_name":"words"`) {
			t.Errorf("the score is %s", found.Run.Result.Score)
		}
	})
}

// TestCompareTwoRuns compares runs of two versions of an evaluation.
func TestCompareTwoRuns(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		p := l.process("one", nil, true)
		of := p.evaluation(l.dataset("d", numbers(1000)), plain(l)[:1]...)
		first := p.await(p.start(of).ID, ended)
		column := check.Must(l.catalog.Evaluations.ReportColumns(l.ctx, of.Entity.ID))(t)[2]
		check.Must(p.PatchColumn(l.ctx, l.workspace, column.ID, eval.ColumnPatch{
			ReportID: of.Entity.ID, Type: "MATH_OPERATOR", Configuration: l.tree(`{"sources": ["n"], "operator": "ge", "value": 400}`),
		}))(t)
		second := p.await(p.start(of).ID, ended)
		found := check.Must(p.Compare(l.ctx, l.workspace, first.Run.ID, second.Run.ID, entity.Page{Offset: 399, Limit: 2}))(t)
		overall := found.Result.Overall
		if overall.Change == nil || *overall.Change != 10 || *overall.Low < 8 || *overall.High > 12.1 || *overall.Low > 9.9 {
			t.Errorf("the difference is %+v", overall)
		}
		if c := found.Result.Columns[0].Counts; c.Improved != 100 || c.Same != 900 {
			t.Errorf("the changes are %+v", c)
		}
		if changes := []any{found.Rows[0].Changes[0], found.Rows[1].Changes[0]}; fmt.Sprint(changes) != "[same improved]" {
			t.Errorf("rows 399 and 400 are %v", changes)
		}
	})
}

// TestRunOverDeletedDataset checks that the run ends and its cells fail.
func TestRunOverDeletedDataset(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		g := newGate()
		p := l.process("one", g.post, true)
		over := l.dataset("d", numbers(30))
		of := p.evaluation(over, calling(l)...)
		run := p.start(of)
		<-g.entered
		check.Must(l.catalog.Entities.SoftDelete(l.ctx, l.workspace, []int64{over.GroupID}))(t)
		close(g.open)
		found := p.await(run.ID, ended)
		if found.Run.Counts.Completed != 90 {
			t.Errorf("counts of the active run are %+v", found.Run.Counts)
		}
		if len(p.rows(run.ID, entity.Page{Limit: 30})) != 30 {
			t.Error("its rows are gone")
		}
		_, err := p.Start(l.ctx, l.workspace, of.Entity.ID, eval.RunInput{Name: "x"})
		if err == nil || err.Error() != "Dataset not found" {
			t.Errorf("a new run: %v", err)
		}
	})
}

var _ eval.Datasets = (*dataset.Service)(nil)
