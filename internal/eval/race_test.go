package eval_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/fault"
)

// TestLostProcessWritesNothing lets another process take over a run from one
// that is still working on it. Nothing that the first one does afterwards is
// stored, and it starts nothing new.
func TestLostProcessWritesNothing(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		g := newGate()
		first := l.process("one", g.post, true)
		run := first.start(first.evaluation(l.dataset("d", numbers(40)), calling(l)...))
		for range 16 {
			<-g.entered
		}
		second := l.process("two", g.post, true) // as if the first were gone
		for range 16 {
			<-g.entered
		}
		close(g.open)
		found := second.await(run.ID, ended)
		if diff := cmp.Diff(eval.Counts{Completed: 40 + 2*24, Failed: 2 * 16}, found.Run.Counts); diff != "" {
			t.Errorf("counts (-want +got):\n%s", diff)
		}
		if most, different := g.most(); most != 1 || different != 40 {
			t.Errorf("%d different calls, one of them %d times", different, most)
		}
	})
}

// TestConcurrentColumns adds columns concurrently: none is lost, and of those
// with the same name only one is added.
func TestConcurrentColumns(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		p := l.process("one", nil, true)
		of := p.evaluation(l.dataset("d", numbers(1)))
		const each = 8
		errs := make([]error, 2*each)
		var group sync.WaitGroup
		for i := range errs {
			group.Go(func() {
				name := "same"
				if i < each {
					name = fmt.Sprintf("own %d", i)
				}
				_, errs[i] = p.AddColumn(l.ctx, l.workspace, of.Entity.ID, l.column("VARIABLE", name, `{"value": 1}`))
			})
		}
		group.Wait()
		refused := 0
		for _, err := range errs {
			if fault.Is(err, fault.BadRequest) {
				refused++
			} else if err != nil {
				t.Error(err)
			}
		}
		columns := p.run(of.Entity.ID).Columns
		if refused != each-1 || len(columns) != 2+each+1 {
			t.Errorf("%d rejected, %d columns stored", refused, len(columns))
		}
		for i, c := range columns {
			if c.Position != int64(i+1) {
				t.Errorf("column %d has position %d", i, c.Position)
			}
		}
	})
}

// TestScoreCardsWhileRunEnds changes the scoring of a run while it ends. The
// score must reflect the last change.
func TestScoreCardsWhileRunEnds(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		p := l.process("one", nil, true)
		of := p.evaluation(l.dataset("d", numbers(300)), plain(l)...)
		for i := range 10 {
			run := p.start(of)
			for n := range i {
				name := []string{"large", "words"}[n%2]
				_, err := p.SetScoreCard(l.ctx, l.workspace, run.ID, []string{name}, nil)
				check.Must(0, err)(t)
			}
			found := p.await(run.ID, ended)
			want := map[bool]string{true: "divided", false: []string{"words", "large"}[i%2]}[i == 0]
			if text := fmt.Sprintf(`"column_name":%q`, want); !strings.Contains(found.Run.Result.Score, text) {
				t.Errorf("after %d changes the score is %s", i, found.Run.Result.Score)
			}
		}
	})
}
