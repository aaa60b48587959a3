package storetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/pricing"
)

// priceOf returns a price of a model that holds from a day on.
func priceOf(model string, day int, input float64) pricing.Content {
	return pricing.Content{
		Provider: "openai", Model: model, ValidFrom: time.Date(2026, 1, day, 0, 0, 0, 1000, time.UTC),
		Rates: pricing.Rates{Input: input, Output: 0.1, CacheRead: new(0.025)},
	}
}

func (s *store) price(workspace int64, content pricing.Content) pricing.Price {
	s.t.Helper()
	return check.Must(s.Prices.CreatePrice(s.ctx, workspace, content, nil))(s.t)
}

// pricesOf describes the prices of a workspace.
func (s *store) pricesOf(workspace int64) []string {
	s.t.Helper()
	list := []string{}
	for _, p := range check.Must(s.Prices.ListPrices(s.ctx, workspace))(s.t) {
		list = append(list, fmt.Sprintf("%s %s %d %v", p.Provider, p.Model, p.ValidFrom.Day(), p.Input))
	}
	return list
}

var priceCases = []testCase{
	{"create, get, list, update and delete", func(s *store) {
		s.equal(s.pricesOf(s.workspace), []string{})
		all := pricing.Rates{
			Input: 1e-9, Output: 1e6, CacheRead: new(0.0), CacheWrite: new(1.25), CacheWriteLong: new(2.5), Reasoning: new(3.5), BatchInput: new(0.5), BatchOutput: new(0.25),
		}
		content := pricing.Content{Provider: "*", Model: "日本*", ValidFrom: time.Unix(0, 0).UTC(), Rates: all}
		created := check.Must(s.Prices.CreatePrice(s.ctx, s.workspace, content, pointer("ann@x.test")))(s.t)
		s.equal(created, pricing.Price{ID: created.ID, Source: pricing.Custom, Content: content, CreatedBy: pointer("ann@x.test"), UpdatedAt: created.UpdatedAt})
		s.equal(check.Must(s.Prices.GetPrice(s.ctx, s.workspace, created.ID))(s.t), created)
		s.price(s.workspace, priceOf("b", 1, 1))
		s.price(s.workspace, priceOf("b", 2, 2))
		s.price(s.workspace, priceOf("a", 3, 3))
		s.equal(s.pricesOf(s.workspace), []string{"* 日本* 1 1e-09", "openai a 3 3", "openai b 2 2", "openai b 1 1"})

		changed := check.Must(s.Prices.UpdatePrice(s.ctx, s.workspace, created.ID, priceOf("c", 4, 4)))(s.t)
		s.equal(changed.UpdatedAt.After(created.UpdatedAt), true)
		s.equal(changed, pricing.Price{ID: created.ID, Source: pricing.Custom, Content: priceOf("c", 4, 4), CreatedBy: pointer("ann@x.test"), UpdatedAt: changed.UpdatedAt})
		s.ok(s.Prices.DeletePrice(s.ctx, s.workspace, created.ID))
		s.fails(s.Prices.DeletePrice(s.ctx, s.workspace, created.ID), fault.NotFound)
		s.fails(check.Failure(s.Prices.GetPrice(s.ctx, s.workspace, created.ID)), fault.NotFound)
		s.fails(check.Failure(s.Prices.UpdatePrice(s.ctx, s.workspace, created.ID, content)), fault.NotFound)
	}},
	{"provider, model and start are unique", func(s *store) {
		s.price(s.workspace, priceOf("a", 1, 1))
		later := s.price(s.workspace, priceOf("a", 2, 2))
		s.fails(check.Failure(s.Prices.CreatePrice(s.ctx, s.workspace, priceOf("a", 1, 3), nil)), fault.Conflict)
		s.fails(check.Failure(s.Prices.UpdatePrice(s.ctx, s.workspace, later.ID, priceOf("a", 1, 3))), fault.Conflict)
		s.price(s.other, priceOf("a", 1, 4))
		s.equal(s.pricesOf(s.workspace), []string{"openai a 2 2", "openai a 1 1"})
		s.oneWinner(check.Together(crowd, func(int) error {
			return check.Failure(s.Prices.CreatePrice(s.ctx, s.workspace, priceOf("new", 1, 1), nil))
		}), fault.Conflict)
	}},
	{"workspaces are isolated", func(s *store) {
		mine := s.price(s.workspace, priceOf("a", 1, 1))
		s.fails(check.Failure(s.Prices.GetPrice(s.ctx, s.other, mine.ID)), fault.NotFound)
		s.fails(check.Failure(s.Prices.UpdatePrice(s.ctx, s.other, mine.ID, priceOf("b", 1, 1))), fault.NotFound)
		s.fails(s.Prices.DeletePrice(s.ctx, s.other, mine.ID), fault.NotFound)
		s.equal(s.pricesOf(s.other), []string{})
		s.fails(check.Failure(s.Prices.CreatePrice(s.ctx, 999, priceOf("a", 1, 1), nil)), fault.NotFound)
		s.fails(s.Prices.ImportPrices(s.ctx, 999, []pricing.Content{priceOf("a", 1, 1)}, nil), fault.NotFound)
		s.equal(s.pricesOf(s.workspace), []string{"openai a 1 1"})
	}},
	{"an import adds and replaces", func(s *store) {
		kept := s.price(s.workspace, priceOf("a", 1, 1))
		s.price(s.workspace, priceOf("b", 1, 1))
		s.ok(s.Prices.ImportPrices(s.ctx, s.workspace, []pricing.Content{priceOf("a", 1, 5), priceOf("c", 1, 6)}, pointer("ann@x.test")))
		s.equal(s.pricesOf(s.workspace), []string{"openai a 1 5", "openai b 1 1", "openai c 1 6"})
		s.equal(check.Must(s.Prices.GetPrice(s.ctx, s.workspace, kept.ID))(s.t).Input, 5.0)
	}},
	{"a workspace holds at most 10,000", func(s *store) {
		many := make([]pricing.Content, pricing.MaxPrices)
		for i := range many {
			many[i] = priceOf(fmt.Sprintf("m%05d", i), 1, 1)
		}
		s.ok(s.Prices.ImportPrices(s.ctx, s.workspace, many, nil))
		s.equal(len(s.pricesOf(s.workspace)), pricing.MaxPrices)
		s.fails(check.Failure(s.Prices.CreatePrice(s.ctx, s.workspace, priceOf("one more", 1, 1), nil)), fault.Invalid)
		s.fails(s.Prices.ImportPrices(s.ctx, s.workspace, []pricing.Content{priceOf("m00000", 1, 2), priceOf("one more", 1, 1)}, nil), fault.Invalid)
		s.equal(s.pricesOf(s.workspace)[0], "openai m00000 1 1")
		s.ok(s.Prices.ImportPrices(s.ctx, s.workspace, many[:5], nil))
	}},
	{"changes are audited", func(s *store) {
		var made pricing.Price
		detail := func(input string) string {
			return ` {"rates":{"input":` + input + `,"output":0.1,"cache_read":0.025},"valid_from":"2026-01-01T00:00:00.000001Z"}`
		}
		s.audits(func() { made = s.price(s.workspace, priceOf("a", 1, 1)) }, "create PRICE openai a"+detail("1"))
		s.audits(func() {
			check.Must(s.Prices.UpdatePrice(s.ctx, s.workspace, made.ID, priceOf("a", 1, 2)))(s.t)
		}, "change PRICE openai a"+detail("2"))
		s.audits(func() { s.ok(s.Prices.DeletePrice(s.ctx, s.workspace, made.ID)) }, "delete PRICE openai a"+detail("2"))
		s.audits(func() {
			s.ok(s.Prices.ImportPrices(s.ctx, s.workspace, []pricing.Content{priceOf("a", 1, 1), priceOf("b", 1, 1)}, nil))
		}, `import PRICE prices {"count":2}`)
	}},
	{"changes are revisions, and rolled-back ones leave nothing", func(s *store) {
		before := s.revision(s.workspace)
		kept := s.price(s.workspace, priceOf("a", 1, 1))
		s.equal(s.revision(s.workspace) != before, true)
		err := s.InTx(s.ctx, func(ctx context.Context) error {
			s.ok(check.Failure(s.Prices.CreatePrice(ctx, s.workspace, priceOf("b", 1, 1), nil)))
			s.ok(check.Failure(s.Prices.UpdatePrice(ctx, s.workspace, kept.ID, priceOf("c", 1, 1))))
			s.ok(s.Prices.DeletePrice(ctx, s.workspace, kept.ID))
			return errOurs
		})
		s.equal(errors.Is(err, errOurs), true)
		s.equal(s.pricesOf(s.workspace), []string{"openai a 1 1"})
	}},
}
