package chart

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/promptuary/promptuary/internal/guard"
)

// aggregateRounds answers the aggregates of charts that are built side by side.
// A round begins when each chart has asked for an aggregate or is done: then
// everything is known that can be computed in the same pass over the logs.
type aggregateRounds struct {
	aggregate func(context.Context, AggregateQuery) ([]AggregateRow, error)

	mu       sync.Mutex
	building int // charts that are neither waiting nor done
	asked    []*askedAggregate
}

// askedAggregate is an aggregate that a chart waits for.
type askedAggregate struct {
	chart int
	query AggregateQuery
	rows  []AggregateRow
	done  chan struct{} // closed when rows are set
}

// ask returns the rows of an aggregate for a chart after the next round.
func (r *aggregateRounds) ask(ctx context.Context, chart int, query AggregateQuery) ([]AggregateRow, error) {
	one := &askedAggregate{chart: chart, query: query, done: make(chan struct{})}
	r.mu.Lock()
	r.asked = append(r.asked, one)
	r.mu.Unlock()
	if err := r.pause(ctx); err != nil {
		return nil, err
	}
	select {
	case <-one.done:
		return one.rows, nil
	case <-ctx.Done(): // another chart failed
		return nil, context.Cause(ctx)
	}
}

// pause says that a chart waits or is done. The last one computes the round.
func (r *aggregateRounds) pause(ctx context.Context) error {
	r.mu.Lock()
	if r.building--; r.building > 0 {
		r.mu.Unlock()
		return nil
	}
	asked := r.asked
	r.asked, r.building = nil, len(asked)
	r.mu.Unlock()
	slices.SortFunc(asked, func(a, b *askedAggregate) int { return cmp.Compare(a.chart, b.chart) })
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, pass := range passesOf(asked) {
		group.Go(guard.Task("charts", func() error { return r.compute(ctx, pass) }))
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for _, one := range asked {
		close(one.done)
	}
	return nil
}

// compute computes aggregates with the same groups in one pass.
func (r *aggregateRounds) compute(ctx context.Context, pass []*askedAggregate) error {
	together := pass[0].query
	together.Measures = nil
	places := make([][]int, len(pass)) // of the measures of each
	for i, one := range pass {
		for _, m := range one.query.Measures {
			at := slices.Index(together.Measures, m)
			if at < 0 {
				at = len(together.Measures)
				together.Measures = append(together.Measures, m)
			}
			places[i] = append(places[i], at)
		}
	}
	rows, err := r.aggregate(ctx, together)
	if err != nil {
		return err
	}
	for i, one := range pass {
		one.rows = make([]AggregateRow, len(rows))
		for j, row := range rows {
			one.rows[j] = AggregateRow{Keys: row.Keys, Values: pick(row.Values, places[i])}
		}
	}
	return nil
}

func pick(values []*float64, places []int) []*float64 {
	picked := make([]*float64, len(places))
	for i, at := range places {
		picked[i] = values[at]
	}
	return picked
}

// passesOf puts aggregates that can be computed together next to each other.
func passesOf(asked []*askedAggregate) (passes [][]*askedAggregate) {
	for _, one := range asked {
		at := slices.IndexFunc(passes, func(pass []*askedAggregate) bool { return sameGroups(pass[0].query, one.query) })
		if at < 0 {
			passes = append(passes, []*askedAggregate{one})
		} else {
			passes[at] = append(passes[at], one)
		}
	}
	return passes
}

// sameGroups reports whether aggregates over the same logs have the same rows, but
// for their values. A limit keeps the rows with the highest first measure.
func sameGroups(a, b AggregateQuery) bool {
	return a.Level == b.Level && a.Limit == b.Limit && slices.EqualFunc(a.By, b.By, Dimension.equal) &&
		(a.Limit == 0 || a.Measures[0] == b.Measures[0])
}

func (d Dimension) equal(other Dimension) bool {
	return d.Field == other.Field && d.Key == other.Key && d.MetadataKey == other.MetadataKey && d.BinWidth == other.BinWidth &&
		(d.Bucket == nil) == (other.Bucket == nil) && (d.Bucket == nil || *d.Bucket == *other.Bucket) &&
		(d.Only == nil) == (other.Only == nil) && slices.Equal(d.Only, other.Only)
}
