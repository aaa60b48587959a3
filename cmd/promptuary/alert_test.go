package main

import (
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/alert"
	"github.com/promptuary/promptuary/internal/app/storage"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/config"
)

func TestAlertCommand(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	cfg.Data = dataFolder(t)
	c := check.Must(storage.OpenCatalog(t.Context(), cfg))(t)
	t.Cleanup(func() { check.OK(t, c.Close()) })
	ctx := access.WithCaller(t.Context(), access.CommandLine())
	check.Must(c.Accounts.EnsureDefaultWorkspace(ctx))(t)
	made := check.Must(c.Alerts.CreateAlert(ctx, alert.Alert{Workspace: 1, Content: alert.Content{
		Name: "errors", Enabled: true, Query: "{}", Measure: alert.ErrorRate, Comparison: alert.Above, Threshold: 0.05, Window: time.Hour, Every: time.Minute,
	}}))(t)
	at := time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)
	check.OK(t, c.Alerts.SaveOutcome(ctx, &made, alert.Outcome{Status: alert.Status{
		State: alert.Firing, Level: 1, Reading: alert.Reading{From: at, Until: at, Value: new(0.125), Requests: 8}, EvaluatedAt: &at, ChangedAt: &at,
	}}))
	printed := check.Must(command(t, cfg.Data, "alert", "list"))(t)
	for _, want := range []string{"errors", "firing", "0.125", "above 0.05", "2026-11-16T12:00:00Z"} {
		if !strings.Contains(printed, want) {
			t.Errorf("no %q in %s", want, printed)
		}
	}
}
