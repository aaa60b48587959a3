package e2e

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// workflowsResult is the output of the driver for workflows.
type workflowsResult struct {
	Quick, Labelled bool
	All             map[string]struct {
		Status string
		Value  any
	}
	Greeting string
	Failing  json.RawMessage
	Absent   json.RawMessage
	Large    int
	Many     []bool
	Received []json.RawMessage
}

func TestOfficialJavaScriptClientWorkflows(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir(), "--allow-targets", "127.0.0.1")
	// Older versions of Node need this option for WebSockets.
	got := runDriver[workflowsResult](t, []string{"NODE_OPTIONS=--experimental-websocket"}, "workflows.mjs", p.address, testKey)
	if !got.Quick || got.Labelled || got.Greeting != "echo zqworkflow" || got.Large != 100_000 {
		t.Errorf("the outputs are %t, %t, %q and %d characters", got.Quick, got.Labelled, got.Greeting, got.Large)
	}
	if got.All["upper"].Value != "ADA" || got.All["same"].Value != false || got.All["same"].Status != "SUCCESS" {
		t.Errorf("all outputs: %v", got.All)
	}
	for name, want := range map[string]json.RawMessage{"no number": got.Failing, "Workflow not found": got.Absent} {
		if !strings.Contains(string(want), name) {
			t.Errorf("a failure is reported as %s, want %q in it", want, name)
		}
	}
	want := make([]bool, 20)
	for n := range want {
		want[n] = n%2 == 1
	}
	if diff := cmp.Diff(want, got.Many); diff != "" {
		t.Errorf("twenty at once (-want +got):\n%s", diff)
	}
	t.Run("the call to the model", func(t *testing.T) { checkModelCall(t, p, got) })
}

// checkModelCall checks the request to the provider and its log.
func checkModelCall(t *testing.T, p *program, got workflowsResult) {
	t.Helper()
	if len(got.Received) != 1 || !strings.Contains(string(got.Received[0]), "Greet zqworkflow") {
		t.Fatalf("the provider received %s", got.Received)
	}
	found := mustDecode[struct{ Items []json.RawMessage }](t, p.post(t, "/api/public/v2/requests/search", map[string]any{"q": "zqworkflow"}, http.StatusOK))
	if len(found.Items) != 1 {
		t.Fatalf("%d logs were found: %s", len(found.Items), found.Items)
	}
	for _, part := range []string{`"zq-7"`, `"prompt_id":1,"prompt_version_number":1`, `"workflow"`, `"output_tokens":7`, `"span_id":"`} {
		if !strings.Contains(string(found.Items[0]), part) {
			t.Errorf("the log does not contain %s: %s", part, found.Items[0])
		}
	}
}
