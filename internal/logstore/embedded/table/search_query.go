package table

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// Search returns the ids of one page and the number of logs in the selection, or
// ErrTooMuch. It runs two queries, which together cost a fraction of one query that
// returns both.
func (t *Table) Search(ctx context.Context, sel *Selection, query reqlog.SearchQuery) (ids []int64, total int64, err error) {
	recent, err := sel.matching(ctx)
	if err != nil {
		return nil, 0, err
	}
	err = t.read(ctx, func(db *sql.DB) (err error) {
		if len(recent) > 0 {
			ids, total, err = sel.searchRecent(ctx, db, query, recent)
			return err
		}
		if sel.few() {
			// Reading all of them costs no more than reading a page.
			ids, err = sel.page(ctx, db, query, "")
			total = int64(len(ids))
			ids = ids[min(query.Offset(), total):min(query.Offset()+int64(query.PerPage), total)]
			return err
		}
		if total, err = sel.total(ctx, db); err != nil || total <= query.Offset() {
			return err
		}
		ids, err = sel.pageOf(ctx, db, query)
		return err
	})
	return ids, total, err
}

// total returns the number of logs in the selection. If free text is the only
// condition and there is one workspace, the set of matches has that number.
func (s *Selection) total(ctx context.Context, db *sql.DB) (int64, error) {
	if s.Matches != nil && s.Query.Filter == nil && s.after == 0 && s.Alone {
		return s.Matches.CountUpTo(s.UpTo), nil
	}
	return s.count(ctx, db)
}

func (s *Selection) count(ctx context.Context, db *sql.DB) (int64, error) {
	q := queryOf(func(q *query) string { return "SELECT count(*) FROM log WHERE " + s.where(q) })
	var total int64
	if err := db.QueryRowContext(ctx, q.text(), q.args...).Scan(&total); err != nil {
		return 0, fmt.Errorf("count logs: %w", err)
	}
	return total, nil
}

// few reports whether the free text matches only a handful of logs.
func (s *Selection) few() bool { return s.Matches != nil && s.Matches.Count() <= MaxListedIDs }

// pageOf returns the ids of one page. Exact matches come first, so a page that
// they fill is sorted by time alone, which lets DuckDB skip most of the table.
func (s *Selection) pageOf(ctx context.Context, db *sql.DB, query reqlog.SearchQuery) ([]int64, error) {
	limit := fmt.Sprintf(" LIMIT %d OFFSET %d", query.PerPage, query.Offset())
	if query.SortBy == "" && s.Exact != nil && int64(s.Exact.Count()) >= query.Offset()+int64(query.PerPage) {
		exact := *s
		exact.Matches, exact.Exact = s.Exact, nil
		ids, err := exact.page(ctx, db, query, limit)
		if err != nil || len(ids) == query.PerPage {
			return ids, err
		}
	}
	return s.page(ctx, db, query, limit)
}

func (s *Selection) page(ctx context.Context, db *sql.DB, query reqlog.SearchQuery, limit string) ([]int64, error) {
	q := s.pageQuery(query, false)
	q.write(limit)
	ids := make([]int64, 0, query.PerPage)
	err := q.rows(ctx, db, func(rows *sql.Rows) error {
		var id int64
		err := rows.Scan(&id)
		ids = append(ids, id)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("find page of logs: %w", err)
	}
	return ids, nil
}

// pageQuery writes the query of the ids and, optionally, their sort values.
func (s *Selection) pageQuery(search reqlog.SearchQuery, values bool) *query {
	return queryOf(func(q *query) string {
		var exact func() string
		if s.Exact != nil && !s.Exact.Empty() {
			exact = func() string { return s.bit(q, s.Exact) }
		}
		columns := "id"
		if values {
			columns += ", " + q.writer().SortValue(search)
		}
		return "SELECT " + columns + " FROM log WHERE " + s.where(q) + q.writer().OrderOfLogs(search, exact)
	})
}
