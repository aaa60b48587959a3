package pricing

import (
	"math"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
)

const (
	maxProvider = 100
	maxModel    = 255
	maxStars    = 5
	// MaxRate is the highest price, a dollar per token: no rate may spoil the
	// totals.
	MaxRate = 1e6
)

// The instants that a price can begin at: those that have a four-digit year.
var (
	earliest = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	latest   = time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)
)

// check records problems with a price.
func (c *Content) check(loc []any, problems *fault.Problems) {
	r := shape.New(loc, problems)
	r.Enter("provider")
	r.Storable(c.Provider, 1, maxProvider)
	r.Leave()
	r.Enter("model")
	if r.Storable(c.Model, 1, maxModel) && strings.Count(c.Model, "*") > maxStars {
		r.Report(fault.Rulef("value_error", "Input should have at most %d stars", maxStars))
	}
	r.Leave()
	if c.ValidFrom.Before(earliest) || !c.ValidFrom.Before(latest) {
		problems.Report(fault.At(loc, "valid_from"), fault.DateTime)
	}
	for i, rate := range c.values() {
		if rate == nil {
			continue
		}
		if rule, ok := rateRule(*rate); !ok {
			problems.Report(fault.At(loc, rateNames[i]), rule)
		}
	}
}

// rateRule returns the rule that a rate breaks; ok is true if it breaks none.
func rateRule(rate float64) (broken fault.Rule, ok bool) {
	switch {
	case math.IsNaN(rate):
		return fault.NumberType, false
	case rate < 0:
		return fault.Minimum(0), false
	case rate > MaxRate:
		return fault.Maximum(MaxRate), false
	}
	return fault.Rule{}, true
}

// rateNames are the names of the rates, in the order of the columns of files.
var rateNames = []string{
	"input", "output", "cache_read", "cache_write", "cache_write_1h", "reasoning", "batch_input", "batch_output",
}

// values returns the rates in the order of rateNames.
func (r *Rates) values() []*float64 {
	return []*float64{&r.Input, &r.Output, r.CacheRead, r.CacheWrite, r.CacheWriteLong, r.Reasoning, r.BatchInput, r.BatchOutput}
}

// set sets a rate.
func (r *Rates) set(name string, rate float64) {
	switch name {
	case "input":
		r.Input = rate
	case "output":
		r.Output = rate
	case "cache_read":
		r.CacheRead = &rate
	case "cache_write":
		r.CacheWrite = &rate
	case "cache_write_1h":
		r.CacheWriteLong = &rate
	case "reasoning":
		r.Reasoning = &rate
	case "batch_input":
		r.BatchInput = &rate
	case "batch_output":
		r.BatchOutput = &rate
	}
}

// normal returns the content as it is stored: a negative zero has no sign, and
// times have the precision of the catalog.
func (c Content) normal() Content {
	for i, rate := range c.values() {
		if rate != nil {
			c.set(rateNames[i], math.Abs(*rate))
		}
	}
	c.ValidFrom = c.ValidFrom.UTC().Truncate(time.Microsecond)
	return c
}

// key identifies a price within a workspace.
type key struct {
	provider, model string
	from            int64
}

func (c *Content) key() key { return key{c.Provider, c.Model, c.ValidFrom.UnixMicro()} }
