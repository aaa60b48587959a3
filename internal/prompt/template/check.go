package template

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Strictness says how much of a template is checked.
type Strictness uint8

const (
	// Lenient is for templates that tell what was said to a model: refusing
	// one would lose it. Content of unknown types is kept as it is.
	Lenient Strictness = iota + 1
	// Strict is for templates that somebody means to run.
	Strict
)

// Check adds a problem for everything that breaks a rule in a chat or
// completion template, which is the member name of the object at loc.
func Check(template jsontree.Value, loc []any, name string, strictness Strictness, problems *fault.Problems) {
	c := newChecker(loc, strictness, problems)
	c.enter(name)
	c.template(template)
}

// CheckMetadata adds a problem for everything that breaks a rule in the
// metadata of a template, which is the member name of the object at loc. A
// template needs no metadata.
func CheckMetadata(metadata jsontree.Value, loc []any, name string, problems *fault.Problems) {
	if !metadata.Given() {
		return
	}
	c := newChecker(loc, Strict, problems)
	c.enter(name)
	c.value(metadata, &metadataRule)
}

func newChecker(loc []any, strictness Strictness, problems *fault.Problems) checker {
	return checker{loc: loc, strictness: strictness, problems: problems, path: make([]step, 0, 8)}
}

// checker collects what is wrong with one value.
type checker struct {
	loc        []any
	strictness Strictness
	problems   *fault.Problems
	// path leads from loc to the value that is being checked. It
	// becomes a location only when there is a problem to report.
	path []step
}

// step goes to a member, or to an element when it has no name.
type step struct {
	name  string
	index int
}

func (c *checker) enter(name string)  { c.path = append(c.path, step{name: name}) }
func (c *checker) enterElement(i int) { c.path = append(c.path, step{index: i}) }
func (c *checker) leave()             { c.path = c.path[:len(c.path)-1] }
func (c *checker) atElement() bool    { return c.path[len(c.path)-1].name == "" }

func (c *checker) refuse(typ, format string, args ...any) {
	loc := fault.At(c.loc)
	for _, s := range c.path {
		if s.name == "" {
			loc = append(loc, s.index)
		} else {
			loc = append(loc, s.name)
		}
	}
	c.problems.Add(loc, typ, format, args...)
}

func (c *checker) template(template jsontree.Value) {
	kind := KindOf(template)
	if c.strictness == Strict && !template.Get("type").Given() {
		kind = None
	}
	switch {
	case template.Kind() != jsontree.Object:
		c.wrongKind(template, &objectRule)
	case kind == Chat:
		c.chat(template)
	case kind == Completion:
		c.content(template, true)
		c.members(template, completionRules)
	case template.Get("type").Given():
		c.refuse("union_tag_invalid", "type must be chat or completion")
	default:
		c.refuse("union_tag_not_found", "type is required and must be chat or completion")
	}
}

func (c *checker) chat(template jsontree.Value) {
	c.enter("messages")
	messages := template.Get("messages")
	if messages.Kind() != jsontree.Array {
		c.wrongKind(messages, &arrayRule)
	}
	for i, message := range messages.Elems() {
		c.enterElement(i)
		c.message(message)
		c.leave()
	}
	c.leave()
	c.members(template, chatRules)
	if choice := template.Get("tool_choice"); c.strictness == Lenient && namesFunction(choice) {
		c.enter("tool_choice")
		c.members(choice, chosenFunctionRules)
		c.leave()
	}
}

// namesFunction tells the tool choices that must name a function from those in
// a provider's own form.
func namesFunction(choice jsontree.Value) bool {
	if choice.Kind() != jsontree.Object {
		return false
	}
	kind := choice.Get("type")
	return !kind.Given() || kind.Str() == "function"
}

func (c *checker) message(message jsontree.Value) {
	if message.Kind() != jsontree.Object {
		c.wrongKind(message, &objectRule)
		return
	}
	role := message.Get("role")
	known, ok := lookUp(roleRules, role)
	switch {
	case !role.Given():
		c.refuse("union_tag_not_found", "role is required and must be one of %s", roleList)
	case !ok:
		c.refuse("union_tag_invalid", "role must be one of %s", roleList)
	}
	c.content(message, known.needsContent)
	c.members(message, known.rules)
	c.members(message, messageRules)
}

