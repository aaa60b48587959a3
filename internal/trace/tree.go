package trace

import (
	"slices"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// branch is a part of the tree that attributes such as prompt.0.role describe by
// their dotted names.
type branch struct {
	value   jsontree.Value
	members map[string]*branch
}

// maxSteps is the length of the longest path in a tree, so that names with many
// dots do not cost many times their size. The paths of conventions are shorter.
const maxSteps = 16

// tree returns the tree of all attributes whose names begin with the prefix,
// nil if there are none.
func (v *view) tree(prefix string) *branch {
	var root *branch
	for _, attribute := range v.own.list {
		path, ok := strings.CutPrefix(attribute.name, prefix)
		if !ok || strings.Count(path, ".") >= maxSteps {
			continue
		}
		if root == nil {
			root = &branch{}
		}
		root.at(path).value = attribute.value
	}
	return root
}

// at returns the branch at a path, which it adds if necessary.
func (b *branch) at(path string) *branch {
	for step := range strings.SplitSeq(path, ".") {
		next := b.members[step]
		if next == nil {
			next = &branch{}
			if b.members == nil {
				b.members = map[string]*branch{}
			}
			b.members[step] = next
		}
		b = next
	}
	return b
}

// find returns the branch at a path, nil if there is none.
func (b *branch) find(path ...string) *branch {
	for _, step := range path {
		if b == nil {
			return nil
		}
		b = b.members[step]
	}
	return b
}

// get returns the value at a path.
func (b *branch) get(path ...string) jsontree.Value {
	if found := b.find(path...); found != nil {
		return found.value
	}
	return jsontree.Value{}
}

// elements returns the members whose names are numbers, in their order.
func (b *branch) elements() []*branch {
	if b == nil {
		return nil
	}
	indexes := make([]int, 0, len(b.members))
	for name := range b.members {
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && strconv.Itoa(i) == name {
			indexes = append(indexes, i)
		}
	}
	slices.Sort(indexes)
	out := make([]*branch, len(indexes))
	for i, index := range indexes {
		out[i] = b.members[strconv.Itoa(index)]
	}
	return out
}
