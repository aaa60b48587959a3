package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// TestFilterFieldsAndOperators uses every field with every operator and many
// operands, and compares the result with matches.
func TestFilterFieldsAndOperators(t *testing.T) {
	t.Parallel()
	w, all := factWorld(t)
	for _, group := range fieldGroups {
		for _, field := range group.fields {
			t.Run(field, func(t *testing.T) {
				t.Parallel()
				for _, op := range group.operators {
					for _, c := range conditions(all, group.kind, field, op) {
						c.check(t, w, all)
					}
				}
			})
		}
	}
}

// TestFilterVocabulary checks that the tests and the program have the same
// fields.
func TestFilterVocabulary(t *testing.T) {
	t.Parallel()
	var known, tested []string
	for _, field := range query.Fields {
		known = append(known, string(field.Name))
	}
	for _, group := range fieldGroups {
		tested = append(tested, group.fields...)
	}
	slices.Sort(known)
	slices.Sort(tested)
	if diff := cmp.Diff(tested, known); diff != "" {
		t.Errorf("fields (-tested +known):\n%s", diff)
	}
}

// names returns the names of the matching logs in a fixed order.
func names(all []facts, matches func(facts) bool) []string {
	found := []string{}
	for _, f := range all {
		if matches(f) {
			found = append(found, f.name)
		}
	}
	slices.Sort(found)
	return found
}

// found returns the names of the logs that a search finds.
func found(t *testing.T, w *world, all []facts, body string) []string {
	t.Helper()
	ids := w.searchIDs(t, "home", body)
	return names(all, func(f facts) bool { return slices.Contains(ids, int64(f.numbers["pl_id"])) })
}

func (c condition) check(t *testing.T, w *world, all []facts) {
	t.Helper()
	want, got := names(all, c.matches), found(t, w, all, filtered(c.json()))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", c.json(), diff)
	}
}

// json returns the condition as a client sends it.
func (c condition) json() string {
	operands := []any{}
	for i, n := range c.numbers {
		switch {
		case c.kind == "datetime":
			zone := time.FixedZone("", (i-1)*7200)
			operands = append(operands, time.UnixMicro(int64(n)).In(zone).Format(time.RFC3339Nano))
		case i > 0: // strings of digits are accepted
			operands = append(operands, strconv.FormatFloat(n, 'f', -1, 64))
		default:
			operands = append(operands, n)
		}
	}
	for _, text := range c.texts {
		operands = append(operands, text)
	}
	value := ""
	switch {
	case c.op == "in" || c.op == "not_in" || c.op == "between":
		text, _ := json.Marshal(operands)
		value = string(text)
	case len(operands) > 0:
		text, _ := json.Marshal(operands[0])
		value = string(text)
	}
	return leaf(c.field, c.op, value, c.key)
}

// conditions returns conditions with operands that occur in the logs, and
// some that do not.
func conditions(all []facts, kind, field, op string) []condition {
	base := condition{kind: kind, field: field, op: op}
	if slices.Contains([]string{"is_null", "is_not_null", "is_true", "is_false"}, op) || kind == "array" && strings.HasSuffix(op, "_empty") {
		return []condition{base}
	}
	switch kind {
	case "identifier", "numeric", "datetime":
		return numericConditions(base, all)
	case "score":
		if slices.Contains([]string{"gt", "gte", "lt", "lte", "eq", "neq", "between"}, op) {
			return scoreConditions(base)
		}
		return nestedConditions(base, all)
	case "nested":
		return nestedConditions(base, all)
	default:
		return textConditions(base, operandTexts(all, kind, field))
	}
}

