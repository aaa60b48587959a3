package exporter

import (
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// Every is how often an export runs.
type Every string

// The frequencies.
const (
	// Once runs when it is created, and whenever somebody starts it.
	Once   Every = "once"
	Hourly Every = "hourly"
	Daily  Every = "daily"
	Weekly Every = "weekly"
)

// Schedule says when an export runs, in UTC.
type Schedule struct {
	Every  Every `json:"every"`
	Minute int   `json:"minute"`
	// Hour is for daily and weekly exports, and Weekday for weekly ones.
	Hour    int          `json:"hour"`
	Weekday time.Weekday `json:"weekday"`
}

// normalize removes what the frequency does not use.
func (s *Schedule) normalize() {
	switch s.Every {
	case Once:
		*s = Schedule{Every: Once}
	case Hourly:
		s.Hour, s.Weekday = 0, 0
	case Daily:
		s.Weekday = 0
	}
}

// checkTimes describes what is wrong with a schedule.
func (s *Schedule) checkTimes(problems *fault.Problems) {
	switch s.Every {
	case Once, Hourly, Daily, Weekly:
	default:
		problems.Add(fault.In("schedule", "every"), "value_error", "The frequency must be once, hourly, daily or weekly")
	}
	if s.Minute < 0 || s.Minute > 59 {
		problems.Add(fault.In("schedule", "minute"), "value_error", "The minute must be from 0 to 59")
	}
	if s.Hour < 0 || s.Hour > 23 {
		problems.Add(fault.In("schedule", "hour"), "value_error", "The hour must be from 0 to 23")
	}
	if s.Weekday < time.Sunday || s.Weekday > time.Saturday {
		problems.Add(fault.In("schedule", "weekday"), "value_error", "Unknown day; use monday to sunday")
	}
}

// next returns the first time after now, nil for Once. What a server missed while it
// did not run is made up for by one run.
func (s *Schedule) next(now time.Time) *time.Time {
	now = now.UTC()
	hour := time.Date(now.Year(), now.Month(), now.Day(), now.Hour(), s.Minute, 0, 0, time.UTC)
	day := time.Date(now.Year(), now.Month(), now.Day(), s.Hour, s.Minute, 0, 0, time.UTC)
	var at time.Time
	switch s.Every {
	case Hourly:
		if at = hour; !at.After(now) {
			at = at.Add(time.Hour)
		}
	case Daily:
		if at = day; !at.After(now) {
			at = at.AddDate(0, 0, 1)
		}
	case Weekly:
		if at = day.AddDate(0, 0, int(s.Weekday-now.Weekday()+7)%7); !at.After(now) {
			at = at.AddDate(0, 0, 7)
		}
	default:
		return nil
	}
	return &at
}
