package embedded

import (
	"context"
	"errors"
	"slices"

	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/logstore/embedded/textindex"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// reader answers questions. It asks the table and the text index for ids and the
// archive for the logs, waits until the queue is as far as the answer needs, and
// changes nothing but the text index, to which it may add what is pending.
type reader struct {
	journal *journal.Journal
	table   *table.Table
	texts   *texts
	text    *textSearch
	index   *index
	queue   *queue
	archive *archive
	alarms  *alarms
}

// search is requests.Store.Search. The text index or the table returns the ids of
// the page, whose logs are read from the journal.
func (r *reader) search(ctx context.Context, q query.SearchQuery) (query.Found, error) {
	found, textOnly, err := r.text.search(ctx, q)
	if !textOnly {
		found, err = r.searchTable(ctx, q)
	}
	if err != nil {
		return query.Found{}, err
	}
	items, damaged, err := r.firsts(ctx, q.Workspace, found.ids)
	if err == nil && textOnly && slices.ContainsFunc(items, r.hasLater) {
		_, err = r.queue.await(ctx) // the table may lack it
	}
	if err == nil {
		err = r.addLater(ctx, items)
	}
	return query.Found{Items: items, Total: found.total, Damaged: damaged}, err
}

// searchTable asks the table, together with the logs not yet applied to it if that is
// possible, so that the search does not wait for them.
func (r *reader) searchTable(ctx context.Context, query query.SearchQuery) (found foundPage, err error) {
	sel, ok := r.recent(query.Query)
	if ok {
		found.ids, found.total, err = r.table.Search(ctx, sel, query)
		ok = !errors.Is(err, table.ErrTooMuch)
	}
	if !ok {
		if sel, err = r.selection(ctx, query.Query); err != nil {
			return found, err
		}
		found.ids, found.total, err = r.table.Search(ctx, sel, query)
	}
	return found, r.alarms.tableError(err)
}

// maxRecent is the number of logs up to which looking at each of them takes less time than
// adding them to the table.
const maxRecent = applyRows

// recent returns a selection with the logs that are still to be applied. It reports false if
// other operations are pending, such as an annotation, or if the query cannot be evaluated
// without the table.
func (r *reader) recent(query query.Query) (sel *table.Selection, ok bool) {
	if query.Text != "" || !table.Evaluates(query.Filter) {
		return nil, false
	}
	logs, upTo, ok := r.queue.logs(maxRecent)
	return &table.Selection{Query: query, Recent: logs, UpTo: upTo}, ok
}

// suggest is requests.Store.Suggest.
func (r *reader) suggest(ctx context.Context, query query.SuggestQuery) ([]string, error) {
	return ask(ctx, r, query.Query, func(sel *table.Selection) ([]string, error) {
		return r.table.Suggest(ctx, sel, query)
	})
}

// analyze is requests.Store.Analyze.
func (r *reader) analyze(ctx context.Context, query chart.AnalyzeQuery) (*chart.Analytics, error) {
	return ask(ctx, r, query.Query, func(sel *table.Selection) (*chart.Analytics, error) {
		return r.table.Analyze(ctx, sel, query)
	})
}

// aggregate is requests.Store.Aggregate.
func (r *reader) aggregate(ctx context.Context, q chart.AggregateQuery) ([]chart.AggregateRow, error) {
	if q.Level != query.LevelRequest {
		return askTraces(ctx, r, q.Query, func(sel *table.Selection) ([]chart.AggregateRow, error) {
			return r.table.Aggregate(ctx, sel, q)
		})
	}
	return ask(ctx, r, q.Query, func(sel *table.Selection) ([]chart.AggregateRow, error) {
		return r.table.Aggregate(ctx, sel, q)
	})
}

// usages is requests.Store.Usages.
func (r *reader) usages(ctx context.Context, q query.UsageQuery) ([]query.LogUsage, error) {
	return ask(ctx, r, q.Query, func(sel *table.Selection) ([]query.LogUsage, error) {
		return r.table.Usages(ctx, sel, q)
	})
}

// ask resolves the query's texts and asks the table.
func ask[T any](ctx context.Context, r *reader, query query.Query, question func(*table.Selection) (T, error)) (answer T, err error) {
	sel, err := r.selection(ctx, query)
	if err != nil {
		return answer, err
	}
	answer, err = question(sel)
	return answer, r.alarms.tableError(err)
}

// selection waits until everything acknowledged is applied, and finds the ids
// that match the query's free text and its text conditions.
func (r *reader) selection(ctx context.Context, query query.Query) (*table.Selection, error) {
	upTo, err := r.queue.await(ctx)
	if err != nil {
		return nil, err
	}
	sel := &table.Selection{Query: query, Texts: map[string]*textindex.Set{}, UpTo: upTo, Alone: r.index.only(query.Workspace)}
	if query.Text == "" && query.Filter == nil {
		return sel, nil
	}
	text := r.texts.current()
	if err := r.text.match(ctx, text, sel); err != nil {
		return nil, err
	}
	if err := r.text.resolve(ctx, sel); err != nil {
		return nil, err
	}
	return sel, r.alarms.textError(text)
}
