package workflow

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

// protect returns a definition from a client with the credentials of its nodes
// sealed, or kept from the nodes of base.
func (s *Service) protect(workspace int64, d Definition, base func() (Definition, error)) (Definition, error) {
	d.Nodes = slices.Clone(d.Nodes)
	for i := range d.Nodes {
		if err := step.CheckReserved(d.Nodes[i].Configuration); err != nil {
			return d, inNode(d.Nodes[i].Name, err)
		}
		if err := s.protectNode(workspace, &d.Nodes[i], base); err != nil {
			return d, err
		}
	}
	return d, nil
}

// protectChanges is protect for a definition with the stored credentials of its
// base. Nodes that are equal in both stay as they are.
func (s *Service) protectChanges(workspace int64, base *Definition, d Definition) (Definition, error) {
	old := make(map[string]*Node, len(base.Nodes))
	for i := range base.Nodes {
		old[base.Nodes[i].Name] = &base.Nodes[i]
	}
	for i := range d.Nodes {
		n := &d.Nodes[i]
		was := old[n.Name]
		if was != nil && was.Type == n.Type && bytes.Equal(was.Configuration.Raw(), n.Configuration.Raw()) {
			continue
		}
		if err := s.protectNode(workspace, n, func() (Definition, error) { return *base, nil }); err != nil {
			return d, err
		}
	}
	return d, nil
}

func (s *Service) protectNode(workspace int64, n *Node, base func() (Definition, error)) error {
	protected, err := s.types.Protect(workspace, n.Type, n.Configuration, func() (step.Previous, error) {
		old, err := base()
		return old.previous(n), err
	})
	if err != nil {
		return inNode(n.Name, err)
	}
	n.Configuration = protected
	return nil
}

// previous returns the configurations whose credentials a node can keep.
func (d *Definition) previous(n *Node) (known step.Previous) {
	for i := range d.Nodes {
		switch {
		case d.Nodes[i].Type != n.Type:
		case d.Nodes[i].Name == n.Name:
			known.Own = d.Nodes[i].Configuration
		default:
			known.Others = append(known.Others, d.Nodes[i].Configuration)
		}
	}
	return known
}

// checkReserved returns an Invalid fault if a change contains what is reserved
// for stored credentials.
func (c *Changes) checkReserved() error {
	for i := range c.Nodes {
		if err := step.CheckReserved(c.Nodes[i].Configuration); err != nil {
			return inNode(c.Nodes[i].Name, err)
		}
	}
	return nil
}

// inNode adds the name of the node to a fault about its credentials.
func inNode(name string, err error) error {
	if !fault.Is(err, fault.Invalid) {
		return err
	}
	return fault.New(fault.Invalid, "Invalid configuration for node '%s': %s", name, err.Error())
}

// decodeBase decodes a version that may not exist.
func decodeBase(version *entity.Version) (Definition, error) {
	if version.Number == 0 {
		return Definition{}, nil
	}
	return decode(version)
}

// SealBody returns the body of a stored version with all credentials sealed that
// are not, and whether there were any.
func SealBody(vault *step.Vault, workspace int64, body []byte) ([]byte, bool, error) {
	parsed, err := jsontree.Parse(body)
	if err != nil {
		return body, false, fmt.Errorf("parse a version: %w", err)
	}
	var edits []jsontree.Edit
	for _, node := range parsed.Get("nodes").Elems() {
		config := node.Get("configuration")
		sealed, changed, err := vault.Seal(workspace, node.Get("node_type").Str(), config)
		if err != nil {
			return body, false, err
		}
		if changed {
			edits = append(edits, jsontree.Edit{Value: config, Text: sealed.Raw()})
		}
	}
	return parsed.Splice(edits), len(edits) > 0, nil
}
