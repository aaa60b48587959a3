package workflow

import (
	"slices"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

// Changes are the changes that a patch makes to a definition.
type Changes struct {
	// Nodes that are not mentioned are kept.
	Nodes []NodeChange
	// Edges replace all edges if HasEdges is set. Otherwise the edges are kept,
	// except those of removed nodes and those with conditions that read one.
	Edges    []Edge
	HasEdges bool
	// Variables replace all variables if HasVariables is set.
	Variables    []Variable
	HasVariables bool
}

// NodeChange adds, changes or removes the node with a name.
type NodeChange struct {
	Name string
	// Remove removes the node.
	Remove bool
	// Type is nil to keep it.
	Type *string
	// Configuration is merged into that of the node, absent to keep it.
	Configuration jsontree.Value
	// Dependencies replace those of the node, nil to keep them.
	Dependencies []string
	// IsOutput is nil to keep it.
	IsOutput *bool
	// Retries is nil to keep them.
	Retries *int
}

// Apply returns the definition with the changes, not yet checked; d is left
// unchanged. The fault is BadRequest for an incomplete new node, for a node to be
// removed that does not exist, and for a configuration that becomes too large.
func (d *Definition) Apply(changes Changes) (Definition, error) {
	changed := Definition{Edges: changes.Edges, Variables: d.Variables}
	var err error
	if changed.Nodes, err = applyNodes(d.Nodes, changes.Nodes); err != nil {
		return Definition{}, err
	}
	if changes.HasVariables {
		changed.Variables = changes.Variables
	}
	if !changes.HasEdges {
		changed.Edges, changed.edgesKept = keptEdges(d.Edges, changes.Nodes), true
	}
	return changed, nil
}

// applyNodes returns the remaining nodes in order, followed by the new ones in
// the order of the changes.
func applyNodes(nodes []Node, changes []NodeChange) ([]Node, error) {
	changeOf := make(map[string]*NodeChange, len(changes))
	for i := range changes {
		changeOf[changes[i].Name] = &changes[i]
	}
	left := make([]Node, 0, len(nodes)+len(changes))
	known := make(map[string]struct{}, len(nodes))
	for _, node := range nodes {
		known[node.Name] = struct{}{}
		change := changeOf[node.Name]
		if change != nil && change.Remove {
			continue
		}
		if err := change.apply(&node); err != nil {
			return nil, err
		}
		left = append(left, node)
	}
	for i := range changes {
		change := &changes[i]
		if _, isOld := known[change.Name]; isOld {
			continue
		}
		if change.Remove {
			return nil, fault.BadRequestf("Node '%s' does not exist and cannot be removed", change.Name)
		}
		if change.Type == nil || !change.Configuration.Given() {
			return nil, fault.BadRequestf("Node '%s' is new and needs node_type and configuration", change.Name)
		}
		left = append(left, change.newNode())
	}
	return left, nil
}

// newNode returns the new node that the change describes.
func (c *NodeChange) newNode() Node {
	node := Node{Name: c.Name, Type: *c.Type, Configuration: c.Configuration, Dependencies: []string{}}
	if c.Dependencies != nil {
		node.Dependencies = c.Dependencies
	}
	if c.IsOutput != nil {
		node.IsOutput = *c.IsOutput
	}
	if c.Retries != nil {
		node.Retries = *c.Retries
	}
	return node
}

// apply applies the change to a node and keeps what it omits. A nil change has
// no effect.
func (c *NodeChange) apply(node *Node) (err error) {
	if c == nil {
		return nil
	}
	if c.Type != nil {
		node.Type = *c.Type
	}
	if c.Configuration.Given() {
		if node.Configuration, err = merge(node.Configuration, c.Configuration); err != nil {
			return fault.BadRequestf("The configuration of node '%s' is too large", node.Name)
		}
	}
	if c.Dependencies != nil {
		node.Dependencies = c.Dependencies
	}
	if c.IsOutput != nil {
		node.IsOutput = *c.IsOutput
	}
	if c.Retries != nil {
		node.Retries = *c.Retries
	}
	return nil
}

// keptEdges returns the edges that do not refer to removed nodes.
func keptEdges(edges []Edge, changes []NodeChange) []Edge {
	removed := map[string]struct{}{}
	for i := range changes {
		if changes[i].Remove {
			removed[changes[i].Name] = struct{}{}
		}
	}
	kept := make([]Edge, 0, len(edges))
	for _, edge := range edges {
		names := append(edge.Reads(), edge.Source, edge.Target)
		if !slices.ContainsFunc(names, func(name string) bool { _, gone := removed[name]; return gone }) {
			kept = append(kept, edge)
		}
	}
	return kept
}

// merge returns base with the members of change: objects are merged, everything
// else is replaced, also sealed credentials. Values that are not merged keep their bytes. As both were
// parsed, the only possible error is too many values.
func merge(base, change jsontree.Value) (jsontree.Value, error) {
	w := jsontree.NewWriter(nil)
	writeMerged(&w, base, change)
	return jsontree.Parse(w.Bytes())
}

func writeMerged(w *jsontree.Writer, base, change jsontree.Value) {
	if base.Kind() != jsontree.Object || change.Kind() != jsontree.Object || step.IsSealed(base) {
		w.Value(change)
		return
	}
	old, changed := membersOf(base), membersOf(change)
	w.Object(func() {
		for _, name := range old.names {
			if value, ok := changed.values[name]; ok {
				writeMerged(w.KeyOf(old.values[name]), old.values[name], value)
			} else {
				w.Member(old.values[name])
			}
		}
		for _, name := range changed.names {
			if _, ok := old.values[name]; !ok {
				w.Member(changed.values[name])
			}
		}
	})
}

// members are those of an object without duplicates.
type members struct {
	// names are in the order of first occurrence.
	names []string
	// values are those of the last occurrence.
	values map[string]jsontree.Value
}

func membersOf(object jsontree.Value) members {
	m := members{values: make(map[string]jsontree.Value, object.Len())}
	for name, value := range object.Members() {
		if _, known := m.values[name]; !known {
			m.names = append(m.names, name)
		}
		m.values[name] = value
	}
	return m
}
