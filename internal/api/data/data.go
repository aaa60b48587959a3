// Package data has the operations on stored data as a whole: imports, exports,
// deletion, retention, and what must not be stored.
package data

import (
	"slices"

	"github.com/promptuary/promptuary/internal/deletion"
	"github.com/promptuary/promptuary/internal/export"
	"github.com/promptuary/promptuary/internal/exporter"
	"github.com/promptuary/promptuary/internal/importer"
	"github.com/promptuary/promptuary/internal/redact"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
	"github.com/promptuary/promptuary/internal/rest"
)

// Services are the services that the operations call.
type Services struct {
	Logs       *requests.Service
	Redactions *redact.Service
	Exports    *export.Service
	// SavedExports run in the background.
	SavedExports *exporter.Service
	Imports      *importer.Service
	Deletions    *deletion.Service
}

// Operations returns the operations of the package.
func Operations(s Services) []rest.Op {
	return slices.Concat(
		redactions{service: s.Redactions, logs: s.Logs}.operations(), exports{service: s.Exports}.operations(),
		savedExports{service: s.SavedExports}.operations(), imports{service: s.Imports}.operations(),
		deletions{service: s.Deletions}.operations(),
	)
}
