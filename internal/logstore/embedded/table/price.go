package table

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/reqlog"
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
func (t *Table) Usages(ctx context.Context, sel *Selection, query reqlog.UsageQuery) (found []reqlog.LogUsage, err error) {
	err = t.read(ctx, func(db *sql.DB) error {
		found, err = sel.usages(ctx, db, query)
		return err
	})
	return found, err
}

// usages first finds the last id, because sorting ids alone costs a fraction of
// sorting rows.
func (s *Selection) usages(ctx context.Context, db *sql.DB, query reqlog.UsageQuery) (found []reqlog.LogUsage, err error) {
	part := *s
	part.after, part.UpTo = query.After, min(s.UpTo, query.Last)
	q := newQuery()
	q.write("SELECT coalesce(max(id), 0) FROM (SELECT id FROM log WHERE ")
	part.where(q)
	q.write(fmt.Sprintf(" ORDER BY id LIMIT %d)", query.Limit))
	if err := db.QueryRowContext(ctx, q.text(), q.args...).Scan(&part.UpTo); err != nil || part.UpTo == 0 {
		return nil, err
	}
	return part.allUsages(ctx, db, query.Limit)
}

// allUsages reads the logs of the selection and returns the first ones. There can
// be more than counted, because annotations may have changed meanwhile.
func (s *Selection) allUsages(ctx context.Context, db *sql.DB, limit int) ([]reqlog.LogUsage, error) {
	q := newQuery()
	q.write("SELECT id, provider, engine, start_time, input_tokens, output_tokens, cached_tokens, cache_write_tokens, long_cache_write_tokens,",
		" thinking_tokens, is_batch, price, price_source, repricing, logged_price_source FROM log WHERE ")
	s.where(q)
	var found []reqlog.LogUsage
	err := q.rows(ctx, db, func(rows *sql.Rows) error {
		one, err := scanUsage(rows)
		found = append(found, one)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read usages: %w", err)
	}
	slices.SortFunc(found, func(a, b reqlog.LogUsage) int { return cmp.Compare(a.ID, b.ID) })
	return found[:min(len(found), limit)], nil
}

func scanUsage(rows *sql.Rows) (one reqlog.LogUsage, err error) {
	var counts [6]sql.NullInt64
	var cost sql.NullFloat64
	var source, logged sql.NullString
	var repricing sql.NullInt64
	err = rows.Scan(&one.ID, &one.Provider, &one.Engine, &one.Start, &counts[0], &counts[1], &counts[2], &counts[3], &counts[4],
		&counts[5], &one.Usage.Batch, &cost, &source, &repricing, &logged)
	u := &one.Usage
	for i, count := range []*provider.Count{&u.Input, &u.Output, &u.CacheRead, &u.CacheWrite, &u.CacheWriteLong, &u.Reasoning} {
		*count = provider.Count{N: counts[i].Int64, Given: counts[i].Valid}
	}
	one.Price = reqlog.Price{USD: cost.Float64, Source: reqlog.PriceSourceOf(source.String), Repricing: repricing.Int64}
	one.Sent = logged.String == reqlog.PriceSent.String()
	return one, err
}
