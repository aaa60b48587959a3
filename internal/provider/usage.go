package provider

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Count is a number of tokens. One that nobody gave is not 0.
type Count struct {
	N     int64
	Given bool
}

// Tokens returns a count that was given.
func Tokens(n int64) Count { return Count{N: n, Given: true} }

// Plus returns the sum. It is given if one of the two is.
func (c Count) Plus(other Count) Count { return Count{c.N + other.N, c.Given || other.Given} }

// With returns a total with parts that it does not include. A total that was
// not given stays so.
func (c Count) With(parts ...Count) Count {
	for _, part := range parts {
		if c.Given {
			c = c.Plus(part)
		}
	}
	return c
}

// Or returns the count, or the other one if it was not given.
func (c Count) Or(other Count) Count {
	if c.Given {
		return c
	}
	return other
}

// Usage is the token usage of a call. It has the same meaning for every
// provider: Input and Output are totals, the other counts are parts of them.
type Usage struct {
	// Input is the whole input, including what was read from or written to a
	// cache and the results of the provider's own tools.
	Input Count
	// Output is the whole output, including reasoning.
	Output Count
	// CacheRead and CacheWrite are the parts of the input that were read from
	// the cache and written to it.
	CacheRead, CacheWrite Count
	// CacheWriteLong is the part of CacheWrite that is kept for an hour.
	CacheWriteLong Count
	// Reasoning is the part of the output that is reasoning.
	Reasoning Count
	// Batch says that the call had the price of a batch.
	Batch bool
}

// Known reports whether the input or the output was counted.
func (u Usage) Known() bool { return u.Input.Given || u.Output.Given }

// Total returns the sum of input and output.
func (u Usage) Total() Count { return u.Input.Plus(u.Output) }

// Or returns the usage with the counts that it lacks taken from another one.
func (u Usage) Or(other Usage) Usage {
	return Usage{
		Input: u.Input.Or(other.Input), Output: u.Output.Or(other.Output),
		CacheRead: u.CacheRead.Or(other.CacheRead), CacheWrite: u.CacheWrite.Or(other.CacheWrite),
		CacheWriteLong: u.CacheWriteLong.Or(other.CacheWriteLong), Reasoning: u.Reasoning.Or(other.Reasoning),
		Batch: u.Batch || other.Batch,
	}
}

// maxTokens is the largest plausible count of a call. Larger ones are client
// errors and would distort every sum.
const maxTokens = 1_000_000_000

// CountOf returns the count under one of the names in the usage object of a
// provider. Names are in snake case and also match camel case; those after a
// dot are nested. The first positive count is used.
func CountOf(usage jsontree.Value, names ...string) Count {
	var found Count
	for _, name := range names {
		n, ok := nested(usage, name).Int()
		if !ok || n < 0 || n > maxTokens {
			continue
		}
		if found = Tokens(n); n > 0 {
			break
		}
	}
	return found
}

func nested(v jsontree.Value, name string) jsontree.Value {
	outer, inner, dotted := strings.Cut(name, ".")
	v = Field(v, outer)
	if dotted {
		v = Field(v, inner)
	}
	return v
}

// BatchTier reports whether a service tier has the price of a batch.
func BatchTier(tier jsontree.Value) bool { return tier.Is("batch") || tier.Is("flex") }
