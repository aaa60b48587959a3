package api_test

import (
	"slices"
	"strconv"
	"strings"
)

// The types of filter fields and the operators of each, as documented.
var (
	equality    = []string{"is", "is_not", "in", "not_in"}
	fieldGroups = []struct {
		kind      string
		fields    []string
		operators []string
	}{
		{"identifier", []string{"pl_id", "prompt_id", "api_key_id"}, append(slices.Clone(equality), "is_null", "is_not_null")},
		{"string", []string{"engine", "provider_type", "error_type", "user_id", "source", "api_key", "prompt", "prompt_version_ref", "trace_id"}, equality},
		{"status", []string{"status"}, equality},
		{"intent", []string{"user_intent", "agent_intent"}, equality},
		{"text", []string{"input_text", "output_text", "thinking_text"}, []string{"contains", "not_contains", "starts_with", "ends_with"}},
		{"numeric", []string{
			"prompt_version_number", "input_tokens", "output_tokens", "total_tokens", "cached_tokens", "thinking_tokens", "cost", "latency_ms",
			"turn_count", "tool_call_count",
		}, []string{"eq", "neq", "gt", "gte", "lt", "lte", "between", "is_null", "is_not_null"}},
		{"datetime", []string{"request_start_time", "request_end_time"}, []string{"is", "before", "after", "between"}},
		{"boolean", []string{"is_json", "is_tool_call", "is_plain_text", "has_trace"}, []string{"is_true", "is_false"}},
		{"array", []string{"tags", "metadata_keys", "score_names", "tool_names", "output_keys", "input_variable_keys"},
			[]string{"contains", "not_contains", "in", "not_in", "is_empty", "is_not_empty"}},
		{"nested", []string{"metadata", "output", "input_variables"},
			[]string{"key_equals", "key_not_equals", "key_contains", "in", "not_in", "is_empty", "is_not_empty"}},
		{"score", []string{"scores"}, []string{
			"gt", "gte", "lt", "lte", "eq", "neq", "between", "key_equals", "key_not_equals", "key_contains", "in", "not_in", "is_empty", "is_not_empty",
		}},
	}
)

// condition is one filter condition; its operands are strings except for
// numeric fields.
type condition struct {
	kind, field, op, key string
	texts                []string
	numbers              []float64
}

// complements maps negative operators to their positives.
var complements = map[string]string{
	"is_not": "is", "not_in": "in", "not_contains": "contains", "neq": "eq", "key_not_equals": "key_equals",
	"is_not_null": "is_null", "is_false": "is_true", "is_not_empty": "is_empty",
}

// matches is the simplest implementation of the documented filter language.
func (c condition) matches(f facts) bool {
	if positive, ok := complements[c.op]; ok {
		c.op = positive
		return !c.matches(f)
	}
	switch c.kind {
	case "identifier", "numeric", "datetime":
		return c.matchesNumber(f)
	case "string", "status":
		word, ok := f.words[c.field]
		return ok && slices.ContainsFunc(c.texts, func(text string) bool {
			return word == text || c.kind == "status" && strings.EqualFold(word, text)
		})
	case "intent":
		return c.sharesOne(f.lists[c.field])
	case "text":
		return c.matchesText(f.texts[c.field])
	case "boolean":
		return f.flags[c.field]
	case "array":
		if c.op == "is_empty" {
			return len(f.lists[c.field]) == 0
		}
		return c.sharesOne(f.lists[c.field])
	case "score":
		if len(c.numbers) > 0 {
			return c.matchesScore(f)
		}
		return c.matchesNested(f.nested[c.field])
	default:
		return c.matchesNested(f.nested[c.field])
	}
}

func (c condition) matchesNumber(f facts) bool {
	value, ok := f.numbers[c.field]
	if c.op == "is_null" {
		return !ok
	}
	if !ok {
		return false
	}
	switch first := c.numbers[0]; c.op {
	case "gt", "after":
		return value > first
	case "gte":
		return value >= first
	case "lt", "before":
		return value < first
	case "lte":
		return value <= first
	case "between":
		return value >= first && value <= c.numbers[1]
	default: // eq, is, in
		return slices.Contains(c.numbers, value)
	}
}

// matchesScore compares the score with the name as a number.
func (c condition) matchesScore(f facts) bool {
	for _, pair := range f.nested[c.field] {
		if pair[0] == c.key {
			value, err := strconv.ParseFloat(pair[1], 64)
			return err == nil && c.matchesNumber(facts{numbers: map[string]float64{c.field: value}})
		}
	}
	return false
}

func (c condition) sharesOne(list []string) bool {
	return slices.ContainsFunc(list, func(element string) bool { return slices.Contains(c.texts, element) })
}

func (c condition) matchesText(text string) bool {
	text, part := strings.ToLower(text), strings.ToLower(c.texts[0])
	switch c.op {
	case "starts_with":
		return strings.HasPrefix(text, part)
	case "ends_with":
		return strings.HasSuffix(text, part)
	default:
		return strings.Contains(text, part)
	}
}

func (c condition) matchesNested(list pairs) bool {
	present := false
	for _, pair := range list {
		if pair[0] != c.key {
			continue
		}
		present = true
		switch {
		case c.op == "is_empty" || pair[1] == noValue:
		case c.op == "key_contains" && strings.Contains(strings.ToLower(pair[1]), strings.ToLower(c.texts[0])):
			return true
		case c.op != "key_contains" && slices.Contains(c.texts, pair[1]):
			return true
		}
	}
	return c.op == "is_empty" && !present
}
