package template

import (
	"strconv"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
)

// Changes are the members of a patch that change a template, as sent by the
// client. Each can be absent or null.
type Changes struct {
	Messages, Tools, Functions, FunctionCall, ToolChoice, Content jsontree.Value
}

// change is one member of Changes.
type change struct {
	name  string
	value jsontree.Value
	// list is true for members that are patched by index, false for those that
	// are replaced as a whole.
	list bool
	// removable members are removed by null; for others null means no change.
	removable bool
	kind      Kind // kind of template that has the member
}

func (c *Changes) all() []change {
	return []change{
		{name: "messages", value: c.Messages, list: true, kind: Chat},
		{name: "tools", value: c.Tools, list: true, removable: true, kind: Chat},
		{name: "functions", value: c.Functions, list: true, removable: true, kind: Chat},
		{name: "function_call", value: c.FunctionCall, removable: true, kind: Chat},
		{name: "tool_choice", value: c.ToolChoice, removable: true, kind: Chat},
		{name: "content", value: c.Content, list: true, kind: Completion},
	}
}

// made reports whether there is a change.
func (c *change) made() bool {
	return c.value.Given() || c.removable && c.value.Kind() == jsontree.Null
}

// Check adds a problem for each change with a wrong JSON type. The changes are
// members of the object at loc.
func (c *Changes) Check(loc []any, problems *fault.Problems) {
	r := shape.New(loc, problems)
	for _, part := range c.all() {
		if part.list && part.value.Given() {
			r.Enter(part.name)
			r.IsEither(part.value, jsontree.Array, jsontree.Object)
			r.Leave()
		}
	}
}

// Patch applies the changes to a normalised template and returns the JSON text
// of the result, which is neither checked nor normalised. It removes the input
// variables of changed messages and of the template, which Normalize computes.
// Without changes, the result is the base.
func Patch(base jsontree.Value, changes Changes) ([]byte, error) {
	var problems fault.Problems
	changes.Check(fault.In(), &problems)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	e := editor{base: base}
	for _, c := range changes.all() {
		if !c.made() {
			continue
		}
		if c.kind != KindOf(base) {
			return nil, wrongTemplate(c)
		}
		if err := e.apply(c); err != nil {
			return nil, err
		}
	}
	if len(e.edits) > 0 {
		e.set(base, "input_variables", []byte("[]"))
	}
	return e.bytes(), nil
}

func wrongTemplate(c change) error {
	if c.kind == Chat {
		return fault.BadRequestf("%s can be changed in chat templates only", c.name)
	}
	return fault.BadRequestf("%s can be changed in completion templates only", c.name)
}

// apply applies one change.
func (e *editor) apply(c change) error {
	switch {
	case c.value.Kind() == jsontree.Null:
		e.set(e.base, c.name, []byte("null"))
	case c.list && c.value.Kind() == jsontree.Object:
		return e.replaceAt(c)
	case c.name == "messages":
		w := jsontree.NewWriter(nil)
		writeList(&w, c.value, appendChangedMessage)
		e.set(e.base, c.name, w.Bytes())
	default:
		e.set(e.base, c.name, c.value.Raw())
	}
	return nil
}

// replaceAt replaces elements by index; the names of the change's members are
// the indexes.
func (e *editor) replaceAt(c change) error {
	replacements := make(map[int]jsontree.Value, c.value.Len())
	length := e.base.Get(c.name).Len()
	for key, value := range c.value.Members() {
		at, ok := parseIndex(key)
		if !ok || at >= length {
			return fault.BadRequestf("%s has %d elements: invalid index %q", c.name, length, shorten(key))
		}
		if value.Kind() != jsontree.Object {
			return fault.BadRequestf("%s[%d] must be an object, not %s", c.name, at, value.Kind())
		}
		replacements[at] = value
	}
	for i, element := range e.base.Get(c.name).Elems() {
		value, ok := replacements[i]
		switch {
		case !ok:
		case c.name == "messages":
			e.replace(element, appendChangedMessage(nil, value))
		default:
			e.replace(element, value.Raw())
		}
	}
	return nil
}

// parseIndex parses a decimal index without sign and leading zeros.
func parseIndex(key string) (at int, ok bool) {
	at, err := strconv.Atoi(key)
	return at, err == nil && at >= 0 && strconv.Itoa(at) == key
}

// shorten limits the length of client text in a message.
func shorten(text string) string {
	const most = 40
	if len(text) <= most {
		return text
	}
	return string([]rune(text[:most])) + "…"
}

// appendChangedMessage appends a message without its list of input variables,
// which may be outdated.
func appendChangedMessage(dst []byte, message jsontree.Value) []byte {
	if message.Get("input_variables").Kind() != jsontree.Array {
		return append(dst, message.Raw()...) // checked later
	}
	return appendObject(dst, message, []field{{"input_variables", nil}})
}
