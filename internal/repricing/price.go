package repricing

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/pricing"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// rule decides which logs get another price.
type rule struct {
	table       *pricing.Table
	includeSent bool
}

// apply returns the new price of a log and whether it changes, and counts it.
func (r *rule) apply(l *query.LogUsage, t *Tally) (usd float64, changes bool) {
	t.Logs++
	t.OldUSD = sum(t.OldUSD, l.Price.USD)
	usd = l.Price.USD
	quote, known := r.table.Cost(l.Provider, l.Engine, l.Start.Time(), l.Usage)
	switch {
	case l.Sent && !r.includeSent:
		t.Sent++
	case !known:
		t.Unpriced++
	case quote.USD != l.Price.USD || !l.Price.Known():
		t.Changed++
		usd, changes = quote.USD, true
	}
	t.NewUSD = sum(t.NewUSD, usd)
	return usd, changes
}

// prices returns the new prices of the logs that change, and counts all of them.
func (r *rule) prices(logs []query.LogUsage) (changed []reqlog.NewPrice, t Tally) {
	for i := range logs {
		if usd, changes := r.apply(&logs[i], &t); changes {
			changed = append(changed, reqlog.NewPrice{ID: logs[i].ID, USD: usd})
		}
	}
	return changed, t
}

const (
	// MaxPreview is the number of logs that a preview looks at.
	MaxPreview = 1_000_000
	// previewTime is how long a preview looks at logs.
	previewTime = 15 * time.Second
	// previewPart is the number of logs in memory.
	previewPart = 50_000
	// maxModels is the number of models in a preview.
	maxModels = 20
)

// Preview is what a re-pricing would do.
type Preview struct {
	// Total is the number of logs that match.
	Total int64
	// Tally counts those of them that the preview has looked at: all, unless there
	// are too many.
	Tally
	// Models are those whose sum changes most.
	Models []ModelTally
}

// ModelTally counts the logs of a model.
type ModelTally struct {
	Provider, Model string
	Tally
}

type modelKey struct{ provider, model string }

// Preview computes what a re-pricing would do. The faults are those of Start.
func (s *Service) Preview(ctx context.Context, workspace int64, in Input) (Preview, error) {
	query, err := in.query()
	if err != nil {
		return Preview{}, err
	}
	if err := access.Require(ctx, access.ManagePrices); err != nil {
		return Preview{}, err
	}
	table, err := s.prices.Table(ctx, workspace)
	if err != nil {
		return Preview{}, err
	}
	p := Preview{}
	if p.Total, err = s.logs.Count(ctx, workspace, query); err != nil {
		return p, err
	}
	models, rule := map[modelKey]*ModelTally{}, rule{table, in.IncludeSent}
	until, last := s.clock().Add(previewTime), s.logs.LastID()
	for after := int64(0); p.Logs < MaxPreview && s.clock().Before(until); {
		part, err := s.logs.Usages(ctx, workspace, query, after, last, previewPart)
		if err != nil {
			return p, err
		}
		if len(part) == 0 {
			break
		}
		after = part[len(part)-1].ID
		for i := range part {
			rule.apply(&part[i], &tallyOf(models, &part[i]).Tally)
		}
		p.Logs += int64(len(part))
	}
	p.sum(models)
	return p, nil
}

func tallyOf(models map[modelKey]*ModelTally, l *query.LogUsage) *ModelTally {
	key := modelKey{l.Provider, l.Engine}
	found := models[key]
	if found == nil {
		found = &ModelTally{Provider: l.Provider, Model: l.Engine}
		models[key] = found
	}
	return found
}

// sum adds up the models and keeps those that change most.
func (p *Preview) sum(models map[modelKey]*ModelTally) {
	p.Tally = Tally{}
	for _, m := range models {
		p.Models = append(p.Models, *m)
	}
	slices.SortFunc(p.Models, func(a, b ModelTally) int {
		return cmp.Or(
			cmp.Compare(math.Abs(b.NewUSD-b.OldUSD), math.Abs(a.NewUSD-a.OldUSD)), cmp.Compare(b.Logs, a.Logs),
			cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.Model, b.Model),
		)
	})
	for _, m := range p.Models {
		p.add(m.Tally)
	}
	p.Models = p.Models[:min(len(p.Models), maxModels)]
}
