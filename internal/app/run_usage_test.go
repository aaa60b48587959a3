package app_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
)

// TestUsageOfRuns runs an evaluation whose columns ask a model in their ways: with
// the latest version of a prompt, in a workflow, and not at all.
func TestUsageOfRuns(t *testing.T) {
	t.Parallel()
	p := startProgram(t, t.TempDir())
	defer p.end()
	p.configure(echoModel(t))
	var prompt any
	for range 2 {
		prompt = p.object(http.MethodPost, "/rest/prompt-templates", `{"prompt_template":{"prompt_name":"asker"},"prompt_version":`+trial+`}`)["id"]
	}
	p.object(http.MethodPost, "/rest/workflows", `{"name":"inner","nodes":[{"name":"old","node_type":"VARIABLE","configuration":{"value":"1"},"is_output_node":true}]}`)
	inner := p.object(http.MethodPost, "/rest/workflows", `{"workflow_name":"inner","required_input_variables":{"v":"string"},"nodes":[
		{"name":"ask","node_type":"PROMPT_TEMPLATE",`+promptNode+`,"is_output_node":true}]}`)
	outer := p.object(http.MethodPost, "/rest/workflows", `{"name":"outer","nodes":[
		{"name":"nested","node_type":"WORKFLOW","configuration":{"workflow_name":"inner","workflow_version_number":1},"is_output_node":true}]}`)
	started := p.evaluate(`{"name":"asked","column_type":"PROMPT_TEMPLATE","configuration":{"template":{"prompt_name":"asker"}}},
		{"name":"called","column_type":"WORKFLOW","configuration":{"workflow_name":"inner","input_mappings":{"v":"asked"}}},
		{"name":"short","column_type":"COUNT","configuration":{"source":"called","type":"chars"}},
		{"name":"nesting","column_type":"WORKFLOW","configuration":{"workflow_name":"outer"}}`)
	id := started["report_id"]
	usage := func() map[string]any {
		return p.object(http.MethodGet, fmt.Sprintf("/api/public/v2/evaluations/%v/usage", id), "")
	}
	p.trace(started["trace_id"].(string))
	// A client that uses the tags of the run does not change what it took.
	now := time.Now().UTC().Format(time.RFC3339)
	p.object(http.MethodPost, "/log-request", fmt.Sprintf(`{"provider":"openai","model":"m","request_start_time":%q,"request_end_time":%q,"tags":["evaluate-%v"],"price":7,
		"input":{"type":"chat","messages":[]},"output":{"type":"chat","messages":[]}}`, now, now, id))
	check.Eventually(t, "both requests are counted", func() bool { return usage()["total"].(map[string]any)["requests"] == 2.0 })

	cost := 0.0
	for _, one := range p.find("requests", started["trace_id"].(string))["items"].([]any) {
		cost += one.(map[string]any)["price"].(float64)
	}
	got := usage()
	total := got["total"].(map[string]any)
	check.Equal(t, "total", []any{total["requests"], total["cost"]}, []any{2.0, cost})
	if cost <= 0 || got["duration_ms"] == nil || total["latency_ms"].(float64) > total["latency_p95_ms"].(float64) {
		t.Errorf("implausible usage: %v", got)
	}
	columns := map[string][]any{}
	for _, item := range got["columns"].([]any) {
		one := item.(map[string]any)
		columns[one["name"].(string)] = []any{one["requests"], one["cost"], one["prompts"], one["workflows"]}
	}
	check.Equal(t, "columns", columns, map[string][]any{
		"asked":  {1.0, cost / 2, []any{map[string]any{"prompt_id": prompt, "version": 2.0, "requests": 1.0}}, []any{}},
		"called": {1.0, cost / 2, []any{}, []any{map[string]any{"workflow_id": inner["workflow_id"], "version": 2.0, "runs": 1.0}}},
		"nesting": {0.0, nil, []any{}, []any{
			map[string]any{"workflow_id": inner["workflow_id"], "version": 1.0, "runs": 1.0},
			map[string]any{"workflow_id": outer["workflow_id"], "version": 1.0, "runs": 1.0},
		}},
	})
}
