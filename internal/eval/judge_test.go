package eval_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/step"
)

// parrot is a model that answers with the text that it judges.
type parrot struct{ step.Models }

// Ask implements step.Models.
func (parrot) Ask(_ context.Context, question step.Question) (string, error) {
	_, text, _ := strings.Cut(question.Text, "\n\nText:\n")
	return text, nil
}

// verdicts is a dataset whose column v has JSON texts.
func verdicts(texts ...string) string {
	csv := "v\n"
	for _, text := range texts {
		csv += `"` + strings.ReplaceAll(text, `"`, `""`) + "\"\n"
	}
	return csv
}

const oneToFive = `"scale": {"type": "range", "min": 1, "max": 5}`

func (l *lab) judge(name, members string) eval.NewColumn {
	l.t.Helper()
	one := l.column("LLM_ASSERTION", name, `{"source": "v", "prompt": "good?", `+members+`}`)
	one.Scored = true
	return one
}

// TestJudgedRun has judges with all kinds of scales, whose verdicts count alike.
func TestJudgedRun(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		p := l.process("one", nil, true)
		run := p.start(p.evaluation(l.dataset("d", verdicts(`{"verdict": 4, "reason": "fine"}`, `{"verdict": 1, "reason": "bad"}`, `{"verdict": 9}`)),
			l.judge("stars", oneToFive+`, "reason": true`),
			l.judge("grades", `"scale": {"type": "choices", "choices": [{"name": "4", "score": 60}, {"name": "1", "score": 20}]}`),
		))
		found := p.await(run.ID, ended)
		l.equal([][]string{
			{`COMPLETED 4`, `COMPLETED "4"`},
			{`COMPLETED 1`, `COMPLETED "1"`},
			{
				`FAILED the model did not answer with a whole number from 1 to 5: '{"verdict": 9}'`,
				`FAILED the model did not answer with one of "4", "1": '{"verdict": 9}'`,
			},
		}, p.rows(run.ID, entity.Page{Limit: 9}))
		l.equal([]string{"37.5", "40"}, []string{found.Columns[1].Score, found.Columns[2].Score})
		l.equal(38.75, *found.Run.Result.Overall())
		var reasons []string
		table := check.Must(p.Rows(l.ctx, l.workspace, run.ID, entity.Page{Limit: 9}))(t)
		l.equal([]bool{true, false}, []bool{table.Explains, table.Asks})
		check.Must(0, table.Each(l.ctx, func(row eval.TableRow) error {
			reasons = append(reasons, row.Cells[0].Reason+"/"+row.Cells[1].Reason)
			return nil
		}))(t)
		l.equal([]string{"fine/", "bad/", "/"}, reasons)
	})
}

// TestAgreement compares judges with people while a run waits, and after its end.
func TestAgreement(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		p := l.process("one", nil, true)
		evaluation := p.evaluation(l.dataset("d", verdicts(`4`, `1`, `5`, `2`, `9`, `3`)),
			l.judge("judge", oneToFive),
			l.column("HUMAN", "stars", `{"wait": true, "data_type": "number", "min": 1, "max": 5}`),
			l.column("HUMAN", "percent", `{"wait": true, "data_type": "number", "min": 0, "max": 100}`),
			l.column("HUMAN", "thumb", `{"wait": true, "input_type": "thumbs"}`),
		)
		_, err := p.Agreement(l.ctx, l.workspace, evaluation.Entity.ID)
		check.Refused(t, err, fault.BadRequest, fmt.Sprintf("Only runs have an agreement, and report %d is an evaluation", evaluation.Entity.ID))
		run := p.start(evaluation)
		p.await(run.ID, waits)
		_, err = p.Agreement(l.ctx, l.workspace+1, run.ID)
		check.Refused(t, err, fault.NotFound, "Report not found")
		nobody := []string{"judge/stars true 0 of 0 [] No row has", "judge/percent true 0 of 0 [] No row has", "judge/thumb false 0 of 0 [] The judge gives numbers and people do not"}
		l.equal(nobody, p.agreements(run.ID, nobody))

		for position, answers := range map[int64][3]string{0: {`4`, `70`, `true`}, 1: {`2`, `10`, `false`}, 4: {`4`, `4`, `true`}, 5: {`3`, `61`, `true`}} {
			for i, column := range []string{"stars", "percent", "thumb"} {
				check.Must(0, p.answer(l.ctx, run.ID, position, column, answers[i]))(t)
			}
		}
		want := []string{
			"judge/stars true 2 of 3 [1] The judge agrees with people on 2 of 3 rows (67 %). Its numbers differ by 0.33 on average, with a correlation of 0.98.",
			"judge/percent true 2 of 3 [5] The judge agrees with people on 2 of 3 rows (67 %) within 10 points. Its numbers differ by 8.67",
			"judge/thumb false 0 of 0 [] The judge gives numbers",
		}
		l.equal(want, p.agreements(run.ID, want))
		p.await(run.ID, waits)
		for _, position := range []int64{2, 3} {
			for column, value := range map[string]string{"stars": `5`, "percent": `50`, "thumb": `true`} {
				check.Must(0, p.answer(l.ctx, run.ID, position, column, value))(t)
			}
		}
		p.await(run.ID, ended)
		got := check.Must(p.Agreement(l.ctx, l.workspace, run.ID))(t)
		l.equal([]any{int64(5), int64(3), []int64{1, 3}, true}, []any{got.Pairs[0].Result.Pairs, got.Pairs[0].Result.Equal, got.Pairs[0].Disagreements, got.Complete})
	})
}

// agreements returns the agreements of a run as texts, with as much of their
// summaries as the wanted texts have.
func (p *process) agreements(run int64, wanted []string) (texts []string) {
	p.lab.t.Helper()
	for i, one := range check.Must(p.Agreement(p.lab.ctx, p.lab.workspace, run))(p.lab.t).Pairs {
		head := fmt.Sprintf("%s/%s %t %d of %d %v ", one.Judge.Name, one.Person.Name, one.Comparable, one.Result.Equal, one.Result.Pairs, one.Disagreements)
		texts = append(texts, head+one.Summary[:min(len(one.Summary), max(0, len(wanted[i])-len(head)))])
	}
	return texts
}
