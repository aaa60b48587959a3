// Package score computes the scores of a run: of its columns and overall. Rows
// are added one by one, and memory does not grow with their number.
// Alternatively, user code computes the score.
package score

import (
	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Type is the way in which a score was computed.
type Type string

// The ways to compute a score.
const (
	// Custom is a score that user code computed.
	Custom Type = "custom"
	// MultiColumn is the mean of the scores of several columns.
	MultiColumn Type = "multi_column"
	// SingleColumn is the score of one column.
	SingleColumn Type = "single_column"
	// None means that there is no score.
	None Type = "none"
)

// Column is a computed column of an evaluation.
type Column struct {
	Name string
	// Scored reports whether the column was chosen as part of the score.
	Scored bool
	// Points, unless nil, returns what a value counts as a number, instead of the
	// value itself. It is not ok for values that do not count as a number.
	Points func(value jsontree.Value) (points float64, ok bool)
}

// ColumnScore is the score of a column.
type ColumnScore struct {
	Name string
	// Score is nil if the column has none; then Kind is "".
	Score *float64
	Kind  Kind
	// Skipped is the number of cells that failed or are null.
	Skipped int64
}

// Result is the score of a run.
type Result struct {
	Type Type
	// Overall is nil if there is no score.
	Overall *float64
	// HasCustom reports whether the evaluation has code that computes the score.
	HasCustom bool
	// Details is a JSON object whose shape depends on the type.
	Details []byte
	// Matrix is a JSON array of matrices from user code, nil if no code ran.
	Matrix []byte
	// Failure explains why user code returned no score, "" if it did.
	Failure string
}

// Tally adds up the cells of a run.
type Tally struct {
	columns []Column
	sums    []sum
	rows    int64
}

// sum accumulates the cells of a column.
type sum struct {
	mean                      mean
	booleans, numbers, others int64
	trues                     int64
	skipped                   int64
}

// NewTally returns a tally for rows with these columns.
func NewTally(columns []Column) *Tally {
	return &Tally{columns: columns, sums: make([]sum, len(columns))}
}

// Add adds the cells of one row. A cell that is not final counts as failed.
func (t *Tally) Add(cells []grid.Cell) {
	t.rows++
	for i := range t.sums {
		var cell grid.Cell
		if i < len(cells) {
			cell = cells[i]
		}
		t.sums[i].add(t.columns[i].MarkOf(cell))
	}
}

func (s *sum) add(mark Mark) {
	switch mark.Kind {
	case Boolean:
		s.booleans += mark.Count
		s.trues += int64(mark.Sum)
	case Numeric:
		s.numbers++
		s.mean.add(mark.Sum)
	case Other:
		s.others++
	default:
		s.skipped++
	}
}

// Columns returns the scores of all columns in order.
func (t *Tally) Columns() []ColumnScore {
	scores := make([]ColumnScore, len(t.columns))
	for i := range scores {
		scores[i] = t.sums[i].score()
		scores[i].Name = t.columns[i].Name
	}
	return scores
}

func (s *sum) score() ColumnScore {
	result := ColumnScore{Skipped: s.skipped}
	var score float64
	switch {
	case s.others > 0 || (s.booleans > 0) == (s.numbers > 0):
		return result
	case s.booleans > 0:
		result.Kind, score = Boolean, 100*float64(s.trues)/float64(s.booleans)
	default:
		result.Kind, score = Numeric, s.mean.value()
	}
	result.Score = &score
	return result
}

// The reasons for which there is no score.
const (
	stillRunning = "The evaluation is still running"
	noColumns    = "The evaluation has no columns that are computed"
	noRows       = "The dataset has no rows"
	notScorable  = "The last column holds neither booleans nor numbers, and no other is part of the score"
)

// Result returns the score of the rows until now: of the chosen columns, or of the
// last column if none was chosen.
func (t *Tally) Result() Result {
	scores := t.Columns()
	switch {
	case len(scores) == 0:
		return Without(noColumns, false)
	case t.rows == 0:
		return Without(noRows, false)
	}
	chosen := t.chosen(scores)
	switch {
	case len(chosen) > 1:
		return multiple(chosen)
	case len(chosen) == 1:
		return single(&chosen[0])
	case scores[len(scores)-1].Score == nil:
		return Without(notScorable, false)
	}
	return single(&scores[len(scores)-1])
}

func single(column *ColumnScore) Result {
	w := jsontree.NewWriter(nil)
	column.write(&w)
	return Result{Type: SingleColumn, Overall: column.Score, Details: w.Bytes()}
}

func (t *Tally) chosen(scores []ColumnScore) []ColumnScore {
	var chosen []ColumnScore
	for i := range scores {
		if t.columns[i].Scored {
			chosen = append(chosen, scores[i])
		}
	}
	return chosen
}

func multiple(columns []ColumnScore) Result {
	var overall mean
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Key("columns").Array(func() {
			for i := range columns {
				columns[i].write(&w)
				if columns[i].Score != nil {
					overall.add(*columns[i].Score)
				}
			}
		})
	})
	result := Result{Type: MultiColumn, Details: w.Bytes()}
	if overall.count > 0 {
		score := overall.value()
		result.Overall = &score
	}
	return result
}

// Running returns the result of an active run; hasCustom reports whether code
// will compute its score.
func Running(hasCustom bool) Result { return Without(stillRunning, hasCustom) }

// Without returns the result of a run without a score, with the reason.
func Without(reason string, hasCustom bool) Result {
	w := jsontree.NewWriter(nil)
	w.Object(func() { w.Key("message").String(reason) })
	return Result{Type: None, HasCustom: hasCustom, Details: w.Bytes()}
}

func (c *ColumnScore) write(w *jsontree.Writer) {
	w.Object(func() {
		w.Key("column_name").String(c.Name)
		w.Key("score").OptFloat(c.Score)
		w.Key("score_type").StringOrNull(string(c.Kind))
		w.Key("num_skipped").Int(c.Skipped)
	})
}

// JSON returns the score in its wire format.
func (r *Result) JSON() []byte {
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Key("overall_score").OptFloat(r.Overall)
		w.Key("score_type").String(string(r.Type))
		w.Key("has_custom_scoring").Bool(r.HasCustom)
		w.Key("details").Raw(r.Details)
	})
	return w.Bytes()
}
