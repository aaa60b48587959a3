package logstoretest

import (
	"fmt"
	"math"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// everything is higher than the id of any log.
const everything = math.MaxInt64

// Repricing returns a batch with new prices.
func Repricing(workspace, id int64, prices ...reqlog.NewPrice) reqlog.Batch {
	return reqlog.Batch{Prices: []reqlog.PriceChange{{Workspace: workspace, Repricing: id, Prices: prices}}}
}

// Restoring returns a batch that undoes a re-pricing of some logs.
func Restoring(workspace, id, first, last int64) reqlog.Batch {
	return reqlog.Batch{Prices: []reqlog.PriceChange{{Workspace: workspace, Repricing: id, First: first, Last: last}}}
}

// repricings are changes of the prices of the corpus: new ones for some logs and
// again for fewer, some that are undone, and those of logs that a workspace does
// not have.
func repricings(logs []*reqlog.Log) []reqlog.Batch {
	of := func(workspace int64, each int, usd float64) (prices []reqlog.NewPrice) {
		for i, l := range logs {
			if i%each == 0 && l.Workspace == workspace {
				prices = append(prices, reqlog.NewPrice{ID: l.ID, USD: usd * float64(i)})
			}
		}
		return prices
	}
	middle := logs[len(logs)/2].ID
	return []reqlog.Batch{
		Repricing(Home, 1, of(Home, 4, 0.125)...),
		Repricing(Home, 2, of(Home, 12, 0)...),
		Repricing(Away, 3, of(Home, 3, 1)...), // ignored: the logs of another workspace
		Repricing(Away, 4, of(Away, 5, 2)...),
		Restoring(Home, 1, middle, everything),
		Restoring(Away, 2, 0, everything), // ignored: a re-pricing of another workspace
		Repricing(Home, 5, reqlog.NewPrice{ID: 1 << 60, USD: 1}),
	}
}

// write writes a batch to both stores.
func (s *suite) write(batch reqlog.Batch) {
	s.t.Helper()
	s.ok(s.want.Write(s.ctx, batch))
	s.ok(s.Store.Write(s.ctx, batch))
}

// usages compares what both stores say the prices of logs depend on.
func (s *suite) usages(q query.UsageQuery) []query.LogUsage {
	s.t.Helper()
	want, err := s.want.Usages(s.ctx, q)
	s.ok(err)
	got, err := s.Store.Usages(s.ctx, q)
	s.ok(err)
	s.equal(fmt.Sprintf("usages %+v", q), got, want, exact)
	return want
}

// testUsages goes through the logs of queries in parts.
func testUsages(s *suite) {
	for _, q := range questions() {
		s.usages(query.UsageQuery{Query: q, Last: everything, Limit: 10_000})
	}
	seen, after := 0, int64(0)
	for {
		part := s.usages(query.UsageQuery{Query: home(nil, ""), After: after, Last: everything, Limit: 37})
		if len(part) == 0 {
			break
		}
		seen, after = seen+len(part), part[len(part)-1].ID
	}
	all := s.usages(query.UsageQuery{Query: home(nil, ""), Last: everything, Limit: 1_000_000})
	if seen != len(all) || seen == 0 {
		s.t.Errorf("%d logs in parts, %d at once", seen, len(all))
	}
	s.usages(query.UsageQuery{Query: home(nil, ""), Last: all[5].ID, Limit: 100})
	s.usages(query.UsageQuery{Query: home(nil, ""), After: all[5].ID, Last: all[3].ID, Limit: 100})
	if got, want := s.Store.LastID(), s.want.LastID(); got != want {
		s.t.Errorf("the last id is %d, want %d", got, want)
	}
}

// testPrices changes prices and returns to those that logs were written with.
// The wanted prices are written out here, not computed.
func testPrices(s *suite) {
	sent, none := plain(1, "sent"), plain(2, "none")
	sent.Price = reqlog.Price{USD: 5, Source: reqlog.PriceSent}
	s.append(sent, none)
	is := func(name string, first, second reqlog.Price) {
		s.t.Helper()
		for id, want := range map[int64]reqlog.Price{1: first, 2: second} {
			got, err := s.Store.Get(s.ctx, Home, id)
			s.ok(err)
			s.equal(fmt.Sprintf("%s: log %d", name, id), got.Price, want, exact)
		}
		s.sameLogs()
		s.usages(query.UsageQuery{Query: home(nil, ""), Last: everything, Limit: 10})
		s.selects(home(query.Cond{Field: query.FieldCost, Op: query.OpIsNull}, ""))
	}
	repriced := func(usd float64, id int64) reqlog.Price {
		return reqlog.Price{USD: usd, Source: reqlog.PriceRepriced, Repricing: id}
	}
	steps := []struct {
		name          string
		batch         reqlog.Batch
		first, second reqlog.Price
	}{
		{"new prices", Repricing(Home, 1, reqlog.NewPrice{ID: 1, USD: 0.5}, reqlog.NewPrice{ID: 2, USD: 0}), repriced(0.5, 1), repriced(0, 1)},
		{"of another workspace", Repricing(Away, 2, reqlog.NewPrice{ID: 1, USD: 7}), repriced(0.5, 1), repriced(0, 1)},
		{"an annotation", Annotating(Home, 1, score("default", 3)), repriced(0.5, 1), repriced(0, 1)},
		{"again", Repricing(Home, 3, reqlog.NewPrice{ID: 1, USD: 0.75}), repriced(0.75, 3), repriced(0, 1)},
		{"the first is undone where it holds", Restoring(Home, 1, 1, 2), repriced(0.75, 3), reqlog.Price{}},
		{"undone elsewhere", Restoring(Home, 3, 2, 9), repriced(0.75, 3), reqlog.Price{}},
		{"undone", Restoring(Home, 3, 1, 1), sent.Price, reqlog.Price{}},
		{"undone twice", Restoring(Home, 3, 1, 1), sent.Price, reqlog.Price{}},
	}
	for _, step := range steps {
		s.write(step.batch)
		is(step.name, step.first, step.second)
	}
	s.write(steps[0].batch)
	s.write(steps[2].batch)
	s.Store = s.Reopen()
	is("reopened", repriced(0.5, 1), repriced(0, 1))
	s.write(Restoring(Home, 1, 1, 2))
	is("undone after reopening", sent.Price, reqlog.Price{})
}

// testMixedPrices has logs, annotations and prices of the same logs in one batch
// and in batches that are applied together.
func testMixedPrices(s *suite) {
	for round := range int64(6) {
		id := 2*round + 1
		l := plain(id, "refund")
		l.Price = reqlog.Price{USD: float64(id), Source: reqlog.PriceListed}
		batch := Repricing(Home, round+1, reqlog.NewPrice{ID: max(1, id-2), USD: 0.25}, reqlog.NewPrice{ID: id, USD: 0.5})
		batch.Logs = []*reqlog.Log{l, plain(id+1, "another")}
		batch.Changes = Annotating(Home, id, members("round", fmt.Sprint(round))).Changes
		if round%2 == 1 {
			batch.Prices = append(batch.Prices, Restoring(Home, round, 1, id).Prices...)
		}
		s.write(batch)
		s.write(Annotating(Home, max(1, id-2), score("default", round)))
	}
	s.sameLogs()
	s.usages(query.UsageQuery{Query: home(nil, ""), Last: everything, Limit: 100})
}

// testRepricedCorpus compares every answer after changes of prices with those of
// the naive store, also after a restart.
func testRepricedCorpus(s *suite) {
	logs := Corpus()[:150]
	s.append(logs...)
	for i, batch := range repricings(logs) {
		s.write(batch)
		if i%2 == 0 {
			s.annotate(Home, logs[4*i].ID, members("late", fmt.Sprint(i)))
		}
	}
	s.sameLogs()
	s.usages(query.UsageQuery{Query: home(nil, ""), Last: everything, Limit: 1000})
	s.usages(query.UsageQuery{Query: query.Query{Workspace: Away}, Last: everything, Limit: 1000})
	s.finds(query.SearchQuery{Query: home(nil, ""), SortBy: query.FieldCost, Page: 1, PerPage: 25})
	s.Store = s.Reopen()
	s.sameLogs()
	s.usages(query.UsageQuery{Query: home(nil, ""), Last: everything, Limit: 1000})
}
