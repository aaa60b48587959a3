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

// takeTurns are configurations of all types that take turns, with their results for
// the texts.
var takeTurns = []struct{ typ, config, want string }{
	{"REGEX", `{"source":"s","pattern":"^<a>x"}`, `true`},
	{"REGEX_EXTRACTION", `{"source":"s","pattern":"<a>"}`, `["<a>"]`},
	{"REGEX_REPLACE", `{"source":"s","pattern":"x+","replacement":"y"}`, `"<a>y</a>"`},
	{"XML_PATH", `{"source":"s","xml_path":"count(/a)"}`, `"1"`},
}

// sizes are sizes of texts. Few letters are enough for a slow expression.
var sizes = map[string]int{"small": 10, "large": 32 << 10}

// turns returns an environment with a text.
func turns(t *testing.T, size int, queue *fair.Queue, workspace int64) *step.Env {
	t.Helper()
	return &step.Env{
		Values: valuesOf(t, `{"s":"<a>`+strings.Repeat("x", size)+`</a>"}`),
		Turn:   func(ctx context.Context) (func(), error) { return queue.Acquire(ctx, workspace) },
	}
}

func TestTextsDoNotDelayOtherWorkspaces(t *testing.T) {
	t.Parallel()
	for name, size := range sizes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkTurns(t, size)
		})
	}
}

// checkTurns fills the slots of one workspace, with more waiting, and runs the steps
// of another.
func checkTurns(t *testing.T, size int) {
	t.Helper()
	queue := fair.New(fair.Options{Slots: 3, Each: 2})
	for range 2 {
		end := check.Must(queue.Acquire(t.Context(), 1))(t)
		defer end()
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error)
	first := turns(t, size, queue, 1)
	for _, one := range takeTurns {
		prepared := mustPrepare(t, one.typ, one.config)
		go func() {
			_, err := prepared.Run(ctx, first)
			ended <- err
		}()
	}
	check.Eventually(t, "the steps wait", func() bool { return queue.Stats().Waiting == len(takeTurns) })
	// Without its own slots, the other workspace would wait forever.
	patient, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	second := turns(t, size, queue, 2)
	for _, one := range takeTurns {
		got, err := mustPrepare(t, one.typ, one.config).Run(patient, second)
		check.OK(t, err)
		check.Equal(t, one.typ, string(got.Compact()), one.want)
	}
	if stats := queue.Stats(); stats.Running != 2 || stats.Waiting != len(takeTurns) {
		t.Errorf("the turns of the first workspace have ended: %+v", stats)
	}
	stop()
	for range takeTurns {
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}

// TestRefusedTurns checks that a step says why it did not run.
func TestRefusedTurns(t *testing.T) {
	t.Parallel()
	env := turns(t, 1, nil, 1)
	env.Turn = func(context.Context) (func(), error) { return nil, fair.ErrQuota }
	for _, one := range takeTurns {
		if _, err := mustPrepare(t, one.typ, one.config).Run(t.Context(), env); !errors.Is(err, fair.ErrQuota) {
			t.Errorf("%s: got %v", one.typ, err)
		}
	}
}
