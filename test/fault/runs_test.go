package fault

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// runs are runs of a workflow that calls a server, and the calls it has made.
type runs struct {
	address string
	mu      sync.Mutex
	defined bool
	drawn   int
	begun   []int64        // acknowledged
	ended   int            // how many of them are known to have ended
	calls   map[string]int // by run and node
	broken  int            // nodes that a fault has interrupted
	// off says that the machine of the server is off: the calls that still arrive
	// would never have been sent.
	off atomic.Bool
}

func newRuns(t *testing.T) *runs {
	t.Helper()
	r := &runs{calls: map[string]int{}}
	outside := httptest.NewServer(r)
	t.Cleanup(outside.Close)
	r.address = outside.URL
	return r
}

// ServeHTTP counts a call.
func (r *runs) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	var body struct{ Ticket string }
	err := json.NewDecoder(request.Body).Decode(&body)
	if r.off.Load() {
		return
	}
	r.mu.Lock()
	r.calls[fmt.Sprint(body.Ticket, request.URL.Path, err)]++
	r.mu.Unlock()
	time.Sleep(5 * time.Millisecond) // so that the server is killed while it waits
	_, _ = w.Write([]byte(`"done"`)) // the client may be gone
}

func (r *runs) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return fmt.Sprintf("%d runs made %d calls; %d nodes were interrupted", len(r.begun), len(r.calls), r.broken)
}

// define creates the workflow: calls one after the other, each of which may be
// interrupted. If a fault has hidden the response to an earlier attempt, the
// workflow may exist.
func (r *runs) define(c *client) error {
	node := func(name, kind string, config object, needs ...string) object {
		return object{"name": name, "node_type": kind, "configuration": config, "dependencies": needs, "is_output_node": name == "end"}
	}
	var nodes []any
	last := "Ticket"
	for i := range 3 {
		call, join := fmt.Sprint("call ", i), fmt.Sprint("join ", i)
		nodes = append(nodes, node(call, "ENDPOINT", object{"url": fmt.Sprintf("%s/%d", r.address, i)}, last),
			node(join, "COALESCE", object{"sources": []string{call, "Ticket"}}, call, "Ticket"))
		last = join
	}
	nodes = append(nodes, node("end", "COMBINE_COLUMNS", object{"sources": []string{last}}, last))
	_, err := ask[any](c, http.MethodPost, "/rest/workflows",
		object{"name": "effects", "required_input_variables": object{"Ticket": "string"}, "nodes": nodes})
	return err
}

// begin starts a run, and defines the workflow before the first one.
func (r *runs) begin(l *load) error {
	r.mu.Lock()
	defined := r.defined
	r.mu.Unlock()
	if !defined {
		return r.defineFirst(l)
	}
	r.mu.Lock()
	r.drawn++
	ticket := fmt.Sprint("ticket ", r.drawn)
	r.mu.Unlock()
	got, err := ask[struct {
		ID int64 `json:"workflow_version_execution_id"`
	}](l.client, http.MethodPost, "/workflows/effects/run", object{"input_variables": object{"Ticket": ticket}})
	if err != nil {
		return l.tolerate(err)
	}
	r.mu.Lock()
	r.begun = append(r.begun, got.ID)
	r.mu.Unlock()
	time.Sleep(runPause)
	return nil
}

// runPause is how long a client waits after it has started a run.
const runPause = 40 * time.Millisecond

func (r *runs) defineFirst(l *load) error {
	err := r.define(l.client)
	if e, ok := errors.AsType[*statusError](err); ok && e.status < http.StatusInternalServerError {
		err = nil // another server, or an attempt without a response
	}
	if err != nil {
		return l.tolerate(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.defined = true
	return nil
}

// check returns an error if a call was made twice.
func (r *runs) check() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var err error
	for call, times := range r.calls {
		if times != 1 || !strings.HasSuffix(call, "<nil>") {
			err = errors.Join(err, fmt.Errorf("call %s was made %d times", call, times))
		}
	}
	return err
}

// awaitAll waits for the end of every run.
func (r *runs) awaitAll(c *client) error {
	for ; r.ended < len(r.begun); r.ended++ {
		id := r.begun[r.ended]
		broken, err := r.await(c, id)
		if err != nil {
			return fmt.Errorf("run %d: %w", id, err)
		}
		r.broken += broken
	}
	return r.check()
}

// await waits for the end of a run and returns the number of interrupted nodes.
func (r *runs) await(c *client, id int64) (broken int, err error) {
	path := fmt.Sprint("/workflow-version-execution-results?return_all_outputs=true&workflow_version_execution_id=", id)
	err = eventually(func() (bool, error) {
		a, err := c.call(http.MethodGet, path, nil)
		switch {
		case err != nil:
			return true, err
		case a.status == http.StatusAccepted:
			return false, errors.New("it has not ended")
		case a.status != http.StatusOK || strings.Contains(string(a.body), "QUEUED") || strings.Contains(string(a.body), "RUNNING"):
			return true, &statusError{path, a}
		}
		broken = strings.Count(string(a.body), `"error_message":"The server stopped`)
		return true, nil
	})
	return broken, err
}
