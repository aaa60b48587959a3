package eval_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/fault"
)

// asking returns columns of which one asks people, one depends on the answer, and
// one sends it to another server.
func asking(l *lab) []eval.NewColumn {
	stars := l.column("HUMAN", "stars", `{"wait": true, "data_type": "number", "min": 1, "max": 5, "prompt": "How good is it?"}`)
	stars.Scored = true
	return []eval.NewColumn{
		l.column("COUNT", "words", `{"source": "text", "type": "words"}`), stars,
		l.column("MATH_OPERATOR", "double", `{"sources": ["stars"], "operator": "*", "value": 2}`),
		l.column("ENDPOINT", "sent", `{"url": "https://example.com"}`),
		l.column("COUNT", "letters", `{"source": "text", "type": "chars"}`),
	}
}

func waits(run *eval.Run) bool { return run.State == eval.StateWaiting }

// answer answers the cell of a row in the column with the name.
func (p *process) answer(ctx context.Context, run, position int64, column, value string) error {
	p.lab.t.Helper()
	in := eval.AnswerInput{Position: position, Value: p.lab.tree(value), Comment: new("because")}
	for _, c := range p.run(run).Columns {
		if c.Name == column {
			in.ColumnID = c.ID
		}
	}
	return p.AnswerCell(ctx, p.lab.workspace, run, in)
}

// jobsLeft returns the number of jobs in the catalog that anyone could take or
// holds.
func (l *lab) jobsLeft() int {
	l.t.Helper()
	check.Must(0, l.catalog.Runs.LeaveJobs(l.ctx))(l.t)
	return len(check.Must(l.catalog.Runs.OpenJobs(l.ctx, nil, 10))(l.t))
}

func (l *lab) equal(want, got any) {
	l.t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		l.t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRunWaitsForPeople answers the cells of a run one by one, with processes
// that are replaced in the meantime.
func TestRunWaitsForPeople(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		var sent calls
		post := func(_ context.Context, body string) (string, error) { return fmt.Sprint(sent.add(body)), nil }
		first := l.process("one", post, true)
		run := first.start(first.evaluation(l.dataset("d", numbers(3)), asking(l)...))
		found := first.await(run.ID, waits)
		l.equal(eval.Counts{Completed: 6, Waiting: 3, Queued: 6}, found.Run.Counts)
		l.equal([]string{"COMPLETED 5", "WAITING", "QUEUED", "QUEUED", "COMPLETED 17"}, first.rows(run.ID, entity.Page{Limit: 1})[0])
		if left := l.jobsLeft(); left != 0 {
			t.Errorf("a run that waits has %d jobs", left)
		}
		open, total, err := first.OpenCells(l.ctx, l.workspace, eval.OpenCellQuery{Page: entity.Page{Limit: 2}})
		check.Must(0, err)(t)
		if total != 3 || len(open) != 2 || open[1].Position != 1 || open[1].Question.Text != "How good is it?" {
			t.Errorf("%d cells are open: %+v", total, open)
		}
		first.stop(time.Second)

		second := l.process("two", post, true)
		check.Must(0, second.answer(l.ctx, run.ID, 1, "stars", "4"))(t)
		second.await(run.ID, func(run *eval.Run) bool { return waits(run) && run.Counts.Completed == 9 })
		l.equal([]string{"COMPLETED 5", "COMPLETED 4", "COMPLETED 8", "COMPLETED 1", "COMPLETED 17"}, second.rows(run.ID, entity.Page{Offset: 1, Limit: 1})[0])
		check.Must(0, second.answer(l.ctx, run.ID, 0, "stars", "2"))(t)
		second.await(run.ID, func(run *eval.Run) bool { return waits(run) && run.Counts.Completed == 12 })
		second.stop(time.Second)

		third := l.process("three", post, true)
		check.Must(0, third.answer(l.ctx, run.ID, 2, "stars", "3"))(t)
		found = third.await(run.ID, ended)
		l.equal(eval.Counts{Completed: 15}, found.Run.Counts)
		if overall := found.Run.Result.Overall(); overall == nil || *overall != 3 {
			t.Errorf("the score is %s", found.Run.Result.Score)
		}
		if most, different := sent.most(); most != 1 || different != 3 {
			t.Errorf("%d different requests, one of them %d times", different, most)
		}
		check.Refused(t, third.answer(l.ctx, run.ID, 2, "stars", "3"), fault.Conflict, "The run has ended")
	})
}

// TestAnswersChangeUntilTheEnd changes an answer after the columns that depend
// on it were computed.
func TestAnswersChangeUntilTheEnd(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		var sent calls
		p := l.process("one", func(_ context.Context, body string) (string, error) { return fmt.Sprint(sent.add(body)), nil }, true)
		run := p.start(p.evaluation(l.dataset("d", numbers(2)), asking(l)...))
		p.await(run.ID, waits)
		check.Must(0, p.answer(l.ctx, run.ID, 0, "stars", "4"))(t)
		p.await(run.ID, func(run *eval.Run) bool { return waits(run) && run.Counts.Completed == 7 })
		check.Must(0, p.answer(l.ctx, run.ID, 0, "stars", "5"))(t)
		p.await(run.ID, func(*eval.Run) bool { return p.rows(run.ID, entity.Page{Limit: 1})[0][3] == "COMPLETED 2" })
		l.equal([]string{"COMPLETED 5", "COMPLETED 5", "COMPLETED 10", "COMPLETED 2", "COMPLETED 17"}, p.rows(run.ID, entity.Page{Limit: 1})[0])
		found := p.await(run.ID, waits)
		l.equal(eval.Counts{Completed: 7, Waiting: 1, Queued: 2}, found.Run.Counts)
		check.Must(0, p.answer(l.ctx, run.ID, 1, "stars", "1"))(t)
		l.equal(eval.Counts{Completed: 10}, p.await(run.ID, ended).Run.Counts)
	})
}

