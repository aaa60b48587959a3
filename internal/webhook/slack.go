package webhook

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// slackMessage returns an event as chat services accept it. Nothing in it can mention
// people or be a link with a text of its own.
func slackMessage(payload string) []byte {
	plain := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(textOf(payload))
	return appendValue(nil, Details{"text": plain})
}

// textOf returns the event of an envelope as lines for people.
func textOf(payload string) string {
	var envelope struct {
		Event   EventType      `json:"event_type"`
		Details map[string]any `json:"details"`
	}
	if err := json.Unmarshal([]byte(payload), &envelope); err != nil {
		return payload
	}
	return Text(envelope.Event, envelope.Details)
}

// titles are the first words of messages.
var titles = map[EventType]string{
	VersionPublished: "Version published", LabelMoved: "Release label moved", RunFinished: "Workflow run finished", RunFailed: "Workflow run failed",
	EvaluationFinished: "Evaluation finished", ScoreBelow: "Evaluation score is low", Alert: "Alert", ExportFailed: "Export failed",
	TestStopped: "A/B test stopped", Test: "Test of a webhook",
}

// notices are the first words of messages about alerts.
var notices = map[any]string{"firing": "Alert", "reminder": "Alert, still firing", "resolved": "Resolved", "no_data": "No data"}

// Text returns an event as lines for people.
func Text(event EventType, details map[string]any) string {
	if summary, ok := details["summary"]; ok && event == Alert {
		return fmt.Sprintf("Promptuary: %s: %v\n%v", notices[details["notice"]], details["alert_name"], summary)
	}
	parts := make([]string, 0, len(details))
	for _, key := range slices.Sorted(maps.Keys(details)) {
		if value := details[key]; value != nil {
			parts = append(parts, fmt.Sprintf("%s: %v", strings.ReplaceAll(key, "_", " "), value))
		}
	}
	return "Promptuary: " + titles[event] + "\n" + strings.Join(parts, "\n")
}
