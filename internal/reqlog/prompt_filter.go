package reqlog

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// noPromptID is an id that no prompt has. A condition that compares with it
// behaves as one that names an unknown prompt must, without a special case:
// positive operators match nothing, negative ones everything.
const noPromptID = -1

// pinnedName is a template's name with a version: "welcome v3".
var pinnedName = regexp.MustCompile(`(?s)^(.+) v([0-9]{1,9})$`)

// hasPromptName reports whether a value for prompt_id is a template's name.
func hasPromptName(values []jsontree.Value) bool {
	return slices.ContainsFunc(values, isPromptName)
}

func isPromptName(v jsontree.Value) bool { return v.Str() != "" && !isDigits(v.Str()) }

// promptNode is a condition on prompt_id of whose values some are names. A
// name that ends like a version may be a name as a whole or pin the version,
// so both are tried; each pinned version counts as a condition.
func (p *filterParser) promptNode(op Op, values []jsontree.Value) (Node, error) {
	negative := op == OpIsNot || op == OpNotIn
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
	return joinNodes(!negative, append(nodes, pins...)), nil
}

func pinned(text string) (name string, version float64, ok bool) {
	parts := pinnedName.FindStringSubmatch(text)
	if parts == nil {
		return "", 0, false
	}
	version, err := strconv.ParseFloat(parts[2], 64)
	return parts[1], version, err == nil
}

// pinNode is true for one version of the template, or for all but that one.
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

// resolvePromptNames replaces the conditions on the names of prompts by
// conditions on their ids, with at most one lookup. It leaves filter as it is.
func resolvePromptNames(ctx context.Context, workspace int64, filter Node, prompts Prompts) (Node, error) {
	names := promptNames(filter, nil)
	if len(names) == 0 {
		return filter, nil
	}
	slices.Sort(names)
	ids, err := prompts.IDs(ctx, workspace, slices.Compact(names))
	if err != nil {
		return nil, fmt.Errorf("resolve prompt names of a filter: %w", err)
	}
	return withPromptIDs(filter, ids), nil
}

// promptNames appends the names that the filter's conditions hold.
func promptNames(filter Node, names []string) []string {
	switch n := filter.(type) {
	case Cond:
		if n.Field == FieldPrompt {
			names = append(names, n.Texts...)
		}
	case Group:
		for _, child := range n.Nodes {
			names = promptNames(child, names)
		}
	}
	return names
}

func withPromptIDs(filter Node, ids map[string]int64) Node {
	switch n := filter.(type) {
	case Cond:
		if n.Field == FieldPrompt {
			return Cond{Field: FieldPromptID, Op: n.Op, IDs: knownIDs(n.Texts, ids)}
		}
	case Group:
		nodes := make([]Node, len(n.Nodes))
		for i, child := range n.Nodes {
			nodes[i] = withPromptIDs(child, ids)
		}
		return Group{Any: n.Any, Nodes: nodes}
	}
	return filter
}

// knownIDs returns the ids of the names, never none.
func knownIDs(names []string, ids map[string]int64) []int64 {
	var known []int64
	for _, name := range names {
		if id, ok := ids[name]; ok {
			known = append(known, id)
		}
	}
	if known == nil {
		return []int64{noPromptID}
	}
	return known
}
