package e2e

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"
)

// TestFullQueue sends far more logs than the queue holds.
func TestFullQueue(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := start(t, data, "--queue-logs", "2")
	idle := peakMemory(t, p)
	l, refused := overload(t, p, 64, 40, 128<<10)
	// Usually about 180 MB, mostly DuckDB and the words of the newest logs;
	// more on a busy machine.
	checkGrowth(t, p, idle, 400<<20)
	if got := metrics(t, p)["promptuary_ingest_refused_logs_total"]; got != float64(refused) {
		t.Errorf("%v logs are counted as refused, want %d", got, refused)
	}
	p.stop()
	if err := l.verify(start(t, data).client); err != nil {
		t.Errorf("after a start: %v", err)
	}
}

// TestLargeBodies sends large bodies, which take memory before they reach the
// queue.
func TestLargeBodies(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir(), "--body-memory", "32MB")
	idle := peakMemory(t, p)
	overload(t, p, 40, 2, 8<<20)
	// Without the limit on bodies it takes 1,500 MB.
	checkGrowth(t, p, idle, 800<<20)
}

// overload logs from many clients until some are refused, checks that nothing
// acknowledged is missing, and returns the number of refused logs.
func overload(t *testing.T, p *program, clients, calls, size int) (l *ledger, refused int64) {
	t.Helper()
	l = &ledger{}
	padding := strings.Repeat("word ", size/5)
	var turnedAway atomic.Int64
	var group errgroup.Group
	for range clients {
		group.Go(func() error {
			for range calls {
				stored, err := l.try(p.client, l.draw(padding))
				if err != nil {
					return err
				}
				if !stored {
					turnedAway.Add(1)
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	refused = turnedAway.Load()
	t.Logf("%d logs of %d KB accepted, %d refused", len(l.known), size>>10, refused)
	if refused == 0 || len(l.known) == 0 {
		t.Errorf("%d logs were accepted and %d refused, want some of both", len(l.known), refused)
	}
	if err := l.checkTotals(p.client); err != nil {
		t.Error(err)
	}
	return l, refused
}

// checkGrowth checks that the peak memory of the server exceeds its memory
// before the load by no more than allowed. The memory before is mostly the
// program file, which does not matter here.
func checkGrowth(t *testing.T, p *program, before, allowed int64) {
	t.Helper()
	growth := peakMemory(t, p) - before
	t.Logf("at most %d MB of memory in addition to %d MB", growth>>20, before>>20)
	if growth > allowed {
		t.Errorf("the load took %d MB, want at most %d", growth>>20, allowed>>20)
	}
}

// peakMemory returns the peak memory of the server.
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
