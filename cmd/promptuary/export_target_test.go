package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/promptuary/promptuary/internal/blob/blobtest"
	"github.com/promptuary/promptuary/internal/check"
)

// logServer is a server with request logs, which breaks off after some rows.
type logServer struct {
	mu    sync.Mutex
	last  int64
	fails int64 // the number of rows after which it breaks off, 0 for never
}

func (s *logServer) set(last, fails int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last, s.fails = last, fails
}

func (s *logServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	last, fails := s.last, s.fails
	s.mu.Unlock()
	after, _ := strconv.ParseInt(r.URL.Query().Get("after_id"), 10, 64)
	w.Header().Set("X-Export-Last-Id", strconv.FormatInt(last, 10))
	w.Header().Set("Content-Disposition", `attachment; filename="request-logs.jsonl.gz"`)
	w.Header().Set("Trailer", "X-Export-Rows, X-Export-Damaged")
	rows := int64(0)
	for id := after + 1; id <= last; id++ {
		if rows++; fails > 0 && rows > fails {
			panic(http.ErrAbortHandler)
		}
		_, _ = fmt.Fprintln(w, id)
	}
	w.WriteHeader(http.StatusOK)
	w.Header().Set("X-Export-Rows", strconv.FormatInt(rows, 10))
	w.Header().Set("X-Export-Damaged", "0")
}

// exportTo runs the command.
func exportTo(t *testing.T, server, target string, more ...string) (progress string, err error) {
	t.Helper()
	var out bytes.Buffer
	cmd := newExportCommand()
	cmd.SetArgs(append([]string{"logs", "--to", target, "--server", server, "--key", "secret"}, more...))
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	err = cmd.ExecuteContext(t.Context())
	return out.String(), err
}

// TestExportsEachLogOnce exports again and again while logs arrive and the server
// breaks off.
func TestExportsEachLogOnce(t *testing.T) {
	t.Parallel()
	logs := &logServer{}
	server := httptest.NewServer(logs)
	t.Cleanup(server.Close)
	folder := filepath.Join(t.TempDir(), "exports")
	check.OK(t, os.Mkdir(folder, 0o700))
	for _, step := range []struct {
		last, fails int64
		broken      bool
	}{{0, 0, false}, {3, 2, true}, {5, 0, false}, {5, 0, false}, {9, 1, true}, {9, 0, false}, {10, 0, false}} {
		logs.set(step.last, step.fails)
		_, err := exportTo(t, server.URL, folder)
		check.Equal(t, fmt.Sprintf("whether %+v fails", step), err != nil, step.broken)
	}
	var all string
	var names []string
	for _, path := range check.Must(filepath.Glob(filepath.Join(folder, "logs-*")))(t) {
		names = append(names, filepath.Base(path))
		all += string(check.Must(os.ReadFile(path))(t))
	}
	check.Equal(t, "the logs", strings.Fields(all), strings.Fields("1 2 3 4 5 6 7 8 9 10"))
	check.Equal(t, "the files", names, []string{
		"logs-0000000000000000001-0000000000000000005.jsonl.gz", "logs-0000000000000000006-0000000000000000009.jsonl.gz",
		"logs-0000000000000000010-0000000000000000010.jsonl.gz",
	})
	_, err := exportTo(t, server.URL, folder, "--format", "csv")
	if err == nil || !strings.Contains(err.Error(), "other options") {
		t.Errorf("another format is answered with %v", err)
	}
}

// TestExportsToABucket cannot run beside others, because the environment has the
// credentials.
func TestExportsToABucket(t *testing.T) {
	logs := &logServer{}
	server := httptest.NewServer(logs)
	t.Cleanup(server.Close)
	service := blobtest.Serve(t, "exports")
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": service.URL, "AWS_REGION": blobtest.Region, "AWS_ACCESS_KEY_ID": blobtest.AccessKey, "AWS_SECRET_ACCESS_KEY": blobtest.SecretKey,
	} {
		t.Setenv(name, value)
	}
	for _, last := range []int64{4, 4, 6} {
		logs.set(last, 0)
		check.Must(exportTo(t, server.URL, "s3://exports/logs"))(t)
	}
	target := check.Must(openTarget("s3://exports/logs"))(t)
	var names []string
	for part, err := range target.List(t.Context(), "logs-") {
		check.OK(t, err)
		names = append(names, part.Name)
	}
	check.Equal(t, "the files", names, []string{
		"logs-0000000000000000001-0000000000000000004.jsonl.gz", "logs-0000000000000000005-0000000000000000006.jsonl.gz",
	})
	service.Close()
	_, err := exportTo(t, server.URL, "s3://exports/logs")
	if err == nil || !strings.Contains(err.Error(), "cannot be reached") {
		t.Errorf("a bucket that is away is answered with %v", err)
	}
}
