// Package agreement compares the verdicts of a judge about the rows of a run with
// those of people.
package agreement

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Counter counts how far a judge and people agree. The zero value is ready for use.
type Counter struct {
	// Tolerance is by how much numbers that count as equal may differ.
	Tolerance float64

	pairs, equal int64
	// texts is the number of pairs that are not two numbers.
	texts         int64
	judge, person map[string]int64
	// many reports whether there are more different verdicts than are counted.
	many bool
	n    numbers
}

// maxVerdicts is the maximum number of different verdicts. With more of them there
// is no kappa, which compares categories.
const maxVerdicts = 1000

// numbers are the sums from which the differences of numbers are computed. Values
// are relative to the first one, so that large ones keep their precision.
type numbers struct {
	judge0, person0                    float64
	judge, person, judge2, person2, jp float64
	difference                         float64
}

// maxVerdict is the maximum length of a verdict in bytes. Longer texts are not
// verdicts.
const maxVerdict = 200

// Add adds the verdicts about one row, and reports whether the row has both, and
// whether they are equal. A row that lacks one is not counted.
func (c *Counter) Add(judge, person jsontree.Value) (counted, equal bool) {
	a, okA := verdict(judge)
	b, okB := verdict(person)
	if !okA || !okB {
		return false, false
	}
	c.pairs++
	equal = a == b
	x, isX := judge.Float()
	y, isY := person.Float()
	if isX && isY {
		c.n.add(x, y, c.pairs-c.texts == 1)
		equal = equal || math.Abs(x-y) <= c.Tolerance
	} else {
		c.texts++
	}
	if equal {
		c.equal++
	}
	c.count(a, b)
	return true, equal
}

// count counts the verdicts by their texts.
func (c *Counter) count(judge, person string) {
	if c.many {
		return
	}
	if c.judge == nil {
		c.judge, c.person = map[string]int64{}, map[string]int64{}
	}
	c.judge[judge]++
	c.person[person]++
	if c.many = len(c.judge)+len(c.person) > maxVerdicts; c.many {
		c.judge, c.person = nil, nil
	}
}

func (n *numbers) add(x, y float64, first bool) {
	if first {
		n.judge0, n.person0 = x, y
	}
	n.difference += math.Abs(x - y)
	x, y = x-n.judge0, y-n.person0
	n.judge += x
	n.person += y
	n.judge2 += x * x
	n.person2 += y * y
	n.jp += x * y
}

// verdict returns the text by which verdicts are compared: people write yes, true
// or pass for what a judge returns as true. It is not ok if there is none.
func verdict(v jsontree.Value) (text string, ok bool) {
	switch v.Kind() {
	case jsontree.Bool:
		text = string(v.Raw())
	case jsontree.Number:
		if number, ok := v.Float(); ok {
			text = strconv.FormatFloat(number, 'g', -1, 64) // 2 and 2.0 are the same
		}
	case jsontree.String:
		text = strings.ToLower(strings.TrimSpace(v.Str()))
	}
	switch text {
	case "yes", "pass", "passed":
		text = "true"
	case "no", "fail", "failed":
		text = "false"
	}
	return text, text != "" && len(text) <= maxVerdict
}

// Result is how far a judge and people agree.
type Result struct {
	// Tolerance is that of the counter.
	Tolerance float64
	// Pairs is the number of rows with both verdicts, Equal that of rows with the
	// same ones.
	Pairs, Equal int64
	// Numeric reports whether all verdicts are numbers.
	Numeric bool
	// Kappa is Cohen's kappa: 1 if all verdicts are equal, 0 if no more are equal
	// than by chance. It is nil for numbers, for too many different verdicts, and if
	// it is not defined because both always gave the same one.
	Kappa *float64
	// Difference is the mean absolute difference of numbers, and Correlation
	// Pearson's; nil if they are not defined.
	Difference, Correlation *float64
}

// Result returns the result for the added verdicts.
func (c *Counter) Result() Result {
	r := Result{Tolerance: c.Tolerance, Pairs: c.pairs, Equal: c.equal, Numeric: c.pairs > 0 && c.texts == 0}
	switch {
	case r.Pairs == 0:
	case r.Numeric:
		r.Difference = finite(c.n.difference / float64(c.pairs))
		r.Correlation = c.n.correlation(float64(c.pairs))
	case !c.many:
		r.Kappa = c.kappa()
	}
	return r
}

func (c *Counter) kappa() *float64 {
	all, chance := float64(c.pairs), 0.0
	for text, count := range c.judge {
		chance += float64(count) / all * float64(c.person[text]) / all
	}
	return finite((float64(c.equal)/all - chance) / (1 - chance))
}

func (n *numbers) correlation(all float64) *float64 {
	judge, person := n.judge2-n.judge*n.judge/all, n.person2-n.person*n.person/all
	if judge <= 0 || person <= 0 {
		return nil
	}
	together := n.jp - n.judge*n.person/all
	return finite(max(-1, min(1, together/math.Sqrt(judge)/math.Sqrt(person))))
}

// finite returns nil for what is not a number.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// enough is the number of rows below which a result is only an indication.
const enough = 30

// Sentence returns the result in plain words.
func (r Result) Sentence() string {
	switch {
	case r.Pairs == 0:
		return "No row has a verdict of both the judge and a person yet."
	case r.Pairs < enough:
		return r.finding() + fmt.Sprintf(" With fewer than %d rows, this is only an indication.", enough)
	}
	return r.finding()
}

func (r Result) finding() string {
	rows := "rows"
	if r.Pairs == 1 {
		rows = "row"
	}
	said := fmt.Sprintf("The judge agrees with people on %d of %d %s (%.0f %%)", r.Equal, r.Pairs, rows, 100*float64(r.Equal)/float64(r.Pairs))
	switch {
	case r.Difference != nil:
		return said + r.within() + fmt.Sprintf(". Its numbers differ by %.2f on average%s.", *r.Difference, r.correlated())
	case r.Kappa != nil:
		return fmt.Sprintf("%s, which is %s.", said, strength(*r.Kappa))
	}
	return said + r.within() + "."
}

func (r Result) within() string {
	if r.Tolerance == 0 {
		return ""
	}
	return fmt.Sprintf(" within %g points", r.Tolerance)
}

func (r Result) correlated() string {
	if r.Correlation == nil {
		return ""
	}
	return fmt.Sprintf(", with a correlation of %.2f", *r.Correlation)
}

// strength describes a kappa in the words of Landis and Koch.
func strength(kappa float64) string {
	for _, level := range []struct {
		most float64
		name string
	}{{0, "no more than by chance"}, {0.2, "slight agreement"}, {0.4, "fair agreement"}, {0.6, "moderate agreement"}, {0.8, "substantial agreement"}} {
		if kappa <= level.most {
			return level.name
		}
	}
	return "almost perfect agreement"
}
