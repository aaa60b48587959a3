package workflow

import (
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Limits of one version. They are far above what people need, and keep it cheap
// to check, store and run a hostile definition.
const (
	// MaxNodes is the maximum number of nodes.
	MaxNodes = 2000
	// MaxEdges is the maximum number of edges.
	MaxEdges = 10_000
	// MaxConditionals is the maximum number of conditionals of an edge.
	MaxConditionals = 100
	// MaxVariables is the maximum number of input variables.
	MaxVariables = 1000
	// MaxDependencies is the maximum number of dependencies of a node: all other
	// nodes and all variables.
	MaxDependencies = MaxNodes + MaxVariables
	// MaxName is the maximum number of characters in the name of a workflow, a
	// node or a variable.
	MaxName = 255
	// MaxSize is the maximum size of a version in bytes of JSON. A value and its
	// separator take at least two bytes, so that no version has more values than a
	// JSON text may have.
	MaxSize = 2 * jsontree.MaxValues
	// MaxRetries is the maximum number of retries of a node.
	MaxRetries = 5
)

// Definition is the content of one version of a workflow.
type Definition struct {
	// Nodes are in the order in which they were added.
	Nodes     []Node
	Edges     []Edge
	Variables []Variable
	// edgesKept is set if a patch kept the edges of its base; see Check.
	edgesKept bool
}

// Node is one step of a workflow.
type Node struct {
	// ID is a UUID of this node in this version, "" until it is stored.
	ID   string
	Name string
	Type string
	// Configuration is an object with exactly the bytes that a client sent.
	Configuration jsontree.Value
	// Dependencies are names of nodes and input variables.
	Dependencies []string
	// IsOutput reports whether the value of the node can be the result of a run.
	IsOutput bool
	// Retries is how often the node runs again if it fails.
	Retries int
}

// Edge is a condition on a dependency between two nodes.
type Edge struct {
	// ID is a UUID of this edge in this version, "" until it is stored.
	ID string
	// Source and Target are names of nodes.
	Source, Target string
	// IsAnd reports whether all conditionals must hold; otherwise one is enough.
	IsAnd        bool
	Conditionals []Conditional
}

// Variable is an input variable.
type Variable struct {
	Name string
	// Type is for display only.
	Type string
}

// withIDs returns the definition with a new id for every node and edge.
func (d *Definition) withIDs(newID func() string) Definition {
	named := Definition{Nodes: slices.Clone(d.Nodes), Edges: slices.Clone(d.Edges), Variables: d.Variables}
	for i := range named.Nodes {
		named.Nodes[i].ID = newID()
	}
	for i := range named.Edges {
		named.Edges[i].ID = newID()
	}
	return named
}

// encode returns the body of a version.
func (d *Definition) encode() []byte {
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Key("nodes").Array(func() {
			for i := range d.Nodes {
				d.Nodes[i].write(&w)
			}
		})
		w.Key("edges").Array(func() {
			for i := range d.Edges {
				d.Edges[i].write(&w)
			}
		})
		writeVariables(w.Key("required_input_variables"), d.Variables)
	})
	return w.Bytes()
}

func (n *Node) write(w *jsontree.Writer) {
	w.Object(func() {
		w.Key("id").String(n.ID)
		w.Key("name").String(n.Name)
		w.Key("node_type").String(n.Type)
		w.Key("is_output_node").Bool(n.IsOutput)
		w.Key("configuration").Value(n.Configuration)
		w.Key("dependencies").Strings(n.Dependencies)
		if n.Retries > 0 {
			w.Key("retries").Int(int64(n.Retries))
		}
	})
}

func (e *Edge) write(w *jsontree.Writer) {
	w.Object(func() {
		w.Key("id").String(e.ID)
		w.Key("source_node_name").String(e.Source)
		w.Key("target_node_name").String(e.Target)
		w.Key("is_and").Bool(e.IsAnd)
		w.Key("conditionals").Array(func() {
			for i := range e.Conditionals {
				e.Conditionals[i].write(w)
			}
		})
	})
}

func (c *Conditional) write(w *jsontree.Writer) {
	w.Object(func() {
		w.Key("position").Int(c.Position)
		w.Key("operator").String(string(c.Operator))
		w.Key("left_config").Value(c.Left)
		w.Key("right_config").Value(c.Right)
	})
}

func writeVariables(w *jsontree.Writer, variables []Variable) {
	w.Object(func() {
		for _, variable := range variables {
			w.Key(variable.Name).String(variable.Type)
		}
	})
}

// EncodeVariables returns the variables as an object of types by name.
func EncodeVariables(variables []Variable) []byte {
	w := jsontree.NewWriter(nil)
	writeVariables(&w, variables)
	return w.Bytes()
}

// decode reads the body of a version.
func decode(version *entity.Version) (Definition, error) {
	body, err := jsontree.Parse(version.Body)
	if err != nil {
		return Definition{}, fmt.Errorf("version %d of workflow %d: %w", version.Number, version.EntityID, err)
	}
	var problems fault.Problems
	d := Definition{
		Nodes:     ReadNodes(body.Get("nodes"), nil, &problems),
		Edges:     ReadEdges(body.Get("edges"), nil, &problems),
		Variables: ReadVariables(body.Get("required_input_variables"), nil, &problems),
	}
	if err := problems.Err(); err != nil {
		// The caller is not at fault, so this is not a fault.
		return Definition{}, fmt.Errorf("version %d of workflow %d: %s", version.Number, version.EntityID, err.Error())
	}
	for i, node := range body.Get("nodes").Elems() {
		d.Nodes[i].ID = node.Get("id").Str()
	}
	for i, edge := range body.Get("edges").Elems() {
		d.Edges[i].ID = edge.Get("id").Str()
	}
	return d, nil
}
