package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

// savedStub is a server with two saved exports, of which the second fails.
func savedStub(w http.ResponseWriter, r *http.Request, looks *atomic.Int64) {
	ended := func(state, more string) string {
		return fmt.Sprintf(`{"id":7,"state":%q,"rows":3,"bytes":40,"files":2,"damaged_rows":0,"created_at":"2026-03-01T12:00:00Z","ended_at":"2026-03-01T12:00:09Z"%s}`, state, more)
	}
	active := `{"id":7,"state":"running","progress":0.5,"created_at":"2026-03-01T12:00:00Z","ended_at":null}`
	switch r.Method + " " + r.URL.Path {
	case "GET " + savedExportsPath:
		_, _ = fmt.Fprintf(w, `{"exports":[{"id":1,"name":"nightly","source":"requests","target":{"address":"s3://shelf/a"},"schedule":{"every":"daily"},
			"next_run_at":"2026-03-02T03:00:00Z","last_run":null},
			{"id":2,"name":"1","source":"traces","target":{"address":"/exports"},"schedule":{"every":"once"},"next_run_at":null,"last_run":%s}]}`, active)
	case "POST " + savedExportsPath + "/1/run":
		w.WriteHeader(http.StatusAccepted)
		_, _ = fmt.Fprintf(w, `{"run":%s}`, active)
	case "GET " + savedExportsPath + "/1/runs":
		if looks.Add(1) == 1 {
			_, _ = fmt.Fprintf(w, `{"runs":[%s]}`, active)
			return
		}
		_, _ = fmt.Fprintf(w, `{"runs":[%s]}`, ended("done", ""))
	case "GET " + savedExportsPath + "/2/runs":
		_, _ = fmt.Fprintf(w, `{"runs":[%s]}`, ended("failed", `,"error":"The disk is full"`))
	default:
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte(`{"message":"not found"}`))
	}
}

func TestSavedExportCommands(t *testing.T) {
	t.Parallel()
	var looks atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { savedStub(w, r, &looks) }))
	t.Cleanup(server.Close)
	run := func(args ...string) (string, error) {
		var out bytes.Buffer
		cmd := newExportCommand()
		cmd.SetArgs(append(args, "--server", server.URL, "--key", "secret"))
		cmd.SetOut(&out)
		cmd.SetErr(&bytes.Buffer{})
		cmd.SilenceUsage, cmd.SilenceErrors = true, true
		err := cmd.ExecuteContext(t.Context())
		return out.String(), err
	}
	list := strings.Split(check.Must(run("list"))(t), "\n")
	check.Equal(t, "list", [][]string{strings.Fields(list[1]), strings.Fields(list[2])}, [][]string{
		strings.Fields("1 nightly requests s3://shelf/a daily 2026-03-02T03:00:00Z - - -"),
		strings.Fields("2 1 traces /exports once - 2026-03-01T12:00:00Z running 0"),
	})
	check.Equal(t, "run", check.Must(run("run", "nightly"))(t), "Exported 3 rows, 40 bytes, 2 files to s3://shelf/a.\n")
	_, err := run("run", "1") // the name comes before the id
	check.Equal(t, "failure", fmt.Sprint(err), "the run has failed: The disk is full")
	_, err = run("run", "weekly")
	check.Equal(t, "unknown", strings.Contains(fmt.Sprint(err), "there is no saved export"), true)
}
