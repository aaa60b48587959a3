package provider

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Tokens are the token counts of a call by the provider.
type Tokens struct {
	Input, Output int64
	// Cached is the input read from the cache, Stored the input written to it.
	Cached, Stored int64
	// Thinking is the reasoning part of the output.
	Thinking int64
	// Tools is the input for results of the provider's tools.
	Tools int64
}

// Usage locates the token counts in the answers of a provider. Names are in
// snake case and also match camel case; those after a dot are nested. The first
// one with a count is used.
type Usage struct {
	// At is the member of an answer with the counts.
	At                                             string
	Input, Output, Cached, Stored, Thinking, Tools []string
	// Bill returns the billed tokens.
	Bill func(Tokens) Bill
}

// Bill is the number of billed tokens. Input read from the cache and input
// written to it have different prices.
type Bill struct{ Input, Cached, Stored, Output int64 }

// Read returns the counts of an answer, 0 for missing ones.
func (u *Usage) Read(answer jsontree.Value) Tokens {
	v := Field(answer, u.At)
	return Tokens{
		Input: count(v, u.Input), Output: count(v, u.Output), Cached: count(v, u.Cached),
		Stored: count(v, u.Stored), Thinking: count(v, u.Thinking), Tools: count(v, u.Tools),
	}
}

// orElse returns the counts, with zeros replaced by those of others.
func (t Tokens) orElse(others Tokens) Tokens {
	for _, pair := range []struct {
		count *int64
		other int64
	}{{&t.Input, others.Input}, {&t.Output, others.Output}, {&t.Cached, others.Cached}, {&t.Thinking, others.Thinking}} {
		if *pair.count == 0 {
			*pair.count = pair.other
		}
	}
	return t
}

// maxTokens is the largest plausible count of a call. Larger ones are client
// errors and would distort every sum.
const maxTokens = 1_000_000_000

func count(v jsontree.Value, names []string) int64 {
	for _, name := range names {
		outer, inner, nested := strings.Cut(name, ".")
		found := Field(v, outer)
		if nested {
			found = Field(found, inner)
		}
		if n, ok := found.Int(); ok && n > 0 && n <= maxTokens {
			return n
		}
	}
	return 0
}
