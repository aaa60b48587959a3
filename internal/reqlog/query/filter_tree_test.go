package query

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

const (
	engineA = `{"field":"engine","operator":"is","value":"a"}`
	engineB = `{"field":"engine","operator":"is","value":"b"}`
	isJSON  = `{"field":"is_json","operator":"is_true"}`
)

func TestParseFilterGroups(t *testing.T) {
	t.Parallel()
	a := Cond{Field: FieldEngine, Op: OpIs, Texts: []string{"a"}}
	b := Cond{Field: FieldEngine, Op: OpIs, Texts: []string{"b"}}
	c := Cond{Field: FieldIsJSON, Op: OpIsTrue}
	cases := []struct {
		name, group, flat string
		want              Node
	}{
		{"absent", "", "", nil},
		{"null", "null", "null", nil},
		{"empty", `{"filters":[]}`, "[]", nil},
		{"empty OR", `{"logic":"OR","filters":[]}`, "", nil},
		{"AND by default", `{"filters":[` + engineA + `,` + isJSON + `]}`, "", Group{Nodes: []Node{a, c}}},
		{"logic null", `{"logic":null,"filters":[` + engineA + `,` + isJSON + `]}`, "", Group{Nodes: []Node{a, c}}},
		{"OR", `{"logic":"OR","filters":[` + engineA + `,` + engineB + `]}`, "", Group{Any: true, Nodes: []Node{a, b}}},
		{"OR inside AND", `{"logic":"AND","filters":[` + isJSON + `,{"logic":"OR","filters":[` + engineA + `,` + engineB + `]}]}`, "",
			Group{Nodes: []Node{c, Group{Any: true, Nodes: []Node{a, b}}}}},
		{"group of one", `{"logic":"OR","filters":[{"filters":[` + engineA + `]}]}`, "", a},
		{"empty group inside AND", `{"filters":[{"filters":[]},` + engineA + `]}`, "", a},
		{"empty group inside OR", `{"logic":"OR","filters":[{"filters":[]},` + engineA + `]}`, "", nil},
		{"flat list", "", `[` + engineA + `,` + isJSON + `]`, Group{Nodes: []Node{a, c}}},
		{"both", `{"logic":"OR","filters":[` + engineA + `,` + engineB + `]}`, `[` + isJSON + `]`,
			Group{Nodes: []Node{Group{Any: true, Nodes: []Node{a, b}}, c}}},
		{"unknown members", `{"x":1,"filters":[{"y":2,"field":"engine","operator":"is","value":"a"}]}`, "", a},
		{"null with a field", `{"filters":[{"filters":null,"field":"engine","operator":"is","value":"a"}]}`, "", a},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := parseFilterText(t, c.group, c.flat)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// nestedGroups returns a filter inside of depth groups.
func nestedGroups(depth int, inner string) string {
	return strings.Repeat(`{"filters":[`, depth) + inner + strings.Repeat(`]}`, depth)
}

// repeated returns n copies joined by commas.
func repeated(text string, n int) string {
	return strings.TrimSuffix(strings.Repeat(text+",", n), ",")
}

func TestParseFilterLimits(t *testing.T) {
	t.Parallel()
	list := func(n int) string {
		return `{"field":"tags","operator":"in","value":[` + repeated(`"x"`, n) + `]}`
	}
	long := func(n int) string {
		return `{"field":"input_text","operator":"contains","value":"` + strings.Repeat("x", n-2) + `"}`
	}
	pins := func(n int) string {
		return `{"field":"prompt_id","operator":"in","value":[` + repeated(`"a v1"`, n) + `]}`
	}
	key := `{"field":"metadata","operator":"is_empty","nested_key":"` + strings.Repeat("k", maxOperandBytes) + `"}`
	cases := []struct{ name, group, flat, want string }{
		{"deepest", nestedGroups(20, engineA), "", ""},
		{"too deep", nestedGroups(21, engineA), "", "deeper than 20"},
		{"too deep without filters", nestedGroups(21, ""), "", "deeper than 20"},
		{"very deep", nestedGroups(90, ""), "", "deeper than 20"},
		{"most conditions", `{"filters":[` + repeated(engineA, 500) + `]}`, "", ""},
		{"too many conditions", `{"filters":[` + repeated(engineA, 501) + `]}`, "", "at most 500 conditions"},
		{"too many together", `{"filters":[` + repeated(engineA, 250) + `]}`, "[" + repeated(engineA, 251) + "]", "at most 500 conditions"},
		{"longest list", nestedGroups(1, list(1000)), "", ""},
		{"list too long", nestedGroups(1, list(1001)), "", "longer than 1000 values"},
		{"most values", nestedGroups(1, repeated(list(1000), 10)), "", ""},
		{"too many values", nestedGroups(1, repeated(list(1000), 10)+","+engineA), "", "at most 10000 values"},
		{"most bytes", nestedGroups(1, long(maxOperandBytes)), "", ""},
		{"too many bytes", nestedGroups(1, repeated(long(maxOperandBytes/2+1), 2)), "", "bytes"},
		{"key too long", nestedGroups(1, key), "", "bytes"},
		{"most pinned prompts", nestedGroups(1, pins(499)), "", ""},
		{"too many pinned prompts", nestedGroups(1, pins(500)), "", "at most 500 conditions"},
		{"empty groups cost nothing", nestedGroups(1, repeated(`{"filters":[]}`, 10_000)), "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := parseFilterText(t, c.group, c.flat)
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			wantRefused(t, err, c.want)
			if len(err.Error()) > 200 {
				t.Errorf("message of %d bytes", len(err.Error()))
			}
		})
	}
}

func FuzzParseFilter(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `{}`, `[]`, `{"filters":[]}`, nestedGroups(21, engineA),
		`{"logic":"OR","filters":[` + engineA + `,{"filters":[` + isJSON + `]}]}`,
		oneFilter(`"field":"cost","operator":"between","value":[1,"2"]`),
		oneFilter(`"field":"prompt_id","operator":"not_in","value":[1,"welcome v2","x"]`),
		oneFilter(`"field":"metadata","operator":"in","nested_key":"a.b","value":[1,true,"x"]`),
		oneFilter(`"field":"request_start_time","operator":"between","value":["2026-01-01",1e10]`),
		oneFilter(`"field":"user_intent","operator":"is","value":"CURIOUS"`),
		oneFilter(`"field":"status","operator":"is","value":"\ud800"`),
	} {
		f.Add([]byte(seed), []byte(seed))
		f.Add([]byte(seed), []byte(`[`+seed+`]`))
	}
	f.Fuzz(func(t *testing.T, group, flat []byte) {
		// Invalid JSON never reaches the filter parser.
		g, _ := jsontree.Parse(group)
		l, _ := jsontree.Parse(flat)
		node, err := ParseFilter(g, l)
		if err != nil {
			if !fault.Is(err, fault.BadRequest) || node != nil {
				t.Fatalf("got %v with %v", node, err)
			}
			return
		}
		if node == nil {
			return
		}
		// Each name and pinned version may become one condition.
		if leaves, depth := measureTree(t, node); leaves > 4*maxFilterLeaves || depth > maxFilterDepth+4 {
			t.Fatalf("%d leaves, %d levels", leaves, depth)
		}
	})
}