// content checks the items of a message or a completion.
func (c *checker) content(holder jsontree.Value, required bool) {
	c.enter("content")
	defer c.leave()
	content := holder.Get("content")
	switch {
	case content.Kind() == jsontree.String:
		c.refuse("list_type", "Malformed Request: content must be an array of content blocks, not a string")
	case content.Given() && content.Kind() != jsontree.Array, required && !content.Given():
		c.wrongKind(content, &arrayRule)
	}
	for i, item := range content.Elems() {
		c.enterElement(i)
		if item.Kind() == jsontree.Object {
			c.tagged(item, &contentUnion)
		} else {
			c.wrongKind(item, &objectRule)
		}
		c.leave()
	}
}

// tagged checks an object whose type says which rules hold for it.
func (c *checker) tagged(object jsontree.Value, u *union) {
	kind := object.Get("type")
	if kind.Kind() != jsontree.String {
		c.refuse("union_tag_not_found", "type is required and must be a string")
		return
	}
	rules, ok := lookUp(u.variants, kind)
	if !ok && !u.open && c.strictness == Strict {
		names := slices.Sorted(maps.Keys(u.variants))
		c.refuse("union_tag_invalid", "type must be one of %s", strings.Join(names, ", "))
	}
	c.members(object, rules)
}

func (c *checker) members(object jsontree.Value, rules []rule) {
	for i := range rules {
		r := &rules[i]
		if r.only != 0 && r.only != c.strictness {
			continue
		}
		v := object.Get(r.name)
		if r.optional && !v.Given() {
			continue
		}
		c.enter(r.name)
		c.value(v, r)
		c.leave()
	}
}

// value checks v against the rule, whatever its name. The recursion is as deep
// as rules are nested.
func (c *checker) value(v jsontree.Value, r *rule) {
	if !v.Given() || v.Kind() != r.kind && v.Kind() != r.also {
		c.wrongKind(v, r)
		return
	}
	switch v.Kind() {
	case jsontree.Number:
		c.whole(v, r.whole)
	case jsontree.String:
		c.word(v, r.words)
		c.length(v, r.most)
	case jsontree.Object:
		c.members(v, r.members)
		if r.union != nil {
			c.tagged(v, r.union)
		}
	case jsontree.Array:
		c.elements(v, r.element)
	}
}

func (c *checker) elements(array jsontree.Value, r *rule) {
	if r == nil {
		return
	}
	for i, element := range array.Elems() {
		c.enterElement(i)
		c.value(element, r)
		c.leave()
	}
}

func (c *checker) whole(v jsontree.Value, required bool) {
	if _, ok := v.Int(); required && !ok {
		c.refuse("int_type", "must be a whole number")
	}
}

func (c *checker) word(v jsontree.Value, words []string) {
	if words != nil && !slices.ContainsFunc(words, func(word string) bool { return says(v, word) }) {
		c.refuse("enum", "must be one of %s", strings.Join(words, ", "))
	}
}

func (c *checker) length(v jsontree.Value, most int) {
	if most > 0 && utf8.RuneCountInString(v.Str()) > most {
		c.refuse("string_too_long", "must have at most %d characters", most)
	}
}

var kindTypes = map[jsontree.Kind]string{
	jsontree.Bool: "bool_type", jsontree.Number: "int_type", jsontree.String: "string_type",
	jsontree.Array: "list_type", jsontree.Object: "dict_type",
}

// wrongKind reports a value that is missing or not of the rule's kind.
func (c *checker) wrongKind(v jsontree.Value, r *rule) {
	switch {
	case !v.Given() && !c.atElement():
		c.refuse("missing", "field required")
	case r.also != jsontree.Absent:
		c.refuse(kindTypes[r.kind], "must be %s or %s, not %s", r.kind, r.also, v.Kind())
	default:
		c.refuse(kindTypes[r.kind], "must be %s, not %s", r.kind, v.Kind())
	}
}
