package api_test

import "github.com/promptuary/promptuary/internal/access"

const (
	viewsPath      = "/api/public/v2/views"
	dashboardsPath = "/api/public/v2/dashboards"
	healthPath     = "/api/admin/health"
)

func viewSamples() []sample {
	const view, dashboard = viewsPath + "/$view", dashboardsPath + "/$dashboard"
	return []sample{
		{op: "listViews", may: anyone},
		{op: "createView", may: anyEdit, body: `{"name":"$new","page":"requests"}`, status: 201, audit: "create VIEW"},
		{op: "getView", may: anyone, path: view},
		{op: "updateView", name: "renames", may: anyEdit, path: view, body: `{"name":"$new"}`, audit: "rename VIEW"},
		{op: "updateView", name: "changes", may: anyEdit, path: view, body: `{"state":{"q":"a"}}`, audit: "change VIEW"},
		{op: "deleteView", may: anyEdit, path: view, audit: "delete VIEW"},
		{op: "listDashboards", may: anyone},
		{op: "createDashboard", may: anyEdit, body: `{"name":"$new"}`, status: 201, audit: "create DASHBOARD"},
		{op: "getDashboard", may: anyone, path: dashboard},
		{op: "updateDashboard", may: anyEdit, path: dashboard, body: `{"charts":[]}`, audit: "change DASHBOARD"},
		{op: "deleteDashboard", may: anyEdit, path: dashboard, audit: "delete DASHBOARD"},
		{op: "getHealth", may: all(access.Admin)},
	}
}

// makeView creates a view or a dashboard.
func (s *subjects) makeView(name string) {
	s.t.Helper()
	switch name {
	case "$view":
		s.post(name, viewsPath, `{"name":"`+s.unique()+`","page":"analytics"}`, "view", "id")
	case "$dashboard":
		s.post(name, dashboardsPath, `{"name":"`+s.unique()+`","charts":[{"id":"a","title":"b"}]}`, "dashboard", "id")
	}
}
