package guard_test

import (
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/guard"
)

func TestRunReturnsPanics(t *testing.T) {
	t.Parallel()
	before := guard.Panics()
	err := guard.Run("a test", func() error { panic("no way") })
	caught, ok := errors.AsType[*guard.Error](err)
	if !ok || caught.Value != "no way" || !strings.Contains(err.Error(), "a test: no way") {
		t.Errorf("got %v", err)
	}
	if guard.Panics() <= before {
		t.Error("the panic was not counted")
	}
	failed := errors.New("failed")
	for _, want := range []error{nil, failed} {
		if got := guard.Task("a test", func() error { return want })(); !errors.Is(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

func TestGoroutinesEndAlone(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	guard.Go("a test", func() {
		defer close(ended)
		var none []int
		_ = none[guard.Panics()]
	})
	<-ended
	guard.Func("a test", func() { panic(errors.New("ours")) })()
}

func TestLoopsStartAgain(t *testing.T) {
	t.Parallel()
	var runs atomic.Int64
	guard.Loop("a test", nil, func() {
		if runs.Add(1) < 3 {
			panic("again")
		}
	})()
	check.Equal(t, "runs", runs.Load(), 3)
	stop := make(chan struct{})
	close(stop)
	guard.Loop("a test", stop, func() { runs.Add(1); panic("stopped") })()
	check.Equal(t, "runs", runs.Load(), 4)
}

// TestStacksAreLogged is not parallel, because it replaces the default logger.
func TestStacksAreLogged(t *testing.T) {
	before := slog.Default()
	defer slog.SetDefault(before)
	var log strings.Builder
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	_ = guard.Run("test", func() error { panic("a mistake") })
	for _, part := range []string{"level=ERROR", "in=test", `panic="a mistake"`, "guard_test.go"} {
		if !strings.Contains(log.String(), part) {
			t.Errorf("the log lacks %s: %s", part, log.String())
		}
	}
}
