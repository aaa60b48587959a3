package storetest

import (
	"context"
	"strconv"
	"time"

	"github.com/promptuary/promptuary/internal/catalog/webhooks"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/webhook"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

var allEvents = webhook.Content{Name: "all", URL: "https://x.test/in", Format: webhook.JSON, Events: webhook.EventTypes(), ScoreBelow: pointer(50.5), Enabled: true}

func (s *store) webhook(workspace int64, content webhook.Content) webhook.Webhook {
	s.t.Helper()
	input := webhook.Webhook{Workspace: workspace, Content: content, CreatedBy: pointer("ann@x.test")}
	return check.Must(s.Webhooks.CreateWebhook(s.ctx, input, func(id int64) []byte { return []byte("sealed for " + strconv.FormatInt(id, 10)) }))(s.t)
}

// events returns the events of the deliveries of a webhook, the newest first.
func (s *store) events(w webhook.Webhook) []webhook.EventType {
	s.t.Helper()
	found, total, err := s.Webhooks.ListDeliveries(s.ctx, w.Workspace, webhook.DeliveryQuery{Webhook: w.ID, State: webhook.Pending, Page: entity.Page{Limit: 10}})
	s.ok(err)
	s.equal(total, int64(len(found)))
	names := make([]webhook.EventType, len(found))
	for i, d := range found {
		names[i] = d.Event
	}
	return names
}

// webhookJobs counts the jobs of a webhook that a process could take now.
func (s *store) webhookJobs(id int64) (count int) {
	s.t.Helper()
	for _, one := range check.Must(s.Runs.OpenJobs(s.ctx, nil, 100))(s.t) {
		if one.Kind == webhook.Kind && one.Subject == id {
			count++
		}
	}
	return count
}

var webhookCases = []testCase{
	{"create, change and delete", func(s *store) {
		created := s.webhook(s.workspace, allEvents)
		s.equal(created.Content, allEvents)
		s.equal(string(created.Sealed), "sealed for "+strconv.FormatInt(created.ID, 10))
		s.equal(check.Must(s.Webhooks.GetWebhook(s.ctx, s.workspace, created.ID))(s.t), created)
		content := webhook.Content{Name: "日本", URL: "http://y.test", Format: webhook.Slack, Events: []webhook.EventType{webhook.RunFailed}}
		changed := check.Must(s.Webhooks.UpdateWebhook(s.ctx, s.workspace, created.ID, content))(s.t)
		s.equal(changed.Content, content)
		s.equal(string(check.Must(s.Webhooks.SetWebhookSecret(s.ctx, s.workspace, created.ID, []byte("new")))(s.t).Sealed), "new")
		s.equal(len(check.Must(s.Webhooks.ListWebhooks(s.ctx, s.workspace))(s.t)), 1)
		s.ok(s.Webhooks.DeleteWebhook(s.ctx, s.workspace, created.ID))
		s.fails(check.Failure(s.Webhooks.GetWebhook(s.ctx, s.workspace, created.ID)), fault.NotFound)
	}},
	{"workspaces are isolated", func(s *store) {
		mine := s.webhook(s.workspace, allEvents)
		one := check.Must(s.Webhooks.AddDelivery(s.ctx, mine, webhook.Test, nil))(s.t)
		s.equal(check.Must(s.Webhooks.ListWebhooks(s.ctx, s.other))(s.t), []webhook.Webhook{})
		s.fails(check.Failure(s.Webhooks.GetWebhook(s.ctx, s.other, mine.ID)), fault.NotFound)
		s.fails(check.Failure(s.Webhooks.UpdateWebhook(s.ctx, s.other, mine.ID, allEvents)), fault.NotFound)
		s.fails(check.Failure(s.Webhooks.SetWebhookSecret(s.ctx, s.other, mine.ID, nil)), fault.NotFound)
		s.fails(s.Webhooks.DeleteWebhook(s.ctx, s.other, mine.ID), fault.NotFound)
		s.fails(check.Failure(s.Webhooks.GetDelivery(s.ctx, s.other, one.ID)), fault.NotFound)
		s.fails(check.Failure(s.Webhooks.Redeliver(s.ctx, s.other, one.ID)), fault.NotFound)
		_, total, err := s.Webhooks.ListDeliveries(s.ctx, s.other, webhook.DeliveryQuery{})
		s.ok(err)
		s.equal(total, int64(0))
	}},
	{"changes write deliveries for those who want them", func(s *store) {
		all := s.webhook(s.workspace, allEvents)
		labels := s.webhook(s.workspace, webhook.Content{Name: "labels", URL: "x", Events: []webhook.EventType{webhook.LabelMoved}, Enabled: true})
		disabled := s.webhook(s.workspace, webhook.Content{Name: "disabled", URL: "x", Events: webhook.EventTypes()})
		others := s.webhook(s.other, allEvents)
		p := s.prompt("p")
		s.version(p.ID, `{}`)
		check.Must(s.Entities.SetLabel(s.ctx, s.workspace, p.ID, "prod", 1))(s.t)
		s.equal(s.events(all), []webhook.EventType{webhook.LabelMoved, webhook.VersionPublished})
		s.equal(s.events(labels), []webhook.EventType{webhook.LabelMoved})
		s.equal(len(s.events(disabled)), 0)
		s.equal(len(s.events(others)), 0)
		s.equal([]int{s.webhookJobs(all.ID), s.webhookJobs(labels.ID), s.webhookJobs(disabled.ID)}, []int{1, 1, 0})
	}},
	{"evaluations and runs", func(s *store) {
		all := s.webhook(s.workspace, allEvents)
		report := s.create(entity.KindReport, "e", nil)
		for _, score := range []float64{50.5, 50.25} {
			s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
				return webhooks.EvaluationEnded(ctx, s.DB, webhooks.Evaluation{Workspace: s.workspace, Report: report.ID, Run: 7, Name: "r", Score: &score})
			}))
		}
		s.equal(s.events(all), []webhook.EventType{webhook.ScoreBelow, webhook.EvaluationFinished, webhook.EvaluationFinished})
		s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
			return webhooks.RunEnded(ctx, s.DB, s.workspace, report.ID, 8, "FAILED", true)
		}))
		s.equal(s.events(all)[:2], []webhook.EventType{webhook.RunFailed, webhook.RunFinished})
		p := s.prompt("tested")
		s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
			return s.Webhooks.TestStopped(ctx, webhook.StoppedTest{Workspace: s.workspace, Test: 9, Prompt: p.ID, Label: "prod", Version: 2, Baseline: 1, Reason: "worse"})
		}))
		s.equal(s.events(all)[:1], []webhook.EventType{webhook.TestStopped})
		s.equal((&eval.Result{Score: `{"overall_score":12.5}`}).Overall(), pointer(12.5))
	}},
	{"dry runs have no events", func(s *store) {
		_, version := s.workflow("w")
		all := s.webhook(s.workspace, allEvents)
		dry := s.newRun(version)
		dry.DryRun = true
		s.ok(s.Runs.EndRun(s.ctx, s.run(dry).ID, run.Failed, noon))
		s.equal(len(s.events(all)), 0)
		s.ok(s.Runs.EndRun(s.ctx, s.run(s.newRun(version)).ID, run.Failed, noon))
		s.equal(s.events(all), []webhook.EventType{webhook.RunFailed, webhook.RunFinished})
	}},
	{"due, saved and pruned", func(s *store) {
		hook := s.webhook(s.workspace, allEvents)
		first := check.Must(s.Webhooks.AddDelivery(s.ctx, hook, webhook.Test, webhook.Details{"n": int64(1)}))(s.t)
		second := check.Must(s.Webhooks.AddDelivery(s.ctx, hook, webhook.Test, nil))(s.t)
		s.equal(len(check.Must(s.Webhooks.DueDeliveries(s.ctx, hook.ID, 10))(s.t)), 2)
		s.equal(check.Must(s.Webhooks.DueDeliveries(s.ctx, hook.ID, 1))(s.t), []webhook.Delivery{first})

		first.State, first.Attempts, first.Last = webhook.Delivered, 1, webhook.Attempt{At: pointer(s.Now().UTC().Truncate(time.Microsecond)), Status: 204, Response: "ok", Took: time.Second}
		s.ok(s.Webhooks.SaveDelivery(s.ctx, first, 0))
		first.NextAt = nil
		s.equal(check.Must(s.Webhooks.GetDelivery(s.ctx, s.workspace, first.ID))(s.t), first)
		second.Failures, second.Last.Failure = 1, "no"
		s.ok(s.Webhooks.SaveDelivery(s.ctx, second, time.Hour))
		s.equal(len(check.Must(s.Webhooks.DueDeliveries(s.ctx, hook.ID, 10))(s.t)), 0)
		wait, found, err := s.Webhooks.NextDelivery(s.ctx, hook.ID)
		s.ok(err)
		s.equal(found && wait > 59*time.Minute && wait <= time.Hour, true)
		s.equal(check.Must(s.Webhooks.GetWebhook(s.ctx, s.workspace, hook.ID))(s.t).Pending, int64(1))

		s.ok(s.Webhooks.PruneDeliveries(s.ctx, hook.ID, first.CreatedAt, 2))
		check.Must(s.Webhooks.GetDelivery(s.ctx, s.workspace, first.ID))(s.t)
		s.ok(s.Webhooks.PruneDeliveries(s.ctx, hook.ID, first.CreatedAt, 1))
		s.fails(check.Failure(s.Webhooks.GetDelivery(s.ctx, s.workspace, first.ID)), fault.NotFound)
		check.Must(s.Webhooks.Redeliver(s.ctx, s.workspace, second.ID))(s.t)
		s.equal(len(check.Must(s.Webhooks.DueDeliveries(s.ctx, hook.ID, 10))(s.t)), 1)
	}},
	{"a delivery takes up a job that was left", func(s *store) {
		hook := s.webhook(s.workspace, allEvents)
		check.Must(s.Webhooks.AddDelivery(s.ctx, hook, webhook.Test, nil))(s.t)
		open := check.Must(s.Runs.OpenJobs(s.ctx, nil, 10))(s.t)
		taken, _, err := s.Runs.TakeJob(s.ctx, open[0].ID, job.Lease{Owner: "me", For: time.Hour})
		s.ok(err)
		check.Must(s.Webhooks.AddDelivery(s.ctx, hook, webhook.Test, nil))(s.t)
		s.equal(s.webhookJobs(hook.ID), 0)
		s.equal(check.Must(s.Runs.HoldJob(s.ctx, taken))(s.t), true)
		s.ok(s.Runs.LeaveJob(s.ctx, taken, time.Hour))
		s.equal(s.webhookJobs(hook.ID), 0)
		check.Must(s.Webhooks.AddDelivery(s.ctx, hook, webhook.Test, nil))(s.t)
		s.equal(s.webhookJobs(hook.ID), 1)
	}},
	{"a workspace has a limited number", func(s *store) {
		for range 50 {
			s.webhook(s.workspace, allEvents)
		}
		s.fails(check.Failure(s.Webhooks.CreateWebhook(s.ctx, webhook.Webhook{Workspace: s.workspace, Content: allEvents}, func(int64) []byte { return nil })), fault.BadRequest)
	}},
}
