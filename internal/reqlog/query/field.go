package query

import (
	"slices"
	"strings"
	"unicode"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// Field is the wire name of a property of logs for filters, sorting or
// grouping.
type Field string

// FieldType decides which operators a field takes and what its values are.
type FieldType string

// The types of filter fields.
const (
	TypeIdentifier FieldType = "identifier"
	TypeString     FieldType = "string"
	TypeName       FieldType = "name"   // a string that can also be searched
	TypeStatus     FieldType = "status" // a string compared without case
	TypeIntent     FieldType = "intent" // a set of fixed labels
	TypeText       FieldType = "text"
	TypeNumeric    FieldType = "numeric"
	TypeDatetime   FieldType = "datetime"
	TypeBoolean    FieldType = "boolean"
	TypeArray      FieldType = "array"
	TypeNested     FieldType = "nested" // values under dotted keys
	TypeScore      FieldType = "score"  // whole numbers by name
)

// HasKeys reports whether fields of the type have a value for each of several
// keys, so that everything that refers to one needs a key.
func (t FieldType) HasKeys() bool { return t == TypeNested || t == TypeScore }

// FieldSpec describes one filter field. Everything that depends on the set of
// fields derives from the specs in Fields: the filter parser, sort keys,
// suggestions, charts, the columns of the stores, the OpenAPI document, the
// query language of the web app and the table in docs/api.md.
type FieldSpec struct {
	Name Field     `json:"name"`
	Type FieldType `json:"type"`
	// QueryName is the name in the query language of the web app: model:gpt-4o.
	QueryName string `json:"query_name"`
	// Label is the name of the field in menus and legends.
	Label string `json:"label"`
	// Doc is one sentence for the documentation.
	Doc string `json:"description"`
	// Section is the heading the field is listed under.
	Section string `json:"section"`
	Level   Level  `json:"level,omitempty"`
	Unit    Unit   `json:"unit,omitempty"`
	// Values lists the possible values of a field that has a fixed set.
	Values []string `json:"values,omitempty"`
	// Sortable fields order a search.
	Sortable bool `json:"sortable,omitempty"`
	// Metric fields are numbers that charts aggregate.
	Metric bool `json:"metric,omitempty"`
	// GroupBy fields split charts into groups.
	GroupBy bool `json:"group_by,omitempty"`
	// Suggest is the name under which the values are suggested, "" if they
	// are not.
	Suggest string `json:"suggest,omitempty"`
	// Keys is the array field that holds the keys of a field that has keys.
	Keys Field `json:"keys,omitempty"`

	// Column is the column that stores the value, "" for texts, which have a text
	// index, for fields of the trace, and for fields that stores do not have.
	Column string `json:"-"`
	// OfTrace fields are not stored with the log: the span that it belongs to
	// may arrive later.
	OfTrace bool `json:"-"`
	// Optional columns are null if a log has no value.
	Optional bool `json:"-"`
	// MetadataKey is the metadata key that the field is an alias for. Conditions
	// on such a field are rewritten before they reach a store.
	MetadataKey string `json:"-"`

	// One of the following reads the value from a log, depending on the type.
	// A field that never reaches a store has none.
	Int   func(*reqlog.Log) (n int64, ok bool)     `json:"-"` // identifiers and whole numbers
	Float func(*reqlog.Log) (n float64, ok bool)   `json:"-"` // other numbers
	Time  func(*reqlog.Log) reqlog.Micros          `json:"-"`
	Flag  func(*reqlog.Log) bool                   `json:"-"`
	Word  func(*reqlog.Log) (text string, ok bool) `json:"-"` // strings
	Text  func(*reqlog.Log) string                 `json:"-"`
	List  func(*reqlog.Log) []string               `json:"-"` // distinct elements of arrays and intents
	Pairs func(*reqlog.Log) []reqlog.Pair          `json:"-"`
}

// specs finds the specs in Fields and TraceFields by name. The id of a trace is
// in both.
var specs = func() map[Field]*FieldSpec {
	byName := make(map[Field]*FieldSpec, len(Fields)+len(TraceFields))
	for _, fields := range [][]FieldSpec{TraceFields, Fields} {
		for i := range fields {
			byName[fields[i].Name] = &fields[i]
		}
	}
	return byName
}()

// Spec returns the description of the field, nil if the field does not exist.
func (f Field) Spec() *FieldSpec { return specs[f] }

// Type returns the type of the field, "" if the field does not exist.
func (f Field) Type() FieldType {
	if spec := specs[f]; spec != nil {
		return spec.Type
	}
	return ""
}

// Stored reports whether conditions on the field reach a store.
func (f *FieldSpec) Stored() bool { return f.Column != "" || f.Text != nil || f.OfTrace }

// Names returns the names of the fields that pass the test, in order.
func Names(test func(*FieldSpec) bool) []Field {
	var names []Field
	for i := range Fields {
		if test(&Fields[i]) {
			names = append(names, Fields[i].Name)
		}
	}
	return names
}

// The fields that parts of a query may use.
var (
	SortFields   = requestVocabulary.sorts
	MetricFields = requestVocabulary.metrics
	GroupFields  = requestVocabulary.groups
	// SuggestFields differ from the filter fields: the values under a key have a
	// separate name.
	SuggestFields = func() []string {
		var names []string
		for _, f := range Fields {
			if f.Suggest != "" {
				names = append(names, f.Suggest)
			}
		}
		return names
	}()
)

// Suggested returns the field whose values are suggested under the name, nil
// if there is none.
func Suggested(name string) *FieldSpec {
	at := slices.IndexFunc(Fields, func(f FieldSpec) bool { return f.Suggest != "" && f.Suggest == name })
	if at < 0 {
		return nil
	}
	return &Fields[at]
}

// Unit is the unit of a numeric field.
type Unit string

// The units of numeric fields; the zero value means plain numbers.
const (
	UnitTokens  Unit = "tokens"
	UnitDollars Unit = "dollars"
	UnitMillis  Unit = "ms"
	UnitPoints  Unit = "points" // 0 to 100
)

// Title returns the label with every word capitalized, as in legends.
func (f *FieldSpec) Title() string {
	words := strings.Fields(f.Label)
	for i, word := range words {
		runes := []rune(word)
		runes[0] = unicode.ToUpper(runes[0])
		words[i] = string(runes)
	}
	return strings.Join(words, " ")
}
