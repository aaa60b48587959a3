package logs

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/view"
)

const (
	viewTag       = "Views and dashboards"
	viewBase      = "/api/public/v2/views"
	dashboardBase = "/api/public/v2/dashboards"
)

// viewRoutes has the paths, descriptions and handlers of one kind of view.
type viewRoutes struct {
	// base is the path of the list, one the path of a single view.
	base, one string
	// id is the suffix of the operations' ids; noun and about describe a
	// view.
	id, noun, about string

	list, create, get, change, remove rest.Handler
}

// viewOperations returns the operations on one kind of view.
func viewOperations(routes viewRoutes) []rest.Op {
	return kit.Tagged(viewTag, []rest.Op{
		{
			Method: http.MethodGet, Path: routes.base, ID: "list" + routes.id + "s", Handler: routes.list,
			Summary: "List " + routes.noun + "s", Description: "Returns all " + routes.noun + "s of the workspace, by name: " + routes.about + ".",
		},
		{
			Method: http.MethodPost, Path: routes.base, ID: "create" + routes.id, Handler: routes.create,
			Summary: "Save a " + routes.noun,
			Description: "Saves a " + routes.noun + " for everyone in the workspace. A name that another " + routes.noun + " has is rejected with 409. " +
				"A workspace can have up to 1,000, 16 MiB in total. Requires any edit permission, like folders.",
			Status: http.StatusCreated, Also: []int{http.StatusConflict},
		},
		{
			Method: http.MethodGet, Path: routes.one, ID: "get" + routes.id, Handler: routes.get,
			Summary: "Get a " + routes.noun, Description: "Returns one " + routes.noun + " as last saved.",
			Also: []int{http.StatusNotFound},
		},
		{
			Method: http.MethodPatch, Path: routes.one, ID: "update" + routes.id, Handler: routes.change,
			Summary:     "Change a " + routes.noun,
			Description: "Replaces the given parts and keeps the others. If several callers change the same part, the last one wins.",
			Also:        []int{http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodDelete, Path: routes.one, ID: "delete" + routes.id, Handler: routes.remove,
			Summary: "Delete a " + routes.noun, Description: "Deletes a " + routes.noun + " for everyone in the workspace.",
			Also: []int{http.StatusNotFound},
		},
	})
}

// views has the handlers of saved views.
type views struct{ service *view.Service }

func (h views) operations() []rest.Op {
	return viewOperations(viewRoutes{
		base: viewBase, one: viewBase + "/{view_id}", id: "View", noun: "view",
		about: "named queries over request logs",
		list:  rest.Handle(h.list), create: rest.Handle(h.create), get: rest.Handle(h.get), change: rest.Handle(h.change), remove: rest.Handle(h.remove),
	})
}

func (h views) scope(ctx context.Context) view.Scope {
	return view.Scope{Workspace: kit.Workspace(ctx), Kind: view.KindView}
}

func (h views) list(ctx context.Context, _ *struct{}) (*viewList, error) {
	found, err := h.service.List(ctx, h.scope(ctx))
	return &viewList{Success: true, Views: kit.EachRef(found, wireView)}, err
}

func (h views) create(ctx context.Context, in *createViewRequest) (*viewResponse, error) {
	return answerView(h.service.Create(ctx, h.scope(ctx), in.content(), kit.Author(ctx)))
}

func (h views) get(ctx context.Context, in *viewPath) (*viewResponse, error) {
	return answerView(h.service.Get(ctx, h.scope(ctx), in.ID))
}

func (h views) change(ctx context.Context, in *updateViewRequest) (*viewResponse, error) {
	return answerView(h.service.Update(ctx, h.scope(ctx), in.ID, in.patch()))
}

func (h views) remove(ctx context.Context, in *viewPath) (*kit.SuccessResponse, error) {
	return kit.Succeeded(h.service.Delete(ctx, h.scope(ctx), in.ID))
}

// dashboards has the handlers of dashboards.
type dashboards struct{ service *view.Service }

func (h dashboards) operations() []rest.Op {
	return viewOperations(viewRoutes{
		base: dashboardBase, one: dashboardBase + "/{dashboard_id}", id: "Dashboard", noun: "dashboard",
		about: "charts over one query of request logs",
		list:  rest.Handle(h.list), create: rest.Handle(h.create), get: rest.Handle(h.get), change: rest.Handle(h.change), remove: rest.Handle(h.remove),
	})
}

func (h dashboards) scope(ctx context.Context) view.Scope {
	return view.Scope{Workspace: kit.Workspace(ctx), Kind: view.KindDashboard}
}

func (h dashboards) list(ctx context.Context, _ *struct{}) (*dashboardList, error) {
	found, err := h.service.List(ctx, h.scope(ctx))
	return &dashboardList{Success: true, Dashboards: kit.EachRef(found, wireDashboard)}, err
}

func (h dashboards) create(ctx context.Context, in *createDashboardRequest) (*dashboardResponse, error) {
	return answerDashboard(h.service.Create(ctx, h.scope(ctx), in.content(), kit.Author(ctx)))
}

func (h dashboards) get(ctx context.Context, in *dashboardPath) (*dashboardResponse, error) {
	return answerDashboard(h.service.Get(ctx, h.scope(ctx), in.ID))
}

func (h dashboards) change(ctx context.Context, in *updateDashboardRequest) (*dashboardResponse, error) {
	return answerDashboard(h.service.Update(ctx, h.scope(ctx), in.ID, in.patch()))
}

func (h dashboards) remove(ctx context.Context, in *dashboardPath) (*kit.SuccessResponse, error) {
	return kit.Succeeded(h.service.Delete(ctx, h.scope(ctx), in.ID))
}