func numericConditions(c condition, all []facts) []condition {
	var values []float64
	for _, f := range all {
		if v, ok := f.numbers[c.field]; ok {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	values = slices.Compact(values)
	values = slices.Compact([]float64{values[0], values[len(values)/2], values[len(values)-1]})
	var list []condition
	for _, v := range values {
		c.numbers = []float64{v}
		switch c.op {
		case "between":
			c.numbers = []float64{v, v}
		case "in", "not_in":
			c.numbers = []float64{123_456, v}
		}
		list = append(list, c)
	}
	if c.op == "between" {
		c.numbers = []float64{values[0], values[len(values)-1]}
		list = append(list, c)
	}
	return list
}

// scoreConditions compares scores that logs have, and one that none has.
func scoreConditions(c condition) []condition {
	var list []condition
	for _, c.key = range []string{"helpful", "default", "nobody"} {
		for _, value := range []float64{0, 7, 79.5, 80, 100} {
			c.numbers = []float64{value}
			if c.op == "between" {
				c.numbers = []float64{value, 80 + value}
			}
			list = append(list, c)
		}
	}
	return list
}

func textConditions(c condition, texts []string) []condition {
	var list []condition
	for i, text := range texts {
		c.texts = []string{text}
		if c.op == "in" || c.op == "not_in" {
			c.texts = []string{texts[0], texts[i]}
		}
		list = append(list, c)
	}
	return list
}

// operandTexts returns the values of a field and similar ones.
func operandTexts(all []facts, kind, field string) []string {
	switch kind {
	case "intent":
		if field == "user_intent" {
			return []string{"frustrated", "satisfied", "curious"}
		}
		return []string{"apologetic", "refusal", "uncertain"}
	case "status":
		return []string{"ERROR", "error", "Success", "WARNING", "nope"}
	case "text":
		texts := []string{"refund", "[system]", "100%", "_", `\`, "'", "ü", "drop table", "zebra", "[USER]: hello", "e:", "\n", " "}
		for _, f := range all {
			if text := f.texts[field]; text != "" {
				runes := []rune(text)
				piece := min(4, len(runes))
				texts = append(texts, text, string(runes[:piece]), string(runes[len(runes)-piece:]))
			}
		}
		return texts
	}
	texts := []string{"nobody", "PROD", "pro", "%"}
	for _, f := range all {
		texts = append(texts, f.lists[field]...)
		if word, ok := f.words[field]; ok {
			texts = append(texts, word)
		}
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

func nestedConditions(c condition, all []facts) []condition {
	values := map[string][]string{"nobody": {"x"}, "deep": {"x"}}
	for _, f := range all {
		for _, pair := range f.nested[c.field] {
			if pair[0] == "" {
				continue // cannot be a filter value
			}
			values[pair[0]] = append(values[pair[0]], strings.TrimPrefix(pair[1], noValue))
		}
	}
	var list []condition
	for _, key := range slices.Sorted(maps.Keys(values)) {
		c.key = key
		if strings.HasSuffix(c.op, "_empty") {
			list = append(list, c)
			continue
		}
		texts := slices.Concat(values[key], []string{"nobody", strings.ToUpper(values[key][0])})
		list = append(list, textConditions(c, texts)...)
	}
	return list
}

// TestFilterGroups compares random trees of conditions with matches, and
// search with analytics and charts.
func TestFilterGroups(t *testing.T) {
	t.Parallel()
	w, all := factWorld(t)
	random := rand.New(rand.NewPCG(1, 2))
	var leaves []condition
	for _, group := range fieldGroups {
		for _, field := range group.fields {
			for _, op := range group.operators {
				leaves = append(leaves, conditions(all, group.kind, field, op)...)
			}
		}
	}
	for range 60 {
		text, matches := randomGroup(random, leaves, 3)
		want := names(all, matches)
		if diff := cmp.Diff(want, found(t, w, all, `{"per_page":25,"filter_group":`+text+`}`)); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", text, diff)
		}
		counted := w.post(t, http.StatusOK, analyticsPath, `{"filter_group":`+text+`}`)
		if counted["totalRequests"] != float64(len(want)) {
			t.Errorf("analytics of %s counts %v, want %d", text, counted["totalRequests"], len(want))
		}
		chart := w.post(t, http.StatusOK, chartsPath, `{"filter_group":`+text+`,"customCharts":[{"id":"c","chartType":"bar","metric":"count"}]}`)
		if shown := fmt.Sprint(chart["customCharts"].([]any)[0].(map[string]any)["data"]); shown != fmt.Sprintf("[map[label:Overall value:%d]]", len(want)) {
			t.Errorf("the chart of %s shows %s, want %d", text, shown, len(want))
		}
	}
}

// randomGroup returns a group and its meaning. An empty group matches
// everything.
func randomGroup(random *rand.Rand, leaves []condition, depth int) (string, func(facts) bool) {
	anyOf := random.IntN(2) == 0
	var parts []string
	var tests []func(facts) bool
	for range random.IntN(4) {
		if depth > 0 && random.IntN(3) == 0 {
			text, test := randomGroup(random, leaves, depth-1)
			parts, tests = append(parts, text), append(tests, test)
			continue
		}
		c := leaves[random.IntN(len(leaves))]
		parts, tests = append(parts, c.json()), append(tests, c.matches)
	}
	constrains := len(parts) > 0
	logic := map[bool]string{true: "OR", false: "AND"}[anyOf]
	text := `{"logic":"` + logic + `","filters":[` + strings.Join(parts, ",") + `]}`
	return text, func(f facts) bool {
		holds := func(test func(facts) bool) bool { return test(f) }
		switch {
		case !constrains:
			return true
		case anyOf:
			return slices.ContainsFunc(tests, holds)
		default:
			return !slices.ContainsFunc(tests, func(test func(facts) bool) bool { return !test(f) })
		}
	}
}
