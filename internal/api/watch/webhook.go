package watch

import (
	"context"
	"net/http"
	"slices"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/webhook"
)

const (
	webhookBase  = "/api/public/v2/webhooks"
	deliveryBase = "/api/public/v2/webhook-deliveries"
	webhookNeeds = " Requires the permission MANAGE_WEBHOOKS."
)

// webhooks has the handlers of webhooks.
type webhooks struct{ service *webhook.Service }

func (h webhooks) operations() []rest.Op {
	return kit.Tagged("Webhooks", slices.Concat(h.webhookOperations(), h.deliveryOperations()))
}

func (h webhooks) webhookOperations() []rest.Op {
	const one = webhookBase + "/{webhook_id}"
	return []rest.Op{
		{
			Method: http.MethodGet, Path: webhookBase, ID: "listWebhooks", Handler: rest.Handle(h.list), Summary: "List webhooks",
			Description: "Returns the webhooks of the workspace, oldest first, and the events that they can choose." + webhookNeeds,
		},
		{
			Method: http.MethodPost, Path: webhookBase, ID: "createWebhook", Handler: rest.Handle(h.create), Summary: "Create a webhook",
			Description: "Creates a webhook and returns it with the secret that signs its deliveries, which cannot be shown again. " +
				"A workspace can have up to 50." + webhookNeeds,
			Status: http.StatusCreated, Also: []int{http.StatusBadRequest},
		},
		{
			Method: http.MethodGet, Path: one, ID: "getWebhook", Handler: rest.Handle(h.get), Summary: "Get a webhook",
			Description: "Returns a webhook." + webhookNeeds, Also: []int{http.StatusNotFound},
		},
		{
			Method: http.MethodPatch, Path: one, ID: "updateWebhook", Handler: rest.Handle(h.change), Summary: "Change a webhook",
			Description: "Replaces the given members and keeps the others. A disabled webhook gets no new events; deliveries that are pending continue when it is " +
				"enabled again." + webhookNeeds,
			Also: []int{http.StatusNotFound},
		},
		{
			Method: http.MethodDelete, Path: one, ID: "deleteWebhook", Handler: rest.Handle(h.remove), Summary: "Delete a webhook",
			Description: "Deletes a webhook and its deliveries." + webhookNeeds, Also: []int{http.StatusNotFound},
		},
		{
			Method: http.MethodPost, Path: one + "/secret", ID: "rotateWebhookSecret", Handler: rest.Handle(h.rotate), Summary: "Rotate the secret of a webhook",
			Description: "Replaces the secret and returns it; it cannot be shown again. Deliveries are signed with it from now on." + webhookNeeds,
			Also:        []int{http.StatusNotFound},
		},
		{
			Method: http.MethodPost, Path: one + "/test", ID: "testWebhook", Handler: rest.Handle(h.test), Summary: "Send a test event",
			Description: "Sends the event test to a webhook, whatever events it has chosen, and returns immediately. Its delivery tells how it went." + webhookNeeds,
			Status:      http.StatusAccepted, Also: []int{http.StatusNotFound, http.StatusConflict},
		},
	}
}

func (h webhooks) deliveryOperations() []rest.Op {
	const one = deliveryBase + "/{delivery_id}"
	return []rest.Op{
		{
			Method: http.MethodGet, Path: deliveryBase, ID: "listWebhookDeliveries", Handler: rest.Handle(h.deliveries), Summary: "List deliveries of webhooks",
			Description: "Returns deliveries, the newest first. Those with the state dead have failed at every attempt. Deliveries that have ended are kept for 30 days, " +
				"and at most the newest 10,000 of a webhook." + webhookNeeds,
			Also: []int{http.StatusNotFound},
		},
		{
			Method: http.MethodGet, Path: one, ID: "getWebhookDelivery", Handler: rest.Handle(h.delivery), Summary: "Get a delivery of a webhook",
			Description: "Returns a delivery with what is sent." + webhookNeeds, Also: []int{http.StatusNotFound},
		},
		{
			Method: http.MethodPost, Path: one + "/redeliver", ID: "redeliverWebhook", Handler: rest.Handle(h.redeliver), Summary: "Deliver again",
			Description: "Sends a delivery again, with the same event id, and with all attempts if it fails." + webhookNeeds,
			Status:      http.StatusAccepted, Also: []int{http.StatusNotFound, http.StatusConflict},
		},
	}
}

func (h webhooks) list(ctx context.Context, _ *struct{}) (*webhookList, error) {
	found, err := h.service.List(ctx, kit.Workspace(ctx))
	return &webhookList{Success: true, Webhooks: kit.EachRef(found, wireWebhook), Events: eventNames(webhook.EventTypes())}, err
}

func (h webhooks) create(ctx context.Context, in *createWebhookRequest) (*newWebhookResponse, error) {
	return answerNewWebhook(h.service.Create(ctx, kit.Workspace(ctx), in.content(), kit.Author(ctx)))
}

func (h webhooks) get(ctx context.Context, in *webhookPath) (*webhookResponse, error) {
	return answerWebhook(h.service.Get(ctx, kit.Workspace(ctx), in.ID))
}

func (h webhooks) change(ctx context.Context, in *updateWebhookRequest) (*webhookResponse, error) {
	return answerWebhook(h.service.Update(ctx, kit.Workspace(ctx), in.ID, in.apply))
}

func (h webhooks) remove(ctx context.Context, in *webhookPath) (*kit.SuccessResponse, error) {
	return kit.Succeeded(h.service.Delete(ctx, kit.Workspace(ctx), in.ID))
}

func (h webhooks) rotate(ctx context.Context, in *webhookPath) (*newWebhookResponse, error) {
	return answerNewWebhook(h.service.Rotate(ctx, kit.Workspace(ctx), in.ID))
}

func (h webhooks) test(ctx context.Context, in *webhookPath) (*deliveryResponse, error) {
	return answerDelivery(h.service.Test(ctx, kit.Workspace(ctx), in.ID))
}

func (h webhooks) deliveries(ctx context.Context, in *listDeliveriesRequest) (*deliveryList, error) {
	found, total, err := h.service.Deliveries(ctx, kit.Workspace(ctx), webhook.DeliveryQuery{
		Webhook: kit.OrZero(in.Webhook), State: webhook.State(kit.OrZero(in.State)), Page: in.Slice(),
	})
	return &deliveryList{Success: true, Deliveries: kit.EachRef(found, wireDelivery), PageCounts: in.Counts(total)}, err
}

func (h webhooks) delivery(ctx context.Context, in *deliveryPath) (*deliveryResponse, error) {
	return answerDelivery(h.service.Delivery(ctx, kit.Workspace(ctx), in.ID))
}

func (h webhooks) redeliver(ctx context.Context, in *deliveryPath) (*deliveryResponse, error) {
	return answerDelivery(h.service.Redeliver(ctx, kit.Workspace(ctx), in.ID))
}
