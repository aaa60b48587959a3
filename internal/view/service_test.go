package view_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/view"
)

// newService returns a service over a new catalog, and both scopes of its
// only workspace.
func newService(t *testing.T) (service *view.Service, views, dashboards view.Scope) {
	t.Helper()
	c := catalogtest.Open(t, catalogtest.SQLite(t))
	space, err := c.Accounts.CreateWorkspace(access.AsSystem(t.Context()), "first")
	check.OK(t, err)
	return view.NewService(c.Views), view.Scope{Workspace: space.ID, Kind: view.KindView}, view.Scope{Workspace: space.ID, Kind: view.KindDashboard}
}

// object returns a JSON object of the given size in bytes.
func object(bytes int) json.RawMessage {
	return json.RawMessage(`{"k":"` + strings.Repeat("x", bytes-8) + `"}`)
}

// charts returns an array of n charts.
func charts(n int) json.RawMessage {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`{"id":"c%d","title":"t"}`, i)
	}
	return json.RawMessage("[" + strings.Join(list, ",") + "]")
}

// layout returns an array with one chart, of the given size in bytes.
func layout(bytes int) json.RawMessage {
	const empty = `[{"id":"a","title":"t","k":""}]`
	return json.RawMessage(`[{"id":"a","title":"t","k":"` + strings.Repeat("x", bytes-len(empty)) + `"}]`)
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	service, views, dashboards := newService(t)
	made, err := service.Create(access.AsSystem(t.Context()), views, view.Content{Name: "a", Page: "requests"}, new("ann@x.test"))
	check.OK(t, err)
	check.Equal(t, "view", made.Content, view.Content{Name: "a", Page: "requests", State: json.RawMessage(`{}`)})
	check.Equal(t, "who", *made.CreatedBy, "ann@x.test")
	made, err = service.Create(access.AsSystem(t.Context()), dashboards, view.Content{Name: "a"}, nil)
	check.OK(t, err)
	check.Equal(t, "dashboard", made.Content, view.Content{Name: "a", State: json.RawMessage(`{}`), Charts: json.RawMessage(`[]`)})
}

func TestRejectedValues(t *testing.T) {
	t.Parallel()
	service, views, dashboards := newService(t)
	raw := func(text string) json.RawMessage { return json.RawMessage(text) }
	for name, test := range map[string]struct {
		scope     view.Scope
		patch     view.Patch
		path, typ string
	}{
		"no name":            {views, view.Patch{Name: new("")}, "name", "string_too_short"},
		"long name":          {views, view.Patch{Name: new(strings.Repeat("é", 256))}, "name", "string_too_long"},
		"NUL in name":        {views, view.Patch{Name: new("a\x00")}, "name", "value_error"},
		"name not in UTF-8":  {views, view.Patch{Name: new("a\xff")}, "name", "string_type"},
		"other page":         {views, view.Patch{Page: new("prompts")}, "page", "enum"},
		"page of dashboard":  {dashboards, view.Patch{Page: new("requests")}, "page", "enum"},
		"state is a list":    {views, view.Patch{State: raw(`[]`)}, "state", "dict_type"},
		"state is no JSON":   {views, view.Patch{State: raw(`{`)}, "state", "dict_type"},
		"large state":        {views, view.Patch{State: object(64<<10 + 1)}, "state", "too_long"},
		"charts of a view":   {views, view.Patch{Charts: raw(`[]`)}, "charts", "extra_forbidden"},
		"charts are no list": {dashboards, view.Patch{Charts: raw(`{}`)}, "charts", "list_type"},
		"many charts":        {dashboards, view.Patch{Charts: charts(51)}, "charts", "too_long"},
		"large charts":       {dashboards, view.Patch{Charts: layout(256<<10 + 1)}, "charts", "too_long"},
		"chart is a text":    {dashboards, view.Patch{Charts: raw(`["a"]`)}, "charts[0]", "dict_type"},
		"no id":              {dashboards, view.Patch{Charts: raw(`[{"title":"t"}]`)}, "charts[0].id", "missing"},
		"no title":           {dashboards, view.Patch{Charts: raw(`[{"id":"a"}]`)}, "charts[0].title", "missing"},
		"id is a number":     {dashboards, view.Patch{Charts: raw(`[{"id":1,"title":"t"}]`)}, "charts[0].id", "string_type"},
		"id with a space":    {dashboards, view.Patch{Charts: raw(`[{"id":"a b","title":"t"}]`)}, "charts[0].id", "string_pattern_mismatch"},
		"id twice":           {dashboards, view.Patch{Charts: raw(`[{"id":"a","title":"t"},{"id":"a","title":"t"}]`)}, "charts[1].id", "value_error"},
		"long title":         {dashboards, view.Patch{Charts: raw(`[{"id":"a","title":"` + strings.Repeat("é", 201) + `"}]`)}, "charts[0].title", "string_too_long"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// A patch is checked before the view is looked up.
			_, err := service.Update(access.AsSystem(t.Context()), test.scope, 1, test.patch)
			var f *fault.Error
			if !errors.As(err, &f) || f.Kind != fault.Invalid || len(f.Fields) != 1 {
				t.Fatalf("got %v, want one problem", err)
			}
			check.Equal(t, "problem", fault.Path(f.Fields[0].Loc)+" "+f.Fields[0].Type, test.path+" "+test.typ)
			content := test.patch.Apply(view.Content{Name: "a"})
			if test.scope == views && test.patch.Page == nil {
				content.Page = "requests"
			}
			if _, err := service.Create(access.AsSystem(t.Context()), test.scope, content, nil); !fault.Is(err, fault.Invalid) {
				t.Errorf("it can be created: %v", err)
			}
		})
	}
}

