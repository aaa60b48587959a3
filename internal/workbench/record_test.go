package workbench_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
)

const greeting = `{"template":{"name":"greet"}}`

// TestCallsAreLoggedWithoutPermission runs a step for a caller that may not
// write logs.
func TestCallsAreLoggedWithoutPermission(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.greet()
	caller := viewer(w.home.Workspace)
	ctx := access.WithCaller(t.Context(), caller)
	check.Must(w.runWithin(ctx, w.home, "PROMPT_TEMPLATE", greeting, `{"name":"Ann"}`))(t)
	check.Equal(t, "caller", *w.asked.Load(), caller)
	check.Equal(t, "logs", len(w.logged(w.home)), 1)
}

// TestCallsThatAreGivenUpAreLogged cancels a step while the model answers.
func TestCallsThatAreGivenUpAreLogged(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.greet()
	ctx, cancel := context.WithCancel(access.AsSystem(t.Context()))
	w.provider.before = func(r *http.Request) {
		cancel()
		<-r.Context().Done() // An answer would come in time now and then.
	}
	_, err := w.runWithin(ctx, w.home, "PROMPT_TEMPLATE", greeting, `{"name":"Ann"}`)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("failed with %v", err)
	}
	log := w.onlyLog(w.home)
	check.Equal(t, "outcome", []string{log.Status, log.ErrorType, log.ErrorMessage}, []string{reqlog.StatusError, "UNKNOWN_ERROR", "The call was cancelled"})
}

func TestPromptsThatAreDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	id := w.greet()
	w.provider.before = func(*http.Request) {
		if _, err := w.catalog.Entities.SoftDelete(access.AsSystem(context.Background()), w.home.Workspace, []int64{id}); err != nil {
			t.Error(err)
		}
	}
	check.Equal(t, "value", w.value(w.home, "PROMPT_TEMPLATE", greeting, `{"name":"Ann"}`), `"Greet Ann!"`)
	if log := w.onlyLog(w.home); log.Prompt != nil {
		t.Errorf("linked to %d", log.Prompt.ID)
	}
}

func TestBusyLogsAreWaitedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.greet()
	w.store.err = fault.Busy(time.Millisecond, nil, "the disk is slow")
	w.store.left.Store(3)
	w.value(w.home, "PROMPT_TEMPLATE", greeting, `{"name":"Ann"}`)
	check.Equal(t, "model", w.onlyLog(w.home).Engine, "gpt-4o-mini")
}

// TestAnAnswerIsNotLostWithItsLog shows that a step continues when its call
// cannot be logged, and that somebody is told.
func TestAnAnswerIsNotLostWithItsLog(t *testing.T) {
	t.Parallel()
	var told bytes.Buffer
	w := newWorld(t, settings{logger: slog.New(slog.NewTextHandler(&told, nil))})
	w.greet()
	w.store.err = fault.New(fault.Unavailable, "the disk is full")
	w.store.left.Store(1)
	check.Equal(t, "value", w.value(w.home, "PROMPT_TEMPLATE", greeting, `{"name":"Ann"}`), `"Greet Ann!"`)
	check.Equal(t, "logs", len(w.logged(w.home)), 0)
	if line := told.String(); !strings.Contains(line, "the disk is full") || !strings.Contains(line, "model=gpt-4o-mini") {
		t.Errorf("the operator was told %q", line)
	}
}
