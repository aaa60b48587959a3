package embedded

import (
	"context"
	"errors"
	"slices"

	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Search implements reqlog.Store. The text index or the table returns the ids of
// the page, whose logs are read from the journal.
func (s *Store) Search(ctx context.Context, query reqlog.SearchQuery) (reqlog.Found, error) {
	found, textOnly, err := s.searchTexts(ctx, query)
	if !textOnly {
		found, err = s.searchTable(ctx, query)
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

// searchTable asks the table, together with the logs not yet applied to it if that is
// possible, so that the search does not wait for them.
func (s *Store) searchTable(ctx context.Context, query reqlog.SearchQuery) (found foundPage, err error) {
	sel, ok := s.recent(query.Query)
	if ok {
		found.ids, found.total, err = s.table.Search(ctx, sel, query)
		ok = !errors.Is(err, table.ErrTooMuch)
	}
	if !ok {
		if sel, err = s.selection(ctx, query.Query); err != nil {
			return found, err
		}
		found.ids, found.total, err = s.table.Search(ctx, sel, query)
	}
	return found, s.tableError(err)
}

// maxRecent is the number of logs up to which looking at each of them takes less time than
// adding them to the table.
const maxRecent = applyRows

// recent returns a selection with the logs that are still to be applied. It reports false if
// other operations are pending, such as an annotation, or if the query cannot be evaluated
// without the table.
func (s *Store) recent(query reqlog.Query) (sel *table.Selection, ok bool) {
	if query.Text != "" || !table.Evaluates(query.Filter) {
		return nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rebuilding || s.applyErr != nil || len(s.pending) > maxRecent {
		return nil, false
	}
	sel = &table.Selection{Query: query, UpTo: s.blocks.lastID}
	for i := range s.pending {
		op := &s.pending[i]
		if op.log == nil {
			return nil, false
		}
		sel.Recent, sel.UpTo = append(sel.Recent, op.log), min(sel.UpTo, op.ID-1)
	}
	return sel, true
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
