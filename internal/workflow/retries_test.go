package workflow_test

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/workflow"
)

func TestRetriesOfNodes(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.create("w", `{"nodes":[{"name":"a","node_type":"JOIN","configuration":{"sources":[]},"retries":3,"is_output_node":true}]}`)
	stored := func() int { return r.get("w", registry.Selector{}).Content.Nodes[0].Retries }
	check.Equal(t, "created", stored(), 3)
	r.patch("w", `{"nodes":{"a":{"is_output_node":true}}}`)
	check.Equal(t, "kept", stored(), 3)
	r.patch("w", `{"nodes":{"a":{"retries":5}}}`)
	check.Equal(t, "changed", stored(), 5)
	r.patch("w", `{"nodes":{"a":{"retries":null}}}`)
	check.Equal(t, "null keeps them", stored(), 5)
	r.patch("w", `{"nodes":{"b":{"node_type":"JOIN","configuration":{"sources":[]},"retries":2}}}`)
	check.Equal(t, "new", r.get("w", registry.Selector{}).Content.Nodes[1].Retries, 2)
	r.unchanged(func() {
		_, err := r.Patch(r.ctx, r.workspace, "w", workflow.Patch{Changes: change(t, `{"nodes":{"a":{"node_type":"VARIABLE"}}}`)})
		check.Refused(t, err, fault.BadRequest, "Node 'a' cannot have retries: nodes of type VARIABLE fail again with the same values")
	})
	r.patch("w", `{"nodes":{"a":{"retries":0,"node_type":"VARIABLE"}}}`)
	check.Equal(t, "none", stored(), 0)
	for _, wrong := range []string{`-1`, `6`, `1.5`, `"1"`, `[]`} {
		var problems fault.Problems
		workflow.ReadNodes(check.JSON(`[{"name":"a","node_type":"JOIN","configuration":{},"is_output_node":true,"retries":`+wrong+`}]`), nil, &problems)
		check.Equal(t, wrong, problems.Err() != nil, true)
	}
}
