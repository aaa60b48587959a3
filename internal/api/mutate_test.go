package api_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/promptuary/promptuary/internal/check"
)

// replacements are values of every JSON type, some of them extreme.
var replacements = []string{
	`null`, `true`, `0`, `-1.5`, `1e400`, `123456789012345678901234567890`, `""`, `"text"`, `[]`, `[[]]`, `[null]`, `{}`, `{"a":{"b":1}}`,
}

// richLog is the body of a log with all members.
const richLog = `{
	"provider": "openai", "model": "gpt-4o", "api_type": "chat", "function_name": "f",
	"input": {"type": "chat", "input_variables": ["a"], "tools": [{"type": "function"}], "functions": [{"name": "f"}],
		"tool_choice": {"type": "function", "function": {"name": "f"}}, "function_call": {"name": "f"}, "messages": [
		{"role": "system", "content": [{"type": "text", "text": "t"}], "name": "n", "input_variables": ["a"], "template_format": "jinja2"},
		{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "u", "detail": "d"}}, {"type": "media", "media": {"title": "t", "type": "y", "url": "u", "format": "url"}},
			{"type": "media_variable", "name": "v"}, {"type": "code", "code": "c"}]},
		{"role": "assistant", "content": [], "tool_calls": [{"id": "1", "type": "function", "function": {"name": "g", "arguments": "{}"}, "tool_id": "x"}], "function_call": {"name": "h", "arguments": "{}"}},
		{"role": "tool", "content": [{"type": "text", "text": "r"}], "tool_call_id": "1"}, {"role": "placeholder", "name": "p"}]},
	"output": {"type": "completion", "template_format": "f-string", "content": [{"type": "thinking", "thinking": "h", "signature": "s"},
		{"type": "server_tool_use", "id": "i", "name": "n", "input": {}}, {"type": "output_media", "url": "u", "mime_type": "m", "media_type": "image", "provider_metadata": {}}]},
	"request_start_time": "2026-03-14T10:00:00Z", "request_end_time": 1773482401.5,
	"parameters": {"temperature": 1}, "tags": ["a"], "metadata": {"k": {"n": [1]}},
	"prompt_name": "welcome", "prompt_id": 910001, "prompt_version_number": 1, "prompt_input_variables": {"city": "c"},
	"input_tokens": 1, "output_tokens": 2, "usage": {"prompt_tokens": 1, "completion_tokens": 2}, "price": 0.5, "score": 5, "score_name": "s",
	"status": "ERROR", "error_type": "PROVIDER_ERROR", "error_message": "m"}`

const richCall = `{
	"function_name": "openai.chat.completions.create", "provider_type": "openai", "args": [1],
	"kwargs": {"model": "m", "messages": [{"role": "user", "content": "c"}, {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": "{}"}}]}], "tools": [{}], "tool_choice": "auto"},
	"request_response": {"choices": [{"message": {"role": "assistant", "content": "x"}}], "usage": {"prompt_tokens": 1, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 1}}},
	"request_start_time": 1, "request_end_time": 2, "tags": ["a"], "metadata": {"k": 1}, "group_id": 1, "span_id": "s", "prompt_id": 910001, "prompt_version": 1,
	"prompt_input_variables": {"city": "c"}, "return_prompt_blueprint": true, "status": "ERROR", "error_type": "PROVIDER_ERROR", "error_message": "m"}`

const richQuery = `"sort_by": "scores", "sort_nested_key": "helpful", "sort_order": "asc", ` + richFilters

const richFilters = `"q": "refund", "filters": [{"field": "engine", "operator": "is", "value": "x"}],
	"filter_group": {"logic": "OR", "filters": [{"field": "cost", "operator": "between", "value": [1, 2]}, {"logic": "AND", "filters": [
		{"field": "metadata", "operator": "key_equals", "value": "x", "nested_key": "k"}, {"field": "request_start_time", "operator": "after", "value": "2026-03-10"}]}]}`

