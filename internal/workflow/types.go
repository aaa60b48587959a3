package workflow

import (
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

// Types knows the types that nodes can have. It is safe for concurrent use.
type Types interface {
	// Known reports whether there is a type of that name.
	Known(nodeType string) bool
	// Check returns what is wrong with the configuration of a node of a known
	// type, nil for nothing. The text is shown to clients.
	Check(nodeType string, config jsontree.Value) error
	// Sources returns the names that the configuration of a node of a known
	// type takes values from: nodes and input variables, but not what the type
	// itself provides. The order does not matter and a name may come twice.
	Sources(nodeType string, config jsontree.Value) []string
	// Retryable reports whether a node of a known type may succeed when it runs
	// again with the same values.
	Retryable(nodeType string) bool
	// Protect returns a configuration from a client in the form to store, with
	// its credentials sealed; see step.Vault.
	Protect(workspace int64, nodeType string, config jsontree.Value, previous func() (step.Previous, error)) (jsontree.Value, error)
}

// StepTypes are the types of package step.
type StepTypes struct {
	// Vault seals credentials. Without one, no credential can be stored.
	Vault *step.Vault
}

// Known reports whether there is a step of that name.
func (StepTypes) Known(nodeType string) bool {
	_, known := step.Find(nodeType)
	return known
}

// Check returns what is wrong with the configuration of a step.
func (StepTypes) Check(nodeType string, config jsontree.Value) error {
	_, err := prepare(nodeType, config)
	return err
}

// Sources returns the names that a step refers to, none where its
// configuration is wrong.
func (StepTypes) Sources(nodeType string, config jsontree.Value) []string {
	prepared, err := prepare(nodeType, config)
	if err != nil {
		return nil
	}
	return prepared.Sources()
}

// Retryable reports whether steps of the type do more than compute a value.
func (StepTypes) Retryable(nodeType string) bool {
	found, known := step.Find(nodeType)
	return known && found.Work() != step.Inline
}

// Protect seals the credentials of a step.
func (t StepTypes) Protect(
	workspace int64, nodeType string, config jsontree.Value, previous func() (step.Previous, error),
) (jsontree.Value, error) {
	return t.Vault.Protect(workspace, nodeType, config, previous)
}

func prepare(nodeType string, config jsontree.Value) (*step.Step, error) {
	found, known := step.Find(nodeType)
	if !known {
		return nil, fault.BadRequestf("there is no type %s", nodeType)
	}
	return found.Prepare(config)
}
