package workflow_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/workflow"
)

// chance makes random graphs and patches. They are small and their names few,
// so that what happens to one node often concerns another.
type chance struct{ *rand.Rand }

func (c chance) oneIn(n int) bool { return c.IntN(n) == 0 }

// name is mostly that of a node, seldom that of a variable or of nothing.
func (c chance) name() string {
	switch {
	case c.oneIn(40):
		return "nothing"
	case c.oneIn(6):
		return []string{"v", "w"}[c.IntN(2)]
	}
	return string(rune('a' + c.IntN(7)))
}

func (c chance) nodeName() string {
	if c.oneIn(60) {
		return "v"
	}
	return string(rune('a' + c.IntN(7)))
}

func (c chance) nodeType() string {
	if c.oneIn(40) {
		return "NONE"
	}
	return []string{"VARIABLE", "JOIN"}[c.IntN(4)/3]
}

// needs are names that come before the node's in the alphabet, so that cycles
// are possible but not the rule.
func (c chance) needs(name string) []string {
	needs := []string{}
	for range c.IntN(3) {
		switch needed := c.name(); {
		case c.oneIn(15):
			needs = append(needs, needed)
		case needed < name:
			needs = append(needs, needed)
		case c.oneIn(2):
			needs = append(needs, "v")
		}
	}
	return needs
}

func (c chance) config(name string) map[string]any {
	config := map[string]any{}
	for range c.IntN(3) {
		config[c.key()] = c.value(0)
	}
	if !c.oneIn(8) {
		sources := []any{}
		for _, source := range c.needs(name) {
			sources = append(sources, source)
		}
		config["sources"] = sources
	}
	return config
}

func (c chance) key() string { return string(rune('k' + c.IntN(3))) }

func (c chance) value(depth int) any {
	switch c.IntN(7 - min(depth, 3)) {
	case 0:
		return float64(c.IntN(10)) / 4
	case 1:
		return nil
	case 2:
		return []string{"", "x", "ü\n"}[c.IntN(3)]
	case 3:
		return []any{c.IntN(2) == 0}
	default:
		object := map[string]any{}
		for range c.IntN(3) {
			object[c.key()] = c.value(depth + 1)
		}
		return object
	}
}

func (c chance) edges(m model) []modelEdge {
	edges := []modelEdge{}
	for _, n := range m.Nodes {
		for _, needed := range n.Needs {
			if m.has(needed) && c.oneIn(2) || c.oneIn(40) {
				edges = append(edges, modelEdge{From: needed, To: n.Name, Value: c.IntN(100)})
			}
		}
	}
	if c.oneIn(10) {
		edges = append(edges, modelEdge{From: c.nodeName(), To: c.nodeName()})
	}
	return edges
}

func (c chance) variables() []modelVariable {
	all := []modelVariable{{"v", "string"}, {"w", "number"}}
	if c.oneIn(3) {
		all = all[:c.IntN(3)]
	}
	return all
}

func (c chance) patch(m model) modelPatch {
	var p modelPatch
	for range c.IntN(4) {
		name := c.nodeName()
		if slices.ContainsFunc(p.Nodes, func(other modelChange) bool { return other.Name == name }) {
			continue
		}
		p.Nodes = append(p.Nodes, c.change(name, m.has(name)))
	}
	if p.HasEdges = c.oneIn(5); p.HasEdges {
		after, _ := m.apply(p)
		p.Edges = c.edges(after)
	}
	if p.HasVariables = c.oneIn(8); p.HasVariables {
		p.Variables = c.variables()
	}
	return p
}

func (c chance) change(name string, exists bool) modelChange {
	change := modelChange{Name: name}
	if c.oneIn(5) {
		change.Remove = true
		return change
	}
	if kind := c.nodeType(); c.oneIn(3) || !exists && !c.oneIn(15) {
		change.Type = &kind
	}
	if c.oneIn(2) || !exists && !c.oneIn(15) {
		change.Config = c.config(name)
	}
	if c.oneIn(2) {
		change.Needs = c.needs(name)
	}
	if outputs := !c.oneIn(4); c.oneIn(2) {
		change.Outputs = &outputs
	}
	return change
}

// first is a graph to start from; not all are right.
func (c chance) first() modelPatch {
	p := modelPatch{HasVariables: true, Variables: c.variables(), HasEdges: true}
	for i := range 1 + c.IntN(6) {
		name := string(rune('a' + i))
		kind, outputs := c.nodeType(), c.oneIn(2)
		p.Nodes = append(p.Nodes, modelChange{Name: name, Type: &kind, Config: c.config(name), Needs: c.needs(name), Outputs: &outputs})
	}
	after, _ := model{}.apply(p)
	p.Edges = c.edges(after)
	return p
}

