package kit

import (
	"github.com/swaggest/jsonschema-go"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// FilterGroup documents a group of filters. Nothing is bound to it: the domain
// reads filters from the body and answers 400 if one is wrong.
type FilterGroup struct {
	Logic   string       `json:"logic" enum:"AND,OR" default:"AND" description:"How the filters are joined."`
	Filters []filterNode `json:"filters" required:"true" description:"Filters and groups, nested up to 20 levels, up to 500 filters in all. An empty list matches everything."`
}

// BindJSON implements rest.JSONBinder.
func (*FilterGroup) BindJSON(jsontree.Value, []any, *fault.Problems) {}

// FilterList documents a list of filters. Nothing is bound to it.
type FilterList []filterNode

// BindJSON implements rest.JSONBinder.
func (*FilterList) BindJSON(jsontree.Value, []any, *fault.Problems) {}

// InlineJSONSchema keeps FilterList out of the named schemas.
func (FilterList) InlineJSONSchema() {}

// filterNode documents a filter or a group of filters.
type filterNode struct{}

// JSONSchemaOneOf returns the alternatives.
func (filterNode) JSONSchemaOneOf() []any { return []any{filter{}, FilterGroup{}} }

// filter documents one filter.
type filter struct {
	Field     filterField    `json:"field" required:"true" description:"The field to compare."`
	Operator  filterOperator `json:"operator" required:"true" description:"How to compare it. The type of the field decides which operators it takes."`
	Value     jsontree.Value `json:"value" description:"The value to compare with: a list for in and not_in, [from, to] for between, none for operators such as is_null."`
	NestedKey *string        `json:"nested_key" description:"The dotted path of a key, or the name of a score. Required for fields of the types nested and score."`
}

// filterField documents the fields of filters.
type filterField string

// Enum returns the names of the fields.
func (filterField) Enum() []any {
	return Enum(query.Names(func(*query.FieldSpec) bool { return true }))
}

// PrepareJSONSchema adds the vocabulary to the schema.
func (filterField) PrepareJSONSchema(s *jsonschema.Schema) error {
	s.WithDescription("A field of request logs. x-fields describes the fields, x-operators lists the operators of each type of field.")
	operators := make(map[query.FieldType][]query.Op, len(query.OperatorsByType))
	for _, t := range query.OperatorsByType {
		operators[t.Type] = t.Operators
	}
	s.WithExtraPropertiesItem("x-fields", query.Fields)
	s.WithExtraPropertiesItem("x-operators", operators)
	return nil
}

// filterOperator documents the operators of filters.
type filterOperator string

// Enum returns the names of the operators.
func (filterOperator) Enum() []any {
	names := make([]query.Op, len(query.Operators))
	for i, op := range query.Operators {
		names[i] = op.Name
	}
	return Enum(names)
}

// PrepareJSONSchema adds the vocabulary to the schema.
func (filterOperator) PrepareJSONSchema(s *jsonschema.Schema) error {
	s.WithDescription("An operator of filters. x-operators describes the operators.")
	s.WithExtraPropertiesItem("x-operators", query.Operators)
	return nil
}

// SortField is a field that request logs can be sorted by.
type SortField string

// Enum returns the names of the fields.
func (SortField) Enum() []any { return Enum(query.SortFields) }

// InlineJSONSchema keeps SortField out of the named schemas.
func (SortField) InlineJSONSchema() {}

// SuggestField is a field whose values can be suggested.
type SuggestField string

// Enum returns the names of the fields.
func (SuggestField) Enum() []any { return Enum(query.SuggestFields) }

// InlineJSONSchema keeps SuggestField out of the named schemas.
func (SuggestField) InlineJSONSchema() {}

// Enum returns the names as the values of an enumeration.
func Enum[T any](names []T) []any {
	values := make([]any, len(names))
	for i, name := range names {
		values[i] = name
	}
	return values
}
