package table

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Search returns the ids of one page and the number of logs in the selection, or
// ErrTooMuch.
func (t *Table) Search(ctx context.Context, sel *Selection, query query.SearchQuery) (ids []int64, total int64, err error) {
	recent, err := sel.matching(ctx)
	if err != nil {
		return nil, 0, err
	}
	err = t.read(ctx, func(db *sql.DB) (err error) {
		p := &pager{Selection: sel, db: db, search: query, starts: &t.starts}
		switch {
		case len(recent) > 0:
			ids, total, err = p.withRecent(ctx, recent)
		case sel.few():
			ids, total, err = p.ofFew(ctx)
		default:
			ids, total, err = p.ofMany(ctx)
		}
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
	q := queryOf(func(q *sqlQuery) string { return "SELECT count(*) FROM log WHERE " + s.where(q) })
	var total int64
	if err := db.QueryRowContext(ctx, q.text(), q.args...).Scan(&total); err != nil {
		return 0, fmt.Errorf("count logs: %w", err)
	}
	return total, nil
}

// few reports whether the free text matches only a handful of logs.
func (s *Selection) few() bool { return s.Matches != nil && s.Matches.Count() <= MaxListedIDs }
