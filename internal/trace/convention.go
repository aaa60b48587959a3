package trace

import (
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// fact is something that a span tells, which conventions have different
// attributes for.
type fact uint8

const (
	providerFact fact = iota
	modelFact
	operationFact
	inputTokens
	outputTokens
	totalTokens
	cacheRead
	cacheWrite
	reasoningTokens
	costFact
	userFact
	sessionFact
	toolFact
	inputFact
	outputFact
	factCount
)

// convention is a set of attributes by which libraries describe model calls.
// Conventions are tried in the order of the list conventions.
type convention struct {
	// facts has the attributes for each fact; the first that a span has wins.
	facts map[fact][]string
	// parameters maps attributes to the parameters of a call.
	parameters []parameter
	// metadata is the prefix of attributes that become metadata, "" for none.
	metadata string
	// call reports whether the span is a model call, as far as the convention
	// knows.
	call func(*view) verdict
	// kind returns the type of a span that is no model call, "" if unknown.
	kind func(*view) string
	// messages returns the messages of a call.
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
var conventions = []*convention{&ownAttributes, &genAI, &openInference, &traceloop, &vercel, &openAIAgents}

// rankedFact is the fact that an attribute tells. Of several attributes the one
// with the lowest rank wins.
type rankedFact struct {
	fact fact
	rank int32
}

// facts has all attributes that tell a fact.
var facts = rankFacts()

func rankFacts() map[string]rankedFact {
	ranked := map[string]rankedFact{}
	for i, c := range conventions {
		for f, names := range c.facts {
			for j, name := range names {
				ranked[name] = rankedFact{f, int32(i*100 + j)}
			}
		}
	}
	return ranked
}

// verdict combines what the conventions know: one that says that a span is no
// model call is right.
func (v *view) verdict() verdict {
	found := unknown
	if v.foreign {
		return found
	}
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
	if v.foreign {
		return found
	}
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