const richTraceQuery = `"sort_by": "trace_start", "sort_order": "asc", ` + richTraceSelection

const richGroupQuery = `{"sort_by": "cost", "sort_order": "asc", "page": 1, "per_page": 5, ` + richTraceSelection + `}`

const richTraceSelection = `"q": "refund", "filters": [{"field": "trace_name", "operator": "is", "value": "x"}],
	"filter_group": {"logic": "OR", "filters": [{"field": "trace_total_cost_usd", "operator": "between", "value": [1, 2]}, {"logic": "SPAN_AND", "filters": [
		{"field": "span_attributes", "operator": "key_equals", "value": "x", "nested_key": "k"}, {"field": "span_is_leaf", "operator": "is_true"}]}]}`

const richTraceCharts = `{` + richTraceQuery + `, "customCharts": [
	{"id": "a", "title": "t", "chartType": "bar", "metric": "percentile", "metricField": "trace_depth", "percentile": 50, "groupByField": "trace_status", "timeSeries": true, "timeBucket": "day", "limit": 5},
	{"id": "b", "chartType": "bar", "series": [{"key": "x", "label": "X", "metric": "sum", "metricField": "span_tokens"}, {"key": "y", "label": "Y", "metric": "percentile", "percentile": 5, "metricField": "span_tokens"}],
		"derivedInsights": [{"type": "ratio", "label": "r", "numeratorSeriesKey": "x", "denominatorSeriesKey": "y"}]},
	{"id": "c", "chartType": "heatmap", "metric": "count", "groupByField": "span_kind", "secondaryGroupByField": "span_status"},
	{"id": "d", "chartType": "treemap", "metric": "count", "hierarchyFields": ["span_kind", "span_name"]},
	{"id": "e", "chartType": "histogram", "metric": "count", "histogramField": "trace_span_count", "histogramInterval": 0.5}]}`

const richCharts = `{` + richQuery + `, "customCharts": [
	{"id": "a", "title": "t", "chartType": "bar", "metric": "percentile", "metricField": "cost", "percentile": 50, "groupByField": "engine", "timeSeries": true, "timeBucket": "day", "limit": 5},
	{"id": "b", "chartType": "bar", "series": [{"key": "x", "label": "X", "metric": "sum", "metricField": "cost"}, {"key": "y", "label": "Y", "metric": "percentile", "percentile": 5, "metricField": "cost"}],
		"derivedInsights": [{"type": "ratio", "label": "r", "numeratorSeriesKey": "x", "denominatorSeriesKey": "y"}]},
	{"id": "c", "chartType": "heatmap", "metric": "distinct_count", "distinctMetadataKey": "k", "groupByMetadataKey": "k", "secondaryGroupByField": "status"},
	{"id": "d", "chartType": "treemap", "metric": "count", "hierarchyFields": ["engine", "status"]},
	{"id": "e", "chartType": "histogram", "metric": "count", "histogramField": "cost", "histogramInterval": 0.5}]}`

