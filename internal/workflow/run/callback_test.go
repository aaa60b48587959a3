package run_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// waiter starts a server for callbacks. It answers with the statuses and
// repeats the last one.
func waiter(t *testing.T, statuses ...int) (url string, bodies chan string) {
	bodies = make(chan string, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		bodies <- string(body)
		w.WriteHeader(statuses[0])
		statuses = statuses[min(1, len(statuses)-1):]
	}))
	t.Cleanup(server.Close)
	return server.URL, bodies
}

func callingBack(url string) func(*run.Request) {
	return func(r *run.Request) { r.CallbackURL = url }
}

func TestCallback(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		statuses   []int
		allOutputs bool
		calls      int
		output     string
	}{
		"once":                   {statuses: []int{200}, calls: 1, output: `1`},
		"all nodes":              {statuses: []int{200}, allOutputs: true, calls: 1, output: `{"a":{"status":"SUCCESS","value":1,"error_message":null,"raw_error_message":null,"is_output_node":true}}`},
		"retry after a failure":  {statuses: []int{500, 200}, calls: 2, output: `1`},
		"at most three attempts": {statuses: []int{500}, calls: 3, output: `1`},
	}
	l := onSQLite(t)
	p := l.process("a")
	l.create("w", nodes(variable("a", `1`, true)))
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, bodies := waiter(t, test.statuses...)
			id := p.start("w", `{}`, callingBack(url), func(r *run.Request) { r.AllOutputs = test.allOutputs })
			for range test.calls {
				check.Equal(t, "body", check.Next(t, bodies), fmt.Sprintf(`{"workflow_version_execution_id":%d,"final_output":%s}`, id, test.output))
			}
			check.Eventually(t, "the job ends", func() bool { return !slices.Contains(l.open(), id) })
			check.Equal(t, "further calls", len(bodies), 0)
		})
	}
}

func TestRejectsPrivateTargets(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	p := l.process("a")
	l.create("w", nodes(variable("a", `1`, true)))
	const private = " is not a public host: calls into private networks are not allowed"
	for url, reason := range map[string]string{
		"http://10.0.0.1/": `"10.0.0.1"` + private, "http://169.254.169.254/": `"169.254.169.254"` + private, "http://[::1]/": `"::1"` + private,
		"ftp://example.com/": "only addresses that begin with http:// or https:// can be called", "http://": "the address has no host",
	} {
		_, err := p.Start(l.ctx, l.workspace, "w", run.Request{CallbackURL: url})
		check.Refused(t, err, fault.BadRequest, "The callback_url cannot be called: "+reason)
	}
	check.Equal(t, "jobs", l.left(), 0)
}

func TestNextProcessSendsCallback(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	l.create("w", nodes(variable("a", `1`, true)))
	url, bodies := waiter(t, 500, 200)
	first := l.process("first")
	first.start("w", `{}`, callingBack(url))
	check.Next(t, bodies)
	first.jobs.Stop(access.AsSystem(context.Background()))
	check.Equal(t, "jobs that are left", l.left(), 1)
	l.process("second")
	check.Next(t, bodies)
	check.Eventually(t, "the job ends", func() bool { return l.left() == 0 })
}

func TestCallbackOfCancelledRun(t *testing.T) {
	t.Parallel()
	l, w := onSQLite(t), newWorld(t)
	l.create("w", nodes(w.endpoint("a", "/wait/a")))
	url, bodies := waiter(t, 200)
	p := l.process("a")
	id := p.start("w", `{}`, callingBack(url))
	check.Next(t, w.begun)
	check.Must(p.Cancel(l.ctx, l.workspace, id))(t)
	want := fmt.Sprintf(`{"workflow_version_execution_id":%d,"final_output":{"a":{"status":"FAILED","value":null,`+
		`"error_message":"The run was cancelled","raw_error_message":"The run was cancelled","is_output_node":true}}}`, id)
	check.Equal(t, "body", check.Next(t, bodies), want)
	check.Eventually(t, "the job ends", func() bool { return l.left() == 0 })
}

func TestCheckCallback(t *testing.T) {
	t.Parallel()
	for address, valid := range map[string]bool{
		"http://example.com": true, "https://example.com:8443/a?b": true,
		"": false, "example.com": false, "ftp://example.com": false, "http://": false, "http://a b": false, "javascript:alert(1)": false,
	} {
		check.Equal(t, address, run.CheckCallback(address) == "", valid)
	}
}
