package storetest

import (
	"context"
	"strconv"
	"time"

	"github.com/promptuary/promptuary/internal/alert"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/webhook"
)

var errorAlert = alert.Content{
	Name: "errors", Enabled: true, Query: `{"q":"x"}`, Measure: alert.ErrorRate, Comparison: alert.Above, Threshold: 0.1 + 0.2, Window: 15 * time.Minute, Every: time.Minute,
	MinRequests: 10, RemindAfter: time.Hour, TellNoData: true,
}

var costBudget = alert.Content{
	Name: "予算", Query: `{}`, Measure: alert.Cost, Comparison: alert.Above, Threshold: 1e-7, Period: alert.Month, Levels: []int64{50, 100}, Every: time.Hour,
}

func (s *store) alert(workspace int64, content alert.Content) alert.Alert {
	s.t.Helper()
	return check.Must(s.Alerts.CreateAlert(s.ctx, alert.Alert{Workspace: workspace, Content: content, CreatedBy: pointer("ann@x.test")}))(s.t)
}

// alertJobs counts the jobs of an alert that a process could take now.
func (s *store) alertJobs(id int64) (count int) {
	s.t.Helper()
	for _, one := range check.Must(s.Runs.OpenJobs(s.ctx, nil, 100))(s.t) {
		if one.Kind == alert.Kind && one.Subject == id {
			count++
		}
	}
	return count
}

// firing is an outcome with everything in it.
func firing(a *alert.Alert, at time.Time) alert.Outcome {
	at = at.UTC().Truncate(time.Microsecond)
	reading := alert.Reading{From: at.Add(-time.Hour), Until: at, Value: pointer(1.0 / 3), Requests: 12, Forecast: pointer(2.5)}
	return alert.Outcome{
		Status: alert.Status{State: alert.Firing, Level: 80, Reading: reading, EvaluatedAt: &at, ChangedAt: &at, Told: 80, ToldAt: &at},
		Change: &alert.Change{Alert: a.ID, At: at, State: alert.Firing, Level: 80, Reading: reading},
		Notice: alert.NoticeFiring,
	}
}

