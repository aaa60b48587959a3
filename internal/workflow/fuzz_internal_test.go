package workflow

import (
	"bytes"
	"testing"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// FuzzBodies reads any text as a workflow and as a patch of it. Whatever is
// accepted can be stored and read back unchanged.
func FuzzBodies(f *testing.F) {
	for _, seed := range []string{
		`{"nodes":[{"name":"a","node_type":"VARIABLE","configuration":{"value":1},"is_output_node":true}],"edges":[],"required_input_variables":{"v":"string"}}`,
		`{"nodes":[{"name":"a","node_type":"VARIABLE","configuration":{"value":{"k":[1]}},"is_output_node":true},{"name":"b\u0022","node_type":"COALESCE","configuration":{"sources":["a","v"]},"is_output_node":false,"dependencies":["a"]}],"edges":[{"source_node_name":"a","target_node_name":"b\u0022","is_and":true,"conditionals":[{"position":0,"operator":"in","left_config":{"source":"a"},"right_config":{"static_value":[]}}]}],"required_input_variables":{"v":"string"}}`,
		`{"nodes":[],"edges":[],"required_input_variables":{}}`,
	} {
		f.Add(seed, `{"a":{"configuration":{"value":{"k":null}},"is_output_node":true},"c":{"node_type":"VARIABLE","configuration":{"value":""}}}`)
		f.Add(seed, `{"a":null,"b\"":{"dependencies":[]}}`)
	}
	f.Fuzz(func(t *testing.T, text, patch string) {
		body, err := jsontree.Parse([]byte(text))
		if err != nil {
			return
		}
		var problems fault.Problems
		base := Definition{
			Nodes: ReadNodes(body.Get("nodes"), nil, &problems), Edges: ReadEdges(body.Get("edges"), nil, &problems),
			Variables: ReadVariables(body.Get("required_input_variables"), nil, &problems),
		}
		if problems.Any() || base.Check(StepTypes{}, false) != nil {
			return
		}
		checkStored(t, base)
		change, err := jsontree.Parse([]byte(`{"nodes":` + patch + `}`))
		if err != nil {
			return
		}
		changes := Changes{Nodes: ReadNodeChanges(change.Get("nodes"), nil, &problems)}
		if problems.Any() {
			return
		}
		changed, err := base.Apply(changes)
		if err == nil && changed.Check(StepTypes{}, true) == nil {
			checkStored(t, changed)
		}
	})
}

func checkStored(t *testing.T, d Definition) {
	t.Helper()
	named := d.withIDs(RandomID)
	stored := named.encode()
	read, err := decode(&entity.Version{Body: stored})
	if err != nil {
		t.Fatal(err)
	}
	if again := read.encode(); !bytes.Equal(again, stored) {
		t.Errorf("stored\n%s\nread\n%s", stored, again)
	}
}
