package script

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
)

// TestEndlessLoopsDoNotDelayOtherWorkspaces fills the slots of one workspace,
// with more waiting, and runs the code of another.
func TestEndlessLoopsDoNotDelayOtherWorkspaces(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Options{Concurrency: 2, Limits: Limits{Time: time.Hour}})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	const loops = 20
	for range loops {
		go func() {
			_, err := r.Run(ctx, Program{Workspace: 1, Language: JavaScript, Code: "for (;;) {}"})
			ended <- err
		}()
	}
	check.Eventually(t, "the loops run and wait", func() bool {
		stats := r.Queue().Stats()
		return stats.Running == 2 && stats.Waiting == loops-2
	})
	for i := range 10 {
		p := js(fmt.Sprint(i))
		p.Workspace = 2
		if got := value(t, r, p); got != fmt.Sprint(i) {
			t.Errorf("got %s", got)
		}
	}
	if stats := r.Queue().Stats(); stats.Running != 2 || stats.Waiting != loops-2 {
		t.Errorf("the loops have ended: %+v", stats)
	}
	stop()
	for range loops {
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
	if stats := r.Queue().Stats(); stats.Running != 0 || stats.Waiting != 0 || stats.Workspaces != 0 {
		t.Errorf("left behind: %+v", stats)
	}
}
