package query

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/reqlog"
)

func TestParseFilterPromptNames(t *testing.T) {
	t.Parallel()
	name := func(op Op, texts ...string) Cond { return Cond{Field: FieldPrompt, Op: op, Texts: texts} }
	id := func(op Op, ids ...int64) Cond { return Cond{Field: FieldPromptID, Op: op, IDs: ids} }
	version := func(op Op, n float64) Cond {
		return Cond{Field: FieldPromptVersion, Op: op, Numbers: []float64{n}}
	}
	cases := []struct {
		name, op, value string
		want            Node
	}{
		{"name", "is", `"welcome"`, name(OpIs, "welcome")},
		{"not a name", "is_not", `"welcome"`, name(OpIsNot, "welcome")},
		{"names", "in", `["a","b"]`, name(OpIn, "a", "b")},
		{"signed digits are a name", "is", `"-5"`, name(OpIs, "-5")},
		{"name like SQL", "is", `"x' OR 1=1 --"`, name(OpIs, "x' OR 1=1 --")},
		{"pinned", "is", `"my prompt v12"`, Group{Any: true, Nodes: []Node{
			name(OpIs, "my prompt v12"),
			Group{Nodes: []Node{name(OpIs, "my prompt"), version(OpEq, 12)}},
		}}},
		{"not pinned", "is_not", `"a v2"`, Group{Nodes: []Node{
			name(OpIsNot, "a v2"),
			Group{Any: true, Nodes: []Node{name(OpIsNot, "a"), version(OpNeq, 2)}},
		}}},
		{"mixed", "in", `[7,"a v2","8","b"]`, Group{Any: true, Nodes: []Node{
			id(OpIn, 7, 8), name(OpIn, "a v2", "b"),
			Group{Nodes: []Node{name(OpIs, "a"), version(OpEq, 2)}},
		}}},
		{"none of mixed", "not_in", `[7,"b"]`, Group{Nodes: []Node{id(OpNotIn, 7), name(OpNotIn, "b")}}},
		{"version without a name", "is", `" v2"`, name(OpIs, " v2")},
		{"no version", "is", `"a v"`, name(OpIs, "a v")},
		{"no space", "is", `"a-v2"`, name(OpIs, "a-v2")},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := parseFilterText(t, oneFilter(`"field":"prompt_id","operator":"`+c.op+`","value":`+c.value), "")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// namedPrompts is a registry of names that records its lookups.
type namedPrompts struct {
	reqlog.NoPrompts
	ids   map[string][]int64
	err   error
	asked [][]string
}

func (p *namedPrompts) IDs(_ context.Context, workspace int64, names []string) (map[string][]int64, error) {
	if workspace != 3 {
		return nil, errors.New("another workspace was asked")
	}
	p.asked = append(p.asked, names)
	return p.ids, p.err
}

func TestResolveFilter(t *testing.T) {
	t.Parallel()
	filter := Group{Nodes: []Node{
		Cond{Field: FieldEngine, Op: OpIs, Texts: []string{"gpt"}},
		Cond{Field: FieldPrompt, Op: OpIs, Texts: []string{"b"}},
		Cond{Field: FieldUserID, Op: OpIsNot, Texts: []string{"u1"}},
		Group{Any: true, Nodes: []Node{
			Cond{Field: FieldPrompt, Op: OpIn, Texts: []string{"a", "gone", "b"}},
			Cond{Field: FieldPrompt, Op: OpIs, Texts: []string{"gone"}},
			Cond{Field: FieldPrompt, Op: OpNotIn, Texts: []string{"gone"}},
			Cond{Field: FieldPrompt, Op: OpIs, Texts: []string{"twice"}},
			Cond{Field: FieldPrompt, Op: OpIsNot, Texts: []string{"twice"}},
			Cond{Field: FieldPrompt, Op: OpIn, Texts: []string{"twice", "a"}},
			Cond{Field: FieldUserID, Op: OpIs, Texts: []string{"u1"}},
			Cond{Field: FieldUserID, Op: OpIn, Texts: []string{"u1", "u2"}},
			Cond{Field: FieldUserID, Op: OpNotIn, Texts: []string{"u1"}},
		}},
	}}
	prompts := &namedPrompts{ids: map[string][]int64{"a": {11}, "b": {12}, "twice": {15, 9}}}
	got, err := Resolve(t.Context(), 3, filter, prompts, namedKeys)
	if err != nil {
		t.Fatal(err)
	}
	want := Group{Nodes: []Node{
		Cond{Field: FieldEngine, Op: OpIs, Texts: []string{"gpt"}},
		Cond{Field: FieldPromptID, Op: OpIs, IDs: []int64{12}},
		Cond{Field: FieldMetadata, Op: OpKeyNotEquals, Key: "user_id", Texts: []string{"u1"}},
		Group{Any: true, Nodes: []Node{
			Cond{Field: FieldPromptID, Op: OpIn, IDs: []int64{11, 12}},
			Cond{Field: FieldPromptID, Op: OpIs, IDs: []int64{-1}},
			Cond{Field: FieldPromptID, Op: OpNotIn, IDs: []int64{-1}},
			Cond{Field: FieldPromptID, Op: OpIn, IDs: []int64{15, 9}},
			Cond{Field: FieldPromptID, Op: OpNotIn, IDs: []int64{15, 9}},
			Cond{Field: FieldPromptID, Op: OpIn, IDs: []int64{15, 9, 11}},
			Cond{Field: FieldMetadata, Op: OpKeyEquals, Key: "user_id", Texts: []string{"u1"}},
			Cond{Field: FieldMetadata, Op: OpIn, Key: "user_id", Texts: []string{"u1", "u2"}},
			Cond{Field: FieldMetadata, Op: OpNotIn, Key: "user_id", Texts: []string{"u1"}},
		}},
	}}
	if diff := cmp.Diff(Node(want), got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([][]string{{"a", "b", "gone", "twice"}}, prompts.asked); diff != "" {
		t.Errorf("lookups -want +got:\n%s", diff)
	}
	if filter.Nodes[1].(Cond).Field != FieldPrompt {
		t.Error("the filter was changed in place")
	}
}

func TestResolveFilterWithoutNames(t *testing.T) {
	t.Parallel()
	prompts := &namedPrompts{err: errors.New("must not be asked")}
	for _, filter := range []Node{nil, Cond{Field: FieldPromptID, Op: OpIs, IDs: []int64{1}}} {
		got, err := Resolve(t.Context(), 3, filter, prompts, namedKeys)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(filter, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

func TestResolveFilterFailsWithoutCatalog(t *testing.T) {
	t.Parallel()
	down := errors.New("catalog is down")
	prompts := &namedPrompts{err: down}
	_, err := Resolve(t.Context(), 3, Cond{Field: FieldPrompt, Op: OpIs, Texts: []string{"a"}}, prompts, namedKeys)
	if !errors.Is(err, down) {
		t.Errorf("got %v, want it to wrap %v", err, down)
	}
}

// namedKeys has two API keys with the same name.
func namedKeys(_ context.Context, workspace int64) (map[int64]string, error) {
	if workspace != 3 {
		return nil, errors.New("keys of another workspace")
	}
	return map[int64]string{5: "prod", 6: "prod", 7: "test"}, nil
}

func TestResolveKeyNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		op    Op
		names []string
		want  Cond
	}{
		{OpIs, []string{"test"}, Cond{Field: FieldAPIKeyID, Op: OpIs, IDs: []int64{7}}},
		{OpIs, []string{"prod"}, Cond{Field: FieldAPIKeyID, Op: OpIn, IDs: []int64{5, 6}}},
		{OpIsNot, []string{"prod"}, Cond{Field: FieldAPIKeyID, Op: OpNotIn, IDs: []int64{5, 6}}},
		{OpIn, []string{"nobody"}, Cond{Field: FieldAPIKeyID, Op: OpIn, IDs: []int64{noID}}},
	} {
		got, err := Resolve(t.Context(), 3, Cond{Field: FieldAPIKey, Op: c.op, Texts: c.names}, reqlog.NoPrompts{}, namedKeys)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(Node(c.want), got); diff != "" {
			t.Errorf("%s %v (-want +got):\n%s", c.op, c.names, diff)
		}
	}
}
