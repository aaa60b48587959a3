package alert

import (
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
)

var noon = time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)

// step is an evaluation some minutes after noon, and what it should lead to.
type step struct {
	minute int
	// value is negative for none.
	value    float64
	requests int64
	failure  string

	state  State
	notice NoticeKind
	change bool
}

// follow evaluates an alert step by step.
func follow(t *testing.T, a *Alert, steps []step) {
	t.Helper()
	for i, s := range steps {
		now := noon.Add(time.Duration(s.minute) * time.Minute)
		from, until := a.span(now, 0)
		r := Reading{From: from, Until: until, Requests: s.requests}
		if s.value >= 0 {
			r.Value = &s.value
		}
		out := a.after(r, now)
		if s.failure != "" {
			out = a.afterFailure(s.failure, now)
		}
		if out.Status.Shown() != s.state || out.Notice != s.notice || (out.Change != nil) != s.change {
			t.Fatalf("step %d: state %s, notice %q, change %v; want %s, %q, %v", i, out.Status.Shown(), out.Notice, out.Change != nil, s.state, s.notice, s.change)
		}
		a.Status = out.Status
	}
}

func rule() *Alert {
	return &Alert{ID: 1, Content: Content{Name: "errors", Measure: ErrorRate, Comparison: Above, Threshold: 0.1, Window: 15 * time.Minute, Every: time.Minute, MinRequests: 10}}
}

func TestNoticesOfChangesOnly(t *testing.T) {
	t.Parallel()
	follow(t, rule(), []step{
		{minute: 0, value: 0.05, requests: 20, state: OK, change: true},
		{minute: 1, value: 0.1, requests: 20, state: OK},
		{minute: 2, value: 0.11, requests: 20, state: Firing, notice: NoticeFiring, change: true},
		{minute: 3, value: 0.5, requests: 20, state: Firing},
		{minute: 4, value: 0.5, requests: 9, state: NoData, change: true},
		{minute: 5, value: 0.5, requests: 20, state: Firing, change: true}, // it was not resolved
		{minute: 6, value: 0, requests: 20, state: OK, notice: NoticeResolved, change: true},
		{minute: 7, value: 0, requests: 20, state: OK},
	})
}

func TestResolvedAfterNoData(t *testing.T) {
	t.Parallel()
	follow(t, rule(), []step{
		{minute: 0, value: 0.2, requests: 20, state: Firing, notice: NoticeFiring, change: true},
		{minute: 1, value: -1, state: NoData, change: true},
		{minute: 2, value: 0, requests: 20, state: OK, notice: NoticeResolved, change: true},
	})
}

func TestNoticeOfNoData(t *testing.T) {
	t.Parallel()
	a := rule()
	a.TellNoData = true
	follow(t, a, []step{
		{minute: 0, value: -1, state: NoData, change: true}, // there was nothing before
		{minute: 1, value: 0, requests: 20, state: OK, change: true},
		{minute: 2, value: -1, state: NoData, notice: NoticeNoData, change: true},
		{minute: 3, value: -1, state: NoData},
		{minute: 4, value: 0.2, requests: 20, state: Firing, notice: NoticeFiring, change: true},
	})
}

func TestReminders(t *testing.T) {
	t.Parallel()
	a := rule()
	a.RemindAfter = time.Hour
	follow(t, a, []step{
		{minute: 0, value: 0.2, requests: 20, state: Firing, notice: NoticeFiring, change: true},
		{minute: 59, value: 0.2, requests: 20, state: Firing},
		{minute: 60, value: 0.2, requests: 20, state: Firing, notice: NoticeReminder},
		{minute: 61, value: 0.2, requests: 20, state: Firing},
		{minute: 120, value: 0.2, requests: 20, state: Firing, notice: NoticeReminder},
		{minute: 121, value: 0, requests: 20, state: OK, notice: NoticeResolved, change: true},
		{minute: 500, value: 0, requests: 20, state: OK},
	})
}

// A failed evaluation is in the history once, and keeps what was known.
func TestFailures(t *testing.T) {
	t.Parallel()
	follow(t, rule(), []step{
		{minute: 0, failure: "no such prompt", state: Failed, change: true},
		{minute: 1, failure: "no such prompt", state: Failed},
		{minute: 2, value: 0.2, requests: 20, state: Firing, notice: NoticeFiring, change: true},
		{minute: 3, failure: "timeout", state: Failed, change: true},
		{minute: 4, value: 0.2, requests: 20, state: Firing, change: true},
		{minute: 5, failure: "timeout", state: Failed, change: true},
		{minute: 6, value: 0, requests: 20, state: OK, notice: NoticeResolved, change: true},
	})
}

