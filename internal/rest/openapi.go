package rest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/swaggest/jsonschema-go"
	"github.com/swaggest/openapi-go"
	"github.com/swaggest/openapi-go/openapi31"
)

const (
	securityName    = "ApiKey"
	schemasPrefix   = "#/components/schemas/"
	responsesPrefix = "#/components/responses/"
	keyDescription  = "The API key of a workspace."
	bodyKeyNote     = "The key may also be sent as the string `api_key` in the body when the header is absent."
)

// OpenAPI returns the OpenAPI 3.1 document of the operations as JSON. The first
// call builds it.
func (rt *Router) OpenAPI() ([]byte, error) {
	d, err := rt.document()
	if err != nil {
		return nil, err
	}
	return d.text, nil
}

func (rt *Router) buildOpenAPI() (*document, error) {
	d := newDocument(rt.options)
	for _, op := range rt.operations {
		if err := d.add(op); err != nil {
			return nil, fmt.Errorf("document operation %s: %w", op.ID, err)
		}
	}
	var err error
	d.text, err = json.Marshal(d.Spec)
	return d, err
}

// document builds the OpenAPI document operation by operation.
type document struct {
	*openapi31.Reflector
	examples map[string]json.RawMessage
	text     []byte
}

func newDocument(o Options) *document {
	d := &document{Reflector: openapi31.NewReflector()}
	if o.Examples != nil {
		d.examples = o.Examples()
	}
	d.Spec.SetTitle(o.Title)
	d.Spec.SetVersion(o.Version)
	if o.About != "" {
		d.Spec.SetDescription(o.About)
	}
	d.Spec.SetAPIKeySecurity(securityName, "X-API-KEY", openapi.InHeader, keyDescription)
	d.InlineDefinition(jsontree.Value{})
	d.DefaultOptions = append(d.DefaultOptions, schemaOptions()...)
	return d
}

func (d *document) add(op *operation) error {
	oc, err := d.NewOperationContext(op.Method, op.pattern.openAPI())
	if err != nil {
		return err
	}
	oc.SetID(op.ID)
	oc.SetSummary(op.Summary)
	oc.SetTags(op.Tag)
	if text := op.description(); text != "" {
		oc.SetDescription(text)
	}
	if op.Deprecated {
		oc.SetIsDeprecated(true)
	}
	if op.Auth != AuthNone {
		oc.AddSecurity(securityName)
	}
	target := oc.(openapi31.OperationExposer).Operation()
	if err := d.addInput(oc, target, op); err != nil {
		return err
	}
	if err := d.addOutputs(oc, op); err != nil {
		return err
	}
	if err := d.AddOperation(oc); err != nil {
		return err
	}
	tidyParameters(target.Parameters)
	return nil
}

// tidyParameters puts path parameters before query parameters, and removes null
// from their types, which the reflection adds: a parameter cannot be null.
func tidyParameters(list []openapi31.ParameterOrReference) {
	slices.SortStableFunc(list, func(a, b openapi31.ParameterOrReference) int {
		return cmp.Compare(a.Parameter.In, b.Parameter.In)
	})
	for _, p := range list {
		schema := p.Parameter.Schema
		delete(schema, "description")
		if types, ok := schema["type"].([]any); ok {
			types = slices.DeleteFunc(types, func(t any) bool { return t == "null" })
			schema["type"] = types
			if len(types) == 1 {
				schema["type"] = types[0]
			}
		}
	}
}

func (op *operation) description() string {
	if op.Auth != AuthKeyOrBody {
		return op.Description
	}
	if op.Description == "" {
		return bodyKeyNote
	}
	return op.Description + "\n\n" + bodyKeyNote
}

func (d *document) addInput(oc openapi.OperationContext, target *openapi31.Operation, op *operation) error {
	in := op.Handler.in
	if in == nil || in.Kind() != reflect.Struct {
		for _, name := range op.pattern.params {
			parameter := openapi31.Parameter{Name: name, In: openapi31.ParameterInPath, Schema: map[string]any{"type": "string"}}
			target.Parameters = append(target.Parameters, parameter.WithRequired(true).ToParameterOrRef())
		}
	} else {
		// With a content type other than JSON, the reflector reads only the
		// parameters. The body is added below, for DELETE as well.
		oc.AddReqStructure(reflect.New(in).Interface(), openapi.WithContentType("multipart/form-data"))
	}
	if !op.hasBody {
		return nil
	}
	body := target.RequestBodyEns().RequestBodyEns().WithRequired(!op.EmptyBody)
	for _, mediaType := range op.accepts() {
		content := openapi31.MediaType{Schema: binarySchema()}
		if mediaType == jsonType && in != nil && documentsBody(in) {
			schema, err := d.schema(in)
			if err != nil {
				return err
			}
			content.Schema = schema
		} else if mediaType == jsonType {
			content.Schema = map[string]any{"type": "object"}
		}
		if example, ok := d.examples[op.ID]; ok && mediaType == jsonType {
			content.WithExample(example)
		}
		body.WithContentItem(mediaType, content)
	}
	return nil
}

func binarySchema() map[string]any { return map[string]any{"type": "string", "format": "binary"} }

// schema returns the schema of a body, or a reference if the type has a name.
func (d *document) schema(t reflect.Type) (map[string]any, error) {
	s, err := d.Reflect(reflect.New(t).Elem().Interface(), jsonschema.RootRef,
		jsonschema.DefinitionsPrefix(schemasPrefix), jsonschema.CollectDefinitions(d.collect))
	if err != nil {
		return nil, err
	}
	return s.ToSchemaOrBool().ToSimpleMap()
}

