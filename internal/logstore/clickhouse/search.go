package clickhouse

import (
	"context"
	"fmt"
	"strconv"

	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Search implements query.Reader.
func (s *Store) Search(ctx context.Context, search query.SearchQuery) (found query.Found, err error) {
	sel, err := s.selection(ctx, search.Query)
	if err != nil {
		return found, err
	}
	if sel.text.none() {
		err = s.findLogs(ctx, sel, search, &found)
	} else {
		err = s.findText(ctx, sel, search, &found)
	}
	if err != nil {
		return found, s.explain(fmt.Errorf("search logs: %w", err))
	}
	if seen := int64(len(found.Items)); seen > 0 {
		found.Total = max(found.Total, search.Offset()+seen)
	}
	return found, s.addTraces(ctx, search.Workspace, found.Items)
}

// findLogs counts logs only if the page does not tell their number.
func (s *Store) findLogs(ctx context.Context, sel *selection, search query.SearchQuery, found *query.Found) (err error) {
	if found.Items, err = s.page(ctx, search, pageQuery(sel, search)); err != nil {
		return err
	}
	if seen := len(found.Items); seen == search.PerPage || seen == 0 && search.Offset() > 0 {
		found.Total, err = s.count(ctx, sel)
	}
	return err
}

// findText reads and counts at once, because both take long with free text, and most
// often both are needed. A first page that lacks logs, because some that come before
// were deleted or match less well, is read again.
func (s *Store) findText(ctx context.Context, sel *selection, search query.SearchQuery, found *query.Found) error {
	query, quick := pageQuery(sel, search), false
	if first := firstPageQuery(sel, search); first != nil {
		query, quick = first, true
	}
	err := together(ctx,
		func(ctx context.Context) (err error) { found.Items, err = s.page(ctx, search, query); return err },
		func(ctx context.Context) (err error) { found.Total, err = s.count(ctx, sel); return err },
	)
	if err == nil && quick && len(found.Items) < search.PerPage && int64(len(found.Items)) < found.Total {
		found.Items, err = s.page(ctx, search, pageQuery(sel, search))
	}
	return err
}

func (s *Store) page(ctx context.Context, search query.SearchQuery, query *sqlQuery) (logs []*reqlog.Log, err error) {
	if search.Offset() > logsql.LastOffset {
		return nil, nil
	}
	err = s.read(ctx, query, func(rows *rowReader) error {
		var one item
		if err := rows.scan(one.targets()...); err != nil {
			return err
		}
		l, err := one.log()
		logs = append(logs, l)
		return err
	})
	return logs, err
}

// firstPageQuery writes a query of the first page that reads the newest of the logs
// that match best from the index of words, instead of all. It returns nil if the
// search needs more: other conditions, another order or page.
func firstPageQuery(sel *selection, search query.SearchQuery) *sqlQuery {
	if len(sel.text.words) == 0 || sel.Filter != nil || search.SortBy != "" || search.Offset() > 0 {
		return nil
	}
	q := newQuery()
	newest := sel.text.from(q, search.Workspace, sel.text.best())
	if newest == "" {
		return nil
	}
	order := logsql.OrderOfLogs(search, q.writer().SortValue(search), nil)
	q.write("SELECT ", itemColumns, " FROM log WHERE workspace = ", q.bindInt(search.Workspace), " AND NOT texts_deleted AND (start_time, id) IN (SELECT start_time, id", newest, order,
		" LIMIT ", strconv.Itoa(search.PerPage), withoutUpdates, ")", order)
	return q
}

func pageQuery(sel *selection, search query.SearchQuery) *sqlQuery {
	return queryOf(func(q *sqlQuery) string {
		var exact func() string
		if sel.text.ranked() {
			exact = func() string { return sel.text.exactly(q, search.Workspace) }
		}
		return "SELECT " + itemColumns + " FROM log WHERE " + sel.where(q) + logsql.OrderOfLogs(search, q.writer().SortValue(search), exact) +
			" LIMIT " + strconv.Itoa(search.PerPage) + " OFFSET " + strconv.FormatInt(search.Offset(), 10)
	})
}

func (s *Store) count(ctx context.Context, sel *selection) (total int64, err error) {
	_, err = s.readRow(ctx, countQuery(sel), &total)
	return total, err
}

func countQuery(sel *selection) *sqlQuery {
	return queryOf(func(q *sqlQuery) string { return "SELECT count(*) FROM log WHERE " + sel.where(q) })
}
