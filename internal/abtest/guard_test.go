package abtest

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/prompt"
)

// TestBreach compares a version that is clearly worse in everything with bounds
// below and above the differences.
func TestBreach(t *testing.T) {
	t.Parallel()
	base := arm(3, 12, 1000, Estimate{1000, 800, 780, 820}, Estimate{400, 81, 78, 84})
	worse := arm(4, 41, 1000, Estimate{1000, 1200, 1150, 1260}, Estimate{400, 62, 58, 66})
	base.Cost, worse.Cost = &Estimate{1000, 0.010, 0.009, 0.011}, &Estimate{1000, 0.015, 0.014, 0.016}
	worse.Findings = compare(worse, base)
	bound := func(f float64) *float64 { return &f }
	for name, c := range map[string]struct {
		guard prompt.Guard
		stops bool
	}{
		"errors":            {prompt.Guard{ErrorRate: bound(0.028)}, true},
		"errors, allowed":   {prompt.Guard{ErrorRate: bound(0.03)}, false},
		"cost":              {prompt.Guard{Cost: bound(0.49)}, true},
		"cost, allowed":     {prompt.Guard{Cost: bound(0.51)}, false},
		"latency":           {prompt.Guard{Latency: bound(0.49)}, true},
		"latency, allowed":  {prompt.Guard{Latency: bound(0.51)}, false},
		"score":             {prompt.Guard{Score: bound(18), ScoreName: "helpful"}, true},
		"score, allowed":    {prompt.Guard{Score: bound(20), ScoreName: "helpful"}, false},
		"another score":     {prompt.Guard{Score: bound(1), ScoreName: "tone"}, false},
		"nothing is agreed": {prompt.Guard{}, false},
	} {
		r := &Results{Test: &prompt.ABTest{Split: prompt.Split{Guard: &c.guard}}, Baseline: 3, Arms: []Arm{*base, *worse}}
		stopped := breach(r)
		check.Equal(t, name, stopped != nil, c.stops)
		if stopped != nil {
			check.Equal(t, name+": version", stopped.Version, 4)
		}
	}
}