// collect stores a named schema.
func (d *document) collect(name string, s jsonschema.Schema) {
	simple, err := s.ToSchemaOrBool().ToSimpleMap()
	if err != nil {
		panic("schema of " + name + ": " + err.Error()) // it came from the reflector
	}
	if members, ok := simple["properties"].(map[string]any); ok {
		simple["properties"] = orderedMembers{members, memberNames(s.ReflectType)}
	}
	d.Spec.ComponentsEns().WithSchemasItem(name, simple)
}

// orderedMembers are the members of a schema in the order of its type, which is
// the order in which people read them. Others follow by name.
type orderedMembers struct {
	members map[string]any
	order   []string
}

// MarshalJSON implements json.Marshaler.
func (o orderedMembers) MarshalJSON() ([]byte, error) {
	rank := func(name string) int {
		if i := slices.Index(o.order, name); i >= 0 {
			return i
		}
		return len(o.order)
	}
	names := slices.SortedFunc(maps.Keys(o.members), func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
	})
	parts := make([]string, len(names))
	for i, name := range names {
		// An object of one member is written as it is in the whole.
		member, err := json.Marshal(map[string]any{name: o.members[name]})
		if err != nil {
			return nil, err
		}
		parts[i] = string(member[1 : len(member)-1])
	}
	return []byte("{" + strings.Join(parts, ",") + "}"), nil
}

// memberNames lists the JSON names of a struct's fields.
func memberNames(t reflect.Type) []string {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var names []string
	if t != nil {
		_ = walkFields(t, nil, func(f reflect.StructField, _ []int) error {
			if name, ok := tagName(f, "json"); ok {
				names = append(names, name)
			}
			return nil
		})
	}
	return names
}

func (d *document) addOutputs(oc openapi.OperationContext, op *operation) error {
	successes, failures := op.statuses()
	for _, status := range successes {
		content := make(map[string]openapi31.MediaType)
		if op.Handler.out != nil && !bodiless(status) {
			schema, err := d.schema(op.Handler.out)
			if err != nil {
				return err
			}
			content[jsonType] = openapi31.MediaType{Schema: schema}
		}
		for _, mediaType := range op.Produces {
			content[mediaType] = openapi31.MediaType{Schema: binarySchema()}
		}
		oc.AddRespStructure(nil, openapi.WithHTTPStatus(status), openapi.WithCustomize(func(c openapi.ContentOrReference) {
			c.(*openapi31.ResponseOrReference).Response.Content = content
		}))
	}
	for _, status := range failures {
		if sample, ok := op.Errors[status]; ok {
			if err := d.addError(oc, status, sample); err != nil {
				return err
			}
			continue
		}
		if err := d.needError(status); err != nil {
			return err
		}
		oc.AddRespStructure(nil, openapi.WithHTTPStatus(status), openapi.WithReference(responsesPrefix+strconv.Itoa(status)))
	}
	return nil
}

// addError adds an error response of the operation alone.
func (d *document) addError(oc openapi.OperationContext, status int, sample any) error {
	schema, err := d.schema(indirectType(sample))
	if err != nil {
		return err
	}
	oc.AddRespStructure(nil, openapi.WithHTTPStatus(status), openapi.WithCustomize(func(c openapi.ContentOrReference) {
		c.(*openapi31.ResponseOrReference).Response.Content = map[string]openapi31.MediaType{jsonType: {Schema: schema}}
	}))
	return nil
}

// statuses returns the statuses of the operation, including those that the
// kernel produces.
func (op *operation) statuses() (successes, failures []int) {
	all := append([]int{op.status(), http.StatusInternalServerError}, op.Also...)
	if op.Auth != AuthNone {
		all = append(all, http.StatusUnauthorized, http.StatusForbidden) // not known, not allowed
	}
	if op.scoped() {
		all = append(all, http.StatusNotFound) // the scope
	}
	if op.Limit != "" {
		all = append(all, http.StatusTooManyRequests)
	}
	if op.hasBody {
		all = append(all, http.StatusBadRequest, http.StatusRequestEntityTooLarge,
			http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity)
	}
	if op.plan != nil && len(op.plan.path)+len(op.plan.query) > 0 {
		all = append(all, http.StatusUnprocessableEntity)
	}
	slices.Sort(all)
	for _, status := range slices.Compact(all) {
		if status < http.StatusBadRequest {
			successes = append(successes, status)
		} else {
			failures = append(failures, status)
		}
	}
	return successes, failures
}

// needError adds the shared response of an error status unless it exists.
func (d *document) needError(status int) error {
	key := strconv.Itoa(status)
	components := d.Spec.ComponentsEns()
	if _, ok := components.Responses[key]; ok {
		return nil
	}
	schema, err := d.schema(reflect.TypeFor[errorResponse]())
	if err != nil {
		return err
	}
	response := (&openapi31.Response{Description: http.StatusText(status)}).
		WithContentItem(jsonType, openapi31.MediaType{Schema: schema})
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		header := (&openapi31.Header{Schema: map[string]any{"type": "integer"}}).
			WithDescription("Seconds to wait before the next try.")
		response.WithHeadersItem("Retry-After", openapi31.HeaderOrReference{Header: header})
	}
	components.WithResponsesItem(key, openapi31.ResponseOrReference{Response: response})
	return nil
}
