// Package logs has the operations on request logs: storing, annotating, searching
// and analyzing them, their traces, the views and dashboards saved over them, prices,
// what must not be stored, and imports.
package logs

import (
	"slices"

	"github.com/promptuary/promptuary/internal/alert"
	"github.com/promptuary/promptuary/internal/deletion"
	"github.com/promptuary/promptuary/internal/export"
	"github.com/promptuary/promptuary/internal/exporter"
	"github.com/promptuary/promptuary/internal/importer"
	"github.com/promptuary/promptuary/internal/pricing"
	"github.com/promptuary/promptuary/internal/redact"
	"github.com/promptuary/promptuary/internal/repricing"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/view"
)

// Services are the services that the operations call.
type Services struct {
	Logs   *reqlog.Service
	Views  *view.Service
	Prices *pricing.Service
	// Repricings computes prices again.
	Repricings *repricing.Service
	Redactions *redact.Service
	Exports    *export.Service
	// SavedExports run in the background.
	SavedExports *exporter.Service
	// Alerts watch logs.
	Alerts    *alert.Service
	Imports   *importer.Service
	Deletions *deletion.Service
}

// Operations returns the operations of the package.
func Operations(s Services) []rest.Op {
	logs := requestLogs{service: s.Logs}
	return slices.Concat(
		logs.ingestOperations(), logs.trackOperations(), logs.queryOperations(), traces{service: s.Logs}.operations(),
		views{service: s.Views}.operations(), dashboards{service: s.Views}.operations(), prices{service: s.Prices, logs: s.Logs}.operations(),
		repricings{service: s.Repricings}.operations(), redactions{service: s.Redactions, logs: s.Logs}.operations(), exports{service: s.Exports}.operations(), savedExports{service: s.SavedExports}.operations(),
		alerts{service: s.Alerts}.operations(),
		imports{service: s.Imports}.operations(), deletions{service: s.Deletions}.operations(),
	)
}
