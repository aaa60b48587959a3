package engine

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/entity"
)

// PageQuery selects a page of a list.
type PageQuery struct {
	// Columns and From are what follows SELECT and FROM.
	Columns, From string
	Where         Where
	// Order is the ORDER BY clause.
	Order string
	Page  entity.Page
}

// QueryPage returns a page of a list and the number of all rows of the list.
func QueryPage[T any](ctx context.Context, db *DB, scan func(Row) (T, error), q PageQuery) ([]T, int64, error) {
	from := "\nFROM " + q.From + "\nWHERE " + q.Where.SQL()
	where := Where{Args: slices.Clip(q.Where.Args)}
	limit := where.AddPage(q.Page)
	found, err := QueryAll(ctx, db, scan, "SELECT "+q.Columns+from+"\n"+q.Order+limit, where.Args...)
	if err != nil {
		return nil, 0, err
	}
	total, err := Total(q.Page, len(found), func() (int64, error) {
		return QueryOne(ctx, db, ScanInt, "SELECT COUNT(*)"+from, q.Where.Args...)
	})
	return found, total, err
}

// Total returns the number of all rows of a list, of which length are on the
// page. It calls count only if the page does not tell.
func Total(p entity.Page, length int, count func() (int64, error)) (int64, error) {
	switch {
	case p.Limit <= 0:
		return int64(length), nil
	case length < p.Limit && (length > 0 || p.Offset <= 0):
		return int64(max(p.Offset, 0) + length), nil
	}
	return count()
}
