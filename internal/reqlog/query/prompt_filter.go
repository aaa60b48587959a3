package query

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/promptuary/promptuary/internal/ascii"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// pinnedName is the name of a template with a version: "welcome v3".
var pinnedName = regexp.MustCompile(`(?s)^(.+) v([0-9]{1,9})$`)

// hasPromptName reports whether a value for prompt_id is the name of a
// template.
func hasPromptName(values []jsontree.Value) bool {
	return slices.ContainsFunc(values, isPromptName)
}

func isPromptName(v jsontree.Value) bool { return v.Str() != "" && !ascii.IsDigits(v.Str()) }

// promptNode returns the condition on prompt_id if some of its values are
// names. A name that ends with a version may be the whole name or select the
// version, so both are tried; each selected version counts as a condition.
func (p *filterParser) promptNode(op Op, values []jsontree.Value) (Node, error) {
	negative := op.Spec().Negates != ""
	ids, names := Cond{Field: FieldPromptID, Op: op}, Cond{Field: FieldPrompt, Op: op}
	var pins []Node
	for _, v := range values {
		if !isPromptName(v) {
			if err := ids.addID(v); err != nil {
				return nil, err
			}
			continue
		}
		names.Texts = append(names.Texts, v.Str())
		if name, version, ok := pinned(v.Str()); ok {
			if err := p.addLeaf(); err != nil {
				return nil, err
			}
			pins = append(pins, pinNode(name, version, negative))
		}
	}
	nodes := []Node{names}
	if len(ids.IDs) > 0 {
		nodes = []Node{ids, names}
	}
	return joinNodes(Group{Any: !negative}, append(nodes, pins...)), nil
}

func pinned(text string) (name string, version float64, ok bool) {
	parts := pinnedName.FindStringSubmatch(text)
	if parts == nil {
		return "", 0, false
	}
	version, err := strconv.ParseFloat(parts[2], 64)
	return parts[1], version, err == nil
}

// pinNode matches one version of the template, or all but that one.
func pinNode(name string, version float64, negative bool) Node {
	nameOp, versionOp := OpIs, OpEq
	if negative {
		nameOp, versionOp = OpIsNot, OpNeq
	}
	return Group{Any: negative, Nodes: []Node{
		Cond{Field: FieldPrompt, Op: nameOp, Texts: []string{name}},
		Cond{Field: FieldPromptVersion, Op: versionOp, Numbers: []float64{version}},
	}}
}
