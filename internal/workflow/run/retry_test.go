package run_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// retried returns the node with a number of retries.
func retried(node string, retries int) string {
	return strings.Replace(node, `"is_output_node"`, fmt.Sprintf(`"retries":%d,"is_output_node"`, retries), 1)
}

// retryAfter sets the wait before the first retry.
func retryAfter(wait time.Duration) func(*setup) {
	return func(s *setup) { s.options.RetryWait = wait }
}

func retries(result *run.Result, name string) int64 {
	count, _ := node(result, name).Get("retries").Int()
	return count
}

func TestRetries(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		w := newWorld(t)
		l.create("w", nodes(
			retried(w.endpoint("recovers", "/flaky/a"), 3), retried(w.endpoint("fails", "/fail/b"), 2), w.endpoint("once", "/fail/c"),
			retried(w.endpoint("fine", "/d"), 5), variable("after", `1`, true, "recovers"), variable("never", `1`, false, "fails")))
		result := l.process("a", retryAfter(time.Millisecond)).runs("w", `{}`)
		for _, want := range []struct {
			name    string
			status  run.Status
			path    string
			calls   int
			retries int64
		}{
			{"recovers", run.Success, "/flaky/a", 2, 1},
			{"fails", run.Failed, "/fail/b", 3, 2},
			{"once", run.Failed, "/fail/c", 1, 0},
			{"fine", run.Success, "/d", 1, 0},
			{"after", run.Success, "", 0, 0},
			{"never", run.Skipped, "", 0, 0},
		} {
			check.Equal(t, want.name, status(result, want.name), want.status)
			check.Equal(t, "calls of "+want.name, w.called(want.path), want.calls)
			check.Equal(t, "retries of "+want.name, retries(result, want.name), want.retries)
		}
		check.Equal(t, "message of success", node(result, "recovers").Get("error_message").Kind(), jsontree.Null)
		check.Equal(t, "message of failure", message(result, "fails") != "", true)
		check.Equal(t, "member of nodes without retries", node(result, "once").Get("retries").Kind(), jsontree.Absent)
	})
}

func TestRetriesOfNestedRuns(t *testing.T) {
	t.Parallel()
	l, w := onSQLite(t), newWorld(t)
	l.create("inner", nodes(retried(w.endpoint("x", "/flaky/inner"), 1)))
	l.create("failing", nodes(w.endpoint("x", "/fail/inner")))
	l.create("w", nodes(calls("nested", "inner", `{}`), retried(calls("again", "failing", `{}`), 1)))
	result := l.process("a", retryAfter(time.Millisecond)).runs("w", `{}`)
	check.Equal(t, "nested", status(result, "nested"), run.Success)
	check.Equal(t, "calls", w.called("/flaky/inner"), 2)
	check.Equal(t, "again", status(result, "again"), run.Failed)
	check.Equal(t, "calls of again", w.called("/fail/inner"), 2)
}

// TestRetryWaitsDouble checks the waits by the lower bound that a timer guarantees.
func TestRetryWaitsDouble(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	const wait = 20 * time.Millisecond
	var began []time.Time
	p := l.process("a", retryAfter(wait), withScripts(func(context.Context, string) (string, error) {
		began = append(began, time.Now())
		return "", &step.FailureError{Message: "no"}
	}))
	l.create("w", nodes(retried(code("a", "x"), 3)))
	check.Equal(t, "status", status(p.runs("w", `{}`), "a"), run.Failed)
	check.Equal(t, "attempts", len(began), 4)
	for i := range 3 {
		check.Equal(t, fmt.Sprintf("wait %d is long enough", i), began[i+1].Sub(began[i]) >= wait<<i, true)
	}
}

// waitingForRetry starts a run whose node fails and will not be tried again in the
// lifetime of the process.
func waitingForRetry(t *testing.T, l *lab, w *world, owner string) (*process, int64) {
	t.Helper()
	l.create("w", nodes(retried(w.endpoint("a", "/flaky/a"), 1), variable("b", `1`, true, "a")))
	p := l.process(owner, retryAfter(time.Hour))
	id := p.start("w", `{}`)
	check.Eventually(t, "the node waits for its retry", func() bool { return retries(p.result(id), "a") == 1 })
	waiting := p.result(id)
	check.Equal(t, "status", status(waiting, "a"), run.Queued)
	check.Equal(t, "message", message(waiting, "a") != "", true)
	check.Equal(t, "calls", w.called("/flaky/a"), 1)
	return p, id
}

// A side effect that has failed is known to be over, so that the retry of another
// process repeats nothing that is not meant to be.
func TestRetryAfterLostProcess(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		w := newWorld(t)
		lost, id := waitingForRetry(t, l, w, "lost")
		lost.life.end()
		l.clock.Advance(2 * time.Minute)
		result := l.process("another").done(id)
		check.Equal(t, "status", status(result, "a"), run.Success)
		check.Equal(t, "retries", retries(result, "a"), 1)
		check.Equal(t, "calls", w.called("/flaky/a"), 2)
		check.Equal(t, "b", status(result, "b"), run.Success)
		state := check.Must(l.catalog.Runs.RunNodes(l.ctx, id))(t)[0]
		check.Equal(t, "time of all attempts", state.EndedAt.Sub(*state.StartedAt), 2*time.Minute)
	})
}

func TestStopDoesNotWaitForRetries(t *testing.T) {
	t.Parallel()
	l, w := onSQLite(t), newWorld(t)
	first, id := waitingForRetry(t, l, w, "first")
	first.jobs.Stop(access.AsSystem(context.Background()))
	result := l.process("second").done(id)
	check.Equal(t, "status", status(result, "a"), run.Success)
	check.Equal(t, "calls", w.called("/flaky/a"), 2)
}

func TestCancelWhileWaitingForRetry(t *testing.T) {
	t.Parallel()
	l, w := onSQLite(t), newWorld(t)
	p, id := waitingForRetry(t, l, w, "a")
	check.Must(p.Cancel(l.ctx, l.workspace, id))(t)
	result := p.done(id)
	check.Equal(t, "status", status(result, "a"), run.Failed)
	check.Equal(t, "message", message(result, "a"), cancelled)
	check.Equal(t, "b", status(result, "b"), run.Skipped)
	check.Equal(t, "calls", w.called("/flaky/a"), 1)
}

// A failure of a program, and not only one of its step, is retried.
func TestRetryAfterPanic(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	count := 0
	p := l.process("a", retryAfter(time.Millisecond), withScripts(func(context.Context, string) (string, error) {
		switch count++; count {
		case 1:
			panic("oh")
		case 2:
			return "", errors.New("oh")
		default:
			return `1`, nil
		}
	}))
	l.create("w", nodes(retried(code("a", "x"), 2)))
	result := p.runs("w", `{}`)
	check.Equal(t, "status", status(result, "a"), run.Success)
	check.Equal(t, "retries", retries(result, "a"), 2)
}
