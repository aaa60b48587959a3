package reqlog

import (
	"context"
	"fmt"
	"slices"
)

// noPromptID is an id that no prompt has. It makes conditions on unknown
// prompts behave correctly: positive operators match nothing, negative ones
// everything.
const noPromptID = -1

// resolveFilter replaces the conditions on fields that stores do not have:
// names of prompts become the ids of all templates whose logs show that name,
// with at most one lookup, and aliases of a metadata key become conditions on
// that key. It does not modify filter.
func resolveFilter(ctx context.Context, workspace int64, filter Node, prompts Prompts) (Node, error) {
	if filter == nil {
		return nil, nil
	}
	ids, err := promptIDs(ctx, workspace, filter, prompts)
	if err != nil {
		return nil, fmt.Errorf("resolve prompt names of a filter: %w", err)
	}
	return resolveNode(filter, ids), nil
}

// promptIDs looks up the prompts that the filter names.
func promptIDs(ctx context.Context, workspace int64, filter Node, prompts Prompts) (map[string][]int64, error) {
	var names []string
	for c := range Conds(filter) {
		if c.Field == FieldPrompt {
			names = append(names, c.Texts...)
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	slices.Sort(names)
	return prompts.IDs(ctx, workspace, slices.Compact(names))
}

func resolveNode(filter Node, ids map[string][]int64) Node {
	switch n := filter.(type) {
	case Cond:
		return resolveCond(n, ids)
	case Group:
		nodes := make([]Node, len(n.Nodes))
		for i, child := range n.Nodes {
			nodes[i] = resolveNode(child, ids)
		}
		return Group{Any: n.Any, Nodes: nodes}
	}
	return filter
}

// nestedOps maps the operators of a string to those of a nested value.
var nestedOps = map[Op]Op{OpIs: OpKeyEquals, OpIsNot: OpKeyNotEquals, OpIn: OpIn, OpNotIn: OpNotIn}

func resolveCond(c Cond, ids map[string][]int64) Cond {
	if c.Field == FieldPrompt {
		return promptCond(c.Op, knownIDs(c.Texts, ids))
	}
	if key := c.Field.Spec().MetadataKey; key != "" {
		return Cond{Field: FieldMetadata, Op: nestedOps[c.Op], Key: key, Texts: c.Texts}
	}
	return c
}

// listOps maps the operators for one value to those for a list.
var listOps = map[Op]Op{OpIs: OpIn, OpIsNot: OpNotIn}

// promptCond compares the id of the prompt. A name has several ids if templates
// with that name were deleted.
func promptCond(op Op, ids []int64) Cond {
	if list, ok := listOps[op]; ok && len(ids) > 1 {
		op = list
	}
	return Cond{Field: FieldPromptID, Op: op, IDs: ids}
}

// knownIDs returns the ids of the names, at least one.
func knownIDs(names []string, ids map[string][]int64) []int64 {
	var known []int64
	for _, name := range names {
		known = append(known, ids[name]...)
	}
	if known == nil {
		return []int64{noPromptID}
	}
	return known
}
