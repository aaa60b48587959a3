package webhook_test

import (
	"context"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/secret"
	"github.com/promptuary/promptuary/internal/webhook"
)

// E-mail is a text with a subject, and has an address of its own kind.
func TestMail(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		w := newWorld(t, dsn)
		sent := make(chan webhook.Message, 1)
		service := webhook.NewService(webhook.Options{
			Jobs: job.NewRunner(job.Options{Store: w.catalog.Runs}), Store: w.catalog.Webhooks, Box: secret.NewBox(w.key), CheckURL: func(string) error { return nil },
			Sender: over(func(_ context.Context, m webhook.Message) webhook.Attempt {
				sent <- m
				return webhook.Attempt{Status: 250}
			}),
		})
		content := webhook.Content{Name: "ops", URL: "mailto:ops@example.com", Format: webhook.Email, Events: []webhook.EventType{webhook.VersionPublished}, Enabled: true}
		hook, _, err := service.Create(w.ctx, w.home, content, nil)
		check.OK(t, err)
		for _, wrong := range []webhook.Content{
			{Name: "a", URL: "https://example.com", Format: webhook.Email, Events: content.Events}, {Name: "a", URL: content.URL, Format: webhook.JSON, Events: content.Events},
		} {
			_, _, err := service.Create(w.ctx, w.home, wrong, nil)
			check.Fault(t, err, fault.Invalid)
		}
		defer w.begin(service)()
		w.publish(w.home, "greeting")
		got := check.Next(t, sent)
		check.Equal(t, "address", got.URL, content.URL)
		check.Equal(t, "subject", got.Header["Subject"], "Promptuary: Version published")
		done := w.settled(hook.ID, 1)[0]
		check.Equal(t, "event", got.Header["Event-ID"], done.EventID)
		if !strings.Contains(string(got.Body), "name: greeting") {
			t.Errorf("body %s", got.Body)
		}
	})
}

func TestTextOfAlerts(t *testing.T) {
	t.Parallel()
	details := map[string]any{"alert_name": "Errors", "notice": "firing", "summary": "Error rate is 12 %, above 10 %", "value": 0.12}
	check.Equal(t, "text", webhook.Text(webhook.Alert, details), "Promptuary: Alert: Errors\nError rate is 12 %, above 10 %")
	details["notice"] = "resolved"
	check.Equal(t, "text", webhook.Text(webhook.Alert, details), "Promptuary: Resolved: Errors\nError rate is 12 %, above 10 %")
}
