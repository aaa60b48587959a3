// Package logs has the operations on request logs: storing, annotating, searching
// and analyzing them, the views and dashboards saved over them, and prices.
package logs

import (
	"slices"

	"github.com/promptuary/promptuary/internal/pricing"
	"github.com/promptuary/promptuary/internal/repricing"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/view"
)

// Services are the services that the operations call.
type Services struct {
	Logs   *requests.Service
	Views  *view.Service
	Prices *pricing.Service
	// Repricings computes prices again.
	Repricings *repricing.Service
}

// Operations returns the operations of the package.
func Operations(s Services) []rest.Op {
	logs := requestLogs{service: s.Logs}
	return slices.Concat(
		logs.ingestOperations(), logs.trackOperations(), logs.queryOperations(),
		views{service: s.Views}.operations(), dashboards{service: s.Views}.operations(),
		prices{service: s.Prices, logs: s.Logs}.operations(), repricings{service: s.Repricings}.operations(),
	)
}
