package trace

import (
	"bytes"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// view finds the attributes of a span by name.
type view struct {
	span *reqlog.Span
	// own are the attributes of the span, shared those of its resource.
	own, shared attributes
	events      []event
	// foreign says that no convention has anything to say about the span.
	foreign bool
}

// event is an event of a span.
type event struct {
	name       string
	attributes jsontree.Value
}

// newView returns a view of a span whose resource has the given attributes.
func newView(span *reqlog.Span, resource attributes, r *attributeReader) *view {
	v := &view{span: span, own: r.read(span.Attributes), shared: resource}
	v.foreign = !v.own.describesCall()
	if len(span.Events) > 0 {
		v.parseEvents()
	}
	return v
}

func (v *view) parseEvents() {
	events, _ := jsontree.Parse(v.span.Events) // spans are valid
	for _, e := range events.Elems() {
		name := e.Get("name").Str()
		v.foreign = v.foreign && !strings.HasPrefix(name, "gen_ai.")
		v.events = append(v.events, event{name, e.Get("attributes")})
	}
}

// attribute is one attribute that has a value.
type attribute struct {
	name  string
	value jsontree.Value
}

// attributes are those of a span or a resource.
type attributes struct {
	// list has them in the order in which they were sent. The last of several
	// with the same name counts.
	list []attribute
	// index has their places in a long list.
	index map[string]int
	// facts are the places of those that conventions know, plus one.
	facts [factCount]struct {
		place int32
		rank  int32
	}
}

// scanned is the length up to which a list is scanned rather than indexed.
const scanned = 32

// attributeReader reads the attributes of many spans. They have the same few
// names, which are read once, and use the same memory. A nil one reads those of a
// single span.
type attributeReader struct {
	// names has names by their JSON.
	names  map[string]string
	parser jsontree.Parser
	list   []attribute
}

// maxKnownNames is how many names are remembered.
const maxKnownNames = 1000

// read returns the members of an object that have a value. They are valid until
// the next call.
func (r *attributeReader) read(object []byte) attributes {
	if r == nil {
		return parseAttributes(object)
	}
	if len(object) == 0 {
		return attributes{}
	}
	parsed, _ := r.parser.Parse(object) // spans are valid
	a := attributesOf(parsed, r.list[:0], r.name)
	r.list = a.list
	return a
}

// name returns the name of a member.
func (r *attributeReader) name(member jsontree.Value) string {
	if name, ok := r.names[string(member.RawKey())]; ok {
		return name
	}
	name := member.Key()
	if len(r.names) < maxKnownNames {
		r.names[string(member.RawKey())] = name
	}
	return name
}

// parseAttributes returns the members of an object that have a value.
func parseAttributes(object []byte) attributes {
	if len(object) == 0 {
		return attributes{}
	}
	parsed, _ := jsontree.Parse(object) // spans are valid
	return attributesOf(parsed, make([]attribute, 0, parsed.Len()), jsontree.Value.Key)
}

// attributesOf appends the members of an object that have a value to a list.
func attributesOf(object jsontree.Value, list []attribute, name func(jsontree.Value) string) attributes {
	a := attributes{list: list}
	if object.Len() > scanned {
		a.index = make(map[string]int, object.Len())
	}
	for value := range object.Fields() {
		if value.Given() && !value.Is("") {
			a.add(attribute{name(value), value})
		}
	}
	return a
}

func (a *attributes) add(added attribute) {
	a.list = append(a.list, added)
	if a.index != nil {
		a.index[added.name] = len(a.list) - 1
	}
	known, ok := facts[added.name]
	if !ok {
		return
	}
	if best := &a.facts[known.fact]; best.place == 0 || known.rank <= best.rank {
		best.place, best.rank = int32(len(a.list)), known.rank
	}
}

// get returns the attribute with a name.
func (a *attributes) get(name string) jsontree.Value {
	if a.index != nil {
		if place, ok := a.index[name]; ok {
			return a.list[place].value
		}
		return jsontree.Value{}
	}
	for i := len(a.list) - 1; i >= 0; i-- {
		if a.list[i].name == name {
			return a.list[i].value
		}
	}
	return jsontree.Value{}
}

// fact returns the first of the attributes with a meaning.
func (a *attributes) fact(f fact) jsontree.Value {
	if place := a.facts[f].place; place > 0 {
		return a.list[place-1].value
	}
	return jsontree.Value{}
}

// callPrefixes are the beginnings of the attributes of model calls and what is
// around them.
var callPrefixes = []string{"gen_ai.", "llm.", "ai.", "openinference.", "embedding.", "traceloop.", "operation.name"}

// describesCall reports whether a convention may have something to say about a
// span with these attributes.
func (a *attributes) describesCall() bool {
	for _, attribute := range a.list {
		for _, prefix := range callPrefixes {
			if strings.HasPrefix(attribute.name, prefix) {
				return true
			}
		}
	}
	return false
}

// either returns the first of the attributes with a meaning of the span, else of
// its resource.
func (v *view) either(f fact) jsontree.Value {
	if found := v.own.fact(f); found.Given() {
		return found
	}
	return v.shared.fact(f)
}

// named returns an attribute of the span, else of its resource.
func (v *view) named(name string) jsontree.Value {
	if found := v.own.get(name); found.Given() {
		return found
	}
	return v.shared.get(name)
}

// first returns the first of the named attributes that the span has.
func (v *view) first(names ...string) jsontree.Value {
	for _, name := range names {
		if value := v.own.get(name); value.Given() {
			return value
		}
	}
	return jsontree.Value{}
}

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

// maxTree is the size of the largest tree that is read from a text. A list of
// tiny messages becomes many times larger when it is read.
const maxTree = 16 << 20

// structured returns the JSON in a text, because many libraries can send only
// texts. Other values, and texts that are not JSON, stay as they are.
func structured(value jsontree.Value) jsontree.Value {
	if value.Kind() != jsontree.String {
		return value
	}
	text := bytes.TrimSpace(value.AppendStr(make([]byte, 0, len(value.Raw()))))
	if len(text) == 0 || text[0] != '{' && text[0] != '[' || jsontree.TreeSize(text) > maxTree {
		return value
	}
	inner, err := jsontree.Parse(text)
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
