package embedded

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// Search implements reqlog.Store. It asks the table for the number of matches
// and for the ids of the page, which together cost a fraction of one query
// that does both, and reads the page's logs from the journal.
func (s *Store) Search(ctx context.Context, query reqlog.SearchQuery) (reqlog.Found, error) {
	sel, err := s.selection(ctx, query.Query)
	if err != nil {
		return reqlog.Found{}, err
	}
	var found reqlog.Found
	var ids []int64
	err = s.read(ctx, func(db *sql.DB) (err error) {
		if sel.few() {
			// All of them cost no more than a page.
			ids, err = sel.page(ctx, db, query, "")
			found.Total = int64(len(ids))
			ids = ids[min(query.Offset(), found.Total):min(query.Offset()+int64(query.PerPage), found.Total)]
			return err
		}
		if found.Total, err = s.count(ctx, db, sel); err != nil || found.Total <= query.Offset() {
			return err
		}
		ids, err = sel.pageOf(ctx, db, query)
		return err
	})
	if err != nil {
		return reqlog.Found{}, err
	}
	found.Items, err = s.items(ctx, query.Workspace, ids)
	return found, err
}

// count returns how many logs the selection has. Where free text alone selects,
// and all logs are of the one workspace, the text index knows it.
func (s *Store) count(ctx context.Context, db *sql.DB, sel *selection) (int64, error) {
	if sel.matches != nil && sel.query.Filter == nil && sel.after == 0 && s.only(sel.query.Workspace) {
		return sel.matches.CountUpTo(sel.upTo), nil
	}
	return sel.count(ctx, db)
}

func (s *selection) count(ctx context.Context, db *sql.DB) (int64, error) {
	q := newQuery()
	q.write("SELECT count(*) FROM log WHERE ")
	s.where(q)
	var total int64
	if err := db.QueryRowContext(ctx, q.text(), q.args...).Scan(&total); err != nil {
		return 0, fmt.Errorf("count logs: %w", err)
	}
	return total, nil
}

// few reports whether free text leaves only a handful of logs.
func (s *selection) few() bool { return s.matches != nil && s.matches.Count() <= maxListedIDs }

// pageOf returns the ids of one page. Exact matches come before all others, so
// a page that they fill is one of theirs: sorted by time alone, which DuckDB
// does without looking at most of the table.
func (s *selection) pageOf(ctx context.Context, db *sql.DB, query reqlog.SearchQuery) ([]int64, error) {
	limit := fmt.Sprintf(" LIMIT %d OFFSET %d", query.PerPage, query.Offset())
	if query.SortBy == "" && s.exact != nil && int64(s.exact.Count()) >= query.Offset()+int64(query.PerPage) {
		exact := *s
		exact.matches, exact.exact = s.exact, nil
		ids, err := exact.page(ctx, db, query, limit)
		if err != nil || len(ids) == query.PerPage {
			return ids, err
		}
	}
	return s.page(ctx, db, query, limit)
}

func (s *selection) page(ctx context.Context, db *sql.DB, query reqlog.SearchQuery, limit string) ([]int64, error) {
	q := s.pageQuery(query)
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

func (s *selection) pageQuery(search reqlog.SearchQuery) *query {
	q := newQuery()
	q.write("SELECT id FROM log WHERE ")
	s.where(q)
	direction := " DESC"
	if search.Ascending {
		direction = " ASC"
	}
	q.write(" ORDER BY ")
	sortBy := search.SortBy
	if sortBy == "" {
		sortBy, direction = reqlog.FieldStart, " DESC"
		if s.exact != nil && !s.exact.Empty() {
			q.write(s.bit(q, s.exact), " DESC, ")
		}
	}
	q.write(sortBy.Spec().Column, direction, " NULLS LAST, id", direction)
	return q
}
