package main

import (
	"strconv"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/app/storage"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/config"
	"github.com/promptuary/promptuary/internal/webhook"
)

// Deliveries that were given up are listed and become pending again.
func TestWebhookCommands(t *testing.T) {
	t.Parallel()
	data := dataFolder(t)
	check.Must(command(t, data, "workspace", "create", "other"))(t)
	cfg := config.Default()
	cfg.Data = data
	c := check.Must(storage.OpenCatalog(t.Context(), cfg))(t)
	t.Cleanup(func() { check.OK(t, c.Close()) })
	ctx := access.WithCaller(t.Context(), access.CommandLine())
	target := check.Must(c.Webhooks.CreateWebhook(ctx, webhook.Webhook{Workspace: 1, Content: webhook.Content{
		Name: "Chat", URL: "https://hooks.example.com/secret-path", Format: webhook.Slack, Events: []webhook.EventType{webhook.LabelMoved}, Enabled: true,
	}}, func(int64) []byte { return []byte{} }))(t)
	sent := check.Must(c.Webhooks.AddDelivery(ctx, target, webhook.Test, webhook.Details{}))(t)
	sent.State, sent.Attempts, sent.Last = webhook.Dead, 10, webhook.Attempt{At: new(sent.CreatedAt), Status: 503}
	check.OK(t, c.Webhooks.SaveDelivery(ctx, sent, 0))

	listed := check.Must(command(t, data, "webhook", "list"))(t)
	if !strings.Contains(listed, "hooks.example.com") || strings.Contains(listed, "secret-path") {
		t.Errorf("listed %s", listed)
	}
	id := strconv.FormatInt(sent.ID, 10)
	dead := check.Must(command(t, data, "webhook", "deliveries", "--state", "dead"))(t)
	if !strings.Contains(dead, "status 503") || len(strings.Split(dead, "\n")) != 2 {
		t.Errorf("dead deliveries: %s", dead)
	}
	for name, args := range map[string][]string{
		"another workspace": {"redeliver", id, "--workspace", "other"}, "no id": {"redeliver", "x"},
		"no state": {"deliveries", "--state", "lost"}, "no number": {"deliveries", "--n", "0"},
	} {
		if printed, err := command(t, data, append([]string{"webhook"}, args...)...); err == nil {
			t.Errorf("%s: no error, but %s", name, printed)
		}
	}
	check.Must(command(t, data, "webhook", "redeliver", id))(t)
	pending := check.Must(command(t, data, "webhook", "deliveries", "--state", "pending"))(t)
	if !strings.Contains(pending, "status 503") {
		t.Errorf("pending deliveries: %s", pending)
	}
}
