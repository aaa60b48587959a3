package e2e

import (
	"net/http"
	"strings"
	"testing"
)

// TestTracesOfOpenAIAgents runs agents of OpenAI's Agents SDK with the tracing
// that the official client has for it.
func TestTracesOfOpenAIAgents(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir())
	got := runDriver[struct {
		Responses   recorded `json:"responses"`
		Completions recorded `json:"completions"`
		Failed      recorded `json:"failed"`
	}](t, nil, "agents.mjs", p.address, testKey)
	for _, test := range []struct {
		name   string
		run    recorded
		result string
		trace  string
	}{
		{"responses", got.Responses, "echo zqagent1", `
LLM call in LLM session, CLIENT OK: openai gpt-4o, 31 tokens, 0.000131
LLM call in LLM session, CLIENT OK: openai gpt-4o, 31 tokens, 0.000131
LLM session in OpenAI session, INTERNAL OK
OpenAI session, INTERNAL UNSET
Tool: search in LLM session, INTERNAL OK`},
		{"completions", got.Completions, "echo zqagent3", `
LLM call in LLM session, CLIENT OK: openai gpt-4o, 28 tokens, 0.000116
LLM call in LLM session, CLIENT OK: openai gpt-4o, 28 tokens, 0.000116
LLM session in OpenAI session, INTERNAL OK
OpenAI session, INTERNAL UNSET
Tool: search in LLM session, INTERNAL OK`},
		{"failed", got.Failed, "zqbroken", `
LLM call in LLM session, CLIENT OK: openai gpt-4o, 31 tokens, 0.000131
LLM session in OpenAI session, INTERNAL ERROR (Error in agent run)
OpenAI session, INTERNAL UNSET
Tool: broken in LLM session, INTERNAL ERROR (zqbroken)`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if result, _ := test.run.Result.(string); !strings.Contains(result, test.result) {
				t.Errorf("the agent answered %v", test.run.Result)
			}
			checkTrace(t, p, test.run.ID, test.trace)
		})
	}
	for _, answer := range []string{"echo zqagent1", "echo zqagent3"} {
		found := mustDecode[struct{ Items []tracedLog }](t, p.post(t, searchPath, map[string]any{"q": `"` + answer + `"`}, http.StatusOK))
		if len(found.Items) != 1 || found.Items[0].TraceID == "" {
			t.Errorf("the requests with the answer %q are %v", answer, found.Items)
		}
	}
	sessions := mustDecode[struct{ Total int }](t, p.post(t, tracesPath+"search", map[string]any{"filter_group": map[string]any{"filters": []any{
		map[string]any{"field": "trace_session_id", "operator": "is", "value": "zqsession1"},
	}}}, http.StatusOK))
	if sessions.Total != 3 {
		t.Errorf("%d traces are of the session, want 3", sessions.Total)
	}
}
