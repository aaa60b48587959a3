package workflow

import (
	"strings"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// ReadNodes reads a list of complete nodes at loc and adds a problem for
// everything that is not as it must be. Members that nodes do not have are
// ignored. The list is never nil unless there is a problem.
func ReadNodes(v jsontree.Value, loc []any, problems *fault.Problems) []Node {
	r := newReader(loc, problems)
	return readList(r, v, MaxNodes, r.node)
}

// ReadEdges is ReadNodes for edges.
func ReadEdges(v jsontree.Value, loc []any, problems *fault.Problems) []Edge {
	r := newReader(loc, problems)
	return readList(r, v, MaxEdges, r.edge)
}

// ReadVariables reads an object of types by the name of the variable at loc
// and adds a problem for everything that is not as it must be. The list is
// never nil unless there is a problem.
func ReadVariables(v jsontree.Value, loc []any, problems *fault.Problems) []Variable {
	r := newReader(loc, problems)
	return readObject(r, v, MaxVariables, func(name string, kind jsontree.Value) Variable {
		if kind.Kind() == jsontree.Null { // it is there, but it is no type
			r.refuse("string_type", "Input should be a valid string")
			return Variable{}
		}
		return Variable{Name: name, Type: r.str(kind)}
	})
}

// ReadNodeChanges reads an object of changed nodes by name at loc, in its
// order, and adds a problem for everything that is not as it must be.
func ReadNodeChanges(v jsontree.Value, loc []any, problems *fault.Problems) []NodeChange {
	r := newReader(loc, problems)
	return readObject(r, v, MaxNodes, r.nodeChange)
}

// reader reads values that a client sent. Its path becomes a location only
// when there is something to report.
type reader struct {
	loc      []any
	path     []any
	problems *fault.Problems
}

func newReader(loc []any, problems *fault.Problems) *reader {
	return &reader{loc: loc, path: make([]any, 0, 8), problems: problems}
}

// at goes to a member or an element while read reads it.
func (r *reader) at(part any, read func()) {
	r.path = append(r.path, part)
	read()
	r.path = r.path[:len(r.path)-1]
}

func (r *reader) refuse(kind, format string, args ...any) {
	r.problems.Add(fault.At(r.loc, r.path...), kind, format, args...)
}

// readList reads a list of up to limit elements.
func readList[T any](r *reader, v jsontree.Value, limit int, element func(jsontree.Value) T) []T {
	if v.Kind() != jsontree.Array {
		r.refuse("list_type", "Input should be a valid list")
		return nil
	}
	if v.Len() > limit {
		r.refuse("too_long", "List should have at most %d items, not %d", limit, v.Len())
		return nil
	}
	list := make([]T, 0, v.Len())
	for i, e := range v.Elems() {
		r.at(i, func() { list = append(list, element(e)) })
	}
	return list
}

// readObject reads up to limit members by their names. Of members with one
// name the last counts, in the place of the first.
func readObject[T any](r *reader, v jsontree.Value, limit int, member func(string, jsontree.Value) T) []T {
	if v.Kind() != jsontree.Object {
		r.refuse("dict_type", "Input should be a valid object")
		return nil
	}
	members := membersOf(v)
	if len(members.names) > limit {
		r.refuse("too_long", "Object should have at most %d members, not %d", limit, len(members.names))
		return nil
	}
	list := make([]T, 0, len(members.names))
	for _, name := range members.names {
		r.at(name, func() {
			r.checkName(name)
			list = append(list, member(name, members.values[name]))
		})
	}
	return list
}

func (r *reader) str(v jsontree.Value) string {
	if v.Kind() != jsontree.String {
		r.wrong(v, "string_type", "Input should be a valid string")
	}
	text := v.Str()
	if strings.IndexByte(text, 0) >= 0 {
		r.refuse("value_error", "Input must not contain the NUL character")
	}
	return text
}

// name reads a name of a node.
func (r *reader) name(v jsontree.Value) string {
	if v.Kind() != jsontree.String {
		return r.str(v)
	}
	name := v.Str()
	r.checkName(name)
	return name
}

func (r *reader) checkName(name string) {
	switch {
	case name == "":
		r.refuse("string_too_short", "String should have at least 1 character")
	case utf8.RuneCountInString(name) > MaxName:
		r.refuse("string_too_long", "String should have at most %d characters", MaxName)
	case strings.IndexByte(name, 0) >= 0:
		r.refuse("value_error", "Input must not contain the NUL character")
	}
}

func (r *reader) boolean(v jsontree.Value) bool {
	if v.Kind() != jsontree.Bool {
		r.wrong(v, "bool_type", "Input should be a valid boolean")
	}
	return v.Bool()
}

func (r *reader) object(v jsontree.Value) jsontree.Value {
	if v.Kind() != jsontree.Object {
		r.wrong(v, "dict_type", "Input should be a valid object")
	}
	return v
}

// wrong reports a value of another kind than it must be; a member that is
// absent or null is missing.
func (r *reader) wrong(v jsontree.Value, kind, text string) {
	_, isElement := r.path[len(r.path)-1].(int)
	if !v.Given() && !isElement {
		kind, text = "missing", "Field required"
	}
	r.refuse(kind, "%s", text)
}

// member reads one member of an object.
func member[T any](r *reader, object jsontree.Value, name string, read func(jsontree.Value) T) T {
	var value T
	r.at(name, func() { value = read(object.Get(name)) })
	return value
}

func (r *reader) node(v jsontree.Value) Node {
	if r.object(v).Kind() != jsontree.Object {
		return Node{}
	}
	return Node{
		Name:          member(r, v, "name", r.name),
		Type:          member(r, v, "node_type", r.str),
		Configuration: member(r, v, "configuration", r.object),
		Dependencies:  member(r, v, "dependencies", r.dependencies),
		IsOutput:      member(r, v, "is_output_node", r.boolean),
	}
}

// dependencies reads a list of names; it is empty where there is none.
func (r *reader) dependencies(v jsontree.Value) []string {
	if !v.Given() {
		return []string{}
	}
	return readList(r, v, MaxDependencies, r.str)
}

// nodeChange reads one member of a patch's nodes.
func (r *reader) nodeChange(name string, v jsontree.Value) NodeChange {
	change := NodeChange{Name: name}
	if change.Remove = v.Kind() == jsontree.Null; change.Remove || r.object(v).Kind() != jsontree.Object {
		return change
	}
	if kind := v.Get("node_type"); kind.Given() {
		text := member(r, v, "node_type", r.str)
		change.Type = &text
	}
	if v.Get("configuration").Given() {
		change.Configuration = member(r, v, "configuration", r.object)
	}
	if v.Get("dependencies").Given() {
		change.Dependencies = member(r, v, "dependencies", r.dependencies)
	}
	if v.Get("is_output_node").Given() {
		isOutput := member(r, v, "is_output_node", r.boolean)
		change.IsOutput = &isOutput
	}
	return change
}
