package trace

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

const (
	docsFile  = "../../docs/tracing.md"
	docsStart = "<!-- attributes: go test ./internal/trace -update -->\n"
	docsEnd   = "<!-- end of attributes -->\n"
)

// factNames are the names of facts in the documentation.
var factNames = [factCount]string{
	providerFact: "provider", modelFact: "model", operationFact: "operation",
	inputTokens: "input tokens", outputTokens: "output tokens", totalTokens: "total tokens",
	cacheRead: "tokens read from a cache", cacheWrite: "tokens written to a cache", reasoningTokens: "reasoning tokens",
	costFact: "price", userFact: "user", sessionFact: "session", toolFact: "tool", inputFact: "input text", outputFact: "output text",
}

// attributeTable returns the table of the attributes for each fact and for each
// parameter of a call.
func attributeTable() string {
	var table strings.Builder
	table.WriteString("| | attributes |\n|---|---|\n")
	row := func(name string, attributes []string) {
		if len(attributes) > 0 {
			fmt.Fprintf(&table, "| %s | `%s` |\n", name, strings.Join(attributes, "`, `"))
		}
	}
	for f := range factCount {
		var names []string
		for _, c := range conventions {
			names = append(names, c.facts[f]...)
		}
		row(factNames[f], names)
	}
	byName, order := map[string][]string{}, []string{}
	for _, c := range conventions {
		for _, p := range c.parameters {
			if byName[p.name] == nil {
				order = append(order, p.name)
			}
			byName[p.name] = append(byName[p.name], p.attribute)
		}
	}
	for _, name := range order {
		row("parameter `"+name+"`", byName[name])
	}
	return table.String()
}

// TestAttributesAreDocumented compares the table in the documentation with the
// conventions.
func TestAttributesAreDocumented(t *testing.T) {
	t.Parallel()
	docs := string(check.Must(os.ReadFile(docsFile))(t))
	before, rest, begins := strings.Cut(docs, docsStart)
	table, after, ends := strings.Cut(rest, docsEnd)
	if !begins || !ends {
		t.Fatalf("%s has no table of attributes", docsFile)
	}
	if *update {
		check.OK(t, os.WriteFile(docsFile, []byte(before+docsStart+attributeTable()+docsEnd+after), 0o644))
		return
	}
	check.Equal(t, docsFile, table, attributeTable())
}

// TestEveryAttributeHasOneMeaning finds attributes that are listed twice: only
// one of their facts would count.
func TestEveryAttributeHasOneMeaning(t *testing.T) {
	t.Parallel()
	listed := 0
	for _, c := range conventions {
		for _, names := range c.facts {
			listed += len(names)
		}
	}
	check.Equal(t, "attributes", len(facts), listed)
}