func TestBelow(t *testing.T) {
	t.Parallel()
	a := rule()
	a.Measure, a.Comparison, a.Threshold, a.MinRequests = Count, Below, 5, 0
	follow(t, a, []step{
		{minute: 0, value: 5, requests: 5, state: OK, change: true},
		{minute: 1, value: 0, requests: 0, state: Firing, notice: NoticeFiring, change: true},
	})
}

func budget() *Alert {
	return &Alert{ID: 1, Content: Content{Name: "budget", Measure: Cost, Comparison: Above, Threshold: 200, Period: Day, Levels: []int64{50, 80, 100}, Every: 5 * time.Minute}}
}

// Each level of a budget is told once in a period, and a new period begins silently.
func TestBudgetLevels(t *testing.T) {
	t.Parallel()
	const day = 24 * 60
	follow(t, budget(), []step{
		{minute: 0, value: 0, state: OK, change: true},
		{minute: 5, value: 99.9, requests: 3, state: OK},
		{minute: 10, value: 100, requests: 4, state: Firing, notice: NoticeFiring, change: true},
		{minute: 15, value: 110, requests: 5, state: Firing},
		{minute: 20, value: 300, requests: 6, state: Firing, notice: NoticeFiring, change: true},
		{minute: 25, value: 170, requests: 6, state: Firing, change: true}, // re-priced
		{minute: 30, value: 300, requests: 6, state: Firing, change: true}, // told already
		{minute: day, value: 0, state: OK, change: true},
		{minute: day + 5, value: 160, requests: 1, state: Firing, notice: NoticeFiring, change: true},
		{minute: day + 10, value: 10, requests: 1, state: OK, notice: NoticeResolved, change: true},
	})
}

func TestPeriods(t *testing.T) {
	t.Parallel()
	date := func(year int, month time.Month, day int) time.Time {
		return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	}
	now := time.Date(2027, 3, 31, 23, 30, 0, 0, time.FixedZone("east", 3*3600)) // 20:30 in UTC
	for name, test := range map[string]struct {
		content     Content
		before      int
		from, until time.Time
	}{
		"this month":      {Content{Period: Month}, 0, date(2027, 3, 1), date(2027, 4, 1)},
		"the one before":  {Content{Period: Month}, 1, date(2027, 2, 1), date(2027, 3, 1)},
		"last year":       {Content{Period: Month}, 4, date(2026, 11, 1), date(2026, 12, 1)},
		"today":           {Content{Period: Day}, 0, date(2027, 3, 31), date(2027, 4, 1)},
		"a month before":  {Content{Period: Day}, 31, date(2027, 2, 28), date(2027, 3, 1)},
		"a window":        {Content{Window: time.Hour}, 0, now.Add(-time.Hour), now},
		"an older window": {Content{Window: time.Hour}, 2, now.Add(-3 * time.Hour), now.Add(-2 * time.Hour)},
	} {
		from, until := test.content.span(now, test.before)
		if !from.Equal(test.from) || !until.Equal(test.until) {
			t.Errorf("%s: from %s until %s", name, from, until)
		}
	}
}

func TestForecast(t *testing.T) {
	t.Parallel()
	b := budget()
	from, until := b.span(noon, 0)
	for name, test := range map[string]struct {
		now  time.Time
		want *float64
	}{
		"too early": {from.Add(71 * time.Minute), nil}, "early": {from.Add(72 * time.Minute), new(1000.0)},
		"noon": {noon, new(100.0)}, "the end": {until, new(50.0)}, "late": {until.Add(time.Minute), new(50.0)},
	} {
		r := Reading{From: from, Until: until, Value: new(50.0)}
		check.Equal(t, name, b.forecast(&r, test.now), test.want)
	}
	check.Equal(t, "no budget", rule().forecast(&Reading{From: from, Until: until, Value: new(50.0)}, noon), nil)
}

