package watch

import (
	"slices"
	"time"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/webhook"
)

type createWebhookRequest struct {
	Name       string   `json:"name" required:"true" minLength:"1" maxLength:"255" description:"Name of the webhook."`
	URL        string   `json:"url" required:"true" minLength:"1" maxLength:"2000" description:"Address that events are posted to. It must be public, unless the operator allows it; redirects are not followed. For the format email: mailto: and up to 20 e-mail addresses, separated by commas."`
	Format     string   `json:"format" default:"json" enum:"json,slack,email" description:"How events are sent: as a signed envelope, as a message with a text that chat services accept, or by e-mail."`
	Events     []string `json:"events" required:"true" minItems:"1" maxItems:"20" items.maxLength:"64" description:"The events to send."`
	ScoreBelow *float64 `json:"score_below" description:"Limit of the event report_score_below, which needs it: scores below it are sent."`
	Enabled    *bool    `json:"enabled" default:"true" description:"Whether events are sent."`
}

func (in *createWebhookRequest) content() webhook.Content {
	return webhook.Content{
		Name: in.Name, URL: in.URL, Format: webhook.Format(in.Format), Events: eventTypes(in.Events), ScoreBelow: in.ScoreBelow, Enabled: in.Enabled == nil || *in.Enabled,
	}
}

// eventTypes returns the events with the names, each of them once.
func eventTypes(names []string) []webhook.EventType {
	var types []webhook.EventType
	for _, name := range names {
		if !slices.Contains(types, webhook.EventType(name)) {
			types = append(types, webhook.EventType(name))
		}
	}
	return types
}

type webhookPath struct {
	ID int64 `path:"webhook_id" minimum:"1" description:"The id of the webhook."`
}

type updateWebhookRequest struct {
	webhookPath
	Name       *string  `json:"name" minLength:"1" maxLength:"255" description:"New name."`
	URL        *string  `json:"url" minLength:"1" maxLength:"2000" description:"New address."`
	Format     *string  `json:"format" enum:"json,slack,email" description:"New format."`
	Events     []string `json:"events" minItems:"1" maxItems:"20" items.maxLength:"64" description:"The events to send from now on."`
	ScoreBelow *float64 `json:"score_below" description:"New limit of the event report_score_below. It is removed with the event."`
	Enabled    *bool    `json:"enabled" description:"Whether events are sent from now on."`
}

// apply changes the members that were sent.
func (in *updateWebhookRequest) apply(c *webhook.Content) {
	kit.Set(&c.Name, in.Name)
	kit.Set(&c.URL, in.URL)
	kit.Set(&c.Enabled, in.Enabled)
	if in.Format != nil {
		c.Format = webhook.Format(*in.Format)
	}
	if in.Events != nil {
		c.Events = eventTypes(in.Events)
	}
	switch {
	case in.ScoreBelow != nil:
		c.ScoreBelow = in.ScoreBelow
	case !slices.Contains(c.Events, webhook.ScoreBelow):
		c.ScoreBelow = nil
	}
}

type webhookItem struct {
	ID         int64     `json:"id" required:"true" description:"The id of the webhook."`
	Name       string    `json:"name" required:"true" description:"Name."`
	URL        string    `json:"url" required:"true" description:"Address that events are posted to."`
	Format     string    `json:"format" required:"true" enum:"json,slack,email" description:"How events are sent."`
	Events     []string  `json:"events" required:"true" description:"The events that are sent."`
	ScoreBelow *float64  `json:"score_below" required:"true" description:"Limit of the event report_score_below; null without it."`
	Enabled    bool      `json:"enabled" required:"true" description:"Whether events are sent."`
	Pending    int64     `json:"pending" required:"true" description:"Number of deliveries that will be tried, perhaps again."`
	Dead       int64     `json:"dead" required:"true" description:"Number of deliveries that have failed at every attempt."`
	CreatedBy  *string   `json:"created_by" required:"true" description:"Email address of who created it; null for a key without an owner."`
	CreatedAt  rest.Time `json:"created_at" required:"true" description:"When it was created."`
	UpdatedAt  rest.Time `json:"updated_at" required:"true" description:"When it was last changed."`
}

func wireWebhook(w *webhook.Webhook) webhookItem {
	return webhookItem{
		ID: w.ID, Name: w.Name, URL: w.URL, Format: string(w.Format), Events: eventNames(w.Events), ScoreBelow: w.ScoreBelow, Enabled: w.Enabled,
		Pending: w.Pending, Dead: w.Dead, CreatedBy: w.CreatedBy, CreatedAt: kit.Time(w.CreatedAt), UpdatedAt: kit.Time(w.UpdatedAt),
	}
}

