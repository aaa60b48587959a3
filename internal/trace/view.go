package trace

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// view finds the attributes of a span by name.
type view struct {
	span *reqlog.Span
	// own are the attributes of the span, shared those of its resource.
	own, shared map[string]jsontree.Value
	// list are the own attributes in the order in which they were sent.
	list   jsontree.Value
	events []event
}

// event is an event of a span.
type event struct {
	name       string
	attributes jsontree.Value
}

func newView(span *reqlog.Span) *view {
	list, _ := jsontree.Parse(span.Attributes) // spans are valid or have none
	resource, _ := jsontree.Parse(span.Resource)
	events, _ := jsontree.Parse(span.Events)
	v := &view{span: span, own: members(list), shared: members(resource), list: list}
	for _, e := range events.Elems() {
		v.events = append(v.events, event{e.Get("name").Str(), e.Get("attributes")})
	}
	return v
}

// members returns the members of an object that have a value; the last of
// several with the same name counts.
func members(object jsontree.Value) map[string]jsontree.Value {
	all := make(map[string]jsontree.Value, object.Len())
	for key, value := range object.Members() {
		if value.Given() && !value.Is("") {
			all[key] = value
		}
	}
	return all
}

// first returns the first of the named attributes that the span has.
func (v *view) first(names []string) jsontree.Value { return firstOf(v.own, names) }

// either is first, else the first that the resource has.
func (v *view) either(names []string) jsontree.Value {
	if found := v.first(names); found.Given() {
		return found
	}
	return firstOf(v.shared, names)
}

func firstOf(attributes map[string]jsontree.Value, names []string) jsontree.Value {
	for _, name := range names {
		if value, ok := attributes[name]; ok {
			return value
		}
	}
	return jsontree.Value{}
}

// text returns the first of the named attributes as a text.
func (v *view) text(names ...string) string { return scalarText(v.first(names)) }

// scalarText returns the text of a string, a number or a boolean, "" for
// anything else.
func scalarText(value jsontree.Value) string {
	switch value.Kind() {
	case jsontree.String:
		return value.Str()
	case jsontree.Number, jsontree.Bool:
		return string(value.Raw())
	default:
		return ""
	}
}

// isTrue reports whether an attribute is true or the text of it.
func isTrue(value jsontree.Value) bool {
	return value.Bool() || strings.EqualFold(value.Str(), "true")
}

// structured returns the JSON in a text, because many libraries can send only
// texts. Other values, and texts that are not JSON, stay as they are.
func structured(value jsontree.Value) jsontree.Value {
	text := strings.TrimSpace(value.Str())
	if text == "" || text[0] != '{' && text[0] != '[' {
		return value
	}
	inner, err := jsontree.Parse([]byte(text))
	if err != nil {
		return value
	}
	return inner
}

// given returns the first of the named members of an object that has a value.
func given(object jsontree.Value, names ...string) jsontree.Value {
	for _, name := range names {
		if member := object.Get(name); member.Given() {
			return member
		}
	}
	return jsontree.Value{}
}

// asText returns a string, "" for no value, and the JSON text of anything else.
func asText(value jsontree.Value) string {
	if !value.Given() {
		return ""
	}
	return textOf(value)
}
