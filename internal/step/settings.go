package step

import (
	"math"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// settings reads one configuration. Null counts as not given. The first mistake
// is kept, and after it what is read does not matter.
//
// A configuration has the members that its Spec declares, under their names or
// aliases; nothing else is read. Objects within it have no spec: there each
// method takes all spellings of a key, of which the first that is given counts.
type settings struct {
	spec   *Spec // nil for an object within a configuration
	object jsontree.Value
	// inside names the members that hold object, with a dot behind each.
	inside  string
	sources []string
	err     error
	// seen is called with each member that is read, for tests.
	seen func(name string)
}

// maxName bounds names of sources, as names of nodes and columns are.
const maxName = 1 << 10

// maxSources bounds how many values one step refers to.
const maxSources = 1000

func (c *settings) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fault.BadRequestf(format, args...)
	}
}

// get returns the first spelling that is given, and its name. Where none is,
// the name is that of the first spelling.
func (c *settings) get(spellings ...string) (jsontree.Value, string) {
	if c.spec != nil {
		spellings = c.declared(spellings)
	}
	for _, key := range spellings {
		if v := c.object.Get(key); v.Given() {
			return v, c.inside + key
		}
	}
	return jsontree.Value{}, c.inside + spellings[0]
}

// declared returns all spellings of the members with these names. A member that
// the spec does not declare is never found.
func (c *settings) declared(names []string) []string {
	var spellings []string
	for _, name := range names {
		if c.seen != nil {
			c.seen(name)
		}
		if field, ok := c.spec.field(name); ok {
			spellings = append(append(spellings, name), field.Aliases...)
		}
	}
	if len(spellings) == 0 {
		return []string{"undeclared member " + names[0]}
	}
	return spellings
}

// choice returns the value of a member that is one of its declared choices, in
// any case, or its default.
func (c *settings) choice(name string) string {
	field, _ := c.spec.field(name)
	values := make([]string, len(field.Choices))
	for i, choice := range field.Choices {
		values[i] = choice.Value
	}
	fallback, _ := field.Default.(string)
	return c.word(fallback, values, name)
}

func (c *settings) has(spellings ...string) bool {
	v, _ := c.get(spellings...)
	return v.Given()
}

// optional returns a value of that kind, absent when it is not given.
func (c *settings) optional(kind jsontree.Kind, spellings ...string) jsontree.Value {
	v, key := c.get(spellings...)
	if v.Given() && v.Kind() != kind {
		c.fail("'%s' must be %s", key, kind)
		return jsontree.Value{}
	}
	return v
}

func (c *settings) required(kind jsontree.Kind, spellings ...string) jsontree.Value {
	v := c.optional(kind, spellings...)
	if !v.Given() {
		c.fail("'%s' is required", c.inside+spellings[0])
	}
	return v
}

// text returns a string that must be given and not be empty.
func (c *settings) text(spellings ...string) string {
	v := c.required(jsontree.String, spellings...)
	text := v.Str()
	if v.Given() && text == "" {
		c.fail("'%s' must not be empty", c.inside+spellings[0])
	}
	return text
}

func (c *settings) optionalText(spellings ...string) string {
	return c.optional(jsontree.String, spellings...).Str()
}

func (c *settings) flag(fallback bool, spellings ...string) bool {
	v := c.optional(jsontree.Bool, spellings...)
	if !v.Given() {
		return fallback
	}
	return v.Bool()
}

// integer returns a whole number of at least 1, 0 when it is not given. Clients
// also send numbers as strings of digits.
func (c *settings) integer(key string) int64 {
	v, key := c.get(key)
	if !v.Given() {
		return 0
	}
	n, ok := v.Int()
	if v.Kind() == jsontree.String && isDigits(v.Str()) {
		n, ok = jsontree.ParseInt(v.Str())
	}
	if !ok || n < 1 {
		c.fail("'%s' must be a whole number of at least 1", key)
	}
	return n
}

func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// number returns a number, which can be written as text, and whether it is
// given.
func (c *settings) number(spellings ...string) (n decimal, given bool) {
	v, key := c.get(spellings...)
	if !v.Given() {
		return n, false
	}
	n, ok := numeric(v)
	if !ok {
		c.fail("'%s' must be a number", key)
	}
	return n, ok
}

