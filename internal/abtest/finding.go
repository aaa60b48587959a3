package abtest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// Outcome says how a version compares with the baseline.
type Outcome string

// The outcomes. The difference is clear if its 95 % interval does not include 0.
const (
	Better    Outcome = "better"
	Worse     Outcome = "worse"
	Unclear   Outcome = "no clear difference"
	TooEarly  Outcome = "not enough requests"
	minToTell         = 30 // requests of each version
)

// Finding compares one number of a version with that of the baseline.
type Finding struct {
	// Measure is errors, cost, latency or score.
	Measure string
	// Score is the name of the score, "" for other measures.
	Score   string
	Outcome Outcome
	// Difference is that of the version to the baseline.
	Difference Estimate
	// Text says it in a sentence.
	Text string
}

// aspect is a number by which versions are compared.
type aspect struct {
	measure, score     string
	arm, base          *Estimate
	highIsGood         bool
	better, worse, any string // verbs and nouns of the sentence
	format             func(float64) string
}

// compare returns a finding for each number that both versions have.
func compare(arm, base *Arm) []Finding {
	aspects := []aspect{
		{measure: "errors", arm: arm.Errors, base: base.Errors, better: "fails less often than", worse: "fails more often than", any: "errors", format: percent},
		{measure: "cost", arm: arm.Cost, base: base.Cost, better: "costs less than", worse: "costs more than", any: "cost", format: dollars},
		{measure: "latency", arm: arm.Latency, base: base.Latency, better: "is faster than", worse: "is slower than", any: "latency", format: seconds},
	}
	for _, name := range slices.Sorted(maps.Keys(arm.Scores)) {
		ours := arm.Scores[name]
		if theirs, both := base.Scores[name]; both {
			noun := "score " + name
			if name == reqlog.DefaultScore {
				noun = "score"
			}
			aspects = append(aspects, aspect{measure: "score", score: name, arm: &ours, base: &theirs, highIsGood: true,
				better: "has a higher " + noun + " than", worse: "has a lower " + noun + " than", any: noun, format: number})
		}
	}
	var findings []Finding
	for _, a := range aspects {
		if a.arm != nil && a.base != nil {
			findings = append(findings, a.finding(arm.Version, base.Version))
		}
	}
	return findings
}

func (a aspect) finding(version, baseline int64) Finding {
	f := Finding{Measure: a.measure, Score: a.score, Difference: difference(*a.arm, *a.base)}
	values := fmt.Sprintf("%s against %s", a.format(a.arm.Value), a.format(a.base.Value))
	f.Outcome = f.outcome(a.highIsGood)
	switch f.Outcome {
	case TooEarly:
		f.Text = fmt.Sprintf("Too early to compare %s: %d requests are needed, there are %d.", a.any, minToTell, f.Difference.Count)
	case Unclear:
		f.Text = fmt.Sprintf("No clear difference in %s between version %d and version %d (%s).", a.any, version, baseline, values)
	case Better:
		f.Text = fmt.Sprintf("Version %d %s version %d (%s).", version, a.better, baseline, values)
	case Worse:
		f.Text = fmt.Sprintf("Version %d %s version %d (%s).", version, a.worse, baseline, values)
	}
	return f
}

func (f *Finding) outcome(highIsGood bool) Outcome {
	d := f.Difference
	switch {
	case d.Count < minToTell:
		return TooEarly
	case d.Low <= 0 && d.High >= 0:
		return Unclear
	case d.Low > 0 == highIsGood:
		return Better
	default:
		return Worse
	}
}

func percent(share float64) string { return fmt.Sprintf("%.3g%%", 100*share) }
func dollars(cost float64) string  { return fmt.Sprintf("$%.3g", cost) }
func seconds(ms float64) string    { return fmt.Sprintf("%.3g s", ms/1000) }
func number(score float64) string  { return fmt.Sprintf("%.3g", score) }

// mostFrequent returns the names with the highest counts.
func mostFrequent(counts map[string]int64, limit int) []string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	return names[:min(limit, len(names))]
}
