package watch

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/alert"
	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/rest"
)

const (
	alertBase  = "/api/public/v2/alerts"
	alertNeeds = " Requires the permission MANAGE_ALERTS."
)

// alerts has the handlers of alerts.
type alerts struct{ service *alert.Service }

func (h alerts) operations() []rest.Op {
	const one = alertBase + "/{alert_id}"
	return kit.Tagged("Alerts", []rest.Op{
		{
			Method: http.MethodGet, Path: alertBase, ID: "listAlerts", Summary: "List alerts", Handler: rest.Handle(h.list),
			Description: "Returns the alerts of the workspace by name, each with its state and the value that its last evaluation found.",
		},
		{
			Method: http.MethodPost, Path: alertBase, ID: "createAlert", Summary: "Create an alert", Handler: rest.Handle(h.create),
			Description: "Creates an alert on the request logs that a query selects, or a budget if it has a period, and evaluates it. A name that another alert has is " +
				"rejected with 409. A workspace can have up to 100. Messages go to the webhooks of the workspace that have chosen the event alert." + alertNeeds,
			Status: http.StatusCreated, Also: []int{http.StatusBadRequest, http.StatusConflict},
		},
		{
			Method: http.MethodPost, Path: alertBase + "/preview", ID: "previewAlert", Summary: "Preview an alert", Handler: rest.Handle(h.preview),
			Description: "Returns the values and states that an alert would have now and in the windows or periods before, without storing anything.",
			Limit:       kit.LimitSearch, Also: []int{http.StatusBadRequest, http.StatusServiceUnavailable},
		},
		{
			Method: http.MethodGet, Path: one, ID: "getAlert", Summary: "Get an alert", Handler: rest.Handle(h.get),
			Description: "Returns an alert with its state and the value that its last evaluation found.", Also: []int{http.StatusNotFound},
		},
		{
			Method: http.MethodPatch, Path: one, ID: "updateAlert", Summary: "Change an alert", Handler: rest.Handle(h.change),
			Description: "Replaces the given members, keeps the others, and evaluates the alert. A disabled alert has no state." + alertNeeds,
			Also:        []int{http.StatusBadRequest, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodDelete, Path: one, ID: "deleteAlert", Summary: "Delete an alert", Handler: rest.Handle(h.remove),
			Description: "Deletes an alert and its history." + alertNeeds, Also: []int{http.StatusNotFound},
		},
		{
			Method: http.MethodGet, Path: one + "/history", ID: "listAlertChanges", Summary: "List the changes of an alert", Handler: rest.Handle(h.history),
			Description: "Returns when the state of an alert changed and which value it had, the newest change first. The newest 1,000 are kept.",
			Also:        []int{http.StatusNotFound},
		},
	})
}

func (h alerts) list(ctx context.Context, _ *struct{}) (*alertList, error) {
	found, err := h.service.List(ctx, kit.Workspace(ctx))
	return &alertList{Success: true, Alerts: kit.EachRef(found, wireAlert)}, err
}

func (h alerts) create(ctx context.Context, in *createAlertRequest) (*alertResponse, error) {
	return answerAlert(h.service.Create(ctx, kit.Workspace(ctx), in.content(), kit.Author(ctx)))
}

func (h alerts) preview(ctx context.Context, in *previewAlertRequest) (*alertPreview, error) {
	found, err := kit.Bounded(ctx, func(ctx context.Context) ([]alert.Judged, error) {
		return h.service.Preview(ctx, kit.Workspace(ctx), in.content(), int(in.Windows))
	})
	return &alertPreview{Success: true, Windows: kit.EachRef(found, wireJudged)}, err
}

func (h alerts) get(ctx context.Context, in *alertPath) (*alertResponse, error) {
	return answerAlert(h.service.Get(ctx, kit.Workspace(ctx), in.ID))
}

func (h alerts) change(ctx context.Context, in *updateAlertRequest) (*alertResponse, error) {
	return answerAlert(h.service.Update(ctx, kit.Workspace(ctx), in.ID, in.apply))
}

func (h alerts) remove(ctx context.Context, in *alertPath) (*kit.SuccessResponse, error) {
	return kit.Succeeded(h.service.Delete(ctx, kit.Workspace(ctx), in.ID))
}

func (h alerts) history(ctx context.Context, in *alertHistoryRequest) (*alertHistory, error) {
	found, total, err := h.service.History(ctx, kit.Workspace(ctx), in.ID, in.Slice())
	return &alertHistory{Success: true, Changes: kit.EachRef(found, wireChange), PageCounts: in.Counts(total)}, err
}
