package score_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/eval/score"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// TestPointsCountInsteadOfValues has a column whose texts count as points, next to one
// of booleans.
func TestPointsCountInsteadOfValues(t *testing.T) {
	t.Parallel()
	judged := columns("*a", "*b")
	judged[1].Points = func(value jsontree.Value) (float64, bool) {
		return map[string]float64{"good": 100, "fair": 40}[value.Str()], value.Str() != "odd"
	}
	tally := score.NewTally(judged)
	for _, row := range []string{`[[true],["good"]]`, `[[false],["fair"]]`, `[[true],"failed"]`, `[[true],[null]]`, `[[true],[{}]]`} {
		tally.Add(cells(t, row))
	}
	result := tally.Result()
	check.Equal(t, "score", string(result.JSON()), `{"overall_score":75,"score_type":"multi_column","has_custom_scoring":false,"details":{"columns":[`+
		`{"column_name":"a","score":80,"score_type":"boolean","num_skipped":0},{"column_name":"b","score":70,"score_type":"numeric","num_skipped":2}]}}`)
	tally.Add(cells(t, `[[true],["odd"]]`))
	check.Equal(t, "score with an odd value", tally.Columns()[1].Score == nil, true)
}

func TestResult(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		columns []score.Column
		rows    []string
		want    string
	}{
		{"no columns", nil, []string{`[]`}, `{"overall_score":null,"score_type":"none","has_custom_scoring":false,"details":{"message":"The evaluation has no columns that are computed"}}`},
		{"no rows", columns("*a"), nil, `{"overall_score":null,"score_type":"none","has_custom_scoring":false,"details":{"message":"The dataset has no rows"}}`},
		{"booleans", columns("*a"), []string{`[[true]]`, `[[false]]`, `[[true]]`},
			`{"overall_score":66.66666666666667,"score_type":"single_column","has_custom_scoring":false,"details":{"column_name":"a","score":66.66666666666667,"score_type":"boolean","num_skipped":0}}`},
		{"failed and null are skipped", columns("*a"), []string{`[[true]]`, `["no"]`, `[[null]]`, `[null]`, `[true]`, `[]`},
			`{"overall_score":100,"score_type":"single_column","has_custom_scoring":false,"details":{"column_name":"a","score":100,"score_type":"boolean","num_skipped":5}}`},
		{"numbers", columns("*a"), []string{`[[1]]`, `[[2.5]]`, `[["  4e0 "]]`, `[[null]]`},
			`{"overall_score":2.5,"score_type":"single_column","has_custom_scoring":false,"details":{"column_name":"a","score":2.5,"score_type":"numeric","num_skipped":1}}`},
		{"mixed", columns("*a"), []string{`[[1]]`, `[[true]]`},
			`{"overall_score":null,"score_type":"single_column","has_custom_scoring":false,"details":{"column_name":"a","score":null,"score_type":null,"num_skipped":0}}`},
		{"text", columns("*a"), []string{`[["x"]]`, `[["1"]]`},
			`{"overall_score":null,"score_type":"single_column","has_custom_scoring":false,"details":{"column_name":"a","score":null,"score_type":null,"num_skipped":0}}`},
		{"nothing left", columns("*a"), []string{`["x"]`, `[[{}]]`},
			`{"overall_score":null,"score_type":"single_column","has_custom_scoring":false,"details":{"column_name":"a","score":null,"score_type":null,"num_skipped":1}}`},
		{"assertions", columns("*a"), []string{`[[{"x":true,"y":false,"z":true}]]`, `[[true]]`, `[[{}]]`},
			`{"overall_score":75,"score_type":"single_column","has_custom_scoring":false,"details":{"column_name":"a","score":75,"score_type":"boolean","num_skipped":0}}`},
		{"object with another member", columns("*a"), []string{`[[{"x":true,"y":null}]]`},
			`{"overall_score":null,"score_type":"single_column","has_custom_scoring":false,"details":{"column_name":"a","score":null,"score_type":null,"num_skipped":0}}`},
		{"last column", columns("a", `b "`), []string{`[[true],[1]]`, `[[true],[0]]`},
			`{"overall_score":0.5,"score_type":"single_column","has_custom_scoring":false,"details":{"column_name":"b \"","score":0.5,"score_type":"numeric","num_skipped":0}}`},
		{"last column is text", columns("a", "b"), []string{`[[true],["x"]]`},
			`{"overall_score":null,"score_type":"none","has_custom_scoring":false,"details":{"message":"The last column holds neither booleans nor numbers, and no other is part of the score"}}`},
		{"several columns", columns("*a", "b", "*c", "*d"), []string{`[[true],[5],[3],["x"]]`, `[[false],[5],"no",["y"]]`},
			`{"overall_score":26.5,"score_type":"multi_column","has_custom_scoring":false,"details":{"columns":[{"column_name":"a","score":50,"score_type":"boolean","num_skipped":0},{"column_name":"c","score":3,"score_type":"numeric","num_skipped":1},{"column_name":"d","score":null,"score_type":null,"num_skipped":0}]}}`},
		{"several columns without a score", columns("*a", "*b"), []string{`[["x"],["y"]]`},
			`{"overall_score":null,"score_type":"multi_column","has_custom_scoring":false,"details":{"columns":[{"column_name":"a","score":null,"score_type":null,"num_skipped":0},{"column_name":"b","score":null,"score_type":null,"num_skipped":0}]}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tally := score.NewTally(c.columns)
			for _, row := range c.rows {
				tally.Add(cells(t, row))
			}
			result := tally.Result()
			check.Equal(t, "score", string(result.JSON()), c.want)
			if result.Matrix != nil || result.Failure != "" {
				t.Errorf("there is a matrix %s or failure %q", result.Matrix, result.Failure)
			}
		})
	}
}

func TestRunning(t *testing.T) {
	t.Parallel()
	result := score.Running(true)
	check.Equal(t, "score", string(result.JSON()), `{"overall_score":null,"score_type":"none","has_custom_scoring":true,"details":{"message":"The evaluation is still running"}}`)
}

// TestMeanOfColumns checks a mean with known digits.
func TestMeanOfColumns(t *testing.T) {
	t.Parallel()
	tally := score.NewTally(columns("*a", "*b", "*c", "*d", "*e"))
	tally.Add(cells(t, `[[100],[83],[100],[17],[83]]`))
	if got := tally.Result().Overall; got == nil || *got != 76.6 {
		t.Errorf("the score is %v", *got)
	}
}

func TestHostileNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, value string
		times       int
		want        string // of the score, as JSON
	}{
		{"sum beyond 64 bits", `1.7e308`, 100, "1.7e+308"},
		{"largest", `1.7976931348623157e308`, 7, "1.7976931348623157e+308"},
		{"too large", `1e400`, 1, "null"},
		{"too large as text", `"-1e400"`, 1, "null"},
		{"tiny", `1e-400`, 1, "0"},
		{"negative zero", `-0.0`, 1, "0"},
		{"many digits", strings.Repeat("9", 300), 1, "1e+300"},
		{"word", `"inf"`, 1, "null"},
		{"not a number", `"nan"`, 1, "null"},
		{"hexadecimal", `"0x10"`, 1, "null"},
		{"underscore", `"1_0"`, 1, "null"},
		{"signs", `"--1"`, 1, "null"},
		{"sign", `"+1"`, 1, "1"},
		{"empty", `" "`, 1, "null"},
		{"long text of digits", `"` + strings.Repeat("1", 1<<20) + `"`, 1, "null"},
		{"many leading zeros", `"` + strings.Repeat("0", 1<<10) + `1"`, 1, "null"},
		{"array of a number", `[1]`, 1, "null"},
		{"deep", strings.Repeat(`{"a":`, 150) + "true" + strings.Repeat("}", 150), 1, "null"},
		{"small step", `0.1`, 10, "0.1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tally := score.NewTally(columns("*a"))
			row := []grid.Cell{{Status: grid.Completed, Value: tree(t, c.value)}}
			for range c.times {
				tally.Add(row)
			}
			check.Equal(t, "score", text(tally.Result().Overall), c.want)
		})
	}
}

// text returns a score in its wire format.
func text(number *float64) string {
	w := jsontree.NewWriter(nil)
	w.OptFloat(number)
	return string(w.Bytes())
}

// reference computes the score of a column from all of its cells.
func reference(column []grid.Cell) (kind score.Kind, mean float64, skipped int64) {
	var booleans, trues int
	var numbers []float64
	for _, cell := range column {
		switch v := cell.Value; {
		case cell.Status != grid.Completed || !v.Given():
			skipped++
		case v.Kind() == jsontree.Bool:
			booleans++
			trues += strings.Count(string(v.Raw()), "true")
		case v.Kind() == jsontree.Object:
			booleans += v.Len()
			trues += strings.Count(string(v.Raw()), "true")
		case v.Kind() == jsontree.Number:
			f, _ := v.Float()
			numbers = append(numbers, f)
		default:
			return "", 0, -1
		}
	}
	switch {
	case booleans > 0 && len(numbers) == 0:
		return score.Boolean, 100 * float64(trues) / float64(booleans), skipped
	case booleans == 0 && len(numbers) > 0:
		sum := new(big.Float).SetPrec(2000)
		for _, n := range numbers {
			sum.Add(sum, big.NewFloat(n))
		}
		mean, _ = sum.Quo(sum, big.NewFloat(float64(len(numbers)))).Float64()
		return score.Numeric, mean, skipped
	}
	return "", 0, skipped
}

// TestScoresAgreeWithAReference scores random columns, most of one kind.
func TestScoresAgreeWithAReference(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	makers := []func() string{
		func() string { return "[" + strconv.FormatBool(random.IntN(2) == 0) + "]" },
		func() string {
			return "[" + strconv.FormatFloat(random.NormFloat64()*math.Pow(10, random.Float64()*20), 'g', -1, 64) + "]"
		},
		func() string { return `[{"a":` + strconv.FormatBool(random.IntN(2) == 0) + `,"b":true}]` },
		func() string { return `[null]` },
		func() string { return `"failed"` },
		func() string { return `["text"]` },
	}
	kinds := map[score.Kind]int{}
	for range 3000 {
		main := random.IntN(len(makers))
		tally := score.NewTally(columns("*a"))
		var column []grid.Cell
		for range random.IntN(40) {
			pick := main
			if random.IntN(40) == 0 {
				pick = random.IntN(len(makers))
			}
			row := cells(t, "["+makers[pick]()+"]")
			column = append(column, row[0])
			tally.Add(row)
		}
		kind, mean, skipped := reference(column)
		kinds[kind]++
		got := tally.Columns()[0]
		if got.Kind != kind || skipped >= 0 && got.Skipped != skipped || (got.Score == nil) != (kind == "") {
			t.Fatalf("got %+v, want %q with %d skipped", got, kind, skipped)
		}
		if kind != "" && math.Abs(*got.Score-mean) > 1e-15*math.Abs(mean) {
			t.Fatalf("got %v, want %v", *got.Score, mean)
		}
	}
	if len(kinds) != 3 || kinds[score.Boolean] < 100 || kinds[score.Numeric] < 100 {
		t.Errorf("the columns were of the kinds %v", kinds)
	}
}

func BenchmarkAdd(b *testing.B) {
	tally := score.NewTally(columns("*a", "*b", "*c", "*d", "*e"))
	row := cells(b, `[[true],[0.875],[{"x":true,"y":false}],["Paris"],"failed"]`)
	b.ReportAllocs()
	for b.Loop() {
		tally.Add(row)
	}
}
