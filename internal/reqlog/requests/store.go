package requests

import (
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Store is an engine: everything that request logs need of one.
type Store interface {
	reqlog.Writer
	query.Reader
	chart.Analyser
	reqlog.Remover
}
