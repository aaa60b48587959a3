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
		{"responses", got.Responses, "echo zqagent1", ``},
		{"completions", got.Completions, "echo zqagent3", ``},
		{"failed", got.Failed, "zqbroken", ``},
	} {
		t.Run(test.name, func(t *testing.T) {
			if result, _ := test.run.Result.(string); !strings.Contains(result, test.result) {
				t.Errorf("the agent answered %v", test.run.Result)
			}
			checkTrace(t, p, test.run.ID, test.trace)
		})
	}
	_ = http.StatusOK
}