// TestWaitingRunIsCancelled cancels a run that has no job.
func TestWaitingRunIsCancelled(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		p := l.process("one", nil, true)
		run := p.start(p.evaluation(l.dataset("d", numbers(2)), asking(l)...))
		p.await(run.ID, waits)
		check.Must(p.Cancel(l.ctx, l.workspace, run.ID))(t)
		found := p.await(run.ID, ended)
		l.equal(eval.Counts{Completed: 4, Failed: 6}, found.Run.Counts)
		l.equal("FAILED The run was cancelled", p.rows(run.ID, entity.Page{Limit: 1})[0][1])
		if _, total, err := p.OpenCells(l.ctx, l.workspace, eval.OpenCellQuery{}); err != nil || total != 0 {
			t.Errorf("%d cells are open: %v", total, err)
		}
		deleted := p.start(p.evaluation(l.dataset("e", numbers(2)), asking(l)...))
		p.await(deleted.ID, waits)
		check.Must(0, p.Delete(l.ctx, l.workspace, deleted.ID))(t)
		p.await(deleted.ID, ended)
	})
}

// TestConcurrentAnswers answers all cells at once while the run computes rows.
func TestConcurrentAnswers(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		p := l.process("one", func(context.Context, string) (string, error) { return "true", nil }, true)
		const rows = 40
		run := p.start(p.evaluation(l.dataset("d", numbers(rows)), asking(l)...))
		var group sync.WaitGroup
		for i := range int64(rows) {
			group.Go(func() {
				check.Eventually(t, "an answer", func() bool {
					err := p.answer(l.ctx, run.ID, i, "stars", "3")
					if err != nil && !fault.Is(err, fault.Conflict) {
						t.Error(err)
					}
					return err == nil
				})
			})
		}
		group.Wait()
		l.equal(eval.Counts{Completed: 5 * rows}, p.await(run.ID, ended).Run.Counts)
	})
}

// TestAnswersAreChecked gives answers that are not accepted.
func TestAnswersAreChecked(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		p := l.process("one", nil, true)
		run := p.start(p.evaluation(l.dataset("d", numbers(1)),
			l.column("HUMAN", "stars", `{"wait": true, "input_type": "number", "min": 1, "max": 5}`),
			l.column("HUMAN", "word", `{"wait": true, "input_type": "choice", "choices": ["good", "bad"]}`),
			l.column("HUMAN", "words", `{"wait": true}`),
			l.column("HUMAN", "thumb", `{"wait": true, "input_type": "thumbs", "people": ["Ann@x.test"]}`),
			l.column("HUMAN", "null", `{}`)))
		p.await(run.ID, waits)
		as := func(email string, permissions ...access.Permission) context.Context {
			return access.WithCaller(context.Background(), access.Caller{Email: email, Workspace: l.workspace, Permissions: access.SetOf(permissions...)})
		}
		ann := as("ann@X.test", access.ReportEdit)
		for _, test := range []struct {
			ctx           context.Context
			row           int64
			column, value string
			want          fault.Kind
		}{
			{ann, 0, "stars", `6`, fault.Invalid},
			{ann, 0, "stars", `0.5`, fault.Invalid},
			{ann, 0, "stars", `"3"`, fault.Invalid},
			{ann, 0, "stars", `1e999`, fault.Invalid},
			{ann, 0, "word", `"ugly"`, fault.Invalid},
			{ann, 0, "word", `1`, fault.Invalid},
			{ann, 0, "words", `" "`, fault.Invalid},
			{ann, 0, "words", `null`, fault.Invalid},
			{ann, 0, "thumb", `1`, fault.Invalid},
			{ann, 0, "null", `1`, fault.Conflict},
			{ann, 1, "words", `"x"`, fault.NotFound},
			{ann, 0, "n", `1`, fault.NotFound},
			{as("bob@x.test", access.ReportEdit), 0, "thumb", `true`, fault.Forbidden},
			{as("ann@x.test", access.ReportRun), 0, "thumb", `true`, fault.Forbidden},
		} {
			if err := p.answer(test.ctx, run.ID, test.row, test.column, test.value); !fault.Is(err, test.want) {
				t.Errorf("%s in row %d of %s: %v", test.value, test.row, test.column, err)
			}
		}
		mine := func(email string) int64 {
			_, total, err := p.OpenCells(l.ctx, l.workspace, eval.OpenCellQuery{AskedOf: &email, ReportID: &run.ID})
			return check.Must(total, err)(t)
		}
		l.equal([]int64{4, 3, 3}, []int64{mine("ANN@x.test"), mine("x.test"), mine("")})
		for column, value := range map[string]string{"stars": `4.5`, "word": `"bad"`, "words": `"so so"`, "thumb": `true`} {
			check.Must(0, p.answer(ann, run.ID, 0, column, value))(t)
		}
		p.await(run.ID, ended)
		table := check.Must(p.Rows(l.ctx, l.workspace, run.ID, entity.Page{Limit: 1}))(t)
		check.Must(0, table.Each(l.ctx, func(row eval.TableRow) error {
			l.equal("ann@X.test because", row.Answers[3].Author+" "+*row.Answers[3].Comment)
			l.equal(4, len(row.Answers))
			l.equal("COMPLETED null", cellText(row.Cells[4]))
			return nil
		}))(t)
	})
}
