package run

import (
	"fmt"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

// Edges of earlier versions may have conditions that read nodes that wait for
// their target. No run may wait forever, and each condition always reads the
// same: null on a cycle, and the value elsewhere.
func TestCirclesOfConditionsAreBroken(t *testing.T) {
	t.Parallel()
	node := func(name, dependencies string) string {
		return fmt.Sprintf(`{"name":%q,"node_type":"VARIABLE","configuration":{"value":1},"dependencies":[%s],"is_output_node":true}`, name, dependencies)
	}
	edge := func(source, target, read, operator string) string {
		return fmt.Sprintf(`{"source_node_name":%q,"target_node_name":%q,"is_and":true,"conditionals":[
			{"position":0,"operator":%q,"left_config":{"source":%q},"right_config":{}}]}`, source, target, operator, read)
	}
	tests := map[string]struct{ nodes, edges []string }{
		"the target itself": {
			[]string{node("a", ""), node("t", `"a"`)},
			[]string{edge("a", "t", "t", "is_null")},
		},
		"each other": {
			[]string{node("t", `"a"`), node("u", `"a"`), node("a", "")},
			[]string{edge("a", "t", "u", "is_null"), edge("a", "u", "t", "is_null")},
		},
		"a node that waits for others": {
			[]string{node("v", `"a"`), node("t", `"a"`), node("u", `"a"`), node("a", "")},
			[]string{edge("a", "v", "t", "is_not_null"), edge("a", "t", "u", "is_null"), edge("a", "u", "t", "is_null")},
		},
		"a dependency on the circle": {
			[]string{node("t", `"u","a"`), node("x", `"t"`), node("u", `"a"`), node("aside", ""), node("a", "")},
			[]string{edge("a", "u", "x", "is_null"), edge("u", "t", "u", "is_not_null"), edge("a", "t", "aside", "is_not_null")},
		},
		"a node after a dependency": {
			[]string{node("t", `"u"`), node("x", `"t"`), node("u", "")},
			[]string{edge("u", "t", "x", "is_null")},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newExecution(compiledOf(t, test.nodes, test.edges...), jsontree.Value{}, step.Env{}, unrecorded{}, nil, time.Now, nil)
			check.OK(t, x.drive(access.AsSystem(t.Context())))
			for _, state := range x.states {
				check.Equal(t, x.graph.nodes[state.Position].name, state.Status, Success)
			}
		})
	}
}
