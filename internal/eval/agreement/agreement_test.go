package agreement_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/eval/agreement"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// compared returns the agreement of verdicts, which are JSON values that
// alternate between the judge and a person.
func compared(verdicts ...string) agreement.Result {
	var c agreement.Counter
	for i := 0; i < len(verdicts); i += 2 {
		c.Add(value(verdicts[i]), value(verdicts[i+1]))
	}
	return c.Result()
}

func value(text string) jsontree.Value {
	if text == "" {
		return jsontree.Value{}
	}
	return check.JSON(text)
}

// repeat returns the verdicts of several rows.
func repeat(count int, judge, person string) (verdicts []string) {
	for range count {
		verdicts = append(verdicts, judge, person)
	}
	return verdicts
}

func isAbout(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	if got == nil || math.Abs(*got-want) > 1e-9 {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// TestKappa has the example of a textbook: of 50 rows, both say yes to 20 and no
// to 15, only the judge says yes to 5, only the person to 10.
func TestKappa(t *testing.T) {
	t.Parallel()
	var verdicts []string
	verdicts = append(verdicts, repeat(20, `true`, `"Yes"`)...)
	verdicts = append(verdicts, repeat(5, `true`, `"no"`)...)
	verdicts = append(verdicts, repeat(10, `false`, `true`)...)
	verdicts = append(verdicts, repeat(15, `false`, `" FAIL "`)...)
	r := compared(verdicts...)
	check.Equal(t, "counts", []int64{r.Pairs, r.Equal}, []int64{50, 35})
	isAbout(t, "kappa", r.Kappa, 0.4)
	check.Equal(t, "sentence", r.Sentence(), "The judge agrees with people on 35 of 50 rows (70 %), which is fair agreement.")
}

// TestKappaOfUnequalShares has verdicts that the judge and the person give to
// different shares of the rows.
func TestKappaOfUnequalShares(t *testing.T) {
	t.Parallel()
	var verdicts []string
	verdicts = append(verdicts, repeat(45, `true`, `true`)...)
	verdicts = append(verdicts, repeat(15, `true`, `false`)...)
	verdicts = append(verdicts, repeat(25, `false`, `true`)...)
	verdicts = append(verdicts, repeat(15, `false`, `false`)...)
	isAbout(t, "kappa", compared(verdicts...).Kappa, 0.06/0.46)
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	r := compared(`1`, `2`, `2`, `2.0`, `3`, `5`, `5`, `4`)
	check.Equal(t, "counts", []int64{r.Pairs, r.Equal}, []int64{4, 1})
	check.Equal(t, "numeric", r.Numeric && r.Kappa == nil, true)
	isAbout(t, "difference", r.Difference, 1)
	isAbout(t, "correlation", r.Correlation, 5.25/math.Sqrt(8.75*6.75))
	check.Equal(t, "sentence", r.Sentence(), "The judge agrees with people on 1 of 4 rows (25 %). "+
		"Its numbers differ by 1.00 on average, with a correlation of 0.68. With fewer than 30 rows, this is only an indication.")
}

func TestNumbersThatAreAlmostEqual(t *testing.T) {
	t.Parallel()
	c := agreement.Counter{Tolerance: 10}
	for _, pair := range [][2]string{{`50`, `60`}, {`50`, `39.9`}, {`50`, `50`}, {`true`, `50`}, {`50`, `null`}} {
		counted, equal := c.Add(value(pair[0]), value(pair[1]))
		check.Equal(t, pair[1], []bool{counted, equal}, []bool{pair[1] != `null`, pair[1] == `60` || pair[0] == pair[1]})
	}
	check.Equal(t, "equal", c.Result().Equal, 2)
	numbers := agreement.Counter{Tolerance: 10}
	numbers.Add(value(`50`), value(`60`))
	check.Equal(t, "sentence", strings.HasPrefix(numbers.Result().Sentence(), "The judge agrees with people on 1 of 1 row (100 %) within 10 points. Its numbers differ by 10.00"), true)
}

func TestTooManyVerdictsHaveNoKappa(t *testing.T) {
	t.Parallel()
	var verdicts []string
	for i := range 600 {
		verdicts = append(verdicts, fmt.Sprintf(`"j%d"`, i), fmt.Sprintf(`"p%d"`, i%600))
	}
	r := compared(verdicts...)
	check.Equal(t, "result", []any{r.Pairs, r.Equal, r.Kappa == nil}, []any{int64(600), int64(0), true})
	check.Equal(t, "kappa of fewer", compared(verdicts[:900]...).Kappa == nil, false)
}

func TestLargeNumbersKeepTheirPrecision(t *testing.T) {
	t.Parallel()
	r := compared(`1e15`, `1e15`, `1000000000000001`, `1000000000000001`, `1000000000000002`, `1000000000000002`)
	isAbout(t, "correlation", r.Correlation, 1)
}

func TestWhatIsNotDefined(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		verdicts []string
		pairs    int64
		says     string
	}{
		"nothing":               {nil, 0, "No row has"},
		"only one of them":      {[]string{`true`, `null`, `null`, `true`, ``, `1`, `"x"`, `" "`}, 0, "No row has"},
		"no verdicts":           {[]string{`{"a":true}`, `{"a":true}`, `[1]`, `[1]`, `"` + strings.Repeat("x", 201) + `"`, `"x"`}, 0, "No row has"},
		"always the same":       {[]string{`true`, `true`, `true`, `"yes"`}, 2, "2 of 2 rows (100 %)."},
		"numbers beyond bounds": {[]string{`1e308`, `-1e308`, `-1e308`, `1e308`}, 2, "0 of 2 rows"},
		"one row":               {[]string{`3`, `3`}, 1, "1 of 1 row (100 %)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := compared(test.verdicts...)
			check.Equal(t, "pairs", r.Pairs, test.pairs)
			if r.Kappa != nil || r.Correlation != nil {
				t.Errorf("defined: %+v", r)
			}
			if !strings.Contains(r.Sentence(), test.says) {
				t.Errorf("the sentence is %q", r.Sentence())
			}
		})
	}
}

func TestNumbersAndTextsAreCategories(t *testing.T) {
	t.Parallel()
	r := compared(`1`, `1.0`, `2`, `"good"`, `"good"`, `"good"`)
	check.Equal(t, "result", []any{r.Numeric, r.Pairs, r.Equal}, []any{false, int64(3), int64(2)})
	isAbout(t, "kappa", r.Kappa, 0.5)
}
