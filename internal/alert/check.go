package alert

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

const (
	maxName      = 255
	maxScoreName = 255
	minWindow    = 5 * time.Minute
	maxWindow    = 30 * 24 * time.Hour
	maxRequests  = 1_000_000_000
	maxReminder  = 30 * 24 * time.Hour
	maxLevels    = 10
	maxLevel     = 1000
	// share is how often a window is computed at most while it passes: it bounds what
	// an alert costs, whatever its window.
	share = 720
)

// schedules are the times between evaluations, ascending.
var schedules = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour}

// Measures returns the measures, in the order in which they are offered.
func Measures() []Measure {
	return []Measure{Count, ErrorRate, Cost, Tokens, LatencyMean, LatencyP50, LatencyP90, LatencyP95, LatencyP99, ScoreMean}
}

// Normalize sets what the caller left out: the schedule is the shortest that is
// allowed, and there is data from the first request on, except where none is a value,
// too. A budget is an alert on cost.
func (c *Content) Normalize(requestsGiven bool) {
	if c.IsBudget() {
		c.Measure, c.Comparison = Cost, Above
		if c.Levels == nil {
			c.Levels = []int64{50, 80, 100}
		}
	}
	if c.Every == 0 {
		c.Every = c.Shortest()
	}
	if !requestsGiven && c.Measure != Count && !c.IsBudget() {
		c.MinRequests = 1
	}
}

// Shortest returns the shortest time between evaluations that the window allows.
func (c *Content) Shortest() time.Duration {
	for _, every := range schedules {
		if every >= c.length()/share {
			return every
		}
	}
	return schedules[len(schedules)-1]
}

// length returns the longest time that a value can be about.
func (c *Content) length() time.Duration {
	switch c.Period {
	case Day:
		return 24 * time.Hour
	case Month:
		return maxWindow
	}
	return c.Window
}

// check describes everything that is wrong with a content.
func (c *Content) check() error {
	var problems fault.Problems
	if broken, ok := fault.TextRule(c.Name, 1, maxName); !ok {
		problems.Report(fault.In("name"), broken)
	}
	c.checkMeasure(&problems)
	c.checkTimes(&problems)
	c.checkLevels(&problems)
	if c.MinRequests < 0 || c.MinRequests > maxRequests {
		problems.Add(fault.In("minimum_requests"), "value_error", "The minimum number of requests must be from 0 to %d", maxRequests)
	}
	if err := problems.Err(); err != nil {
		return err
	}
	_, err := query.Read(c.Query)
	return err
}

// measureNames lists the measures for messages.
func measureNames() string {
	var names []string
	for _, measure := range Measures() {
		names = append(names, string(measure))
	}
	return strings.Join(names, ", ")
}

func (c *Content) checkMeasure(problems *fault.Problems) {
	if !slices.Contains(Measures(), c.Measure) {
		problems.Add(fault.In("measure"), "value_error", "Unknown measure; use one of %s", measureNames())
	}
	if c.Comparison != Above && c.Comparison != Below {
		problems.Add(fault.In("comparison"), "value_error", "The comparison must be above or below")
	}
	if math.IsNaN(c.Threshold) || math.IsInf(c.Threshold, 0) {
		problems.Add(fault.In("threshold"), "value_error", "The threshold must be a finite number")
	}
	if c.Measure == ScoreMean {
		if broken, ok := fault.TextRule(c.ScoreName, 1, maxScoreName); !ok {
			problems.Report(fault.In("score_name"), broken)
		}
	} else if c.ScoreName != "" {
		problems.Add(fault.In("score_name"), "value_error", "score_name is for the measure score_mean only")
	}
}

func (c *Content) checkTimes(problems *fault.Problems) {
	switch {
	case c.IsBudget() && c.Period != Day && c.Period != Month:
		problems.Add(fault.In("period"), "value_error", "The period must be day or month")
	case c.IsBudget() && c.Window != 0:
		problems.Add(fault.In("window_minutes"), "value_error", "An alert has a window or a period, not both")
	case !c.IsBudget() && (c.Window < minWindow || c.Window > maxWindow || c.Window%time.Minute != 0):
		problems.Add(fault.In("window_minutes"), "value_error", "The window must be from 5 to 43200 minutes")
	case !slices.Contains(schedules, c.Every):
		problems.Add(fault.In("every_minutes"), "value_error", "The schedule must be 1, 5, 15 or 60 minutes")
	case c.Every < c.Shortest():
		problems.Add(fault.In("every_minutes"), "value_error", "A window this long can be evaluated every %d minutes at most", int64(c.Shortest()/time.Minute))
	}
	if c.RemindAfter < 0 || c.RemindAfter > maxReminder || c.RemindAfter%time.Hour != 0 {
		problems.Add(fault.In("remind_hours"), "value_error", "The time between reminders must be from 1 to 720 hours")
	}
}

func (c *Content) checkLevels(problems *fault.Problems) {
	if !c.IsBudget() {
		if c.Levels != nil {
			problems.Add(fault.In("levels"), "value_error", "levels are for budgets only, which have a period")
		}
		return
	}
	if c.Threshold <= 0 {
		problems.Add(fault.In("threshold"), "value_error", "The amount of a budget must be greater than 0")
	}
	ascending := true
	for i := 1; i < len(c.Levels); i++ {
		ascending = ascending && c.Levels[i-1] < c.Levels[i]
	}
	if len(c.Levels) == 0 || len(c.Levels) > maxLevels || !ascending || c.Levels[0] < 1 || c.Levels[len(c.Levels)-1] > maxLevel {
		problems.Add(fault.In("levels"), "value_error", "The levels must be 1 to %d different percentages from 1 to %d, ascending", maxLevels, maxLevel)
	}
}
