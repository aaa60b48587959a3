package table

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// pager finds the logs of the page that a search wants.
type pager struct {
	*Selection
	db     *sql.DB
	search query.SearchQuery
	starts *starts
}

// ordered is a log with the value that a search sorts by.
type ordered struct {
	id  int64
	key any // nil for null
}

// order compares two logs in the order of a search, as OrderOfLogs of package logsql
// writes it.
func order(search query.SearchQuery) func(a, b ordered) int {
	direction := -1
	if search.SortBy != "" && search.Ascending {
		direction = 1
	}
	return func(a, b ordered) int {
		switch {
		case a.key == nil && b.key == nil:
			return direction * cmp.Compare(a.id, b.id)
		case a.key == nil:
			return 1
		case b.key == nil:
			return -1
		default:
			return direction * cmp.Or(compareValues(a.key, b.key), cmp.Compare(a.id, b.id))
		}
	}
}

// cut returns the ids of the page among logs that are in order, of which the first
// place is from.
func (p *pager) cut(logs []ordered, from int64) []int64 {
	first := min(p.search.Offset()-from, int64(len(logs)))
	logs = logs[first:min(first+int64(p.search.PerPage), int64(len(logs)))]
	ids := make([]int64, len(logs))
	for i, l := range logs {
		ids[i] = l.id
	}
	return ids
}

// withRecent returns a page of the logs of the table and the recent ones together, and
// the number of all of them.
func (p *pager) withRecent(ctx context.Context, recent []*reqlog.Log) (ids []int64, total int64, err error) {
	stored, err := p.total(ctx, p.db)
	if total = stored + int64(len(recent)); err != nil || total <= p.search.Offset() {
		return nil, total, err
	}
	// Recent logs shift table rows back by at most len(recent) places.
	first := max(0, p.search.Offset()-int64(len(recent)))
	all, err := p.page(ctx, place{first, p.search.Offset() + int64(p.search.PerPage) - first}, stored)
	if err != nil {
		return nil, 0, err
	}
	field := cmp.Or(p.search.SortBy, query.FieldStart).Spec()
	for _, l := range recent {
		all = append(all, ordered{l.ID, valueOf(field, p.search.SortKey, l)})
	}
	slices.SortFunc(all, order(p.search))
	return p.cut(all, first), total, nil
}

// ofFew reads all logs, which costs no more than reading a page.
func (p *pager) ofFew(ctx context.Context) (ids []int64, total int64, err error) {
	all, err := p.rows(ctx, p.Selection, "")
	return p.cut(all, 0), int64(len(all)), err
}

// ofMany runs two queries, which together cost a fraction of one query that returns both
// the page and the number of all logs.
func (p *pager) ofMany(ctx context.Context) (ids []int64, total int64, err error) {
	if total, err = p.total(ctx, p.db); err != nil {
		return nil, 0, err
	}
	at := place{p.search.Offset(), int64(p.search.PerPage)}
	// Exact matches come first, so a page that they fill is sorted by time alone.
	if exact := p.Exact; p.search.SortBy == "" && exact != nil && int64(exact.Count()) >= at.end() {
		only := *p.Selection
		only.Matches, only.Exact = exact, nil
		alone := *p
		alone.Selection = &only
		all, err := alone.page(ctx, at, min(total, int64(exact.Count())))
		if err != nil || int64(len(all)) == at.limit {
			return p.cut(all, at.offset), total, err
		}
	}
	all, err := p.page(ctx, at, total)
	return p.cut(all, at.offset), total, err
}

// place is a page among the logs of a selection.
type place struct{ offset, limit int64 }

func (at place) end() int64 { return at.offset + at.limit }

// page returns the logs at a place in the order of the search. There are total ones in the
// selection. The newest logs are looked for among the highest ids first.
func (p *pager) page(ctx context.Context, at place, total int64) ([]ordered, error) {
	if at.offset >= total {
		return nil, nil
	}
	limit := fmt.Sprintf(" LIMIT %d OFFSET %d", at.limit, at.offset)
	if p.search.SortBy == "" && (p.Exact == nil || p.Exact.Empty()) {
		if after := p.starts.newest(at.end(), total); after > p.after {
			newest := *p.Selection
			newest.after = after
			logs, err := p.rows(ctx, &newest, limit)
			if err != nil || int64(len(logs)) == at.limit && logs[at.limit-1].key.(int64) >= p.starts.latest(after) {
				return logs, err
			}
		}
	}
	return p.rows(ctx, p.Selection, limit)
}

// rows returns the logs of a selection in the order of the search.
func (p *pager) rows(ctx context.Context, sel *Selection, limit string) (logs []ordered, err error) {
	q := sel.pageQuery(p.search)
	q.write(limit)
	err = q.scan(ctx, p.db, func(scan logsql.Scan) error {
		var one ordered
		err := scan(&one.id, &one.key)
		logs = append(logs, one)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("find page of logs: %w", err)
	}
	return logs, nil
}

// pageQuery writes the query of ids and the values that they are sorted by.
func (s *Selection) pageQuery(search query.SearchQuery) *sqlQuery {
	return queryOf(func(q *sqlQuery) string {
		var exact func() string
		if s.Exact != nil && !s.Exact.Empty() {
			exact = func() string { return s.bit(q, s.Exact) }
		}
		return "SELECT id, " + q.writer().SortValue(search) + " AS value FROM log WHERE " + s.where(q) + logsql.OrderOfLogs(search, "value", exact)
	})
}
