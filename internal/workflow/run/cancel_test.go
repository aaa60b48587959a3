package run_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

const cancelled = "The run was cancelled"

func TestCancelActiveRun(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		w := newWorld(t)
		l.create("inner", nodes(w.endpoint("x", "/wait/inner")))
		l.create("w", nodes(
			variable("done", `1`, true), w.endpoint("running", "/wait/a"), calls("nested", "inner", `{}`),
			code("code", "wait"), variable("never", `1`, true, "running")))
		p := l.process("a", withScripts(func(ctx context.Context, _ string) (string, error) {
			w.begun <- "code"
			<-ctx.Done()
			return "", ctx.Err()
		}))
		id := p.start("w", `{}`)
		for range 3 {
			check.Next(t, w.begun)
		}
		check.Must(p.Cancel(l.ctx, l.workspace, id))(t)
		result := p.done(id)
		for name, want := range map[string]run.Status{
			"done": run.Success, "running": run.Failed, "nested": run.Failed, "code": run.Failed, "never": run.Skipped,
		} {
			check.Equal(t, name, status(result, name), want)
			if want != run.Success {
				check.Equal(t, name+"'s message", message(result, name), cancelled)
			}
		}
		check.Equal(t, "output", string(result.Body(false)), `1`)
		check.Equal(t, "jobs", l.left(), 0)
	})
}

func code(name, text string) string {
	return fmt.Sprintf(`{"name":%q,"node_type":"CODE_EXECUTION","configuration":{"code":%q,"language":"JAVASCRIPT"},"is_output_node":true}`, name, text)
}

func TestCancelQueuedRun(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		w := newWorld(t)
		l.create("w", nodes(w.endpoint("a", "/a"), variable("b", `1`, true)))
		front := l.stoppedProcess()
		id := front.start("w", `{}`)
		check.Must(front.Cancel(l.ctx, l.workspace, id))(t)
		result := l.process("a").done(id)
		for _, name := range []string{"a", "b"} {
			check.Equal(t, name, status(result, name), run.Skipped)
			check.Equal(t, name+"'s message", message(result, name), cancelled)
		}
		check.Equal(t, "calls", w.called("/a"), 0)
		check.Equal(t, "jobs", l.left(), 0)
	})
}

func TestCancelEndedRun(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	p := l.process("a")
	l.create("w", nodes(variable("a", `1`, true)))
	id := p.start("w", `{}`)
	before := p.done(id)
	found := check.Must(p.Cancel(l.ctx, l.workspace, id))(t)
	check.Equal(t, "ended", found.EndedAt != nil, true)
	check.Equal(t, "nodes", string(p.result(id).Nodes), string(before.Nodes))
}

// TestCancelSurvivesLostProcess checks that another process ends a run if a
// process is lost after the run was cancelled.
func TestCancelSurvivesLostProcess(t *testing.T) {
	t.Parallel()
	l, w := onSQLite(t), newWorld(t)
	l.create("w", nodes(w.endpoint("a", "/wait/a"), variable("b", `1`, true, "a")))
	lost := l.process("lost")
	id := lost.start("w", `{}`)
	check.Next(t, w.begun)
	lost.life.end()
	another := l.process("another")
	check.Must(another.Cancel(l.ctx, l.workspace, id))(t)
	l.clock.Advance(2 * time.Minute)
	result := another.done(id)
	check.Equal(t, "a", message(result, "a"), interrupted)
	check.Equal(t, "b", status(result, "b"), run.Skipped)
	check.Equal(t, "calls", w.called("/wait/a"), 1)
}
