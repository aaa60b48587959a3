package trace

import (
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// convention is a set of attributes by which libraries describe model calls. The
// lists have the names of attributes with the same meaning; the first that a
// span has wins. Conventions are tried in the order of the list conventions.
type convention struct {
	provider, model, operation               []string
	inputTokens, outputTokens, totalTokens   []string
	cacheRead, cacheWrite, reasoning         []string
	cost, user, session, tool, input, output []string
	// parameters maps attributes to the parameters of a call.
	parameters []parameter
	// metadata are the prefixes of attributes that become metadata.
	metadata []string
	// call reports whether the span is a model call, as far as the convention
	// knows.
	call func(*view) verdict
	// kind returns the type of a span that is no model call, "" if unknown.
	kind func(*view) string
	// messages returns the messages of a call. It may be nil.
	messages func(*view) conversation
}

// parameter is a parameter of a model call.
type parameter struct{ attribute, name string }

// verdict is what a convention knows about a span.
type verdict uint8

const (
	unknown verdict = iota
	isCall
	isNoCall
)

// conventions are all conventions, in the order of precedence. Our own
// attributes come first.
var conventions = []*convention{&ownAttributes, &genAI, &openInference, &traceloop, &vercel}

// all joins one list of all conventions.
func all[T any](list func(*convention) []T) []T {
	var joined []T
	for _, c := range conventions {
		joined = append(joined, list(c)...)
	}
	return joined
}

// names are the attributes for each fact, in the order of precedence.
var names = struct {
	provider, model, operation               []string
	inputTokens, outputTokens, totalTokens   []string
	cacheRead, cacheWrite, reasoning         []string
	cost, user, session, tool, input, output []string
}{
	provider:     all(func(c *convention) []string { return c.provider }),
	model:        all(func(c *convention) []string { return c.model }),
	operation:    all(func(c *convention) []string { return c.operation }),
	inputTokens:  all(func(c *convention) []string { return c.inputTokens }),
	outputTokens: all(func(c *convention) []string { return c.outputTokens }),
	totalTokens:  all(func(c *convention) []string { return c.totalTokens }),
	cacheRead:    all(func(c *convention) []string { return c.cacheRead }),
	cacheWrite:   all(func(c *convention) []string { return c.cacheWrite }),
	reasoning:    all(func(c *convention) []string { return c.reasoning }),
	cost:         all(func(c *convention) []string { return c.cost }),
	user:         all(func(c *convention) []string { return c.user }),
	session:      all(func(c *convention) []string { return c.session }),
	tool:         all(func(c *convention) []string { return c.tool }),
	input:        all(func(c *convention) []string { return c.input }),
	output:       all(func(c *convention) []string { return c.output }),
}

// parameters and metadataPrefixes are those of all conventions.
var (
	parameters       = all(func(c *convention) []parameter { return c.parameters })
	metadataPrefixes = all(func(c *convention) []string { return c.metadata })
)

// verdict combines what the conventions know: one that says that a span is no
// model call is right.
func (v *view) verdict() verdict {
	found := unknown
	for _, c := range conventions {
		if c.call == nil {
			continue
		}
		switch c.call(v) {
		case isNoCall:
			return isNoCall
		case isCall:
			found = isCall
		}
	}
	return found
}

// conversation returns the messages of a call. Input, output and tools each come
// from the first convention that has them.
func (v *view) conversation() conversation {
	var found conversation
	for _, c := range conventions {
		if c.messages == nil {
			continue
		}
		next := c.messages(v)
		if len(found.input) == 0 {
			found.input = next.input
		}
		if len(found.output) == 0 {
			found.output = next.output
		}
		if len(found.tools) == 0 {
			found.tools = next.tools
		}
	}
	return found
}

// among returns the verdict about a span by the word for its kind.
func among(word jsontree.Value, calls []string) verdict {
	switch {
	case !word.Given():
		return unknown
	case slices.Contains(calls, strings.ToLower(word.Str())):
		return isCall
	default:
		return isNoCall
	}
}
