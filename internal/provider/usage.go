package provider

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Tokens are the tokens that a call took, as the provider counts them.
type Tokens struct {
	Input, Output int64
	// Cached is the input that the provider read from its cache, Stored the
	// input that it wrote to it.
	Cached, Stored int64
	// Thinking is the output that was reasoning.
	Thinking int64
	// Tools is the input that results of the provider's own tools took.
	Tools int64
}

// Usage is where the answers of a provider say how many tokens a call took. The
// names are in snake case and also stand for their camel-case forms; those after
// a dot are nested. The first that holds a count is used.
type Usage struct {
	// At is the member of an answer that holds the counts.
	At                                             string
	Input, Output, Cached, Stored, Thinking, Tools []string
	// Bill returns what the provider charges for.
	Bill func(Tokens) Bill
}

// Bill is what a provider charges for, in tokens. Input that was read from the
// cache and input that was written to it have prices of their own.
type Bill struct{ Input, Cached, Stored, Output int64 }

// Read returns the counts of an answer, 0 for those that it lacks.
func (u *Usage) Read(answer jsontree.Value) Tokens {
	v := Field(answer, u.At)
	return Tokens{
		Input: count(v, u.Input), Output: count(v, u.Output), Cached: count(v, u.Cached),
		Stored: count(v, u.Stored), Thinking: count(v, u.Thinking), Tools: count(v, u.Tools),
	}
}

// orElse returns the counts, those that are 0 taken from others.
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

// maxTokens is the largest plausible count of one call. Larger ones are a
// client's mistake and would spoil every sum they enter.
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
