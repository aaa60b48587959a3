package logs

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/repricing"
	"github.com/promptuary/promptuary/internal/rest"
)

const (
	repricingBase = priceBase + "/repricings"
	repricingOne  = repricingBase + "/{repricing_id}"
)

// repricings has the handlers of re-pricings.
type repricings struct{ service *repricing.Service }

func (h repricings) operations() []rest.Op {
	ops := []rest.Op{
		{
			Method: http.MethodPost, Path: repricingBase + "/preview", ID: "previewRepricing", Summary: "Preview a re-pricing",
			Description: "Computes what a re-pricing of the matching request logs would change, without changing anything. It looks at up to 1,000,000 logs. " +
				"Requires the permission MANAGE_PRICES.",
			Handler: rest.Handle(h.preview), EmptyBody: true, Limit: kit.LimitSearch,
			Also: []int{http.StatusBadRequest, http.StatusServiceUnavailable},
		},
		{
			Method: http.MethodPost, Path: repricingBase, ID: "createRepricing", Summary: "Re-price request logs",
			Description: "Starts to compute the prices of the matching request logs again, at the prices that are set now, and returns immediately. " +
				"Logs whose model has no price, and logs without tokens, keep their price. A workspace can have one active re-pricing at a time; another is " +
				"rejected with 409. Requires the permission MANAGE_PRICES.",
			Handler: rest.Handle(h.create), EmptyBody: true, Status: http.StatusCreated,
			Also: []int{http.StatusBadRequest, http.StatusConflict, http.StatusServiceUnavailable},
		},
		{
			Method: http.MethodGet, Path: repricingBase, ID: "listRepricings", Summary: "List re-pricings", Handler: rest.Handle(h.list),
			Description: "Returns the re-pricings of the workspace, the newest first.",
		},
		{
			Method: http.MethodGet, Path: repricingOne, ID: "getRepricing", Summary: "Get a re-pricing", Handler: rest.Handle(h.get),
			Description: "Returns a re-pricing with its progress.", Also: []int{http.StatusNotFound},
		},
		{
			Method: http.MethodPost, Path: repricingOne + "/cancel", ID: "cancelRepricing", Summary: "Cancel a re-pricing", Handler: rest.Handle(h.cancel),
			Description: "Ends a re-pricing that is running; has no effect on others. Request logs that it has changed keep their new price until it is reverted. " +
				"Requires the permission MANAGE_PRICES.",
			Status: http.StatusAccepted, Also: []int{http.StatusNotFound},
		},
		{
			Method: http.MethodPost, Path: repricingOne + "/revert", ID: "revertRepricing", Summary: "Revert a re-pricing", Handler: rest.Handle(h.revert),
			Description: "Starts to return the request logs whose price comes from a re-pricing that has ended to the price that they were logged with. " +
				"Logs that were priced again since keep their price. Requires the permission MANAGE_PRICES.",
			Status: http.StatusAccepted, Also: []int{http.StatusNotFound, http.StatusConflict},
		},
	}
	return kit.Tagged(priceTag, ops)
}

func (h repricings) preview(ctx context.Context, in *repricingRequest) (*repricingPreview, error) {
	found, err := kit.Bounded(ctx, func(ctx context.Context) (repricing.Preview, error) {
		return h.service.Preview(ctx, kit.Workspace(ctx), in.input())
	})
	if err != nil {
		return nil, err
	}
	response := wirePreview(&found)
	return &response, nil
}

func (h repricings) create(ctx context.Context, in *repricingRequest) (*repricingResponse, error) {
	return answerRepricing(kit.Bounded(ctx, func(ctx context.Context) (repricing.Repricing, error) {
		return h.service.Start(ctx, kit.Workspace(ctx), in.input(), kit.Author(ctx))
	}))
}

func (h repricings) list(ctx context.Context, in *kit.Paging) (*kit.Page[repricingItem], error) {
	page := in.Slice()
	found, total, err := h.service.List(ctx, kit.Workspace(ctx), page.Offset, page.Limit)
	if err != nil {
		return nil, err
	}
	return kit.NewPage(*in, total, found, wireRepricing), nil
}

func (h repricings) get(ctx context.Context, in *repricingPath) (*repricingResponse, error) {
	return answerRepricing(h.service.Get(ctx, kit.Workspace(ctx), in.ID))
}

func (h repricings) cancel(ctx context.Context, in *repricingPath) (*repricingResponse, error) {
	return answerRepricing(h.service.Cancel(ctx, kit.Workspace(ctx), in.ID))
}

func (h repricings) revert(ctx context.Context, in *repricingPath) (*repricingResponse, error) {
	return answerRepricing(h.service.Revert(ctx, kit.Workspace(ctx), in.ID))
}
