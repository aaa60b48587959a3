package run_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

const interrupted = "The server stopped while running this node. The step may have taken effect, so it was not repeated."

// waits returns a graph with a slow side effect and nodes before it, after it,
// in parallel, and joining both.
func (w *world) waits() string {
	return `{"nodes":[
		{"name":"before","node_type":"VARIABLE","configuration":{"value":"b"},"is_output_node":false},
		` + w.endpoint("first", "/first", "before") + `,
		` + w.endpoint("effect", "/wait/effect", "first") + `,
		{"name":"after","node_type":"COMPARE","configuration":{"sources":["effect","before"]},"is_output_node":false},
		{"name":"parallel","node_type":"VARIABLE","configuration":{"value":"c"},"dependencies":["first"],"is_output_node":false},
		{"name":"joined","node_type":"COALESCE","configuration":{"sources":["effect","parallel"]},"is_output_node":false},
		` + w.endpoint("last", "/last", "joined") + `]}`
}

var all = []string{"before", "first", "effect", "after", "parallel", "joined", "last"}

func TestActiveSideEffectIsNotRepeated(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		w := newWorld(t)
		l.create("w", w.waits())
		lost := l.process("lost")
		id := lost.start("w", `{}`)
		check.Next(t, w.begun)
		lost.life.end()
		l.clock.Advance(2 * time.Minute)
		result := l.process("another").done(id)
		close(w.release)
		for i, want := range []run.Status{run.Success, run.Success, run.Failed, run.Skipped, run.Success, run.Success, run.Success} {
			check.Equal(t, all[i], status(result, all[i]), want)
		}
		check.Equal(t, "message", message(result, "effect"), interrupted)
		for _, path := range []string{"/first", "/wait/effect", "/last"} {
			check.Equal(t, "calls of "+path, w.called(path), 1)
		}
		lost.stopNow() // its late results must have no effect
		check.Equal(t, "the result later", string(l.process("reader").result(id).Nodes), string(result.Nodes))
		check.Equal(t, "jobs", l.left(), 0)
	})
}

// A suspended process whose run was taken over must neither overwrite results
// nor start anything.
func TestSuspendedProcessWritesNothing(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		w := newWorld(t)
		l.create("w", w.waits())
		asleep := l.process("asleep")
		id := asleep.start("w", `{}`)
		check.Next(t, w.begun)
		l.clock.Advance(2 * time.Minute)
		result := l.process("another").done(id)
		close(w.release)
		asleep.jobs.Stop(l.ctx) // after its request has returned
		check.Equal(t, "message", message(result, "effect"), interrupted)
		check.Equal(t, "the result later", string(l.process("reader").result(id).Nodes), string(result.Nodes))
		for _, path := range []string{"/first", "/wait/effect", "/last"} {
			check.Equal(t, "calls of "+path, w.called(path), 1)
		}
		check.Equal(t, "jobs", l.left(), 0)
	})
}

func TestRunContinuesAfterGracefulStop(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		w := newWorld(t)
		l.create("w", w.waits())
		first := l.process("first")
		id := first.start("w", `{}`)
		check.Next(t, w.begun)
		stopped := make(chan struct{})
		go func() {
			first.jobs.Stop(access.AsSystem(context.Background()))
			close(stopped)
		}()
		close(w.release)
		check.Next(t, stopped)
		result := l.process("second").done(id)
		for _, name := range all {
			check.Equal(t, name, status(result, name), run.Success)
		}
		for _, path := range []string{"/first", "/wait/effect", "/last"} {
			check.Equal(t, "calls of "+path, w.called(path), 1)
		}
	})
}

func TestForcedStopInterruptsSideEffect(t *testing.T) {
	t.Parallel()
	l, w := onSQLite(t), newWorld(t)
	l.create("w", w.waits())
	first := l.process("first")
	id := first.start("w", `{}`)
	check.Next(t, w.begun)
	first.stopNow()
	result := l.process("second").done(id)
	check.Equal(t, "status", status(result, "effect"), run.Failed)
	check.Equal(t, "message", message(result, "effect"), interrupted)
	check.Equal(t, "joined", status(result, "joined"), run.Success)
	check.Equal(t, "calls", w.called("/wait/effect"), 1)
}