func TestMaximumSizes(t *testing.T) {
	t.Parallel()
	service, views, dashboards := newService(t)
	longest := strings.Repeat("é", 255)
	for what, test := range map[string]struct {
		scope   view.Scope
		content view.Content
	}{
		"view":        {views, view.Content{Name: longest, Page: "analytics", State: object(64 << 10)}},
		"many charts": {dashboards, view.Content{Name: longest, State: object(64 << 10), Charts: charts(50)}},
		"much layout": {dashboards, view.Content{Name: "b", State: json.RawMessage(`{}`), Charts: layout(256 << 10)}},
	} {
		made, err := service.Create(access.AsSystem(t.Context()), test.scope, test.content, nil)
		check.OK(t, err)
		check.Equal(t, what, made.Content, test.content)
	}
}

func TestUpdateKeepsTheRest(t *testing.T) {
	t.Parallel()
	service, views, _ := newService(t)
	made, err := service.Create(access.AsSystem(t.Context()), views, view.Content{Name: "a", Page: "requests", State: json.RawMessage(`{"q": 1.50}`)}, nil)
	check.OK(t, err)
	same, err := service.Update(access.AsSystem(t.Context()), views, made.ID, view.Patch{})
	check.OK(t, err)
	check.Equal(t, "an empty change", same, made)
	changed, err := service.Update(access.AsSystem(t.Context()), views, made.ID, view.Patch{Page: new("analytics")})
	check.OK(t, err)
	check.Equal(t, "content", changed.Content, view.Content{Name: "a", Page: "analytics", State: json.RawMessage(`{"q": 1.50}`)})
	check.OK(t, service.Delete(access.AsSystem(t.Context()), views, made.ID))
	for what, err := range map[string]error{
		"get": check.Failure(service.Get(access.AsSystem(t.Context()), views, made.ID)), "delete": service.Delete(access.AsSystem(t.Context()), views, made.ID),
		"update": check.Failure(service.Update(access.AsSystem(t.Context()), views, made.ID, view.Patch{})),
	} {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: got %v, want not found", what, err)
		}
	}
}

// TestReadersChangeNothing checks that callers without edit permissions may
// read everything and change nothing.
func TestReadersChangeNothing(t *testing.T) {
	t.Parallel()
	service, views, _ := newService(t)
	made, err := service.Create(access.AsSystem(t.Context()), views, view.Content{Name: "a", Page: "requests"}, nil)
	check.OK(t, err)
	for _, role := range []access.Role{access.Viewer, access.Logger, access.Publisher, access.Developer} {
		ctx := access.WithCaller(t.Context(), access.Caller{KeyID: 1, Workspace: views.Workspace, Permissions: role.Permissions()})
		for what, err := range map[string]error{
			"create": check.Failure(service.Create(ctx, views, view.Content{Name: "b", Page: "requests"}, nil)),
			"update": check.Failure(service.Update(ctx, views, made.ID, view.Patch{})), "delete": service.Delete(ctx, views, made.ID),
		} {
			if !fault.Is(err, fault.Forbidden) {
				t.Errorf("%s of %s: got %v, want forbidden", what, role, err)
			}
		}
		found, err := service.List(ctx, views)
		check.OK(t, err)
		check.Equal(t, "list", found, []view.View{made})
	}
}
