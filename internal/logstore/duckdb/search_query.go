package duckdb

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// Search implements reqlog.Store. It asks for the number of matches, for the
// ids of the page, and for the page's rows: together these three cost a
// fraction of one query that does it all.
func (s *Store) Search(ctx context.Context, query reqlog.SearchQuery) (reqlog.Found, error) {
	sel, err := s.selection(ctx, query.Query)
	if err != nil {
		return reqlog.Found{}, err
	}
	var found reqlog.Found
	err = s.table.read(ctx, func(db *sql.DB) error {
		var err error
		if found.Total, err = sel.count(ctx, db); err != nil || found.Total <= offset(query) {
			return err
		}
		ids, err := sel.page(ctx, db, query)
		if err != nil {
			return err
		}
		found.Items, err = items(ctx, db, ids)
		return err
	})
	return found, err
}

func offset(query reqlog.SearchQuery) int64 { return int64(query.Page-1) * int64(query.PerPage) }

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

func (s *selection) page(ctx context.Context, db *sql.DB, query reqlog.SearchQuery) ([]int64, error) {
	q := s.pageQuery(query)
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
	column := columns[search.SortBy]
	q.write(" ORDER BY ")
	if search.SortBy == "" {
		column, direction = "start_time", " DESC"
		if s.exact != nil && !s.exact.Empty() {
			q.write(s.bit(q, s.exact), " DESC, ")
		}
	}
	q.write(column, direction, " NULLS LAST, id", direction)
	q.write(fmt.Sprintf(" LIMIT %d OFFSET %d", search.PerPage, offset(search)))
	return q
}

const itemColumns = `id, workspace, created_at, start_time, end_time, provider, engine, api_type, function_name,
	status, error_type, error_message, input_tokens, output_tokens, cached_tokens, thinking_tokens, price, span_id, tags, notes`

// items returns the rows of the logs in the order of the ids.
func items(ctx context.Context, db *sql.DB, ids []int64) ([]*reqlog.Log, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	q := newQuery()
	q.write("SELECT ", itemColumns, " FROM log WHERE id IN ", q.list(ids))
	byID := make(map[int64]*reqlog.Log, len(ids))
	err := q.rows(ctx, db, func(rows *sql.Rows) error {
		l, err := scanItem(rows)
		if err == nil {
			byID[l.ID] = l
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read page of logs: %w", err)
	}
	logs := make([]*reqlog.Log, 0, len(ids))
	for _, id := range ids {
		if l := byID[id]; l != nil {
			logs = append(logs, l)
		}
	}
	return logs, nil
}

func scanItem(rows *sql.Rows) (*reqlog.Log, error) {
	var l reqlog.Log
	var errorType, errorMessage sql.NullString
	var tags textList
	var notes string
	err := rows.Scan(&l.ID, &l.Workspace, &l.CreatedAt, &l.Start, &l.End, &l.Provider, &l.Engine, &l.APIType, &l.FunctionName,
		&l.Status, &errorType, &errorMessage, &l.InputTokens, &l.OutputTokens, &l.CachedTokens, &l.ThinkingTokens, &l.Price, &l.SpanID, &tags, &notes)
	if err != nil {
		return nil, err
	}
	l.ErrorType, l.ErrorMessage, l.Tags = errorType.String, errorMessage.String, tags
	l.Notes, err = decodeNotes([]byte(notes))
	return &l, err
}

// textList scans a list of strings.
type textList []string

// Scan implements sql.Scanner.
func (t *textList) Scan(value any) error {
	elements, ok := value.([]any)
	if !ok && value != nil {
		return fmt.Errorf("expected a list, got %T", value)
	}
	for _, element := range elements {
		text, ok := element.(string)
		if !ok {
			return fmt.Errorf("expected a list of strings, got %T", element)
		}
		*t = append(*t, text)
	}
	return nil
}
