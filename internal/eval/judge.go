package eval

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/eval/agreement"
	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

// Agreement is how far a judge and people agree on the rows of a run.
type Agreement struct {
	// Judge and Person are the compared columns.
	Judge, Person Column
	// Comparable reports whether the verdicts can be compared; if not, there is no
	// result.
	Comparable bool
	Result     agreement.Result
	// Summary says it in plain words.
	Summary string
	// Disagreements are the positions of the first rows on which they disagree,
	// counted from 0.
	Disagreements []int64
}

// Agreements are those of a run.
type Agreements struct {
	Pairs []Agreement
	// Complete reports whether all judges, people and answers were compared.
	Complete bool
}

const (
	// maxAgreements is the maximum number of pairs of a judge and people.
	maxAgreements = 20
	// maxDisagreements is the maximum number of rows listed for each of them.
	maxDisagreements = 1000
	// maxCompared is the maximum number of rows that are compared.
	maxCompared = 100_000
	// answersAtOnce is the number of rows with answers in memory at a time.
	answersAtOnce = 100
	// nearly is by how many points of 100 equal verdicts on different scales may differ.
	nearly = 10
)

// Agreement returns how far each judge of a run agrees with people, as far as they
// have answered. The fault is NotFound if the run does not exist, and BadRequest for
// an evaluation.
func (s *Service) Agreement(ctx context.Context, workspace, id int64) (Agreements, error) {
	report, err := s.Get(ctx, workspace, id)
	switch {
	case err != nil:
		return Agreements{}, err
	case report.Run == nil:
		return Agreements{}, fault.BadRequestf("Only runs have an agreement, and report %d is an evaluation", id)
	}
	run := report.Run
	key := agreementKey{run.ID, run.Revision, run.Counts.Completed, run.Counts.Failed, run.State, run.EndedAt != nil}
	if known, ok := s.agreements.get(key); ok {
		return known, nil
	}
	done, err := s.agreeing.Acquire(ctx, workspace)
	if err != nil {
		return Agreements{}, err
	}
	defer done()
	c := newConcordance(report.Columns)
	if len(c.pairs) > 0 {
		if err := s.eachAnswered(ctx, *run, c); err != nil {
			return Agreements{}, fmt.Errorf("compare the judges of run %d: %w", id, err)
		}
	}
	found := c.result()
	s.agreements.put(key, found, maxKnownAgreements)
	return found, nil
}

// agreementKey identifies what a run has computed: answers raise its revision, and
// cells that depend on them are computed before its state changes.
type agreementKey struct {
	run, revision, completed, failed int64
	state                            State
	ended                            bool
}

// maxKnownAgreements is the maximum number of cached agreements, each of which can
// list many rows.
const maxKnownAgreements = 20

// eachAnswered adds the rows with answers.
func (s *Service) eachAnswered(ctx context.Context, run Run, c *concordance) error {
	for from := int64(0); ; {
		rows, err := s.store.RowsWithAnswers(ctx, run.ID, from, answersAtOnce)
		if err != nil || len(rows) == 0 {
			return err
		}
		if c.rows += len(rows); c.rows > maxCompared {
			c.complete = false
			return nil
		}
		for len(rows) > 0 {
			together := adjacent(rows)
			if err := s.addAnswered(ctx, run, rows[0], rows[0]+int64(together), c); err != nil {
				return err
			}
			from, rows = rows[together-1]+1, rows[together:]
		}
	}
}

// adjacent returns how many of the first positions follow each other.
func adjacent(positions []int64) int {
	n := 1
	for n < len(positions) && positions[n] == positions[0]+int64(n) {
		n++
	}
	return n
}

// addAnswered adds the rows with positions in [from, before).
func (s *Service) addAnswered(ctx context.Context, run Run, from, before int64, c *concordance) error {
	rows, err := s.cells(ctx, run, from, before)
	if err != nil {
		return err
	}
	answers, err := s.store.ReportAnswers(ctx, run.ID, from, before, false)
	for _, one := range answers {
		c.add(one, rows[one.Position-from])
	}
	return err
}

// concordance compares the judges of a run with people.
type concordance struct {
	pairs    []*verdictPair
	rows     int
	complete bool
}

// verdictPair is a judge and people.
type verdictPair struct {
	Agreement
	// at is the index of the judge among the computed columns.
	at      int
	counter agreement.Counter
	// judge and person return the numbers that are compared instead of verdicts on
	// different scales; nil compares the verdicts.
	judge, person func(verdict jsontree.Value) (float64, bool)
}

func newConcordance(columns []Column) *concordance {
	c := &concordance{complete: true}
	given, computed := split(columns)
	g := grid.Read(given, computed)
	for i := range computed {
		for j := range computed {
			scale, question := g.Scale(i), g.Question(j)
			if scale == nil || question == nil {
				continue
			}
			if c.complete = len(c.pairs) < maxAgreements; !c.complete {
				return c
			}
			c.pairs = append(c.pairs, newPair(columns[len(given)+i], columns[len(given)+j], i, scale, question))
		}
	}
	return c
}

func newPair(judge, person Column, at int, scale *step.Scale, question *step.PersonQuestion) *verdictPair {
	p := &verdictPair{Agreement: Agreement{Judge: judge, Person: person}, at: at}
	judgeCounts, peopleCount := scale.Kind == step.Range, question.Kind == step.AnswerNumber
	switch {
	case judgeCounts && !peopleCount:
		p.Summary = "The judge gives numbers and people do not, so their verdicts cannot be compared."
	case peopleCount && !judgeCounts:
		p.Summary = "People give numbers and the judge does not, so their verdicts cannot be compared."
	default:
		p.Comparable = true
	}
	if !judgeCounts || !peopleCount || question.Min == nil || question.Max == nil {
		return p
	}
	people := &step.Scale{Kind: step.Range, Min: *question.Min, Max: *question.Max}
	if (people.Min != scale.Min || people.Max != scale.Max) && people.Min < people.Max {
		p.judge, p.person, p.counter.Tolerance = scale.Points, people.Points, nearly
	}
	return p
}

// add compares an answer with the verdicts of the judges in its row.
func (c *concordance) add(answer Answer, cells []grid.Cell) {
	for _, p := range c.pairs {
		if p.Comparable && p.Person.ID == answer.ColumnID && p.at < len(cells) {
			p.add(answer, cells[p.at].Value)
		}
	}
}

func (p *verdictPair) add(answer Answer, verdict jsontree.Value) {
	counted, equal := p.counter.Add(inPoints(p.judge, verdict), inPoints(p.person, answer.Value))
	if counted && !equal && len(p.Disagreements) < maxDisagreements {
		p.Disagreements = append(p.Disagreements, answer.Position)
	}
}

// inPoints returns the points of a verdict, or the verdict if nothing counts them.
func inPoints(points func(jsontree.Value) (float64, bool), verdict jsontree.Value) jsontree.Value {
	if points == nil {
		return verdict
	}
	n, ok := points(verdict)
	if !ok {
		return jsontree.Value{}
	}
	v, _ := jsontree.Parse(jsontree.AppendFloat(nil, n)) // always a number
	return v
}

func (c *concordance) result() Agreements {
	all := Agreements{Complete: c.complete}
	for _, p := range c.pairs {
		if p.Comparable {
			p.Result = p.counter.Result()
			p.Summary = p.Result.Sentence()
		}
		all.Pairs = append(all.Pairs, p.Agreement)
	}
	return all
}
