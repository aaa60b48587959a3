package kit

import (
	"github.com/swaggest/jsonschema-go"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/template"
)

// PromptTemplate is a chat or completion template as a client sends it.
type PromptTemplate struct{ jsontree.Value }

// BindJSON checks the template with the registry's rules.
func (p *PromptTemplate) BindJSON(v jsontree.Value, loc []any, problems *fault.Problems) {
	last := len(loc) - 1
	template.Check(v, loc[:last], loc[last].(string), template.Strict, problems)
	p.Value = v
}

// JSONSchema describes the two types; the rules of messages and content are
// in the documentation.
func (PromptTemplate) JSONSchema() (jsonschema.Schema, error) {
	var s jsonschema.Schema
	s.AddType(jsonschema.Object)
	kind := (&jsonschema.Schema{}).WithEnum("chat", "completion").WithDescription("Type of the template.")
	s.WithRequired("type").WithPropertiesItem("type", kind.ToSchemaOrBool())
	s.WithDescription("A chat template with messages, or a completion template with content.")
	return s, nil
}

// InlineJSONSchema keeps the type out of the named schemas.
func (PromptTemplate) InlineJSONSchema() {}

// PromptMetadata is the metadata of a version as a client sends it.
type PromptMetadata struct{ jsontree.Value }

// BindJSON checks the metadata with the registry's rules.
func (m *PromptMetadata) BindJSON(v jsontree.Value, loc []any, problems *fault.Problems) {
	last := len(loc) - 1
	template.CheckMetadata(v, loc[:last], loc[last].(string), problems)
	m.Value = v
}

// JSONSchema allows any object or null.
func (PromptMetadata) JSONSchema() (jsonschema.Schema, error) {
	return ObjectOrNull()
}

// InlineJSONSchema keeps the type out of the named schemas.
func (PromptMetadata) InlineJSONSchema() {}