// text is the patch as a request.
func (p modelPatch) text() string {
	var parts, nodes []string
	for _, c := range p.Nodes {
		nodes = append(nodes, encoded(c.Name)+":"+c.text())
	}
	parts = append(parts, `"nodes":{`+strings.Join(nodes, ",")+`}`)
	if p.HasEdges {
		parts = append(parts, `"edges":[`+many(len(p.Edges), func(i int) string { return p.Edges[i].text() })+`]`)
	}
	if p.HasVariables {
		parts = append(parts, `"required_input_variables":{`+many(len(p.Variables), func(i int) string {
			return encoded(p.Variables[i].Name) + ":" + encoded(p.Variables[i].Type)
		})+`}`)
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func (c modelChange) text() string {
	if c.Remove {
		return "null"
	}
	object := map[string]any{"node_type": c.Type, "is_output_node": c.Outputs}
	if c.Config != nil {
		object["configuration"] = c.Config
	}
	if c.Needs != nil {
		object["dependencies"] = c.Needs
	}
	return encoded(object)
}

func (e modelEdge) text() string {
	return fmt.Sprintf(`{"source_node_name":%s,"target_node_name":%s,"is_and":true,"conditionals":[
		{"position":0,"operator":"=","left_config":{"source":%s},"right_config":{"static_value":%d}}]}`,
		encoded(e.From), encoded(e.To), encoded(e.From), e.Value)
}

func encoded(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// judge compares what happened with what the model says should have.
func judge(t *testing.T, got workflow.Definition, err error, want model, wrong []string) {
	t.Helper()
	if len(wrong) == 0 {
		must(0, err)(t)
		if has := modelOf(got); has.String() != want.String() {
			t.Fatalf("result (-model +package):\n%s", cmp.Diff(want, has, cmpopts.EquateEmpty()))
		}
		return
	}
	var f *fault.Error
	if !errors.As(err, &f) || f.Kind != fault.BadRequest {
		t.Fatalf("got %v, want one of %q", err, wrong)
	}
	cycle, isCycle := strings.CutPrefix(f.Message, cycleMessage)
	if isCycle && !want.isCycle(cycle) || !isCycle && !slices.Contains(wrong, f.Message) {
		t.Fatalf("got %q, want one of %q", f.Message, wrong)
	}
}

// TestPatchesOfRandomGraphs compares thousands of patches with the model, each
// on the result of the last that was right.
func TestPatchesOfRandomGraphs(t *testing.T) {
	t.Parallel()
	const graphs, patches = 600, 40
	accepted, refusedFor := 0, map[string]int{}
	for seed := range uint64(graphs) {
		c := chance{rand.New(rand.NewPCG(seed, 2026))}
		var current workflow.Definition
		var now model
		for step := range patches {
			p := c.patch(now)
			if step == 0 {
				p = c.first()
			}
			after, wrong := now.apply(p)
			changes := change(t, p.text())
			got, err := current.Apply(changes)
			if err == nil {
				err = got.Check(simpleTypes{}, !changes.HasEdges)
			}
			judge(t, got, err, after, wrong)
			if len(wrong) == 0 {
				current, now = got, after
				accepted++
			} else {
				refusedFor[strings.Fields(err.Error())[0]]++
			}
		}
	}
	t.Logf("%d patches of %d graphs: %d accepted, refused by the first word of the message: %v", graphs*patches, graphs, accepted, refusedFor)
	if accepted < graphs*patches/4 || len(refusedFor) < 5 {
		t.Error("the patches are not what the test needs")
	}
}

// TestVersionsOfRandomPatches patches a stored workflow from any of its
// versions. At the end every version says what the model says.
func TestVersionsOfRandomPatches(t *testing.T) {
	t.Parallel()
	const patches = 120
	r := onSQLite(t)
	c := chance{rand.New(rand.NewPCG(7, 2026))}
	r.create("w", one)
	versions := []model{modelOf(define(t, one))}
	for range patches {
		base := c.IntN(len(versions) + 1) // 0 is the latest
		from := versions[len(versions)-1]
		if base > 0 {
			from = versions[base-1]
		}
		p := c.patch(from)
		after, wrong := from.apply(p)
		record, err := r.Patch(r.ctx, r.workspace, "w", workflow.Patch{Base: int64(base), Changes: change(t, p.text())})
		if err != nil {
			judge(t, workflow.Definition{}, err, after, wrong)
			continue
		}
		judge(t, record.Definition, nil, after, wrong)
		versions = append(versions, after)
		equal(t, "number", record.Version.Number, int64(len(versions)))
		if base > 0 {
			equal(t, "base", record.Base, int64(base))
		}
	}
	if len(versions) < patches/4 {
		t.Errorf("only %d patches were accepted", len(versions)-1)
	}
	ids := map[string]bool{}
	for i, want := range versions {
		got := r.get("w", workflow.Version{Number: int64(i + 1)}).Definition
		judge(t, got, nil, want, nil)
		for _, n := range got.Nodes {
			ids[n.ID] = true
		}
		for _, e := range got.Edges {
			ids[e.ID] = true
		}
	}
	total := 0
	for _, m := range versions {
		total += len(m.Nodes) + len(m.Edges)
	}
	equal(t, "different ids", len(ids), total)
}
