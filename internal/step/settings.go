package step

import (
	"math"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
)

// settings reads one configuration and records what is wrong with it. Null
// counts as not given. What is read after a problem does not matter.
//
// A configuration has the members that its Spec declares, under their names or
// aliases; nothing else is read. Objects within it have no spec: there each
// method takes all spellings of a key, of which the first that is given counts.
type settings struct {
	shape.Reader
	spec    *Spec // nil for an object within a configuration
	object  jsontree.Value
	sources []string
	// question is what the step asks a person, nil if it asks nothing.
	question *PersonQuestion
	// scale is that of the verdicts of a judge, nil if the step is none.
	scale *Scale
	// explains reports whether the step gives reasons for its values.
	explains bool
	// seen is called with each member that is read, for tests.
	seen func(name string)
}

func newSettings(spec *Spec, object jsontree.Value) *settings {
	return &settings{Reader: shape.New(fault.In(), &fault.Problems{}), spec: spec, object: object}
}

// maxName is the maximum number of bytes in the name of a source, as for nodes
// and columns.
const maxName = 1 << 10

// maxSources is the maximum number of values that one step refers to.
const maxSources = 1000

// err returns the first problem as a BadRequest fault.
func (c *settings) err() error {
	if err := c.Problems().Err(); err != nil {
		return fault.BadRequestf("%s", err.Error())
	}
	return nil
}

// failed reports whether there is a problem.
func (c *settings) failed() bool { return c.Problems().Any() }

// fail records a problem with the whole object.
func (c *settings) fail(format string, args ...any) {
	c.Report(fault.Rulef("value_error", format, args...))
}

// reportAt records that a member breaks the rule.
func (c *settings) reportAt(key string, rule fault.Rule) {
	c.Enter(key)
	c.Report(rule)
	c.Leave()
}

// get returns the first spelling that is given, and its name. If there is none,
// the name is that of the first spelling.
func (c *settings) get(spellings ...string) (jsontree.Value, string) {
	if c.spec != nil {
		spellings = c.declared(spellings)
	}
	for _, key := range spellings {
		if v := c.object.Get(key); v.Given() {
			return v, key
		}
	}
	return jsontree.Value{}, spellings[0]
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
	if !c.has(spellings...) {
		return jsontree.Value{}
	}
	return c.required(kind, spellings...)
}

func (c *settings) required(kind jsontree.Kind, spellings ...string) jsontree.Value {
	v, key := c.get(spellings...)
	c.Enter(key)
	defer c.Leave()
	if !c.Is(v, kind) {
		return jsontree.Value{}
	}
	return v
}

// text returns a string that must be given and not be empty.
func (c *settings) text(spellings ...string) string {
	v, key := c.get(spellings...)
	c.Enter(key)
	defer c.Leave()
	text, _ := c.Text(v, 1, math.MaxInt)
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
	switch {
	case !ok:
		c.reportAt(key, fault.IntOrDigits)
	case n < 1:
		c.reportAt(key, fault.Minimum(1))
	}
	return n
}

func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// number returns a number, which can be written as a string, and whether it is
// given.
func (c *settings) number(spellings ...string) (n decimal, given bool) {
	v, key := c.get(spellings...)
	if !v.Given() {
		return n, false
	}
	n, ok := numeric(v)
	if !ok {
		c.reportAt(key, fault.NumberType)
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
	switch {
	case f > most:
		c.reportAt(key, fault.Maximum(most))
	case !(f > 0):
		c.reportAt(key, fault.Above(0))
	}
	return f
}

// word returns the word that a string equals, ignoring case. If nothing is
// given it returns fallback, which is "" for a required word.
func (c *settings) word(fallback string, words []string, spellings ...string) string {
	v, key := c.get(spellings...)
	if !v.Given() && fallback != "" {
		return fallback
	}
	for _, word := range words {
		if v.Kind() == jsontree.String && strings.EqualFold(v.Str(), word) {
			return word
		}
	}
	c.Enter(key)
	c.Wrong(v, fault.OneOf(words...))
	c.Leave()
	return ""
}

// refer records that the step refers to the value of that name. The name is at
// the location being read.
func (c *settings) refer(name string) string {
	switch {
	case name == "":
		c.Report(fault.MinLength(1))
	case len(name) > maxName:
		c.Report(fault.MaxBytes(maxName))
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
	v, key := c.get(spellings...)
	c.Enter(key)
	defer c.Leave()
	return c.sourceIn(v)
}

// sourceIn returns the name of a source in a string.
func (c *settings) sourceIn(v jsontree.Value) string {
	name, ok := c.String(v)
	if !ok {
		return ""
	}
	return c.refer(name)
}

// optionalSource returns the name of a value, "" when none is given.
func (c *settings) optionalSource(spellings ...string) string {
	if !c.has(spellings...) {
		return ""
	}
	return c.source(spellings...)
}

// sourceList returns the names in the list sources, or those in source1 and
// source2, of which the second may be absent.
func (c *settings) sourceList() []string {
	list, key := c.get("sources")
	if !list.Given() && c.has("source1", "source2") {
		names := []string{c.source("source1")}
		if second := c.optionalSource("source2"); second != "" {
			names = append(names, second)
		}
		return names
	}
	if !list.Given() {
		return nil
	}
	c.Enter(key)
	defer c.Leave()
	return shape.List(&c.Reader, list, maxSources, c.sourceIn)
}

// pair returns the names of two values.
func (c *settings) pair() (first, second string) {
	names := c.sourceList()
	if len(names) != 2 {
		c.fail("'sources' must name two sources")
		return "", ""
	}
	return names[0], names[1]
}

// mapping gives a variable the value of a source.
type mapping struct{ variable, source string }

// mappings returns an object of variables and sources. A variable that is
// mapped to null is not mapped.
func (c *settings) mappings(spellings ...string) []mapping {
	object := c.optional(jsontree.Object, spellings...)
	_, key := c.get(spellings...)
	if object.Len() > maxSources {
		c.reportAt(key, fault.MaxMembers(maxSources, object.Len()))
		return nil
	}
	c.Enter(key)
	defer c.Leave()
	var list []mapping
	for variable, source := range object.Members() {
		if source.Given() {
			c.EnterEntry(variable)
			list = append(list, mapping{variable, c.sourceIn(source)})
			c.Leave()
		}
	}
	return list
}

// nested returns a reader of an object within this one. Its sources count only
// after join.
func (c *settings) nested(key string) *settings {
	return c.within(key, c.required(jsontree.Object, key))
}

// within returns a reader of the object under a key.
func (c *settings) within(key string, object jsontree.Value) *settings {
	return &settings{Reader: shape.New(fault.At(c.Loc(), key), c.Problems()), object: object}
}

// join adds the sources of a nested reader.
func (c *settings) join(inner *settings) {
	for _, name := range inner.sources {
		c.refer(name)
	}
}