// TestMutatedLogBodies replaces each member of valid bodies with values of
// every type. Each response must be documented, and rejected requests must
// leave nothing behind.
func TestMutatedLogBodies(t *testing.T) {
	t.Parallel()
	tests := []struct{ path, body string }{
		{"/log-request", richLog},
		{"/log-requests", `{"requests": [` + smallLog + `, ` + smallLog + `]}`},
		{"/track-request", richCall},
		{"/rest/track-metadata", `{"request_id": 700001, "metadata": {"k": {"n": [1]}}}`},
		{"/rest/track-score", `{"request_id": 700001, "score": 5, "name": "n"}`},
		{"/rest/track-prompt", `{"request_id": 700001, "prompt_name": "welcome", "prompt_input_variables": {"city": "c"}, "version": 1}`},
		{"/rest/track-prompt", `{"request_id": 700001, "prompt_name": "welcome", "label": "prod"}`},
		{"/rest/track-group", `{"request_id": 700001, "group_id": 1}`},
		{"/create-group", `{"api_key": "x"}`},
		{searchPath, `{` + richQuery + `, "page": 1, "per_page": 5, "include_prompt_name": true}`},
		{analyticsPath, `{` + richQuery + `, "metadata_cost_breakdown_key": "k"}`},
		{chartsPath, richCharts},
		{"/api/public/v2/traces/search", `{` + richTraceQuery + `, "page": 1, "per_page": 5}`},
		{"/api/public/v2/sessions/search", richGroupQuery},
		{"/api/public/v2/traces/analytics/custom-analytics", richTraceCharts},
	}
	for _, tt := range tests {
		t.Run(strings.TrimPrefix(tt.path, "/"), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, settings{})
			m := mutation{t: t, world: w, document: newDocument(t, w), path: tt.path}
			w.log(t, "home", nil)
			w.post(t, http.StatusOK, "/create-group", `{}`)
			m.logs, m.state = 1, m.item()
			var body any
			check.OK(t, json.Unmarshal([]byte(tt.body), &body))
			m.send(body, "unchanged")
			if m.refused > 0 {
				t.Fatal("the unchanged body is refused")
			}
			everyChange(body, func(changed any) any { return changed }, "body", m.send)
			if total := w.total(t, "home"); total != m.logs {
				t.Errorf("%d logs are stored, %d were acknowledged", total, m.logs)
			}
			if m.refused == 0 && tt.path != "/create-group" {
				t.Error("nothing was refused")
			}
		})
	}
}

// smallLog is the body of a log with few members.
const smallLog = `{"provider": "p", "model": "m", "input": {"messages": []}, "output": {"messages": []}, "request_start_time": 1, "request_end_time": 2}`

type mutation struct {
	t        *testing.T
	world    *world
	document *document
	path     string
	logs     int64  // number of acknowledged logs
	state    string // state of the first log
	refused  int
}

// everyChange sends the body with v, and then with each of its members,
// replaced by every replacement; put returns the body with another value in
// place of v.
func everyChange(v any, put func(any) any, where string, send func(body any, what string)) {
	for _, text := range replacements {
		send(put(json.RawMessage(text)), where+" = "+text)
	}
	switch v := v.(type) {
	case map[string]any:
		for key, member := range v {
			with := func(changed any) any {
				others := maps.Clone(v)
				others[key] = changed
				return put(others)
			}
			everyChange(member, with, where+"."+key, send)
		}
	case []any:
		for i, element := range v {
			with := func(changed any) any {
				others := slices.Clone(v)
				others[i] = changed
				return put(others)
			}
			everyChange(element, with, where+"[]", send)
		}
	}
}

// item returns the first log as returned by a search.
func (m *mutation) item() string {
	m.t.Helper()
	first, err := m.world.send("home", http.MethodPost, searchPath, []byte(filtered(leaf("pl_id", "is", "700001", ""))))
	check.OK(m.t, err)
	return string(first.body)
}

func (m *mutation) send(body any, what string) {
	m.t.Helper()
	got, err := m.world.send("home", http.MethodPost, m.path, []byte(toJSON(m.t, body)))
	check.OK(m.t, err)
	if got.status >= http.StatusInternalServerError {
		m.t.Errorf("%s is answered with %d %s", what, got.status, got.body)
		return
	}
	m.document.checkAnswer(m.t, http.MethodPost, m.path, got)
	annotates := strings.HasPrefix(m.path, "/rest/track-")
	if got.status >= http.StatusBadRequest {
		m.refused++
		if annotates {
			if diff := cmp.Diff(m.state, m.item()); diff != "" {
				m.t.Errorf("%s is refused and yet changed the log (-before +after):\n%s", what, diff)
			}
		}
		return
	}
	if annotates {
		m.state = m.item()
	}
	m.logs += int64(strings.Count(string(got.body), `"request_id":`))
}
