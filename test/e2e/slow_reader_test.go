package e2e

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// startWithFiles starts the program with limits of open files.
func startWithFiles(t *testing.T, soft, hard int, args ...string) *program {
	t.Helper()
	s := setup{data: t.TempDir(), args: args}
	p := s.launchBy(t, func(cmd *exec.Cmd) {
		cmd.Args = append([]string{"sh", "-c", fmt.Sprintf(`ulimit -S -n %d && ulimit -H -n %d && exec "$0" "$@"`, soft, hard), cmd.Path}, cmd.Args[1:]...)
		cmd.Path = "/bin/sh"
	})
	p.waitReady()
	return p
}

// stall opens a connection from an address, asks for a document, and never reads.
func stall(t *testing.T, p *program, from string) {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: patience}
	conn, err := dialer.Dial("tcp", strings.TrimPrefix(p.address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
		t.Fatal(err)
	}
	// The server may have refused the connection already.
	_, _ = io.WriteString(conn, "GET /openapi.json HTTP/1.1\r\nHost: e2e\r\n\r\n")
}

// TestSlowReaders opens more connections than the program may open files, none
// of which reads. Others must still be served, and the stores must still work.
func TestSlowReaders(t *testing.T) {
	t.Parallel()
	p := startWithFiles(t, 128, 256)
	limits, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`Max open files +25[56] +256`).Match(limits) {
		t.Errorf("the soft limit of open files was not raised:\n%s", limits)
	}
	for range 300 {
		stall(t, p, "127.0.0.2")
	}
	other := newClient(testKey)
	other.address, other.http.Timeout = p.address, 10*time.Second
	for i := range 5 {
		if a, err := other.call(http.MethodPost, "/log-request", entry{word: fmt.Sprintf("zqslow%d", i), tokens: 1}.body()); err != nil || a.status != http.StatusCreated {
			t.Fatalf("log %d: status %d, %v", i, a.status, err)
		}
	}
	samples := metrics(t, p)
	// Half of the files are left for connections, 16 of which for metrics.
	if limit := samples["promptuary_connections_limit"]; limit != 112 || samples["promptuary_connections_open"] > limit {
		t.Errorf("%v of %v connections are open, want at most 112", samples["promptuary_connections_open"], limit)
	}
	if samples["promptuary_connections_refused_total"] < 188 {
		t.Errorf("%v connections were refused, want at least 188", samples["promptuary_connections_refused_total"])
	}
}
