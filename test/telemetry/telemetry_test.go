// Package telemetry sends traces with real exporters and the libraries that
// instrument model calls, and checks what is read from them. What npm installs
// decides what is sent, not this repository.
package telemetry

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/trace"
)

var update = flag.Bool("update", false, "write the golden files")

// patience is how long a program may run.
const patience = 2 * time.Minute

// collector is a server that keeps what exporters send.
type collector struct {
	*httptest.Server
	mu     sync.Mutex
	spans  []*reqlog.Span
	logs   []*reqlog.LogInput
	bodies [][]byte
}

func collect(t *testing.T) *collector {
	t.Helper()
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		batch, body, err := receive(r)
		if err != nil || batch.Rejected > 0 {
			t.Errorf("%s: %v, %d rejected: %s", r.Header.Get("Content-Type"), err, batch.Rejected, batch.Reason)
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		c.spans, c.logs, c.bodies = append(c.spans, batch.Spans...), append(c.logs, batch.Logs...), append(c.bodies, body)
		w.Header().Set("Content-Type", r.Header.Get("Content-Type"))
	}))
	t.Cleanup(c.Close)
	return c
}

func receive(r *http.Request) (batch trace.Batch, body []byte, err error) {
	from := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		if from, err = gzip.NewReader(r.Body); err != nil {
			return trace.Batch{}, nil, err
		}
	}
	if body, err = io.ReadAll(from); err != nil {
		return trace.Batch{}, nil, err
	}
	batch, err = trace.DecodeOTLP(r.Header.Get("Content-Type"), body)
	return batch, body, err
}

// run runs a scenario of the programs in this folder.
func run(t *testing.T, c *collector, scenario, format string) {
	t.Helper()
	if _, err := os.Stat("node_modules"); err != nil {
		t.Fatalf("the exporters are not installed, run `make setup`: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if _, err := os.ReadDir("."); err != nil { // go test repeats a cached result unless the programs have changed
		t.Fatal(err)
	}
	out, err := exec.CommandContext(ctx, "node", "main.mjs", scenario, format, c.URL+"/v1/traces").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

var scenarios = []string{"manual", "openinference", "traceloop", "vercel", "vercel-legacy", "vercel-6"}

func TestJavaScriptExporters(t *testing.T) {
	t.Parallel()
	for _, scenario := range scenarios {
		for _, format := range []string{"json", "proto"} {
			t.Run(scenario+" "+format, func(t *testing.T) {
				c := collect(t)
				run(t, c, scenario, format)
				if format == "json" && *update {
					keep(t, scenario, c.bodies)
				}
				checkGolden(t, scenario, c)
			})
		}
	}
}

// keep stores a request for the tests of the package that reads it.
func keep(t *testing.T, scenario string, bodies [][]byte) {
	t.Helper()
	if len(bodies) != 1 {
		t.Fatalf("%d requests", len(bodies))
	}
	var text bytes.Buffer
	if err := json.Indent(&text, bodies[0], "", " "); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(here, "..", "..", "internal", "trace", "testdata")
	body := strings.ReplaceAll(text.String(), filepath.ToSlash(here), "/app") // paths in stack traces
	if err := os.WriteFile(filepath.Join(folder, scenario+".json"), append([]byte(body), '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

// checkGolden compares what was read with a golden file.
func checkGolden(t *testing.T, name string, c *collector) {
	t.Helper()
	got := describe(t, c)
	path := filepath.Join("testdata", name+".json")
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}
