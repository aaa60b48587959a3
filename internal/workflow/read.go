package workflow

import (
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
)

// ReadNodes reads a list of complete nodes at loc and reports every broken
// rule. Unknown members are ignored. The list is nil only when there is a
// problem.
func ReadNodes(v jsontree.Value, loc []any, problems *fault.Problems) []Node {
	r := newReader(loc, problems)
	return shape.List(&r.Reader, v, MaxNodes, r.node)
}

// ReadEdges is ReadNodes for edges.
func ReadEdges(v jsontree.Value, loc []any, problems *fault.Problems) []Edge {
	r := newReader(loc, problems)
	return shape.List(&r.Reader, v, MaxEdges, r.edge)
}

// ReadVariables reads an object of types by variable name at loc and reports
// every broken rule. The list is nil only when there is a problem.
func ReadVariables(v jsontree.Value, loc []any, problems *fault.Problems) []Variable {
	r := newReader(loc, problems)
	return readEntries(r, v, MaxVariables, func(name string, kind jsontree.Value) Variable {
		text, _ := r.String(kind)
		return Variable{Name: name, Type: text}
	})
}

// ReadNodeChanges reads an object of changed nodes by name at loc, in its
// order, and reports every broken rule.
func ReadNodeChanges(v jsontree.Value, loc []any, problems *fault.Problems) []NodeChange {
	r := newReader(loc, problems)
	return readEntries(r, v, MaxNodes, r.nodeChange)
}

// reader reads the parts of a definition that a client sent.
type reader struct{ shape.Reader }

func newReader(loc []any, problems *fault.Problems) *reader {
	r := &reader{shape.New(loc, problems)}
	r.NoNUL = true
	return r
}

// readEntries reads up to limit entries by name. The last entry with a name
// wins, at the position of the first.
func readEntries[T any](r *reader, v jsontree.Value, limit int, read func(string, jsontree.Value) T) []T {
	if !r.Is(v, jsontree.Object) {
		return nil
	}
	members := membersOf(v)
	if n := len(members.names); n > limit {
		r.Report(fault.MaxMembers(int64(limit), n))
		return nil
	}
	list := make([]T, 0, len(members.names))
	for _, name := range members.names {
		r.EnterEntry(name)
		r.Storable(name, 1, MaxName)
		list = append(list, read(name, members.values[name]))
		r.Leave()
	}
	return list
}

func (r *reader) node(v jsontree.Value) Node {
	o, ok := r.Object(v)
	if !ok {
		return Node{}
	}
	required := o.Required()
	return Node{
		Name:          required.Text("name", 1, MaxName),
		Type:          required.String("node_type"),
		Configuration: required.Member("configuration", jsontree.Object),
		Dependencies:  r.dependencies(o),
		IsOutput:      required.Bool("is_output_node"),
		Retries:       int(o.Int("retries", 0, MaxRetries, 0)),
	}
}

// dependencies reads a list of names, empty when it is not given.
func (r *reader) dependencies(o shape.Object) []string {
	v := o.Value.Get("dependencies")
	if !v.Given() {
		return []string{}
	}
	r.Enter("dependencies")
	defer r.Leave()
	return shape.List(&r.Reader, v, MaxDependencies, func(v jsontree.Value) string {
		name, _ := r.String(v)
		return name
	})
}

// nodeChange reads one entry of a patch's nodes.
func (r *reader) nodeChange(name string, v jsontree.Value) NodeChange {
	change := NodeChange{Name: name, Remove: v.Kind() == jsontree.Null}
	if change.Remove {
		return change
	}
	o, ok := r.Object(v)
	if !ok {
		return change
	}
	if o.Given("node_type") {
		change.Type = new(o.String("node_type"))
	}
	change.Configuration = o.Member("configuration", jsontree.Object)
	if o.Given("dependencies") {
		change.Dependencies = r.dependencies(o)
	}
	if o.Given("is_output_node") {
		change.IsOutput = new(o.Bool("is_output_node"))
	}
	if o.Given("retries") {
		change.Retries = new(int(o.Int("retries", 0, MaxRetries, 0)))
	}
	return change
}
