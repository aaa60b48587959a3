package reqlog

import (
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// templateKind says how a template holds what was said.
type templateKind uint8

const (
	noTemplate templateKind = iota
	chatTemplate
	completionTemplate
)

var templateKinds = map[string]templateKind{"chat": chatTemplate, "completion": completionTemplate}

// kindOf returns the kind that a template names; one that names none is known
// by what it holds.
func kindOf(template jsontree.Value) templateKind {
	switch named := template.Get("type"); {
	case named.Given():
		kind, _ := lookUp(templateKinds, named)
		return kind
	case template.Get("messages").Given():
		return chatTemplate
	case template.Get("content").Given():
		return completionTemplate
	default:
		return noTemplate
	}
}

// lookUp finds the word that a JSON string says, without a copy of the string
// in the common case.
func lookUp[T any](words map[string]T, v jsontree.Value) (found T, ok bool) {
	if v.Kind() != jsontree.String {
		return found, false
	}
	raw := v.Raw()
	if found, ok = words[string(raw[1:len(raw)-1])]; ok {
		return found, true
	}
	found, ok = words[v.Str()] // it may be written with escapes
	return found, ok
}

// checkTemplate adds a problem for everything that breaks a rule in a chat or
// completion template, which is the member name of the object at loc.
func checkTemplate(template jsontree.Value, loc []any, name string, problems *fault.Problems) {
	c := templateCheck{loc: loc, problems: problems, path: make([]step, 0, 8)}
	c.enter(name)
	c.template(template)
}

// templateCheck collects what is wrong with one template.
type templateCheck struct {
	loc      []any
	problems *fault.Problems
	// path leads from loc to the value that is being checked. It
	// becomes a location only when there is a problem to report.
	path []step
}

// step goes to a member, or to an element when it has no name.
type step struct {
	name  string
	index int
}

func (c *templateCheck) enter(name string)  { c.path = append(c.path, step{name: name}) }
func (c *templateCheck) enterElement(i int) { c.path = append(c.path, step{index: i}) }
func (c *templateCheck) leave()             { c.path = c.path[:len(c.path)-1] }
func (c *templateCheck) atElement() bool    { return c.path[len(c.path)-1].name == "" }

func (c *templateCheck) refuse(typ, format string, args ...any) {
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

func (c *templateCheck) template(template jsontree.Value) {
	switch {
	case template.Kind() != jsontree.Object:
		c.wrongKind(template, &objectRule)
	case kindOf(template) == chatTemplate:
		c.chat(template)
	case kindOf(template) == completionTemplate:
		c.content(template, true)
		c.members(template, completionRules)
	case template.Get("type").Given():
		c.refuse("union_tag_invalid", "type must be chat or completion")
	default:
		c.refuse("union_tag_not_found", "type is required and must be chat or completion")
	}
}

func (c *templateCheck) chat(template jsontree.Value) {
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
	if choice := template.Get("tool_choice"); namesFunction(choice) {
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

func (c *templateCheck) message(message jsontree.Value) {
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

// content checks the blocks of a message or a completion.
func (c *templateCheck) content(holder jsontree.Value, required bool) {
	c.enter("content")
	defer c.leave()
	content := holder.Get("content")
	switch {
	case content.Kind() == jsontree.String:
		c.refuse("list_type", "Malformed Request: content must be an array of content blocks, not a string")
	case content.Given() && content.Kind() != jsontree.Array, required && !content.Given():
		c.wrongKind(content, &arrayRule)
	}
	for i, block := range content.Elems() {
		c.enterElement(i)
		c.block(block)
		c.leave()
	}
}

func (c *templateCheck) block(block jsontree.Value) {
	if block.Kind() != jsontree.Object {
		c.wrongKind(block, &objectRule)
		return
	}
	kind := block.Get("type")
	if kind.Kind() != jsontree.String {
		c.refuse("union_tag_not_found", "type is required and must be a string")
		return
	}
	rules, _ := lookUp(blockRules, kind)
	c.members(block, rules)
}

func (c *templateCheck) members(object jsontree.Value, rules []rule) {
	for i := range rules {
		r := &rules[i]
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
func (c *templateCheck) value(v jsontree.Value, r *rule) {
	if !v.Given() || v.Kind() != r.kind && v.Kind() != r.also {
		c.wrongKind(v, r)
		return
	}
	switch v.Kind() {
	case jsontree.String:
		c.word(v, r.words)
	case jsontree.Object:
		c.members(v, r.members)
	case jsontree.Array:
		for i, element := range v.Elems() {
			c.enterElement(i)
			c.value(element, r.element)
			c.leave()
		}
	}
}

func (c *templateCheck) word(v jsontree.Value, words []string) {
	if words != nil && !slices.ContainsFunc(words, func(word string) bool { return says(v, word) }) {
		c.refuse("enum", "must be one of %s", strings.Join(words, ", "))
	}
}

// wrongKind reports a value that is missing or not of the rule's kind.
func (c *templateCheck) wrongKind(v jsontree.Value, r *rule) {
	switch {
	case !v.Given() && !c.atElement():
		c.refuse("missing", "field required")
	case r.also != jsontree.Absent:
		c.refuse(kindTypes[r.kind], "must be %s or %s, not %s", r.kind, r.also, v.Kind())
	default:
		c.refuse(kindTypes[r.kind], "must be %s, not %s", r.kind, v.Kind())
	}
}
