// Package watch has the operations on alerts, which watch request logs, and on
// webhooks, which are told about events.
package watch

import (
	"slices"

	"github.com/promptuary/promptuary/internal/alert"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/webhook"
)

// Services are the services that the operations call.
type Services struct {
	// Alerts watch logs.
	Alerts *alert.Service
	// Webhooks are targets of events.
	Webhooks *webhook.Service
}

// Operations returns the operations of the package.
func Operations(s Services) []rest.Op {
	return slices.Concat(alerts{service: s.Alerts}.operations(), webhooks{service: s.Webhooks}.operations())
}
