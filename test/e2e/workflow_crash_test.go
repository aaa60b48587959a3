package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	workflowCrashes = 8
	crashRuns       = 6
)

// effects is a server that counts calls.
type effects struct {
	mu    sync.Mutex
	calls map[string]int
}

func (e *effects) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body struct{ Ticket string }
	_ = json.NewDecoder(r.Body).Decode(&body) // an unreadable body counts under an empty name
	e.mu.Lock()
	e.calls[body.Ticket+r.URL.Path]++
	e.mu.Unlock()
	time.Sleep(5 * time.Millisecond) // so that the server dies while it waits
	_, _ = w.Write([]byte(`"done"`))
}

// TestWorkflowRunsSurviveCrashes repeatedly kills the server while runs call
// another server. Every run must end, and no call may be made twice.
func TestWorkflowRunsSurviveCrashes(t *testing.T) {
	t.Parallel()
	outside := &effects{calls: map[string]int{}}
	server := httptest.NewServer(outside)
	t.Cleanup(server.Close)
	data := t.TempDir()
	random := rand.New(rand.NewPCG(crashSeed, 11))
	var started []int64
	for life := range workflowCrashes {
		p := start(t, data, "--allow-targets", "127.0.0.1")
		if life == 0 {
			p.post(t, "/rest/workflows", effectfulWorkflow(server.URL), http.StatusCreated)
		}
		for n := range crashRuns {
			input := map[string]any{"input_variables": map[string]string{"Ticket": fmt.Sprintf("%d-%d", life, n)}}
			a := p.post(t, "/workflows/effects/run", input, http.StatusCreated)
			started = append(started, mustDecode[struct {
				ID int64 `json:"workflow_version_execution_id"`
			}](t, a).ID)
		}
		p.killWithin(random, 60*time.Millisecond)
	}
	p := start(t, data, "--allow-targets", "127.0.0.1")
	interrupted := 0
	for _, id := range started {
		interrupted += awaitEnd(t, p, id)
	}
	outside.mu.Lock()
	defer outside.mu.Unlock()
	for call, times := range outside.calls {
		if times != 1 {
			t.Errorf("%s was called %d times", call, times)
		}
	}
	t.Logf("%d runs over %d crashes, %d calls, %d nodes interrupted", len(started), workflowCrashes, len(outside.calls), interrupted)
}

// awaitEnd waits for the end of a run and returns the number of interrupted
// nodes.
func awaitEnd(t *testing.T, p *program, id int64) int {
	t.Helper()
	path := fmt.Sprintf("/workflow-version-execution-results?return_all_outputs=true&workflow_version_execution_id=%d", id)
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		a, err := p.call(http.MethodGet, path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if a.status == http.StatusAccepted {
			continue
		}
		if a.status != http.StatusOK || strings.Contains(string(a.body), "QUEUED") || strings.Contains(string(a.body), "RUNNING") {
			t.Fatalf("run %d: %d %s", id, a.status, clip(a.body))
		}
		return strings.Count(string(a.body), `"error_message":"The server stopped`)
	}
	t.Fatalf("run %d did not end", id)
	return 0
}

// effectfulWorkflow is a chain of calls with computations in between, whose
// branches join even if one of them was interrupted.
func effectfulWorkflow(address string) map[string]any {
	node := func(name, kind string, config map[string]any, needs ...string) map[string]any {
		return map[string]any{"name": name, "node_type": kind, "configuration": config, "dependencies": needs, "is_output_node": name == "end"}
	}
	nodes := []any{}
	last := "Ticket"
	for i := range 4 {
		call, join := fmt.Sprintf("call %d", i), fmt.Sprintf("join %d", i)
		nodes = append(nodes,
			node(call, "ENDPOINT", map[string]any{"url": fmt.Sprintf("%s/%d", address, i)}, last),
			node(join, "COALESCE", map[string]any{"sources": []string{call, "Ticket"}}, call, "Ticket"))
		last = join
	}
	nodes = append(nodes, node("end", "COMBINE_COLUMNS", map[string]any{"sources": []string{last}}, last))
	return map[string]any{"name": "effects", "required_input_variables": map[string]string{"Ticket": "string"}, "nodes": nodes}
}
