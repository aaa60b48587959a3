package template

import (
	"maps"
	"slices"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
)

// Strictness says how much of a template is checked.
type Strictness uint8

const (
	// Lenient is for logged templates: rejecting one would lose the log.
	Lenient Strictness = iota + 1
	// Strict is for templates in the registry.
	Strict
)

// Check adds a problem for each violation in a chat or completion template,
// which is the member name of the object at loc.
func Check(template jsontree.Value, loc []any, name string, strictness Strictness, problems *fault.Problems) {
	r := shape.New(loc, problems)
	CheckMember(&r, name, template, strictness)
}

// CheckMember is like Check for the member name of the object being read.
func CheckMember(r *shape.Reader, name string, template jsontree.Value, strictness Strictness) {
	c := checker{r, strictness}
	c.Enter(name)
	c.template(template)
	c.Leave()
}

// CheckMetadata adds a problem for each violation in the metadata of a
// template, which is the member name of the object at loc. Metadata is
// optional.
func CheckMetadata(metadata jsontree.Value, loc []any, name string, problems *fault.Problems) {
	if !metadata.Given() {
		return
	}
	r := shape.New(loc, problems)
	c := checker{&r, Strict}
	c.Enter(name)
	if model := metadata.Get("model"); model.Kind() == jsontree.Object && !onlyParameters(model) {
		c.Enter("model")
		c.members(model, modelRules)
		c.Leave()
	}
	c.value(metadata, &metadataRule)
}

// onlyParameters reports whether a model has parameters but no name: they apply
// to the model that the caller of the template names.
func onlyParameters(model jsontree.Value) bool {
	return model.Get("parameters").Given() && !model.Get("provider").Given() && !model.Get("name").Given()
}

// checker reports the problems of one value.
type checker struct {
	*shape.Reader
	strictness Strictness
}

func (c *checker) template(template jsontree.Value) {
	kind := KindOf(template)
	if c.strictness == Strict && !template.Get("type").Given() {
		kind = None
	}
	switch {
	case template.Kind() != jsontree.Object:
		c.Is(template, jsontree.Object)
	case kind == Chat:
		c.chat(template)
	case kind == Completion:
		c.content(template, true)
		c.members(template, completionRules)
	default:
		c.wrongTag(template, "type", templateTypes)
	}
}

// wrongTag reports that the discriminator of an object is missing or unknown.
func (c *checker) wrongTag(object jsontree.Value, name string, tags []string) {
	switch tag := object.Get(name); {
	case !tag.Given():
		c.Report(fault.TagRequired(name, tags...))
	case tag.Kind() == jsontree.String:
		c.Report(fault.KnownTag(name, tag.Str(), tags...))
	default:
		c.Report(fault.KnownTag(name, string(tag.Raw()), tags...))
	}
}

func (c *checker) chat(template jsontree.Value) {
	c.Enter("messages")
	messages := template.Get("messages")
	c.Is(messages, jsontree.Array)
	for i, message := range messages.Elems() {
		c.EnterElement(i)
		c.message(message)
		c.Leave()
	}
	c.Leave()
	c.members(template, chatRules)
	if choice := template.Get("tool_choice"); c.strictness == Lenient && namesFunction(choice) {
		c.Enter("tool_choice")
		c.members(choice, chosenFunctionRules)
		c.Leave()
	}
}

// namesFunction reports whether a tool choice must name a function. Others are
// in a provider's format.
func namesFunction(choice jsontree.Value) bool {
	if choice.Kind() != jsontree.Object {
		return false
	}
	kind := choice.Get("type")
	return !kind.Given() || kind.Str() == "function"
}

func (c *checker) message(message jsontree.Value) {
	if !c.Is(message, jsontree.Object) {
		return
	}
	role := message.Get("role")
	known, ok := lookUp(roleRules, role)
	if !ok {
		known = otherRole
	}
	if role.Str() == "" {
		c.wrongTag(message, "role", roles)
	}
	c.content(message, known.needsContent)
	c.members(message, known.rules)
	c.members(message, messageRules)
}

// contentBlocks is the problem of content that is not a list. Clients depend on
// its first words.
var contentBlocks = fault.Rule{
	Type: fault.ListType.Type, Msg: "Malformed Request: content must be an array of content blocks, not a string",
}

// content checks the items of a message or a completion.
func (c *checker) content(holder jsontree.Value, required bool) {
	c.Enter("content")
	defer c.Leave()
	content := holder.Get("content")
	switch {
	case content.Kind() == jsontree.String:
		c.Report(contentBlocks)
	case content.Given() && content.Kind() != jsontree.Array, required && !content.Given():
		c.Is(content, jsontree.Array)
	}
	for i, item := range content.Elems() {
		c.EnterElement(i)
		if c.Is(item, jsontree.Object) {
			c.tagged(item, contentUnion)
		}
		c.Leave()
	}
}

// tagged checks an object whose type selects the rules.
func (c *checker) tagged(object jsontree.Value, u union) {
	kind := object.Get("type")
	if kind.Kind() != jsontree.String {
		c.wrongTag(object, "type", slices.Sorted(maps.Keys(u)))
	}
	rules, _ := lookUp(u, kind)
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
		c.Enter(r.name)
		c.value(v, r)
		c.Leave()
	}
}

// value checks v against the rule. The nesting of rules limits the recursion.
func (c *checker) value(v jsontree.Value, r *rule) {
	if !c.ofKind(v, r) {
		return
	}
	switch v.Kind() {
	case jsontree.String:
		if r.words != nil {
			shape.OneOf(c.Reader, v, r.words)
		}
		if r.most > 0 {
			c.Text(v, 0, r.most)
		}
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
		c.EnterElement(i)
		c.value(element, r)
		c.Leave()
	}
}

// ofKind reports whether v has one of the kinds of the rule; numbers must be
// integers.
func (c *checker) ofKind(v jsontree.Value, r *rule) bool {
	switch {
	case r.kind == jsontree.Number:
		_, ok := c.Int(v)
		return ok
	case r.also != jsontree.Absent:
		return c.IsEither(v, r.kind, r.also)
	}
	return c.Is(v, r.kind)
}
