package run_test

import (
	"context"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// dryRun starts a dry run and returns its id.
func (p *process) dryRun(name, text, inputs string) int64 {
	p.lab.t.Helper()
	request := run.DryRequest{Definition: p.lab.definition(text), Inputs: check.JSON(inputs)}
	return check.Must(p.DryRun(p.lab.ctx, p.lab.workspace, name, request))(p.lab.t).RunID
}

func TestDryRunMakesNoVersion(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		l.create("w", nodes(variable("a", `1`, true)))
		p := l.process("a")
		normal := p.start("w", `{}`)
		dry := p.dryRun("w", nodes(variable("a", `2`, false), variable("b", `3`, true, "a")), `{}`)
		check.Equal(t, "output of the version", string(p.done(normal).Body(false)), `1`)
		check.Equal(t, "output of the edits", string(p.done(dry).Body(false)), `3`)
		_, versions, err := l.workflows.ListVersions(l.ctx, l.workspace, "w", entity.Page{})
		check.Equal(t, "versions", check.Must(versions, err)(t), int64(1))
		check.Equal(t, "a later run", string(p.runs("w", `{}`).Body(false)), `1`)

		listed, definition, err := p.Get(l.ctx, l.workspace, dry)
		check.Must(0, err)(t)
		check.Equal(t, "is a dry run", listed.DryRun, true)
		check.Equal(t, "base", listed.VersionNumber, int64(1))
		check.Equal(t, "status", listed.Status, run.Success)
		check.Equal(t, "nodes", len(definition.Nodes), 2)
		byID := check.Must(p.Result(l.ctx, l.workspace, dry, nil, &definition.Nodes[1].ID))(t)
		check.Equal(t, "node by id", string(byID.Nodes), `{"b":`+string(node(p.result(dry), "b").Raw())+`}`)
		_, _, err = p.Get(l.ctx, l.other, dry)
		check.Refused(t, err, fault.NotFound, "Workflow execution not found")
		_, total, err := p.List(l.ctx, l.workspace, "w", run.ListQuery{})
		check.Equal(t, "listed runs", check.Must(total, err)(t), int64(2))
	})
}

// Another process continues a dry run with its own definition.
func TestDryRunSurvives(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		w := newWorld(t)
		l.create("w", nodes(variable("other", `1`, true)))
		lost := l.process("lost")
		id := lost.dryRun("w", w.waits(), `{}`)
		check.Next(t, w.begun)
		lost.life.end()
		l.clock.Advance(2 * time.Minute)
		result := l.process("another").done(id)
		close(w.release)
		check.Equal(t, "effect", message(result, "effect"), interrupted)
		check.Equal(t, "last", status(result, "last"), run.Success)
		check.Equal(t, "calls", w.called("/wait/effect"), 1)
		check.Equal(t, "jobs", l.left(), 0)
	})
}

func TestDryRunIsCancelled(t *testing.T) {
	l, w := onSQLite(t), newWorld(t)
	l.create("w", nodes(variable("other", `1`, true)))
	p := l.process("a")
	id := p.dryRun("w", nodes(w.endpoint("running", "/wait/a")), `{}`)
	check.Next(t, w.begun)
	check.Must(p.Cancel(l.ctx, l.workspace, id))(t)
	check.Equal(t, "message", message(p.done(id), "running"), cancelled)
}

// The steps of a dry run, also in nested workflows, know that it is one.
func TestStepsOfDryRuns(t *testing.T) {
	l := onSQLite(t)
	l.create("inner", nodes(code("x", "1")))
	l.create("w", nodes(code("x", "1")))
	scopes := make(chan run.Scope, 10)
	p := l.process("a", func(s *setup) { s.seen = func(scope run.Scope) { scopes <- scope } },
		withScripts(func(context.Context, string) (string, error) { return `1`, nil }))
	p.done(p.dryRun("w", nodes(calls("nested", "inner", `{}`)), `{}`))
	for range 2 {
		check.Equal(t, "dry", check.Next(t, scopes).DryRun, true)
	}
	p.done(p.start("w", `{}`))
	check.Equal(t, "dry", check.Next(t, scopes).DryRun, false)
}

func TestDryRunRefused(t *testing.T) {
	l := onSQLite(t)
	l.create("w", nodes(variable("a", `1`, true)))
	p := l.process("a")
	const forbidden = "You do not have permission to do this: it needs "
	both := access.SetOf(access.WorkflowEdit, access.WorkflowRun)
	good := nodes(variable("a", `1`, true))
	for name, test := range map[string]struct {
		workflow string
		base     int64
		nodes    string
		may      access.Permissions
		kind     fault.Kind
		message  string
	}{
		"unknown workflow": {"x", 0, good, both, fault.NotFound, "Workflow not found"},
		"unknown base":     {"w", 2, good, both, fault.NotFound, "Version not found"},
		"no output node":   {"w", 1, nodes(variable("a", `1`, false)), both, fault.BadRequest, "At least one node must be an output node"},
		"may not edit":     {"w", 0, good, access.SetOf(access.WorkflowRun), fault.Forbidden, forbidden + "WORKFLOW_EDIT"},
		"may not run":      {"w", 0, good, access.SetOf(access.WorkflowEdit), fault.Forbidden, forbidden + "WORKFLOW_RUN"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := access.WithCaller(l.ctx, access.Caller{Permissions: test.may})
			_, err := p.DryRun(ctx, l.workspace, test.workflow, run.DryRequest{Base: test.base, Definition: l.definition(test.nodes)})
			check.Refused(t, err, test.kind, test.message)
		})
	}
	_, total, err := p.List(l.ctx, l.workspace, "w", run.ListQuery{DryRuns: run.WithDryRuns})
	check.Equal(t, "runs", check.Must(total, err)(t), int64(0))
}
