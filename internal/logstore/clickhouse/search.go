package clickhouse

import (
	"context"
	"fmt"
	"strconv"

	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Search implements reqlog.Store. The number of logs is asked for only if the page
// does not tell it.
func (s *Store) Search(ctx context.Context, search reqlog.SearchQuery) (found reqlog.Found, err error) {
	sel, err := s.selection(ctx, search.Query)
	if err != nil {
		return found, err
	}
	if found.Items, err = s.page(ctx, sel, search); err != nil {
		return found, s.explain(fmt.Errorf("find page of logs: %w", err))
	}
	seen := int64(len(found.Items))
	found.Total = search.Offset() + seen
	if seen == int64(search.PerPage) || seen == 0 && search.Offset() > 0 {
		total, err := s.count(ctx, sel)
		if err != nil {
			return found, s.explain(fmt.Errorf("count logs: %w", err))
		}
		found.Total = total
		if seen > 0 {
			found.Total = max(total, search.Offset()+seen)
		}
	}
	return found, s.addTraces(ctx, search.Workspace, found.Items)
}

func (s *Store) page(ctx context.Context, sel *selection, search reqlog.SearchQuery) (logs []*reqlog.Log, err error) {
	if search.Offset() > logsql.LastOffset {
		return nil, nil
	}
	err = s.read(ctx, pageQuery(sel, search), func(rows *rowReader) error {
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

func pageQuery(sel *selection, search reqlog.SearchQuery) *query {
	return queryOf(func(q *query) string {
		var exact func() string
		if !sel.text.none() {
			exact = func() string { return sel.text.exactly(q, search.Workspace) }
		}
		return "SELECT " + itemColumns + " FROM log WHERE " + sel.where(q) + logsql.OrderOfLogs(search, exact) +
			" LIMIT " + strconv.Itoa(search.PerPage) + " OFFSET " + strconv.FormatInt(search.Offset(), 10)
	})
}

func (s *Store) count(ctx context.Context, sel *selection) (total int64, err error) {
	_, err = s.readRow(ctx, countQuery(sel), &total)
	return total, err
}

func countQuery(sel *selection) *query {
	return queryOf(func(q *query) string { return "SELECT count(*) FROM log WHERE " + sel.where(q) })
}
