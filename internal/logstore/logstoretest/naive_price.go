package logstoretest

import (
	"context"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// reprice makes a change of prices.
func (n *naive) reprice(c reqlog.PriceChange) {
	if n.logged == nil {
		n.logged = map[int64]reqlog.Price{}
	}
	for _, p := range c.Prices {
		if i := n.find(c.Workspace, p.ID); i >= 0 {
			n.setPrice(i, reqlog.Price{USD: p.USD, Source: reqlog.PriceRepriced, Repricing: c.Repricing})
		}
	}
	if len(c.Prices) > 0 {
		return
	}
	for i, l := range n.logs {
		if l.Workspace == c.Workspace && l.Price.Repricing == c.Repricing && c.First <= l.ID && l.ID <= c.Last {
			n.setPrice(i, n.logged[l.ID])
		}
	}
}

// setPrice replaces the price of a log. The price that it was written with stays
// known.
func (n *naive) setPrice(i int, price reqlog.Price) {
	changed := copyOf(n.logs[i])
	if _, known := n.logged[changed.ID]; !known {
		n.logged[changed.ID] = changed.Price
	}
	changed.Price = price
	n.logs[i] = changed
}

// LastID implements reqlog.Writer.
func (n *naive) LastID() int64 {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.lastID
}

// Usages implements query.Reader.
func (n *naive) Usages(ctx context.Context, q query.UsageQuery) ([]query.LogUsage, error) {
	logs, err := n.selected(ctx, q.Query)
	if err != nil {
		return nil, err
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	var found []query.LogUsage
	for _, l := range logs {
		if l.ID <= q.After || l.ID > q.Last || len(found) == q.Limit {
			continue
		}
		logged, repriced := n.logged[l.ID]
		if !repriced {
			logged = l.Price
		}
		found = append(found, query.LogUsage{
			ID: l.ID, Provider: l.Provider, Engine: l.Engine, Start: l.Start, Usage: l.Usage, Price: l.Price, Sent: logged.Source == reqlog.PriceSent,
		})
	}
	return found, nil
}
