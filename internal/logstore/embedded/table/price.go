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

// setPrices makes a change of prices.
func (t *Table) setPrices(ctx context.Context, c *reqlog.PriceChange) error {
	statement, args := priceStatement(c)
	if err := t.exec(ctx, statement, args...); err != nil {
		return fmt.Errorf("set prices of re-pricing %d: %w", c.Repricing, err)
	}
	return nil
}

// priceStatement returns the statement of a change. It changes values in place,
// which costs a fraction of replacing rows. The limits of the ids let the engine
// skip the rest of the table.
func priceStatement(c *reqlog.PriceChange) (string, []any) {
	q := newQuery()
	if len(c.Prices) == 0 {
		q.write("UPDATE log SET price = logged_price, price_source = logged_price_source, repricing = NULL WHERE workspace = ", q.bind(c.Workspace),
			" AND repricing = ", q.bind(c.Repricing), " AND id BETWEEN ", q.bind(c.First), " AND ", q.bind(c.Last))
		return q.text(), q.args
	}
	ids, prices := make([]int64, len(c.Prices)), make([]float64, len(c.Prices))
	for i, p := range c.Prices {
		ids[i], prices[i] = p.ID, p.USD
	}
	q.write("UPDATE log SET price = changed.usd, price_source = ", q.bind(reqlog.PriceRepriced.String()), ", repricing = ", q.bind(c.Repricing),
		" FROM (SELECT unnest(", q.bind(ids), "::BIGINT[]) AS id, unnest(", q.bind(prices), "::DOUBLE[]) AS usd) AS changed",
		" WHERE log.id = changed.id AND log.workspace = ", q.bind(c.Workspace),
		" AND log.id BETWEEN ", q.bind(ids[0]), " AND ", q.bind(ids[len(ids)-1]))
	return q.text(), q.args
}

// Usages returns what the prices of the logs in the selection depend on.
func (t *Table) Usages(ctx context.Context, sel *Selection, query query.UsageQuery) (found []query.LogUsage, err error) {
	err = t.read(ctx, func(db *sql.DB) error {
		found, err = sel.usages(ctx, db, query)
		return err
	})
	return found, err
}

// usages first finds the last id, because sorting ids alone costs a fraction of
// sorting rows.
func (s *Selection) usages(ctx context.Context, db *sql.DB, query query.UsageQuery) (found []query.LogUsage, err error) {
	part := *s
	for part.after = query.After; len(found) == 0; part.after = part.UpTo { // all of a part may have been deleted in the meantime
		part.UpTo = min(s.UpTo, query.Last)
		q := newQuery()
		q.write("SELECT coalesce(max(id), 0) FROM (SELECT id FROM log WHERE ", part.where(q), fmt.Sprintf(" ORDER BY id LIMIT %d)", query.Limit))
		if err := db.QueryRowContext(ctx, q.text(), q.args...).Scan(&part.UpTo); err != nil || part.UpTo == 0 {
			return nil, err
		}
		if found, err = part.allUsages(ctx, db, query.Limit); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// allUsages reads the logs of the selection and returns the first ones. There can
// be more than counted, because annotations may have changed in the meantime.
func (s *Selection) allUsages(ctx context.Context, db *sql.DB, limit int) ([]query.LogUsage, error) {
	q := queryOf(func(q *sqlQuery) string { return "SELECT " + logsql.UsageColumns + " FROM log WHERE " + s.where(q) })
	var found []query.LogUsage
	err := q.scan(ctx, db, func(scan logsql.Scan) error {
		one, err := logsql.ScanUsage(scan)
		found = append(found, one)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read usages: %w", err)
	}
	slices.SortFunc(found, func(a, b query.LogUsage) int { return cmp.Compare(a.ID, b.ID) })
	return found[:min(len(found), limit)], nil
}
