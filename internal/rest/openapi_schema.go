package rest

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/swaggest/jsonschema-go"
)

// schemaOptions make the reflection agree with what the kernel does.
func schemaOptions() []func(*jsonschema.ReflectContext) {
	return []func(*jsonschema.ReflectContext){
		func(rc *jsonschema.ReflectContext) { rc.EnvelopNullability = true },
		jsonschema.InterceptDefName(schemaName),
		jsonschema.InterceptSchema(anyForTree),
		jsonschema.InterceptNullability(onlyPointersAreNull),
		jsonschema.InterceptProp(itemRules),
		jsonschema.InterceptProp(untypedUnions),
	}
}

var (
	packagePath = regexp.MustCompile(`[\w.\-]+/|[\w\-]+\.`)
	notAName    = regexp.MustCompile(`[^A-Za-z0-9]+`)
)

// schemaName names a schema after its type, without the package.
func schemaName(t reflect.Type, _ string) string {
	name := ""
	for _, part := range notAName.Split(packagePath.ReplaceAllString(t.Name(), ""), -1) {
		if part != "" {
			name += strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return name
}

// anyForTree documents a jsontree.Value as any value.
func anyForTree(params jsonschema.InterceptSchemaParams) (stop bool, err error) {
	_, stop = params.Value.Interface().(jsontree.Value)
	return stop, nil
}

// onlyPointersAreNull removes the null that the reflection adds to every list and
// map, because responses contain [] and {} instead.
func onlyPointersAreNull(params jsonschema.InterceptNullabilityParams) {
	if params.NullAdded && (params.Type.Kind() == reflect.Slice || params.Type.Kind() == reflect.Map) {
		params.Schema.RemoveType(jsonschema.Null)
	}
}

// itemRules moves the rules with the prefix "items." to the schema of the
// elements.
func itemRules(params jsonschema.InterceptPropParams) error {
	if !params.Processed {
		return nil
	}
	r, err := parseRules(params.Field.Tag, itemsPrefix)
	if err != nil || r == nil {
		return err
	}
	s := itemSchema(params.PropertySchema)
	if s == nil {
		return nil
	}
	if r.minLength != nil {
		s.WithMinLength(*r.minLength)
	}
	if r.maxLength != nil {
		s.WithMaxLength(*r.maxLength)
	}
	if r.pattern != nil {
		s.WithPattern(r.pattern.String())
	}
	s.Enum = nil
	for _, e := range r.enum {
		if s.HasType(jsonschema.Integer) || s.HasType(jsonschema.Number) {
			s.Enum = append(s.Enum, json.Number(e))
		} else {
			s.Enum = append(s.Enum, e)
		}
	}
	s.Minimum, s.Maximum, s.ExclusiveMinimum, s.ExclusiveMaximum = r.minimum, r.maximum, r.above, r.below
	return nil
}

// untypedUnions removes the type that the reflection leaves next to a reference
// when it adds null as an alternative.
func untypedUnions(params jsonschema.InterceptPropParams) error {
	if s := params.PropertySchema; params.Processed && len(s.AnyOf) > 0 {
		s.Type = nil
		for _, alternative := range s.AnyOf {
			if alternative.TypeObject != nil && alternative.TypeObject.Ref != nil {
				alternative.TypeObject.Type = nil
			}
		}
	}
	return nil
}

// itemSchema returns the schema of a list's elements or a map's values.
func itemSchema(s *jsonschema.Schema) *jsonschema.Schema {
	switch {
	case s.Items != nil && s.Items.SchemaOrBool != nil:
		return s.Items.SchemaOrBool.TypeObject
	case s.AdditionalProperties != nil:
		return s.AdditionalProperties.TypeObject
	}
	return nil
}
