package step_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fair"
	"github.com/promptuary/promptuary/internal/step"
)

// onLargeTexts are configurations of all types that take turns, with their
// results for largeText.
var onLargeTexts = []struct{ typ, config, want string }{
	{"REGEX", `{"source":"s","pattern":"^<a>x"}`, `true`},
	{"REGEX_EXTRACTION", `{"source":"s","pattern":"<a>"}`, `["<a>"]`},
	{"REGEX_REPLACE", `{"source":"s","pattern":"x+","replacement":"y"}`, `"<a>y</a>"`},
	{"XML_PATH", `{"source":"s","xml_path":"count(/a)"}`, `"1"`},
}

var largeText = `{"s":"<a>` + strings.Repeat("x", 32<<10) + `</a>"}`

// turns returns an environment with a large text.
func turns(t *testing.T, queue *fair.Queue, workspace int64) *step.Env {
	t.Helper()
	return &step.Env{
		Values: valuesOf(t, largeText),
		Turn:   func(ctx context.Context) (func(), error) { return queue.Acquire(ctx, workspace) },
	}
}

// TestLargeTextsDoNotDelayOtherWorkspaces fills the slots of one workspace, with
// more waiting, and runs the steps of another.
func TestLargeTextsDoNotDelayOtherWorkspaces(t *testing.T) {
	t.Parallel()
	queue := fair.New(fair.Options{Slots: 3, Each: 2})
	for range 2 {
		end := check.Must(queue.Acquire(t.Context(), 1))(t)
		defer end()
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error)
	first := turns(t, queue, 1)
	for _, one := range onLargeTexts {
		prepared := mustPrepare(t, one.typ, one.config)
		go func() {
			_, err := prepared.Run(ctx, first)
			ended <- err
		}()
	}
	check.Eventually(t, "the steps wait", func() bool { return queue.Stats().Waiting == len(onLargeTexts) })
	// Without its own slots, the other workspace would wait forever.
	patient, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	second := turns(t, queue, 2)
	for _, one := range onLargeTexts {
		got, err := mustPrepare(t, one.typ, one.config).Run(patient, second)
		check.OK(t, err)
		check.Equal(t, one.typ, string(got.Compact()), one.want)
	}
	if stats := queue.Stats(); stats.Running != 2 || stats.Waiting != len(onLargeTexts) {
		t.Errorf("the turns of the first workspace have ended: %+v", stats)
	}
	stop()
	for range onLargeTexts {
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}

// TestRefusedTurns checks that a step says why it did not run.
func TestRefusedTurns(t *testing.T) {
	t.Parallel()
	env := turns(t, nil, 1)
	env.Turn = func(context.Context) (func(), error) { return nil, fair.ErrQuota }
	for _, one := range onLargeTexts {
		if _, err := mustPrepare(t, one.typ, one.config).Run(t.Context(), env); !errors.Is(err, fair.ErrQuota) {
			t.Errorf("%s: got %v", one.typ, err)
		}
	}
}