var alertCases = []testCase{
	{"create, change and delete", func(s *store) {
		for _, content := range []alert.Content{errorAlert, costBudget} {
			created := s.alert(s.workspace, content)
			s.equal(created.Content, content)
			s.equal(created.Status, alert.Status{})
			s.equal(check.Must(s.Alerts.GetAlert(s.ctx, s.workspace, created.ID))(s.t), created)
		}
		all := check.Must(s.Alerts.ListAlerts(s.ctx, s.workspace))(s.t)
		s.equal([]string{all[0].Name, all[1].Name}, []string{"errors", "予算"})
		s.fails(check.Failure(s.Alerts.CreateAlert(s.ctx, alert.Alert{Workspace: s.workspace, Content: errorAlert})), fault.Conflict)
		s.fails(check.Failure(s.Alerts.UpdateAlert(s.ctx, s.workspace, all[1].ID, errorAlert)), fault.Conflict)
		other := costBudget
		other.Name = "other"
		changed := check.Must(s.Alerts.UpdateAlert(s.ctx, s.workspace, all[0].ID, other))(s.t)
		s.equal(changed.Content, other)
		s.ok(s.Alerts.DeleteAlert(s.ctx, s.workspace, all[0].ID))
		s.fails(check.Failure(s.Alerts.GetAlert(s.ctx, s.workspace, all[0].ID)), fault.NotFound)
	}},
	{"workspaces are isolated", func(s *store) {
		mine := s.alert(s.workspace, errorAlert)
		s.ok(s.Alerts.SaveOutcome(s.ctx, &mine, firing(&mine, s.Now())))
		s.equal(len(check.Must(s.Alerts.ListAlerts(s.ctx, s.other))(s.t)), 0)
		s.fails(check.Failure(s.Alerts.GetAlert(s.ctx, s.other, mine.ID)), fault.NotFound)
		s.fails(check.Failure(s.Alerts.UpdateAlert(s.ctx, s.other, mine.ID, costBudget)), fault.NotFound)
		s.fails(s.Alerts.DeleteAlert(s.ctx, s.other, mine.ID), fault.NotFound)
		_, total, err := s.Alerts.ListChanges(s.ctx, s.other, mine.ID, entity.Page{Limit: 10})
		s.ok(err)
		s.equal(total, int64(0))
		s.alert(s.other, errorAlert) // the name is free there
	}},
	{"an outcome is stored with its history and deliveries", func(s *store) {
		wants := s.webhook(s.workspace, webhook.Content{Name: "alerts", URL: "x", Events: []webhook.EventType{webhook.Alert}, Enabled: true})
		others := s.webhook(s.other, webhook.Content{Name: "alerts", URL: "x", Events: []webhook.EventType{webhook.Alert}, Enabled: true})
		mine := s.alert(s.workspace, errorAlert)
		first := firing(&mine, s.Now())
		s.ok(s.Alerts.SaveOutcome(s.ctx, &mine, first))
		s.equal(check.Must(s.Alerts.GetAlert(s.ctx, s.workspace, mine.ID))(s.t).Status, first.Status)
		s.equal(s.events(wants), []webhook.EventType{webhook.Alert})
		s.equal(len(s.events(others)), 0)

		second := first
		second.Status.Error, second.Status.Value, second.Status.Forecast = "no", nil, nil
		second.Change, second.Notice = nil, ""
		s.ok(s.Alerts.SaveOutcome(s.ctx, &mine, second))
		s.equal(check.Must(s.Alerts.GetAlert(s.ctx, s.workspace, mine.ID))(s.t).Status, second.Status)
		s.equal(len(s.events(wants)), 1)
		changes, total, err := s.Alerts.ListChanges(s.ctx, s.workspace, mine.ID, entity.Page{Limit: 10})
		s.ok(err)
		s.equal(total, int64(1))
		first.Change.ID = changes[0].ID
		s.equal(changes[0], *first.Change)
	}},
	{"the history is limited", func(s *store) {
		mine := s.alert(s.workspace, errorAlert)
		s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
			for i := range 1002 {
				out := firing(&mine, s.Now())
				out.Change.Level, out.Notice = int64(i), ""
				if err := s.Alerts.SaveOutcome(ctx, &mine, out); err != nil {
					return err
				}
			}
			return nil
		}))
		changes, total, err := s.Alerts.ListChanges(s.ctx, s.workspace, mine.ID, entity.Page{Limit: 1, Offset: 999})
		s.ok(err)
		s.equal(total, int64(1000))
		s.equal(changes[0].Level, int64(2))
	}},
	{"a disabled alert has no state", func(s *store) {
		mine := s.alert(s.workspace, errorAlert)
		s.equal(s.alertJobs(mine.ID), 1)
		s.ok(s.Alerts.SaveOutcome(s.ctx, &mine, firing(&mine, s.Now())))
		off := errorAlert
		off.Enabled = false
		s.equal(check.Must(s.Alerts.UpdateAlert(s.ctx, s.workspace, mine.ID, off))(s.t).Status, alert.Status{})
	}},
	{"an outcome of a deleted alert is refused", func(s *store) {
		mine := s.alert(s.workspace, errorAlert)
		s.ok(s.Alerts.DeleteAlert(s.ctx, s.workspace, mine.ID))
		s.fails(s.Alerts.SaveOutcome(s.ctx, &mine, firing(&mine, s.Now())), fault.NotFound)
	}},
	{"a workspace has a limited number", func(s *store) {
		content := errorAlert
		for i := range 100 {
			content.Name = strconv.Itoa(i)
			s.alert(s.workspace, content)
		}
		content.Name = "one more"
		s.fails(check.Failure(s.Alerts.CreateAlert(s.ctx, alert.Alert{Workspace: s.workspace, Content: content})), fault.BadRequest)
	}},
}
