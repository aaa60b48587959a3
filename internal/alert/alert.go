// Package alert watches request logs. An alert is a query, a measure of the logs that
// it selects in a window of time, and a threshold. A job per alert computes the value
// on a schedule; when the state changes, the store writes the new state, an entry of
// the history and the deliveries to webhooks in one transaction, so that no message
// is lost and none is about something that did not happen. A budget is an alert on
// the cost of a calendar day or month.
package alert

import "time"

// Measure is the number that an alert watches.
type Measure string

// The measures.
const (
	Count       Measure = "count"
	ErrorRate   Measure = "error_rate"
	Cost        Measure = "cost"
	Tokens      Measure = "tokens"
	LatencyMean Measure = "latency_mean"
	LatencyP50  Measure = "latency_p50"
	LatencyP90  Measure = "latency_p90"
	LatencyP95  Measure = "latency_p95"
	LatencyP99  Measure = "latency_p99"
	// ScoreMean is the mean of the score with a name.
	ScoreMean Measure = "score_mean"
)

// Comparison is on which side of the threshold an alert fires.
type Comparison string

// The comparisons. A value that equals the threshold is on neither side.
const (
	Above Comparison = "above"
	Below Comparison = "below"
)

// Period is the calendar period of a budget, in UTC.
type Period string

// The periods.
const (
	Day   Period = "day"
	Month Period = "month"
)

// Content is what people choose of an alert.
type Content struct {
	Name    string
	Enabled bool
	// Query is a JSON object with the members of a search: filter_group, filters and
	// q.
	Query   string
	Measure Measure
	// ScoreName is the score of ScoreMean, "" otherwise.
	ScoreName  string
	Comparison Comparison
	// Threshold is the limit, and the amount in US dollars of a budget.
	Threshold float64
	// Window is the time before an evaluation that the value is about, 0 for a
	// budget.
	Window time.Duration
	// Period is what a budget is for, "" for other alerts.
	Period Period
	// Levels are the percentages of a budget that a message is sent at, ascending.
	Levels []int64
	// Every is the time between evaluations.
	Every time.Duration
	// MinRequests is the number of requests below which there is no data.
	MinRequests int64
	// RemindAfter is the time between messages while it fires, 0 for none.
	RemindAfter time.Duration
	// TellNoData says that a message is sent when there is no data.
	TellNoData bool
}

// IsBudget reports whether the alert is a budget.
func (c *Content) IsBudget() bool { return c.Period != "" }

// Alert is a watched query with its last state.
type Alert struct {
	ID        int64
	Workspace int64
	Content
	Status
	CreatedBy *string
	CreatedAt time.Time
	UpdatedAt time.Time
}

// State is the state of an alert.
type State string

// The states.
const (
	OK     State = "ok"
	Firing State = "firing"
	// NoData means that there are too few requests, or that none has a value. It is
	// also the state before the first evaluation.
	NoData State = "no_data"
	// Failed means that the value could not be computed. It appears in the history;
	// a Status keeps the last state that is known.
	Failed State = "error"
)

// Status is what the last evaluation found. It is empty before the first one, and
// while an alert is disabled.
type Status struct {
	State State
	Reading
	// Level is the percentage of a budget that was reached, and 1 for any other
	// alert that fires; 0 means OK.
	Level int64
	// Error is why the last evaluation failed, "" if it did not.
	Error string
	// EvaluatedAt is when the last evaluation was, nil before.
	EvaluatedAt *time.Time
	// ChangedAt is when the state last changed.
	ChangedAt *time.Time
	// Told is the level that the last message was about, 0 if it was not about one,
	// and ToldAt when it was sent.
	Told   int64
	ToldAt *time.Time
}

// Shown returns the state that people see: it is Failed if the last evaluation was.
func (s Status) Shown() State {
	switch {
	case s.Error != "":
		return Failed
	case s.State == "":
		return NoData
	}
	return s.State
}

// Reading is the value in a window of time.
type Reading struct {
	// From and Until are the window, the end excluded.
	From, Until time.Time
	// Value is nil if no request has one.
	Value    *float64
	Requests int64
	// Forecast is what a budget will be at the end of its period, nil without one.
	Forecast *float64
}

// Change is an entry of the history of an alert.
type Change struct {
	ID    int64
	Alert int64
	At    time.Time
	State State
	Level int64
	Reading
	// Error is why an evaluation failed, "" if it did not.
	Error string
}

// NoticeKind is why a message is sent.
type NoticeKind string

// The kinds of messages.
const (
	NoticeFiring   NoticeKind = "firing"
	NoticeReminder NoticeKind = "reminder"
	NoticeResolved NoticeKind = "resolved"
	NoticeNoData   NoticeKind = "no_data"
)
