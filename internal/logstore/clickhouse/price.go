package clickhouse

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// addPrices makes the changes of prices of the new logs, and returns those of
// other logs.
func (c *commit) addPrices(changes []reqlog.PriceChange) (stored []reqlog.PriceChange) {
	for _, change := range changes {
		if len(change.Prices) == 0 {
			c.restore(&change)
			stored = append(stored, change)
			continue
		}
		others := change
		others.Prices = nil
		for _, p := range change.Prices {
			if r := c.at[p.ID]; r == nil {
				others.Prices = append(others.Prices, p)
			} else if r.Workspace == change.Workspace {
				r.Price = reqlog.Price{USD: p.USD, Source: reqlog.PriceRepriced, Repricing: change.Repricing}
			}
		}
		if len(others.Prices) > 0 {
			stored = append(stored, others)
		}
	}
	return stored
}

// restore returns new logs to the prices that they were written with.
func (c *commit) restore(change *reqlog.PriceChange) {
	for _, r := range c.rows {
		if r.Workspace == change.Workspace && r.Price.Repricing == change.Repricing && change.First <= r.ID && r.ID <= change.Last {
			r.Price = r.logged
		}
	}
}

// setPrices changes prices of stored logs.
func (c *commit) setPrices(ctx context.Context, changes []reqlog.PriceChange) error {
	for i := range changes {
		if err := c.update(ctx, priceUpdate(&changes[i])); err != nil {
			return fmt.Errorf("set prices of re-pricing %d: %w", changes[i].Repricing, err)
		}
	}
	return nil
}

// priceUpdate writes the statement of a change. The limits of the ids let the
// server skip the rest of the table.
func priceUpdate(change *reqlog.PriceChange) *sqlQuery {
	q := newQuery("UPDATE log SET ")
	if len(change.Prices) == 0 {
		q.write("price = logged_price, price_source = logged_price_source, repricing = 0 WHERE workspace = ", q.bindInt(change.Workspace),
			" AND repricing = ", q.bindInt(change.Repricing), " AND id BETWEEN ", q.bindInt(change.First), " AND ", q.bindInt(change.Last))
		return q
	}
	ids, prices := make([]int64, len(change.Prices)), make([]float64, len(change.Prices))
	for i, p := range change.Prices {
		ids[i], prices[i] = p.ID, p.USD
	}
	list := q.bindInts(ids)
	q.write("price = transform(id, ", list, ", ", q.bindFloats(prices), ", 0.), price_source = ", q.bind(reqlog.PriceRepriced.String()),
		", repricing = ", q.bindInt(change.Repricing), " WHERE workspace = ", q.bindInt(change.Workspace),
		" AND id BETWEEN ", q.bindInt(ids[0]), " AND ", q.bindInt(ids[len(ids)-1]), " AND id IN ", list)
	return q
}

// Usages implements query.Reader.
func (s *Store) Usages(ctx context.Context, q query.UsageQuery) ([]query.LogUsage, error) {
	sel, err := s.selection(ctx, q.Query)
	if err != nil {
		return nil, err
	}
	var found []query.LogUsage
	err = s.scan(ctx, usageQuery(sel, q), func(scan logsql.Scan) error {
		one, err := logsql.ScanUsage(scan)
		found = append(found, one)
		return err
	})
	if err != nil {
		return nil, s.explain(fmt.Errorf("read usages: %w", err))
	}
	return found, nil
}

func usageQuery(sel *selection, usage query.UsageQuery) *sqlQuery {
	return queryOf(func(q *sqlQuery) string {
		return "SELECT " + logsql.UsageColumns + " FROM log WHERE " + sel.where(q) + " AND id > " + q.bindInt(usage.After) + " AND id <= " + q.bindInt(usage.Last) +
			" ORDER BY id LIMIT " + q.bindInt(int64(usage.Limit))
	})
}
