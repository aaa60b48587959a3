package api_test

import (
	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
)

const (
	webhooksPath   = "/api/public/v2/webhooks"
	deliveriesPath = "/api/public/v2/webhook-deliveries"
)

func webhookSamples() []sample {
	const (
		one      = webhooksPath + "/$hook"
		delivery = deliveriesPath + "/$delivery"
		history  = "the delivery is the record"
	)
	manage := all(access.ManageWebhooks)
	return []sample{
		{op: "listWebhooks", may: manage},
		{op: "createWebhook", may: manage, body: `{"name":"$new",` + quietHook, status: 201, audit: "create WEBHOOK"},
		{op: "getWebhook", may: manage, path: one},
		{op: "updateWebhook", may: manage, path: one, body: `{"name":"$new"}`, audit: "change WEBHOOK"},
		{op: "deleteWebhook", may: manage, path: one, audit: "delete WEBHOOK"},
		{op: "rotateWebhookSecret", may: manage, path: one + "/secret", audit: "rotate WEBHOOK"},
		{op: "testWebhook", may: manage, path: one + "/test", status: 202, silent: history},
		{op: "listWebhookDeliveries", may: manage, path: deliveriesPath + "?webhook_id=$hook"},
		{op: "getWebhookDelivery", may: manage, path: delivery},
		{op: "redeliverWebhook", may: manage, path: delivery + "/redeliver", status: 202, silent: history},
	}
}

// quietHook is the body of a webhook that gets no events of other samples.
const quietHook = `"url":"https://x.test/in","events":["report_score_below"],"score_below":-1000}`

// makeWebhook creates a webhook, or a delivery that has ended.
func (s *subjects) makeWebhook(name string) {
	s.t.Helper()
	switch name {
	case "$hook":
		s.removeWebhooks()
		s.post(name, webhooksPath, `{"name":"`+s.unique()+`",`+quietHook, "webhook", "id")
	case "$delivery":
		s.post(name, webhooksPath+"/$hook/test", ``, "delivery", "id")
		s.awaitRuns()
	}
}

// removeWebhooks makes room: a workspace has a limited number.
func (s *subjects) removeWebhooks() {
	s.t.Helper()
	for _, one := range check.Must(s.w.catalog.Webhooks.ListWebhooks(s.t.Context(), home))(s.t) {
		check.OK(s.t, s.w.catalog.Webhooks.DeleteWebhook(s.t.Context(), home, one.ID))
	}
}