// Code can run again, so that a stop costs only time.
func TestCodeRunsAgainAfterStop(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	l.create("w", `{"nodes":[{"name":"code","node_type":"CODE_EXECUTION","configuration":{"code":"wait","language":"JAVASCRIPT"},"is_output_node":true}]}`)
	begun := make(chan struct{})
	first := l.process("first", withScripts(func(ctx context.Context, _ string) (string, error) {
		close(begun)
		<-ctx.Done()
		return "", errors.New("the worker was stopped")
	}))
	id := first.start("w", `{}`)
	check.Next(t, begun)
	first.stopNow()
	second := l.process("second", withScripts(func(context.Context, string) (string, error) { return `"again"`, nil }))
	check.Equal(t, "output", string(second.done(id).Body(false)), `"again"`)
}

// Interrupted steps run again after a process is lost, except those that may
// have taken effect.
func TestCodeRunsAgainAfterLoss(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		w := newWorld(t)
		l.create("w", nodes(code("code", "wait"), w.endpoint("effect", "/wait/effect"), variable("after", `1`, true, "code")))
		gone := make(chan struct{})
		lost := l.process("lost", withScripts(func(ctx context.Context, _ string) (string, error) {
			select {
			case <-gone:
			case <-ctx.Done():
			}
			return "", errors.New("the worker was lost")
		}))
		id := lost.start("w", `{}`)
		check.Next(t, w.begun)
		check.Eventually(t, "both are shown as running", func() bool {
			result := lost.result(id)
			return status(result, "code") == run.Running && status(result, "effect") == run.Running
		})
		check.Equal(t, "after", status(lost.result(id), "after"), run.Queued)
		lost.life.end()
		close(gone)
		l.clock.Advance(2 * time.Minute)
		second := l.process("second", withScripts(func(context.Context, string) (string, error) { return `"again"`, nil }))
		result := second.done(id)
		check.Equal(t, "code", string(node(result, "code").Get("value").Raw()), `"again"`)
		check.Equal(t, "after", status(result, "after"), run.Success)
		check.Equal(t, "effect", message(result, "effect"), interrupted)
		check.Equal(t, "calls", w.called("/wait/effect"), 1)
	})
}

// Nodes whose start could not be stored do not start.
func TestUnstoredNodesDoNotStart(t *testing.T) {
	t.Parallel()
	l, w := onSQLite(t), newWorld(t)
	l.create("w", w.waits())
	front := l.stoppedProcess()
	id := front.start("w", `{}`)
	first := l.process("first", func(s *setup) { s.life = &life{after: 2} }) // takes the job, then starts /first
	check.Eventually(t, "the process dies", first.life.over)
	first.stopNow()
	check.Equal(t, "calls", w.called("/first"), 0)
	close(w.release)
	l.clock.Advance(2 * time.Minute)
	result := l.process("second").done(id)
	check.Equal(t, "status", status(result, "last"), run.Success)
	check.Equal(t, "calls", w.called("/first"), 1)
}

// stoppedProcess returns a process that starts runs but executes none.
func (l *lab) stoppedProcess() *process {
	l.t.Helper()
	p := l.process("front")
	p.jobs.Stop(l.ctx)
	return p
}

// randomEffects returns a random graph of side effects, code, and dependent
// nodes.
func (w *world) randomEffects(random *rand.Rand, prefix string) (text string, names []string) {
	var nodes []string
	for i := range 2 + random.IntN(9) {
		name := fmt.Sprintf("n%d", i)
		var needs []string
		for range min(i, random.IntN(3)) {
			needs = append(needs, names[random.IntN(i)])
		}
		switch kind := random.IntN(7); {
		case kind == 0 && i >= 2:
			sources := quoted([]string{names[random.IntN(i)], names[random.IntN(i)]})
			nodes = append(nodes, fmt.Sprintf(`{"name":%q,"node_type":"COALESCE","configuration":{"sources":[%s]},"is_output_node":true}`, name, sources))
		case kind == 1:
			nodes = append(nodes, fmt.Sprintf(`{"name":%q,"node_type":"VARIABLE","configuration":{"value":%q},"dependencies":[%s],"is_output_node":false}`, name, name, quoted(needs)))
		case kind == 2:
			nodes = append(nodes, w.endpoint(name, "/fail/"+prefix+name, needs...))
		case kind == 3:
			name = fmt.Sprintf("code%d", i)
			nodes = append(nodes, fmt.Sprintf(`{"name":%q,"node_type":"CODE_EXECUTION","configuration":{"code":"x","language":"JAVASCRIPT"},"dependencies":[%s],"is_output_node":false}`, name, quoted(needs)))
		default:
			nodes = append(nodes, w.endpoint(name, "/"+prefix+name, needs...))
		}
		names = append(names, name)
	}
	nodes = append(nodes, `{"name":"out","node_type":"VARIABLE","configuration":{"value":1},"is_output_node":true}`)
	return `{"nodes":[` + strings.Join(nodes, ",") + `]}`, append(names, "out")
}

