// Package webhook tells other programs what happens in a workspace. A webhook is an
// address and the events that it wants. The catalog writes a delivery in the
// transaction of the change, so that no event of a committed change is lost and none
// is sent for a change that was rolled back; a job per webhook sends them, so that a
// slow target delays no other.
package webhook

import (
	"net/url"
	"slices"
	"strings"
	"time"
)

// EventType is what happened.
type EventType string

// The events.
const (
	// VersionPublished is a new version of anything that has versions.
	VersionPublished EventType = "version_published"
	// LabelMoved is a release label that was created or moved.
	LabelMoved EventType = "label_moved"
	// RunFinished is the end of a workflow run, RunFailed one that failed.
	RunFinished EventType = "agent_run_finished"
	RunFailed   EventType = "agent_run_failed"
	// EvaluationFinished is the end of an evaluation run, ScoreBelow one whose score
	// is below the limit of the webhook.
	EvaluationFinished EventType = "report_finished"
	ScoreBelow         EventType = "report_score_below"
	// Alert is a change of state of an alert.
	Alert EventType = "alert"
	// ExportFailed is the end of a run of a saved export that failed.
	ExportFailed EventType = "export_failed"
	// TestStopped is an A/B test that its guard has stopped.
	TestStopped EventType = "ab_test_stopped"
	// Test is sent on request only.
	Test EventType = "test"
)

// EventTypes returns the events that a webhook can choose.
func EventTypes() []EventType {
	return []EventType{VersionPublished, LabelMoved, RunFinished, RunFailed, EvaluationFinished, ScoreBelow, Alert, ExportFailed, TestStopped}
}

// StoppedTest is what the event TestStopped tells.
type StoppedTest struct {
	Workspace, Test, Prompt int64
	Label                   string
	// Version did worse than Baseline, which all requests get now.
	Version, Baseline int64
	Reason            string
}

// Format is how events are sent.
type Format string

// The formats.
const (
	// JSON is a signed envelope.
	JSON Format = "json"
	// Slack is a message as chat services accept it: an object with a text.
	Slack Format = "slack"
	// Email is a message to e-mail addresses.
	Email Format = "email"
)

// MailScheme is the beginning of the address of a webhook with the format Email.
const MailScheme = "mailto:"

// Content is what people choose of a webhook.
type Content struct {
	Name   string
	URL    string
	Format Format
	Events []EventType
	// ScoreBelow is the limit of the event ScoreBelow, nil unless it is chosen.
	ScoreBelow *float64
	Enabled    bool
}

// Host returns the host of the address, which is no credential, or the e-mail
// addresses.
func (c *Content) Host() string {
	if addresses, ok := strings.CutPrefix(c.URL, MailScheme); ok {
		return addresses
	}
	address, err := url.Parse(c.URL)
	if err != nil {
		return ""
	}
	return address.Host
}

// Wants reports whether an event is to be delivered. score is nil unless the event
// has one.
func (c *Content) Wants(event EventType, score *float64) bool {
	if !slices.Contains(c.Events, event) {
		return false
	}
	return event != ScoreBelow || score != nil && c.ScoreBelow != nil && *score < *c.ScoreBelow
}

// Webhook is a target of events.
type Webhook struct {
	ID        int64
	Workspace int64
	Content
	// Sealed is the sealed secret.
	Sealed    []byte
	CreatedBy *string
	CreatedAt time.Time
	UpdatedAt time.Time
	// Pending and Dead count deliveries.
	Pending, Dead int64
}

// State is the state of a delivery.
type State string

// The states.
const (
	// Pending means that it will be tried, perhaps again.
	Pending   State = "pending"
	Delivered State = "delivered"
	// Dead means that all attempts have failed.
	Dead State = "dead"
)

// Delivery is an event for one webhook.
type Delivery struct {
	ID        int64
	Workspace int64
	Webhook   int64
	// EventID is the same for all webhooks and all attempts.
	EventID string
	Event   EventType
	// Payload is the envelope, as it is sent.
	Payload   string
	State     State
	CreatedAt time.Time
	// NextAt is when it is tried next, nil unless it is pending.
	NextAt *time.Time
	// Attempts counts all attempts, Failures those since it was last requested.
	Attempts, Failures int64
	Last               Attempt
}

// Attempt is how an attempt ended.
type Attempt struct {
	// At is nil before the first attempt.
	At *time.Time
	// Status is the HTTP status, 0 without a response.
	Status int64
	// Failure is why there is no response, "" if there is one.
	Failure string
	// Response is the beginning of the response.
	Response string
	Took     time.Duration
}

// ok reports whether the target has accepted the delivery.
func (a *Attempt) ok() bool { return a.Failure == "" && a.Status >= 200 && a.Status <= 299 }