func eventNames(types []webhook.EventType) []string {
	return kit.Each(types, func(t webhook.EventType) string { return string(t) })
}

type webhookList struct {
	Success  bool          `json:"success" required:"true" description:"Always true."`
	Webhooks []webhookItem `json:"webhooks" required:"true" description:"The webhooks, oldest first."`
	Events   []string      `json:"event_types" required:"true" description:"The events that a webhook can choose."`
}

type webhookResponse struct {
	Success bool        `json:"success" required:"true" description:"Always true."`
	Webhook webhookItem `json:"webhook" required:"true" description:"The webhook."`
}

func answerWebhook(w webhook.Webhook, err error) (*webhookResponse, error) {
	return &webhookResponse{Success: true, Webhook: wireWebhook(&w)}, err
}

type newWebhookResponse struct {
	Success bool        `json:"success" required:"true" description:"Always true."`
	Secret  string      `json:"secret" required:"true" description:"The secret that signs deliveries. It is stored encrypted and cannot be shown again."`
	Webhook webhookItem `json:"webhook" required:"true" description:"The webhook."`
}

func answerNewWebhook(w webhook.Webhook, secret string, err error) (*newWebhookResponse, error) {
	return &newWebhookResponse{Success: true, Secret: secret, Webhook: wireWebhook(&w)}, err
}

type listDeliveriesRequest struct {
	Webhook *int64  `query:"webhook_id" minimum:"1" description:"The id of a webhook; all webhooks without it."`
	State   *string `query:"state" enum:"pending,delivered,dead" description:"State of the deliveries; all without it."`
	kit.ShortPaging
}

type deliveryPath struct {
	ID int64 `path:"delivery_id" minimum:"1" description:"The id of the delivery."`
}

type deliveryItem struct {
	ID        int64           `json:"id" required:"true" description:"The id of the delivery."`
	WebhookID int64           `json:"webhook_id" required:"true" description:"The id of the webhook."`
	EventID   string          `json:"event_id" required:"true" description:"The id of the event, the same for all webhooks and all attempts."`
	Event     string          `json:"event_type" required:"true" description:"The event."`
	State     string          `json:"state" required:"true" enum:"pending,delivered,dead" description:"How far it is."`
	Attempts  int64           `json:"attempts" required:"true" description:"Number of attempts."`
	CreatedAt rest.Time       `json:"created_at" required:"true" description:"When the event happened."`
	NextAt    *rest.Time      `json:"next_attempt_at" required:"true" description:"When it is tried next; null unless it is pending."`
	LastAt    *rest.Time      `json:"last_attempt_at" required:"true" description:"When it was last tried; null before the first attempt."`
	Status    *int64          `json:"response_status" required:"true" description:"HTTP status of the last attempt; null if there was no response."`
	Error     *string         `json:"error" required:"true" description:"Why the last attempt got no complete response; null if it did."`
	Response  *string         `json:"response_excerpt" required:"true" description:"Beginning of the last response; null if it is empty."`
	Millis    *int64          `json:"duration_ms" required:"true" description:"Milliseconds that the last attempt took; null before the first attempt."`
	Payload   *rest.RawObject `json:"payload" required:"true" description:"What is sent; null in lists."`
}

func wireDelivery(d *webhook.Delivery) deliveryItem {
	item := deliveryItem{
		ID: d.ID, WebhookID: d.Webhook, EventID: d.EventID, Event: string(d.Event), State: string(d.State), Attempts: d.Attempts,
		CreatedAt: kit.Time(d.CreatedAt), NextAt: kit.TimeOrNil(d.NextAt), LastAt: kit.TimeOrNil(d.Last.At),
		Status: kit.OrNil(d.Last.Status), Error: kit.OrNil(d.Last.Failure), Response: kit.OrNil(d.Last.Response), Payload: kit.RawOrNull([]byte(d.Payload)),
	}
	if d.Last.At != nil {
		item.Millis = new(int64(d.Last.Took / time.Millisecond))
	}
	return item
}

type deliveryList struct {
	Success    bool           `json:"success" required:"true" description:"Always true."`
	Deliveries []deliveryItem `json:"deliveries" required:"true" description:"The deliveries, the newest first."`
	kit.PageCounts
}

type deliveryResponse struct {
	Success  bool         `json:"success" required:"true" description:"Always true."`
	Delivery deliveryItem `json:"delivery" required:"true" description:"The delivery."`
}

func answerDelivery(d webhook.Delivery, err error) (*deliveryResponse, error) {
	return &deliveryResponse{Success: true, Delivery: wireDelivery(&d)}, err
}
