package logs

import (
	"encoding/json"

	"github.com/swaggest/jsonschema-go"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/view"
)

// chartList is the charts of a dashboard as JSON. The domain checks them when
// they are saved.
type chartList []byte

// BindJSON reads an array.
func (l *chartList) BindJSON(v jsontree.Value, loc []any, p *fault.Problems) {
	if v.Kind() != jsontree.Array {
		p.Report(loc, fault.ListType)
		return
	}
	*l = v.Raw()
}

// MarshalJSON writes the array.
func (l chartList) MarshalJSON() ([]byte, error) { return l, nil }

// InlineJSONSchema keeps chartList out of the named schemas.
func (chartList) InlineJSONSchema() {}

// JSONSchema describes what all charts have in common.
func (chartList) JSONSchema() (jsonschema.Schema, error) {
	text := func(description string, longest int64) jsonschema.SchemaOrBool {
		s := jsonschema.Schema{MaxLength: &longest}
		s.AddType(jsonschema.String)
		s.WithDescription(description)
		return s.ToSchemaOrBool()
	}
	id := text("Unique id of the chart; letters, digits, _ and -.", 64)
	id.TypeObject.WithPattern("^[A-Za-z0-9_-]{1,64}$")
	chart := jsonschema.Schema{Required: []string{"id", "title"}}
	chart.AddType(jsonschema.Object)
	chart.WithPropertiesItem("id", id)
	chart.WithPropertiesItem("title", text("Title of the chart.", 200))
	chart.WithAdditionalProperties(jsonschema.SchemaOrBool{TypeBoolean: new(true)})
	list := jsonschema.Schema{MaxItems: new(int64(50))}
	list.AddType(jsonschema.Array)
	list.ItemsEns().WithSchemaOrBool(chart.ToSchemaOrBool())
	return list, nil
}

type viewPath struct {
	ID int64 `path:"view_id" minimum:"1" description:"The id of the view."`
}

type createViewRequest struct {
	Name  string         `json:"name" required:"true" minLength:"1" maxLength:"255" description:"Name of the view, unique in the workspace."`
	Page  string         `json:"page" required:"true" enum:"requests,analytics,traces,sessions,users" description:"Page that shows the view."`
	State rest.RawObject `json:"state" description:"State of the view, up to 64 KiB: query, filters, time range, columns, order. Any object is stored as is; defaults to an empty object."`
}

func (in *createViewRequest) content() view.Content {
	return view.Content{Name: in.Name, Page: in.Page, State: json.RawMessage(in.State)}
}

type updateViewRequest struct {
	viewPath
	Name  *string        `json:"name" minLength:"1" maxLength:"255" description:"New name."`
	Page  *string        `json:"page" enum:"requests,analytics,traces,sessions,users" description:"New page."`
	State rest.RawObject `json:"state" description:"New state, which replaces the old one."`
}

func (in *updateViewRequest) patch() view.Patch {
	return view.Patch{Name: in.Name, Page: in.Page, State: json.RawMessage(in.State)}
}

// savedItem is what views and dashboards have in common.
type savedItem struct {
	State     rest.RawObject `json:"state" required:"true" description:"State of the view, as saved."`
	CreatedBy *string        `json:"created_by" required:"true" description:"Email address of the creator; null for a key without an owner."`
	CreatedAt rest.Time      `json:"created_at" required:"true" description:"When it was created."`
	UpdatedAt rest.Time      `json:"updated_at" required:"true" description:"When it was last changed."`
}

func wireSaved(v *view.View) savedItem {
	return savedItem{
		State: rest.RawObject(v.State), CreatedBy: v.CreatedBy,
		CreatedAt: kit.Time(v.CreatedAt), UpdatedAt: kit.Time(v.UpdatedAt),
	}
}

type viewItem struct {
	ID   int64  `json:"id" required:"true" description:"The id of the view."`
	Name string `json:"name" required:"true" description:"Name."`
	Page string `json:"page" required:"true" enum:"requests,analytics,traces,sessions,users" description:"Page that shows the view."`
	savedItem
}

func wireView(v *view.View) viewItem {
	return viewItem{ID: v.ID, Name: v.Name, Page: v.Page, savedItem: wireSaved(v)}
}

type viewResponse struct {
	Success bool     `json:"success" required:"true" description:"Always true."`
	View    viewItem `json:"view" required:"true" description:"The view."`
}

func answerView(v view.View, err error) (*viewResponse, error) {
	return &viewResponse{Success: true, View: wireView(&v)}, err
}

type viewList struct {
	Success bool       `json:"success" required:"true" description:"Always true."`
	Views   []viewItem `json:"views" required:"true" description:"The views, by name."`
}

type dashboardPath struct {
	ID int64 `path:"dashboard_id" minimum:"1" description:"The id of the dashboard."`
}

type createDashboardRequest struct {
	Name   string         `json:"name" required:"true" minLength:"1" maxLength:"255" description:"Name of the dashboard, unique in the workspace."`
	Charts chartList      `json:"charts" description:"Up to 50 charts, 256 KiB in total, each with an id and a title: definitions of custom charts and their layout. Defaults to none."`
	State  rest.RawObject `json:"state" description:"Query and time range of all charts, up to 64 KiB. Any object is stored as is; defaults to an empty object."`
}

func (in *createDashboardRequest) content() view.Content {
	return view.Content{Name: in.Name, Charts: json.RawMessage(in.Charts), State: json.RawMessage(in.State)}
}

type updateDashboardRequest struct {
	dashboardPath
	Name   *string        `json:"name" minLength:"1" maxLength:"255" description:"New name."`
	Charts chartList      `json:"charts" description:"New charts, which replace all."`
	State  rest.RawObject `json:"state" description:"New state, which replaces the old one."`
}

func (in *updateDashboardRequest) patch() view.Patch {
	return view.Patch{Name: in.Name, Charts: json.RawMessage(in.Charts), State: json.RawMessage(in.State)}
}

type dashboardItem struct {
	ID     int64     `json:"id" required:"true" description:"The id of the dashboard."`
	Name   string    `json:"name" required:"true" description:"Name."`
	Charts chartList `json:"charts" required:"true" description:"The charts, as saved."`
	savedItem
}

func wireDashboard(v *view.View) dashboardItem {
	return dashboardItem{ID: v.ID, Name: v.Name, Charts: chartList(v.Charts), savedItem: wireSaved(v)}
}

type dashboardResponse struct {
	Success   bool          `json:"success" required:"true" description:"Always true."`
	Dashboard dashboardItem `json:"dashboard" required:"true" description:"The dashboard."`
}

func answerDashboard(v view.View, err error) (*dashboardResponse, error) {
	return &dashboardResponse{Success: true, Dashboard: wireDashboard(&v)}, err
}

type dashboardList struct {
	Success    bool            `json:"success" required:"true" description:"Always true."`
	Dashboards []dashboardItem `json:"dashboards" required:"true" description:"The dashboards, by name."`
}
