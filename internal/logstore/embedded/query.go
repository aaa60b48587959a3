package embedded

import (
	"context"

	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Search implements reqlog.Store. The table returns the ids of the page, whose
// logs are read from the journal.
func (s *Store) Search(ctx context.Context, query reqlog.SearchQuery) (reqlog.Found, error) {
	sel, err := s.selection(ctx, query.Query)
	if err != nil {
		return reqlog.Found{}, err
	}
	ids, total, err := s.table.Search(ctx, sel, query)
	if err != nil {
		return reqlog.Found{}, s.tableError(err)
	}
	items, damaged, err := s.items(ctx, query.Workspace, ids)
	return reqlog.Found{Items: items, Total: total, Damaged: damaged}, err
}

// Suggest implements reqlog.Store.
func (s *Store) Suggest(ctx context.Context, query reqlog.SuggestQuery) ([]string, error) {
	return ask(ctx, s, query.Query, func(sel *table.Selection) ([]string, error) { return s.table.Suggest(ctx, sel, query) })
}

// Analyze implements reqlog.Store.
func (s *Store) Analyze(ctx context.Context, query reqlog.AnalyzeQuery) (*reqlog.Analytics, error) {
	return ask(ctx, s, query.Query, func(sel *table.Selection) (*reqlog.Analytics, error) { return s.table.Analyze(ctx, sel, query) })
}

// Aggregate implements reqlog.Store.
func (s *Store) Aggregate(ctx context.Context, query reqlog.AggregateQuery) ([]reqlog.AggregateRow, error) {
	return ask(ctx, s, query.Query, func(sel *table.Selection) ([]reqlog.AggregateRow, error) { return s.table.Aggregate(ctx, sel, query) })
}

// ask resolves the query's texts and asks the table.
func ask[T any](ctx context.Context, s *Store, query reqlog.Query, question func(*table.Selection) (T, error)) (T, error) {
	sel, err := s.selection(ctx, query)
	if err != nil {
		var none T
		return none, err
	}
	answer, err := question(sel)
	return answer, s.tableError(err)
}