// seconds returns a positive number of seconds up to most.
func (c *settings) seconds(fallback, most float64, key string) float64 {
	n, given := c.number(key)
	if !given {
		return fallback
	}
	f := n.float()
	if !(f > 0 && f <= most) || math.IsNaN(f) {
		c.fail("'%s' must be more than 0 and at most %g", c.inside+key, most)
	}
	return f
}

// word returns which of the words a string is, in whatever case it is written.
// Where nothing is given it is fallback, which is "" for a required word.
func (c *settings) word(fallback string, words []string, spellings ...string) string {
	v, key := c.get(spellings...)
	if !v.Given() && fallback != "" {
		return fallback
	}
	if !v.Given() {
		c.fail("'%s' is required", key)
		return ""
	}
	for _, word := range words {
		if v.Kind() == jsontree.String && strings.EqualFold(v.Str(), word) {
			return word
		}
	}
	c.fail("'%s' must be one of %s", key, strings.Join(words, ", "))
	return ""
}

// refer notes that the step refers to a value.
func (c *settings) refer(key, name string) string {
	switch {
	case name == "":
		c.fail("'%s' must not be empty", key)
	case len(name) > maxName:
		c.fail("'%s' is longer than any name", key)
	case !slices.Contains(c.sources, name):
		c.sources = append(c.sources, name)
	}
	if len(c.sources) > maxSources {
		c.fail("more than %d sources", maxSources)
	}
	return name
}

// source returns the name of a value that the step needs.
func (c *settings) source(spellings ...string) string {
	v := c.required(jsontree.String, spellings...)
	if !v.Given() {
		return ""
	}
	_, key := c.get(spellings...)
	return c.refer(key, v.Str())
}

// optionalSource returns the name of a value, "" when none is given.
func (c *settings) optionalSource(spellings ...string) string {
	if !c.has(spellings...) {
		return ""
	}
	return c.source(spellings...)
}

// sourceList returns the names under a key, or those that are given one by one
// under source1 and source2, of which the second may be absent.
func (c *settings) sourceList() []string {
	list := c.optional(jsontree.Array, "sources")
	if list.Len() > maxSources {
		c.fail("more than %d sources", maxSources)
		return nil
	}
	if !list.Given() && c.has("source1", "source2") {
		names := []string{c.source("source1")}
		if second := c.optionalSource("source2"); second != "" {
			names = append(names, second)
		}
		return names
	}
	var names []string
	for _, element := range list.Elems() {
		if element.Kind() != jsontree.String {
			c.fail("'%ssources' must hold names only", c.inside)
			return nil
		}
		names = append(names, c.refer(c.inside+"sources", element.Str()))
	}
	return names
}

// pair returns the names of two values.
func (c *settings) pair() (first, second string) {
	names := c.sourceList()
	if len(names) != 2 {
		c.fail("'%ssources' must name two sources", c.inside)
		return "", ""
	}
	return names[0], names[1]
}

// mapping says that a variable of something else has the value of a source.
type mapping struct{ variable, source string }

// mappings returns an object of variables and sources. A variable that is
// mapped to null is not mapped.
func (c *settings) mappings(spellings ...string) []mapping {
	object := c.optional(jsontree.Object, spellings...)
	_, key := c.get(spellings...)
	if object.Len() > maxSources {
		c.fail("'%s' has more than %d members", key, maxSources)
		return nil
	}
	var list []mapping
	for variable, source := range object.Members() {
		if !source.Given() {
			continue
		}
		if source.Kind() != jsontree.String {
			c.fail("'%s' must map each variable to the name of a source", key)
			return nil
		}
		list = append(list, mapping{variable, c.refer(key+"."+variable, source.Str())})
	}
	return list
}

// nested returns a reader of an object within this one. What it finds is not
// noted here before join.
func (c *settings) nested(key string) *settings {
	return &settings{object: c.required(jsontree.Object, key), inside: c.inside + key + "."}
}

// join notes what a nested reader found.
func (c *settings) join(inner *settings) {
	if c.err == nil {
		c.err = inner.err
	}
	for _, name := range inner.sources {
		c.refer(inner.inside, name)
	}
}
