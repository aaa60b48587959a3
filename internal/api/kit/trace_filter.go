package kit

import (
	"github.com/swaggest/jsonschema-go"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// TraceFilterGroup documents a group of filters of traces. Nothing is bound to
// it: the domain reads it.
type TraceFilterGroup struct {
	Logic   string            `json:"logic" enum:"AND,OR,SPAN_AND,SPAN_OR" default:"AND" description:"How the filters are joined. In a SPAN_AND or SPAN_OR group, one and the same span must match; it takes fields of spans only. Elsewhere each filter on a field of spans may be met by another span of the trace."`
	Filters []traceFilterNode `json:"filters" required:"true" description:"Filters and groups, nested up to 20 levels, up to 500 filters in all. An empty list matches everything."`
}

// BindJSON implements rest.JSONBinder.
func (*TraceFilterGroup) BindJSON(jsontree.Value, []any, *fault.Problems) {}

// TraceFilterList documents a list of filters of traces. Nothing is bound to it.
type TraceFilterList []traceFilterNode

// BindJSON implements rest.JSONBinder.
func (*TraceFilterList) BindJSON(jsontree.Value, []any, *fault.Problems) {}

// InlineJSONSchema keeps TraceFilterList out of the named schemas.
func (TraceFilterList) InlineJSONSchema() {}

// traceFilterNode documents a filter or a group of filters.
type traceFilterNode struct{}

// JSONSchemaOneOf returns the alternatives.
func (traceFilterNode) JSONSchemaOneOf() []any { return []any{traceFilter{}, TraceFilterGroup{}} }

// traceFilter documents one filter.
type traceFilter struct {
	Field     traceFilterField `json:"field" required:"true" description:"The field to compare."`
	Operator  filterOperator   `json:"operator" required:"true" description:"How to compare it. The type of the field decides which operators it takes."`
	Value     jsontree.Value   `json:"value" description:"The value to compare with: a list for in and not_in, [from, to] for between, none for operators such as is_null."`
	NestedKey *string          `json:"nested_key" description:"The dotted path of a key. Required for nested fields."`
}

// traceFilterField documents the fields of filters of traces.
type traceFilterField string

// Enum returns the names of the fields.
func (traceFilterField) Enum() []any {
	names := make([]query.Field, len(query.TraceFields))
	for i := range query.TraceFields {
		names[i] = query.TraceFields[i].Name
	}
	return Enum(names)
}

// PrepareJSONSchema adds the vocabulary to the schema.
func (traceFilterField) PrepareJSONSchema(s *jsonschema.Schema) error {
	s.WithDescription("A field of traces or of their spans. x-fields describes the fields.")
	s.WithExtraPropertiesItem("x-fields", query.TraceFields)
	return nil
}

// TraceSortField is a field that traces can be sorted by.
type TraceSortField string

// Enum returns the names of the fields.
func (TraceSortField) Enum() []any { return Enum(query.TraceSortFields) }

// InlineJSONSchema keeps TraceSortField out of the named schemas.
func (TraceSortField) InlineJSONSchema() {}

// TraceGroupSort is what groups of traces can be sorted by.
type TraceGroupSort string

// Enum returns the sort keys.
func (TraceGroupSort) Enum() []any { return Enum(query.TraceGroupSorts) }

// InlineJSONSchema keeps TraceGroupSort out of the named schemas.
func (TraceGroupSort) InlineJSONSchema() {}
