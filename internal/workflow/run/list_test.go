package run_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// listed returns the statuses of the runs of a workflow, newest first.
func (p *process) listed(name string, status run.Status) []run.Status {
	p.lab.t.Helper()
	found, total, err := p.List(p.lab.ctx, p.lab.workspace, name, run.ListQuery{Status: status, Page: entity.Page{Limit: 10}})
	check.Must(0, err)(p.lab.t)
	check.Equal(p.lab.t, "total", total, int64(len(found)))
	statuses := []run.Status{}
	for _, one := range found {
		statuses = append(statuses, one.Status)
	}
	return statuses
}

func sameStatuses(t *testing.T, what string, got []run.Status, want ...run.Status) {
	t.Helper()
	if diff := cmp.Diff(append([]run.Status{}, want...), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestListRuns(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		w := newWorld(t)
		p := l.process("a")
		l.create("good", nodes(variable("a", `1`, true)))
		l.create("bad", nodes(variable("x", `"?"`, false),
			`{"name":"a","node_type":"PARSE_VALUE","configuration":{"source":"x","type":"number"},"dependencies":["x"],"is_output_node":true}`))
		l.create("slow", nodes(variable("done", `1`, true), w.endpoint("waits", "/wait/a")))
		p.done(p.start("good", `{}`))
		p.done(p.start("bad", `{}`))
		sameStatuses(t, "a run with an output", p.listed("good", ""), run.Success)
		sameStatuses(t, "one that did not", p.listed("bad", ""), run.Failed)

		id := p.start("slow", `{}`)
		check.Next(t, w.begun)
		sameStatuses(t, "an active run", p.listed("slow", ""), run.Running)
		live := p.result(id)
		check.Equal(t, "ended", live.Ended, false)
		check.Equal(t, "a node of an active run", status(live, "waits"), run.Running)
		check.Must(p.Cancel(l.ctx, l.workspace, id))(t)
		p.done(id)
		sameStatuses(t, "one that was cancelled after an output", p.listed("slow", ""), run.Cancelled)
		sameStatuses(t, "no active run", p.listed("slow", run.Running))
	})
}

func TestListRunsOfUnknownWorkflow(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	p := l.process("a")
	l.create("w", nodes(variable("a", `1`, true)))
	p.done(p.start("w", `{}`))
	for name, workspace := range map[string]int64{"nothing": l.workspace, "w": l.other} {
		_, _, err := p.List(l.ctx, workspace, name, run.ListQuery{})
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("%s of the workspace %d: got %v, want a NotFound fault", name, workspace, err)
		}
	}
}

func TestListShowsInputs(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	p := l.process("a")
	l.create("w", nodes(variable("a", `1`, true)))
	began := l.clock.Now()
	id := p.start("w", `{ "x" : 1.50 }`)
	p.done(id)
	found, _, err := p.List(l.ctx, l.workspace, "w", run.ListQuery{Status: run.Success})
	check.Must(0, err)(t)
	check.Equal(t, "runs", len(found), 1)
	check.Equal(t, "inputs", string(found[0].Inputs.Raw()), `{ "x" : 1.50 }`)
	check.Equal(t, "version", found[0].VersionNumber, int64(1))
	check.Equal(t, "id", found[0].ID, id)
	check.Equal(t, "started", found[0].CreatedAt.Equal(began), true)
	check.Equal(t, "ended", found[0].EndedAt.Sub(began) >= time.Duration(0), true)
}
