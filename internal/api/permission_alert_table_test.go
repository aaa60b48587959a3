package api_test

import (
	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
)

const alertsPath = "/api/public/v2/alerts"

func alertSamples() []sample {
	const one = alertsPath + "/$alert"
	manage := all(access.ManageAlerts)
	return []sample{
		{op: "listAlerts", may: anyone},
		{op: "createAlert", may: manage, body: `{"name":"$new",` + quietAlert, status: 201, audit: "create ALERT"},
		{op: "previewAlert", may: anyone, path: alertsPath + "/preview", body: `{"threshold":1,"window_minutes":5}`},
		{op: "getAlert", may: anyone, path: one},
		{op: "updateAlert", may: manage, path: one, body: `{"name":"$new"}`, audit: "change ALERT"},
		{op: "deleteAlert", may: manage, path: one, audit: "delete ALERT"},
		{op: "listAlertChanges", may: anyone, path: one + "/history"},
	}
}

// quietAlert is the body of an alert that is never evaluated.
const quietAlert = `"threshold":1,"window_minutes":5,"enabled":false}`

// makeAlert creates an alert. It makes room first: a workspace has a limited number.
func (s *subjects) makeAlert(name string) {
	s.t.Helper()
	if name != "$alert" {
		return
	}
	for _, one := range check.Must(s.w.catalog.Alerts.ListAlerts(s.t.Context(), home))(s.t) {
		check.OK(s.t, s.w.catalog.Alerts.DeleteAlert(s.t.Context(), home, one.ID))
	}
	s.post(name, alertsPath, `{"name":"`+s.unique()+`",`+quietAlert, "alert", "id")
}
