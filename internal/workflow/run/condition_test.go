package run_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/workflow"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// onCondition returns an edge that compares a value with a text.
func onCondition(source, target, read, operator, text string) string {
	return fmt.Sprintf(`{"source_node_name":%q,"target_node_name":%q,"is_and":true,"conditionals":[
		{"position":0,"operator":%q,"left_config":{"source":%q},"right_config":{"static_value":%q}}]}`, source, target, operator, read, text)
}

func withEdges(graph string, edges ...string) string {
	return strings.TrimSuffix(graph, "}") + `,"edges":[` + strings.Join(edges, ",") + `]}`
}

// Values are final before a condition reads them, even if the target does not
// depend on them.
func TestTargetWaitsForConditions(t *testing.T) {
	t.Parallel()
	l, w := onSQLite(t), newWorld(t)
	p := l.process("a")
	l.create("w", withEdges(nodes(variable("a", `1`, false), w.endpoint("slow", "/wait/slow"), variable("t", `1`, true, "a")),
		onCondition("a", "t", "slow", "=", "/wait/slow")))
	id := p.start("w", `{}`)
	check.Next(t, w.begun)
	check.Equal(t, "meanwhile", status(p.result(id), "t"), run.Queued)
	close(w.release)
	check.Equal(t, "at the end", status(p.done(id), "t"), run.Success)
}

// A failed node that the target does not depend on reads as null.
func TestConditionOnFailedNodeReadsNull(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	p := l.process("a")
	for operator, want := range map[string]run.Status{"is_null": run.Success, "is_not_null": run.Skipped} {
		l.create(operator, withEdges(nodes(
			variable("t", `1`, true, "a"), variable("u", `1`, true, "a"), variable("a", `1`, false), variable("skipped", `1`, false, "failed"), human("failed", false)),
			onCondition("a", "t", "failed", operator, ""), onCondition("a", "u", "skipped", operator, "")))
		result := p.runs(operator, `{"failed":1,"skipped":1}`)
		for name, want := range map[string]run.Status{"failed": run.Failed, "skipped": run.Skipped, "t": want, "u": want} {
			check.Equal(t, name+" "+operator, status(result, name), want)
		}
	}
}

// After a patch, a node that a condition reads may wait for the target. Then
// the condition reads null.
func TestConditionOnLaterNodeReadsNull(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	p := l.process("a")
	for operator, want := range map[string]run.Status{"is_null": run.Success, "is_not_null": run.Skipped} {
		l.create(operator, withEdges(nodes(variable("a", `1`, false), variable("t", `1`, true, "a"), variable("later", `1`, false)),
			onCondition("a", "t", "later", operator, "")))
		l.patch(operator, `{"later":{"dependencies":["t"]}}`)
		result := p.runs(operator, `{"later":1}`)
		check.Equal(t, "t "+operator, status(result, "t"), want)
		check.Equal(t, "later "+operator, status(result, "later"), want)
	}
}

// patch changes nodes of a workflow.
func (l *lab) patch(name, changes string) {
	l.t.Helper()
	var problems fault.Problems
	patch := workflow.Patch{Changes: workflow.Changes{Nodes: workflow.ReadNodeChanges(check.JSON(changes), nil, &problems)}}
	check.OK(l.t, problems.Err())
	check.Must(l.workflows.Patch(l.ctx, l.workspace, name, patch))(l.t)
}
