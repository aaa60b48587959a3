package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const (
	pluginTrace  = "4bf92f3577b34da6a3ce929d0e0e4736"
	pluginParent = "00f067aa0ba902b7"
)

// transcript is a session as the agent writes it, with one call of a tool.
const transcript = `{"type":"user","sessionId":"s1","timestamp":"2026-03-15T10:00:00Z","message":{"role":"user","content":"list the files"}}
{"type":"assistant","sessionId":"s1","timestamp":"2026-03-15T10:00:02Z","message":{"id":"m1","model":"claude-sonnet-4-5","content":[{"type":"tool_use","id":"u1","name":"Bash","input":{"command":"ls"}}],"stop_reason":"tool_use","usage":{"input_tokens":20,"output_tokens":5}}}
{"type":"user","sessionId":"s1","timestamp":"2026-03-15T10:00:03Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"u1","content":"a.txt"}]}}
{"type":"assistant","sessionId":"s1","timestamp":"2026-03-15T10:00:05Z","message":{"id":"m2","model":"claude-sonnet-4-5","content":[{"type":"text","text":"There is a.txt"}],"stop_reason":"end_turn","usage":{"input_tokens":30,"output_tokens":6}}}
`

// TestTracePlugin runs the hooks of the plugin for coding agents that the
// official client ships. It keeps what is not answered with 200 in a queue.
func TestTracePlugin(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir())
	folder := t.TempDir()
	file := filepath.Join(folder, "s1.jsonl")
	if err := os.WriteFile(file, []byte(transcript), 0o600); err != nil {
		t.Fatal(err)
	}
	hook := func(name, input string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		cmd := exec.CommandContext(ctx, "bash", filepath.Join("node_modules", "promptlayer", "vendor", "claude-agents", "trace", "hooks", name+".sh"))
		cmd.Stdin = strings.NewReader(input)
		cmd.Env = append(os.Environ(), "HOME="+folder, "PROMPTLAYER_API_KEY="+testKey, "PROMPTLAYER_OTLP_ENDPOINT="+p.address+"/v1/traces",
			"PROMPTLAYER_TRACEPARENT=00-"+pluginTrace+"-"+pluginParent+"-01")
		runCommand(t, cmd).must(t)
	}
	hook("session_start", `{"session_id":"s1"}`)
	hook("user_prompt_submit", `{"session_id":"s1","prompt":"list the files"}`)
	hook("post_tool_use", `{"session_id":"s1","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{"stdout":"a.txt"}}`)
	hook("stop_hook", `{"session_id":"s1","transcript_path":"`+file+`"}`)
	hook("session_end", `{"session_id":"s1"}`)

	queue, err := os.ReadFile(filepath.Join(folder, ".claude", "state", "promptlayer_otlp_queue.ndjson"))
	if len(queue) > 0 {
		t.Errorf("the plugin could not send %s (%v)", queue, err)
	}
	checkTrace(t, p, pluginTrace, `
LLM call in LLM session, CLIENT UNSET: anthropic claude-sonnet-4-5, 25 tokens, 0.000135
LLM call in LLM session, CLIENT UNSET: anthropic claude-sonnet-4-5, 36 tokens, 0.000180
LLM session in , INTERNAL UNSET
Tool: Bash in LLM session, CLIENT UNSET`)
}