func TestSummaries(t *testing.T) {
	t.Parallel()
	status := func(state State, value float64, requests int64) *Status {
		return &Status{State: state, Reading: Reading{From: noon.Truncate(24 * time.Hour), Value: &value, Requests: requests}}
	}
	slow := rule()
	slow.Measure, slow.Threshold, slow.Window = LatencyP95, 2000, 2*time.Hour
	scored := rule()
	scored.Measure, scored.ScoreName, scored.Comparison, scored.Threshold, scored.Window = ScoreMean, "tone", Below, 70, 24*time.Hour
	spent := status(Firing, 162.4, 9)
	spent.Forecast = new(324.8)
	month := budget()
	month.Period = Month
	for want, got := range map[string]string{
		"Error rate is 12.5%, above 10% (240 requests in the last 15 minutes)":                   summary(rule(), status(Firing, 0.125, 240)),
		"Error rate is 0%, no longer above 10% (1 request in the last 15 minutes)":               summary(rule(), status(OK, 0, 1)),
		"Error rate: no data (0 requests in the last 15 minutes)":                                summary(rule(), &Status{State: NoData}),
		"P95 latency is 2345.68 ms, above 2000 ms (7 requests in the last 2 hours)":              summary(slow, status(Firing, 2345.678, 7)),
		"Mean of the score tone is 69.5, below 70 (7 requests in the last day)":                  summary(scored, status(Firing, 69.5, 7)),
		"Cost is $162.40, 81.2% of the budget of $200.00 for 16 November 2026; forecast $324.80": summary(budget(), spent),
		"Cost is $20.00, 10% of the budget of $200.00 for November 2026":                         summary(month, status(OK, 20, 7)),
	} {
		check.Equal(t, "summary", got, want)
	}
}

func TestChecks(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(c *Content){
		"no name":                   func(c *Content) { c.Name = "" },
		"unknown measure":           func(c *Content) { c.Measure = "mood" },
		"score without a name":      func(c *Content) { c.Measure = ScoreMean },
		"name of another measure":   func(c *Content) { c.ScoreName = "tone" },
		"short window":              func(c *Content) { c.Window = 4 * time.Minute },
		"long window":               func(c *Content) { c.Window = 31 * 24 * time.Hour },
		"other schedule":            func(c *Content) { c.Every = 2 * time.Minute },
		"too often for its window":  func(c *Content) { c.Window, c.Every = 30*24*time.Hour, 15*time.Minute },
		"levels without a period":   func(c *Content) { c.Levels = []int64{50} },
		"window and period":         func(c *Content) { c.Period, c.Levels, c.Measure = Day, []int64{50}, Cost },
		"unknown period":            func(c *Content) { c.Period, c.Window = "week", 0 },
		"negative requests":         func(c *Content) { c.MinRequests = -1 },
		"query that is not JSON":    func(c *Content) { c.Query = "{" },
		"query with unknown fields": func(c *Content) { c.Query = `{"filters": [{"field": "mood", "operator": "is", "value": "x"}]}` },
		"reminder within an hour":   func(c *Content) { c.RemindAfter = time.Minute },
	} {
		c := rule().Content
		c.Query = "{}"
		check.OK(t, c.check())
		change(&c)
		if c.check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for name, levels := range map[string][]int64{"none": {}, "equal": {50, 50}, "descending": {80, 50}, "zero": {0, 50}, "high": {1001}} {
		b := budget().Content
		b.Query = "{}"
		check.OK(t, b.check())
		if b.Levels = levels; b.check() == nil {
			t.Errorf("levels %s: no error", name)
		}
	}
}

// The schedule is bounded by the window, so that no alert is computed forever.
func TestShortestSchedules(t *testing.T) {
	t.Parallel()
	for window, want := range map[time.Duration]time.Duration{
		5 * time.Minute: time.Minute, 12 * time.Hour: time.Minute, 24 * time.Hour: 5 * time.Minute, 7 * 24 * time.Hour: 15 * time.Minute, maxWindow: time.Hour,
	} {
		c := Content{Window: window}
		c.Normalize(false)
		check.Equal(t, window.String(), c.Every, want)
	}
}

// Alerts with the same schedule are evaluated at different times, always in the same
// distance.
func TestSpread(t *testing.T) {
	t.Parallel()
	seen := map[int64]bool{}
	for id := range int64(40) {
		a := rule()
		a.ID, a.Every = id, 5*time.Minute
		next := noon.Add(untilNext(a, noon))
		check.Equal(t, "the time between evaluations", untilNext(a, next), a.Every)
		if !next.After(noon) || next.Sub(noon) > a.Every {
			t.Errorf("alert %d is due %s after noon", id, next.Sub(noon))
		}
		seen[next.Unix()] = true
	}
	if len(seen) < 40 {
		t.Errorf("%d different times", len(seen))
	}
}