// measureTree counts the leaves and levels of a filter and fails if a condition
// breaks the guarantees to engines.
func measureTree(t *testing.T, node Node) (leaves, depth int) {
	t.Helper()
	group, ok := node.(Group)
	if !ok {
		wantSoundCond(t, node.(Cond))
		return 1, 0
	}
	if len(group.Nodes) < 2 {
		t.Fatalf("group of %d", len(group.Nodes))
	}
	for _, child := range group.Nodes {
		l, d := measureTree(t, child)
		leaves += l
		depth = max(depth, d+1)
	}
	return leaves, depth
}

func wantSoundCond(t *testing.T, c Cond) {
	t.Helper()
	typ := c.Field.Type()
	if !slices.Contains(typ.Operators(), c.Op) {
		t.Fatalf("unsound operator: %+v", c)
	}
	count := len(c.Texts) + len(c.IDs) + len(c.Numbers) + len(c.Times)
	wrong := map[Arity]bool{
		ArityNone: count != 0, ArityOne: count != 1, ArityPair: count != 2, ArityList: count < 1 || count > maxListValues,
	}
	if wrong[c.Op.Spec().Arity] || typ.HasKeys() != (c.Key != "") {
		t.Fatalf("unsound operands: %s", fmt.Sprintf("%+v", c))
	}
}
