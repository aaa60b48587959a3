package repricing_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/repricing"
	"github.com/promptuary/promptuary/internal/reqlog"
)

const everything = `{}`

// filled has logs of every kind: without a price, with a sent one, with a
// computed one, of a model that stays without a price, and of others.
func filled(t *testing.T, dsn string) (w *world, ids []int64) {
	t.Helper()
	w = newWorld(t, dsn)
	w.price(w.home, "b", noon.Add(-day), 1)
	ids = []int64{w.log(w.home, "a", nil), w.log(w.home, "a", new(7.0)), w.log(w.home, "b", nil), w.log(w.home, "c", nil), w.log(w.home, "b", new(5.0))}
	w.log(w.other, "a", nil)
	w.price(w.home, "a", noon.Add(-day), 2)
	w.price(w.home, "a", noon.Add(day), 100) // later than the logs
	w.price(w.home, "b", noon, 5)
	return w, ids
}

var (
	none = reqlog.Price{}
	sent = reqlog.Price{USD: 7, Source: reqlog.PriceSent}
	same = reqlog.Price{USD: 5, Source: reqlog.PriceSent}
	was  = reqlog.Price{USD: 1, Source: reqlog.PriceCustom}
)

func by(id int64, usd float64) reqlog.Price {
	return reqlog.Price{USD: usd, Source: reqlog.PriceRepriced, Repricing: id}
}

// TestRepricing prices logs again and reverts it.
func TestRepricing(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		w, ids := filled(t, dsn)
		w.begin(&shaky{})
		first := w.ended(w.start(repricing.Input{Query: everything}).ID)
		check.Equal(t, "state", first.State, repricing.Done)
		check.Equal(t, "counts", first.Tally, repricing.Tally{Logs: 5, Changed: 2, Sent: 2, Unpriced: 1, OldUSD: 13, NewUSD: 19})
		check.Equal(t, "prices", w.pricesOf(w.home, ids), []reqlog.Price{by(first.ID, 2), sent, by(first.ID, 5), none, same})
		check.Equal(t, "others", w.pricesOf(w.other, []int64{ids[4] + 1}), []reqlog.Price{none})

		second := w.ended(w.start(repricing.Input{Query: everything, IncludeSent: true}).ID)
		check.Equal(t, "counts with sent prices", second.Tally, repricing.Tally{Logs: 5, Changed: 1, Unpriced: 1, OldUSD: 19, NewUSD: 14})
		check.Equal(t, "prices", w.pricesOf(w.home, ids), []reqlog.Price{by(first.ID, 2), by(second.ID, 2), by(first.ID, 5), none, same})

		third := w.ended(w.start(repricing.Input{Query: everything}).ID)
		check.Equal(t, "a sent price that was replaced is still a sent one", third.Tally, repricing.Tally{Logs: 5, Sent: 2, Unpriced: 1, OldUSD: 14, NewUSD: 14})

		check.Must(w.service.Revert(w.ctx, w.home, first.ID))(t)
		check.Equal(t, "state", w.ended(first.ID).State, repricing.Reverted)
		check.Equal(t, "prices", w.pricesOf(w.home, ids), []reqlog.Price{none, by(second.ID, 2), was, none, same})
		check.Must(w.service.Revert(w.ctx, w.home, second.ID))(t)
		w.ended(second.ID)
		check.Equal(t, "prices", w.pricesOf(w.home, ids), []reqlog.Price{none, sent, was, none, same})
	})
}

// TestRepricingOfAFilter prices only what the filter selects, also if the new
// price ends the match.
func TestRepricingOfAFilter(t *testing.T) {
	t.Parallel()
	w, ids := filled(t, catalogtest.SQLite(t))
	w.begin(&shaky{})
	const missing = `{"filter_group":{"filters":[{"field":"cost","operator":"is_null"}]}}`
	preview := check.Must(w.service.Preview(w.ctx, w.home, repricing.Input{Query: missing}))(t)
	check.Equal(t, "preview", preview, repricing.Preview{
		Total: 2, Tally: repricing.Tally{Logs: 2, Changed: 1, Unpriced: 1, NewUSD: 2},
		Models: []repricing.ModelTally{
			{Provider: "house", Model: "a", Tally: repricing.Tally{Logs: 1, Changed: 1, NewUSD: 2}},
			{Provider: "house", Model: "c", Tally: repricing.Tally{Logs: 1, Unpriced: 1}},
		},
	})
	check.Equal(t, "a preview changes nothing", w.pricesOf(w.home, ids[:1]), []reqlog.Price{none})
	r := w.ended(w.start(repricing.Input{Query: missing}).ID)
	check.Equal(t, "counts", r.Tally, preview.Tally)
	check.Equal(t, "prices", w.pricesOf(w.home, ids), []reqlog.Price{by(r.ID, 2), sent, was, none, same})
}

// TestRefusedRepricings expects refusals to change nothing.
func TestRefusedRepricings(t *testing.T) {
	t.Parallel()
	w, _ := filled(t, catalogtest.SQLite(t))
	w.begin(&shaky{})
	for query, kind := range map[string]fault.Kind{
		`{"filter_group":{"filters":[{"field":"nothing","operator":"is"}]}}`: fault.BadRequest,
		`{"q":7}`: fault.Invalid,
		`{"q":"` + strings.Repeat("x", 100_000) + `"}`: fault.Invalid,
		`no JSON`: fault.BadRequest,
	} {
		check.Fault(t, check.Failure(w.service.Start(w.ctx, w.home, repricing.Input{Query: query}, nil)), kind)
		check.Fault(t, check.Failure(w.service.Preview(w.ctx, w.home, repricing.Input{Query: query})), kind)
	}
	r := w.ended(w.start(repricing.Input{Query: everything}).ID)
	nobody := access.WithCaller(t.Context(), access.Caller{})
	for name, err := range map[string]error{
		"start":   check.Failure(w.service.Start(nobody, w.home, repricing.Input{Query: everything}, nil)),
		"preview": check.Failure(w.service.Preview(nobody, w.home, repricing.Input{Query: everything})),
		"cancel":  check.Failure(w.service.Cancel(nobody, w.home, r.ID)),
		"revert":  check.Failure(w.service.Revert(nobody, w.home, r.ID)),
	} {
		if !fault.Is(err, fault.Forbidden) {
			t.Errorf("%s: %v, want a Forbidden fault", name, err)
		}
	}
	check.Equal(t, "a cancelled re-pricing that has ended", check.Must(w.service.Cancel(w.ctx, w.home, r.ID))(t).State, repricing.Done)
	check.Fault(t, check.Failure(w.service.Revert(w.ctx, w.other, r.ID)), fault.NotFound)
	check.Fault(t, check.Failure(w.service.Cancel(w.ctx, w.other, r.ID)), fault.NotFound)
	check.Fault(t, check.Failure(w.service.Get(w.ctx, w.other, r.ID)), fault.NotFound)
	check.Must(w.service.Revert(w.ctx, w.home, r.ID))(t)
	w.ended(r.ID)
	check.Fault(t, check.Failure(w.service.Revert(w.ctx, w.home, r.ID)), fault.Conflict)
	list, total, err := w.service.List(w.ctx, w.home, 0, 10)
	check.OK(t, err)
	check.Equal(t, "re-pricings", fmt.Sprint(len(list), total), "1 1")
}
