package alert

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/webhook"
)

// Details returns what webhooks are told.
func Details(a *Alert, s *Status, kind NoticeKind) webhook.Details {
	details := webhook.Details{
		"alert_id": a.ID, "alert_name": a.Name, "notice": string(kind), "state": string(s.State), "summary": summary(a, s),
		"measure": string(a.Measure), "value": optional(s.Value), "requests": s.Requests, "threshold": a.Threshold,
		"from": moment(s.From), "until": moment(s.Until),
	}
	if a.IsBudget() {
		details["period"], details["level_percent"], details["forecast"] = string(a.Period), s.Level, optional(s.Forecast)
		return details
	}
	details["comparison"], details["window_minutes"] = string(a.Comparison), int64(a.Window/time.Minute)
	if a.ScoreName != "" {
		details["score_name"] = a.ScoreName
	}
	return details
}

func optional(v *float64) any {
	if v == nil {
		return nil
	}
	return *v
}

func moment(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// nouns are the measures in words.
var nouns = map[Measure]string{
	Count: "Number of requests", ErrorRate: "Error rate", Cost: "Cost", Tokens: "Number of tokens", LatencyMean: "Mean latency",
	LatencyP50: "P50 latency", LatencyP90: "P90 latency", LatencyP95: "P95 latency", LatencyP99: "P99 latency", ScoreMean: "Mean of the score",
}

// summary returns a status as a sentence for people.
func summary(a *Alert, s *Status) string {
	noun := nouns[a.Measure]
	if a.Measure == ScoreMean {
		noun += " " + a.ScoreName
	}
	requests := strconv.FormatInt(s.Requests, 10) + " requests"
	if s.Requests == 1 {
		requests = "1 request"
	}
	if s.State == NoData || s.Value == nil {
		return fmt.Sprintf("%s: no data (%s in the %s)", noun, requests, a.windowText())
	}
	value := a.Measure.text(*s.Value)
	if a.IsBudget() {
		text := fmt.Sprintf("%s is %s, %s of the budget of %s for %s", noun, value, percent(*s.Value/a.Threshold), a.Measure.text(a.Threshold), a.periodText(s.From))
		if s.Forecast != nil {
			text += "; forecast " + a.Measure.text(*s.Forecast)
		}
		return text
	}
	side := string(a.Comparison)
	if s.State == OK {
		side = "no longer " + side
	}
	return fmt.Sprintf("%s is %s, %s %s (%s in the %s)", noun, value, side, a.Measure.text(a.Threshold), requests, a.windowText())
}

// text returns a value with its unit.
func (m Measure) text(v float64) string {
	switch m {
	case ErrorRate:
		return percent(v)
	case Cost:
		return "$" + strconv.FormatFloat(v, 'f', 2, 64)
	case LatencyMean, LatencyP50, LatencyP90, LatencyP95, LatencyP99:
		return short(v) + " ms"
	}
	return short(v)
}

func percent(share float64) string { return short(share*100) + "%" }

// short returns a number with two decimals at most.
func short(v float64) string {
	text := strconv.FormatFloat(v, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// windowText names the time that a value is about.
func (a *Alert) windowText() string {
	switch {
	case a.IsBudget():
		return string(a.Period)
	case a.Window%(24*time.Hour) == 0:
		return plural(int64(a.Window/(24*time.Hour)), "day")
	case a.Window%time.Hour == 0:
		return plural(int64(a.Window/time.Hour), "hour")
	}
	return plural(int64(a.Window/time.Minute), "minute")
}

func plural(n int64, unit string) string {
	if n == 1 {
		return "last " + unit
	}
	return fmt.Sprintf("last %d %ss", n, unit)
}

func (a *Alert) periodText(from time.Time) string {
	if a.Period == Day {
		return from.UTC().Format("2 January 2006")
	}
	return from.UTC().Format("January 2006")
}
