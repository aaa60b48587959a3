package chart

import (
	"context"

	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Analyser computes over what a Writer stored. Every method is safe for concurrent
// use, and sees what a Reader sees.
type Analyser interface {
	// Suggest returns distinct values of a field among the matching logs, most
	// frequent first, then alphabetically.
	Suggest(ctx context.Context, q query.SuggestQuery) ([]string, error)

	// Analyze returns the fixed analytics payload over the matching logs.
	// Names of prompts are left empty.
	Analyze(ctx context.Context, q AnalyzeQuery) (*Analytics, error)

	// Aggregate returns one row per combination of the dimensions' values among
	// the matching logs, without logs that lack a value for a dimension. Without
	// dimensions there is exactly one row.
	Aggregate(ctx context.Context, q AggregateQuery) ([]AggregateRow, error)
}
