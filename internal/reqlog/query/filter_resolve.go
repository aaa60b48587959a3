package query

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// noID is an id that no prompt and no API key has. It makes conditions on unknown
// names behave correctly: positive operators match nothing, negative ones
// everything.
const noID = -1

// namedIDs are the ids of names: of prompts and of API keys.
type namedIDs map[Field]map[string][]int64

// Resolve replaces the conditions on fields that stores do not have:
// names of prompts and of API keys become the ids of all that have that name,
// with at most one lookup each, and aliases of a metadata key become conditions on
// that key. It does not modify filter.
func Resolve(ctx context.Context, workspace int64, filter Node, prompts reqlog.Prompts, keys reqlog.KeyNames) (Node, error) {
	if filter == nil {
		return nil, nil
	}
	prompted, err := promptIDs(ctx, workspace, filter, prompts)
	if err != nil {
		return nil, fmt.Errorf("resolve prompt names of a filter: %w", err)
	}
	made, err := keyIDs(ctx, workspace, filter, keys)
	if err != nil {
		return nil, fmt.Errorf("resolve names of API keys of a filter: %w", err)
	}
	return resolveNode(filter, namedIDs{FieldPrompt: prompted, FieldAPIKey: made}), nil
}

// keyIDs looks up the API keys of the workspace, if the filter names any.
func keyIDs(ctx context.Context, workspace int64, filter Node, keys reqlog.KeyNames) (map[string][]int64, error) {
	for c := range Conds(filter) {
		if c.Field != FieldAPIKey {
			continue
		}
		names, err := keys(ctx, workspace)
		ids := make(map[string][]int64, len(names))
		for _, id := range slices.Sorted(maps.Keys(names)) {
			ids[names[id]] = append(ids[names[id]], id)
		}
		return ids, err
	}
	return nil, nil
}

// promptIDs looks up the prompts that the filter names.
func promptIDs(ctx context.Context, workspace int64, filter Node, prompts reqlog.Prompts) (map[string][]int64, error) {
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

func resolveNode(filter Node, ids namedIDs) Node {
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

func resolveCond(c Cond, ids namedIDs) Cond {
	switch c.Field {
	case FieldPrompt:
		return idCond(FieldPromptID, c.Op, knownIDs(c.Texts, ids[c.Field]))
	case FieldAPIKey:
		return idCond(FieldAPIKeyID, c.Op, knownIDs(c.Texts, ids[c.Field]))
	}
	if key := c.Field.Spec().MetadataKey; key != "" {
		return Cond{Field: FieldMetadata, Op: nestedOps[c.Op], Key: key, Texts: c.Texts}
	}
	return c
}

// listOps maps the operators for one value to those for a list.
var listOps = map[Op]Op{OpIs: OpIn, OpIsNot: OpNotIn}

// idCond compares the id of what was named. A name has several ids if prompts with
// that name were deleted, or if API keys have the same one.
func idCond(field Field, op Op, ids []int64) Cond {
	if list, ok := listOps[op]; ok && len(ids) > 1 {
		op = list
	}
	return Cond{Field: field, Op: op, IDs: ids}
}

// knownIDs returns the ids of the names, at least one.
func knownIDs(names []string, ids map[string][]int64) []int64 {
	var known []int64
	for _, name := range names {
		known = append(known, ids[name]...)
	}
	if known == nil {
		return []int64{noID}
	}
	return known
}
