package work

import (
	"github.com/swaggest/jsonschema-go"

	"github.com/promptuary/promptuary/internal/step"
)

// stepType documents the types of nodes and columns. The domain decides which
// of them are accepted.
type stepType string

// PrepareJSONSchema adds the descriptions of all types to the schema.
func (stepType) PrepareJSONSchema(s *jsonschema.Schema) error {
	s.WithDescription("The type of a node or column, in capital letters. x-types describes the types and their configurations, x-groups how they are grouped, and x-templates has checks to start from.")
	s.WithExtraPropertiesItem("x-types", step.Specs())
	s.WithExtraPropertiesItem("x-groups", step.Groups)
	s.WithExtraPropertiesItem("x-templates", step.Templates())
	return nil
}
