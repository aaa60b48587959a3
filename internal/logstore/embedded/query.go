package embedded

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Search implements reqlog.Store. The text index or the table returns the ids of
// the page, whose logs are read from the journal.
func (s *Store) Search(ctx context.Context, query reqlog.SearchQuery) (reqlog.Found, error) {
	found, textOnly, err := s.searchTexts(ctx, query)
	if !textOnly {
		found, err = ask(ctx, s, query.Query, func(sel *table.Selection) (found foundPage, err error) {
			found.ids, found.total, err = s.table.Search(ctx, sel, query)
			return found, err
		})
	}
	if err != nil {
		return reqlog.Found{}, err
	}
	items, damaged, err := s.firsts(ctx, query.Workspace, found.ids)
	if err == nil && textOnly && slices.ContainsFunc(items, s.hasLater) {
		_, err = s.catchUp(ctx) // the table may lack it
	}
	if err == nil {
		err = s.addLater(ctx, items)
	}
	return reqlog.Found{Items: items, Total: found.total, Damaged: damaged}, err
}

// Suggest implements reqlog.Store.
func (s *Store) Suggest(ctx context.Context, query reqlog.SuggestQuery) ([]string, error) {
	return ask(ctx, s, query.Query, func(sel *table.Selection) ([]string, error) {
		return s.table.Suggest(ctx, sel, query)
	})
}

// Analyze implements reqlog.Store.
func (s *Store) Analyze(ctx context.Context, query reqlog.AnalyzeQuery) (*reqlog.Analytics, error) {
	return ask(ctx, s, query.Query, func(sel *table.Selection) (*reqlog.Analytics, error) {
		return s.table.Analyze(ctx, sel, query)
	})
}

// Aggregate implements reqlog.Store.
func (s *Store) Aggregate(ctx context.Context, query reqlog.AggregateQuery) ([]reqlog.AggregateRow, error) {
	if query.Level != reqlog.LevelRequest {
		return askTraces(ctx, s, query.Query, func(sel *table.Selection) ([]reqlog.AggregateRow, error) {
			return s.table.Aggregate(ctx, sel, query)
		})
	}
	return ask(ctx, s, query.Query, func(sel *table.Selection) ([]reqlog.AggregateRow, error) {
		return s.table.Aggregate(ctx, sel, query)
	})
}

// Usages implements reqlog.Store.
func (s *Store) Usages(ctx context.Context, query reqlog.UsageQuery) ([]reqlog.LogUsage, error) {
	return ask(ctx, s, query.Query, func(sel *table.Selection) ([]reqlog.LogUsage, error) {
		return s.table.Usages(ctx, sel, query)
	})
}

// ask resolves the query's texts and asks the table.
func ask[T any](ctx context.Context, s *Store, query reqlog.Query, question func(*table.Selection) (T, error)) (answer T, err error) {
	sel, err := s.selection(ctx, query)
	if err != nil {
		return answer, err
	}
	answer, err = question(sel)
	return answer, s.tableError(err)
}
