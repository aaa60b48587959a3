package e2e

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"
)

const (
	overloadClients = 64
	overloadCalls   = 40
	overloadBody    = 128 << 10
	// overloadMemory is less than what all calls bring together.
	overloadMemory = 300 << 20
)

// TestFullQueue sends far more than the queue holds.
func TestFullQueue(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := start(t, data, "--queue-logs", "2")
	l := &ledger{}
	padding := strings.Repeat("word ", overloadBody/5)
	var refused atomic.Int64
	var clients errgroup.Group
	for range overloadClients {
		clients.Go(func() error {
			for range overloadCalls {
				r := l.draw(padding)
				a, err := p.call(http.MethodPost, "/log-request", r.body())
				if err != nil {
					return err
				}
				if a.status == http.StatusCreated {
					answer, err := decode[created](a)
					if err != nil {
						return err
					}
					l.acknowledge(r, answer.ID)
					continue
				}
				if err := checkBusy(a); err != nil {
					return err
				}
				l.drop(r)
				refused.Add(1)
			}
			return nil
		})
	}
	if err := clients.Wait(); err != nil {
		t.Fatal(err)
	}
	peak := peakMemory(t, p)
	t.Logf("%d logs accepted, %d refused, at most %d MB of memory", len(l.known), refused.Load(), peak>>20)
	if refused.Load() == 0 || len(l.known) == 0 {
		t.Errorf("%d logs were accepted and %d refused, want some of both", len(l.known), refused.Load())
	}
	if peak > overloadMemory {
		t.Errorf("the program took %d MB, want at most %d", peak>>20, overloadMemory>>20)
	}
	if got := metrics(t, p)["promptuary_ingest_refused_logs_total"]; got != float64(refused.Load()) {
		t.Errorf("%v logs are counted as refused, want %d", got, refused.Load())
	}
	if err := l.checkTotals(p.client); err != nil {
		t.Error(err)
	}
	p.stop()
	if err := l.verify(start(t, data).client); err != nil {
		t.Errorf("after a start: %v", err)
	}
}

// peakMemory returns the most memory that the program ever had.
func peakMemory(t *testing.T, p *program) int64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		var kilobytes int64
		if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &kilobytes); err == nil {
			return kilobytes << 10
		}
	}
	t.Fatalf("no peak in:\n%s", status)
	return 0
}
