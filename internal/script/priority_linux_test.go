package script

import (
	"context"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/promptuary/promptuary/internal/check"
)

// nice returns the priority of a process.
func nice(t *testing.T, pid int) int {
	t.Helper()
	value, err := unix.Getpriority(unix.PRIO_PROCESS, pid)
	if err != nil {
		t.Fatal(err)
	}
	return 20 - value // as the system call returns it
}

func TestLongProgramsGetLowPriority(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Options{Concurrency: 1})
	value(t, r, js("1"))
	w := r.take()
	if got := nice(t, w.process.Process.Pid); got >= longRunNice {
		t.Fatalf("a new worker has the priority %d", got)
	}
	r.keep(w)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = r.Run(ctx, js("for (;;) {}")) // it is cancelled
	}()
	check.Eventually(t, "the priority is low", func() bool { return nice(t, w.process.Process.Pid) >= longRunNice })
	stop()
	<-ended
}

func TestWorkersWithLowPriorityAreNotReused(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Options{Limits: Limits{Time: time.Minute}})
	if got := value(t, r, js("const end = Date.now() + 2500; while (Date.now() < end) {} 1")); got != "1" {
		t.Errorf("got %s", got)
	}
	if w := r.take(); w != nil {
		t.Error("a worker with low priority is kept")
		r.keep(w)
	}
}