func TestProcessesDieAtAnyMoment(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		w := newWorld(t)
		front := l.stoppedProcess()
		cases := 100
		if testing.Short() {
			cases = 10
		}
		deaths := 0
		for seed := range cases {
			random := rand.New(rand.NewPCG(uint64(seed), 1))
			prefix := fmt.Sprintf("%d-", seed)
			text, names := w.randomEffects(random, prefix)
			l.create(prefix, text)
			id := front.start(prefix, `{}`)
			deaths += l.survive(random, front, id)
			w.checkEffects(t, front.result(id), prefix, names)
			if t.Failed() {
				t.Fatalf("seed %d: %s", seed, text)
			}
		}
		check.Equal(t, "jobs", l.left(), 0)
		t.Logf("%d runs went through %d deaths", cases, deaths)
	})
}

// survive lets processes die one after the other until the run ends, and
// returns their number.
func (l *lab) survive(random *rand.Rand, reader *process, id int64) (deaths int) {
	l.t.Helper()
	for !reader.result(id).Ended {
		mortality := &life{after: 1 + random.IntN(8), late: random.IntN(2) == 0}
		if deaths > 5 {
			mortality.after = 0
		}
		p := l.process(fmt.Sprintf("%d-%d", id, deaths), func(s *setup) { s.life = mortality },
			withScripts(func(context.Context, string) (string, error) { return `1`, nil }))
		check.Eventually(l.t, "the run ends or the process dies", func() bool { return mortality.over() || reader.result(id).Ended })
		mortality.end()
		p.stopNow()
		l.clock.Advance(2 * time.Minute)
		deaths++
	}
	return deaths
}

// checkEffects fails the test unless each side effect happened as often as the
// result says.
func (w *world) checkEffects(t *testing.T, result *run.Result, prefix string, names []string) {
	t.Helper()
	for _, name := range names {
		calls := w.called("/"+prefix+name) + w.called("/fail/"+prefix+name)
		isEffect := strings.Contains(node(result, name).Get("error_message").Str(), "status 500") ||
			strings.HasPrefix(node(result, name).Get("value").Str(), "/"+prefix+name)
		switch got := status(result, name); {
		case !got.Final():
			t.Errorf("%s is %s although the run ended", name, got)
		case got == run.Failed && strings.HasPrefix(name, "code"):
			t.Errorf("%s was not run again: %s", name, message(result, name))
		case calls > 1:
			t.Errorf("the side effect of %s happened %d times", name, calls)
		case got == run.Skipped && calls != 0:
			t.Errorf("%s was skipped, but its side effect happened", name)
		case got == run.Failed && !isEffect && message(result, name) != interrupted:
			t.Errorf("%s failed: %s", name, message(result, name))
		case isEffect && calls != 1:
			t.Errorf("%s succeeded, but its side effect happened %d times", name, calls)
		}
	}
}

func TestRunOfErasedWorkflowEnds(t *testing.T) {
	t.Parallel()
	l, w := onSQLite(t), newWorld(t)
	record := l.create("w", w.waits())
	front := l.stoppedProcess()
	front.start("w", `{}`)
	check.Must(l.catalog.Entities.RemoveEntities(l.ctx, l.workspace, []int64{record.Entity.ID}))(t)
	l.process("another")
	check.Eventually(t, "the job ends", func() bool { return l.left() == 0 })
}

func TestThousandConcurrentRuns(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	l.create("w", `{"nodes":[
		{"name":"a","node_type":"VARIABLE","configuration":{"value":"x"},"is_output_node":false},
		{"name":"b","node_type":"COMPARE","configuration":{"sources":["a","v"]},"is_output_node":true}],
		"required_input_variables":{"v":"string"}}`)
	p := l.process("a", func(s *setup) { s.jobs = jobsOf(s.jobs, 300) })
	const many = 1000
	ids := make(chan int64, many)
	for range 20 {
		go func() {
			for range many / 20 {
				started, err := p.Start(l.ctx, l.workspace, "w", run.Request{Inputs: check.JSON(`{"v":"x"}`)})
				if err != nil {
					t.Error(err)
				}
				ids <- started.RunID
			}
		}()
	}
	begun := make([]int64, 0, many)
	for range many {
		begun = append(begun, check.Next(t, ids))
	}
	check.Eventually(t, "all runs end", func() bool { return l.left() == 0 })
	for _, id := range begun {
		if got := string(p.result(id).Body(false)); got != "true" {
			t.Fatalf("run %d ended with %s", id, got)
		}
	}
}

func jobsOf(o job.Options, each int) job.Options {
	o.Each = each
	return o
}
