package template

import (
	"bytes"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
	"github.com/promptuary/promptuary/internal/template/render"
)

// Replay returns a logged template in a form that the registry accepts and that
// renders to the logged texts, whatever the variables. Optional members that
// the registry would reject become null. It returns the template itself if
// nothing needs to change. Strings of tools are not escaped, see EscapeJSON.
func Replay(logged jsontree.Value) jsontree.Value {
	p := replay{editor{base: logged}}
	for _, holder := range holders(logged) {
		p.holder(holder)
	}
	if KindOf(logged) == Chat {
		p.clear(logged, []rule{datasetExamplesRule})
		p.tools(logged)
	}
	return p.tree()
}

// UsesJinja reports whether tools and the response format of a template are
// rendered, too, because one of its messages is in Jinja2.
func UsesJinja(template jsontree.Value) bool { return FormatOf(template) == render.Jinja2 }

// EscapeJSON escapes the strings of tools or of a response format for Jinja2.
func EscapeJSON(value jsontree.Value) jsontree.Value {
	p := replay{editor{base: value}}
	p.escape(value)
	return p.tree()
}

// replay is the state of Replay.
type replay struct{ editor }

// tree returns the result. A result that cannot be parsed, because it exceeds a
// limit of the parser, is not used.
func (p *replay) tree() jsontree.Value {
	if len(p.edits) == 0 {
		return p.base
	}
	edited, err := jsontree.Parse(p.bytes())
	if err != nil {
		return p.base
	}
	return edited
}

var null = []byte("null")

// accepted reports whether the registry accepts a value.
func accepted(v jsontree.Value, r *rule) bool {
	var problems fault.Problems
	reader := shape.New(nil, &problems)
	c := checker{&reader, Strict}
	c.value(v, r)
	return problems.Err() == nil
}

// clear sets optional members that the registry would reject to null.
func (p *replay) clear(object jsontree.Value, rules []rule) {
	for i := range rules {
		r := &rules[i]
		if r.only == Lenient || !r.optional {
			continue
		}
		if v := object.Get(r.name); v.Given() && !accepted(v, r) {
			p.replace(v, null)
		}
	}
}

// holder changes a message or a completion.
func (p *replay) holder(holder jsontree.Value) {
	p.clear(holder, []rule{displayRoleRule, datasetExamplesRule})
	for _, call := range holder.Get("tool_calls").Elems() {
		p.clear(call, []rule{callMetadataRule})
	}
	format := replayFormat(holder)
	if format != holderFormat(holder) {
		p.set(holder, "template_format", jsontree.AppendQuoted(nil, string(format)))
	}
	for _, item := range holder.Get("content").Elems() {
		if item.Len() > 2 { // more than type and text
			rules, _ := lookUp(contentUnion, item.Get("type"))
			p.clear(item, rules)
		}
		if text, ok := itemText(item); ok && mayNeedEscape(text) {
			p.string(text, func(plain string) string { return escapeText(format, plain) })
		}
	}
}

// string replaces a string with its escaped form if that differs.
func (p *replay) string(v jsontree.Value, escape func(string) string) {
	plain := v.Str()
	if escaped := escape(plain); escaped != plain {
		p.replaceString(v, escaped)
	}
}

// mayNeedEscape is a quick check of a text without false negatives.
func mayNeedEscape(text jsontree.Value) bool {
	return mayHoldBraces(text.Raw()) || bytes.IndexByte(text.Raw(), '}') >= 0 || mayHoldTags(text)
}

// replayFormat returns the format in which the texts of a holder can be
// escaped, preferably its own: f-strings cannot escape snippet tags, and Jinja2
// has a size limit.
func replayFormat(holder jsontree.Value) render.Format {
	format := holderFormat(holder)
	for text := range texts(holder) {
		switch {
		case mayHoldTags(text) && hasTag(text.Str()):
			return render.Jinja2
		case format == render.Jinja2 && tooLarge(text):
			format = render.FString
		}
	}
	return format
}

// tooLarge reports whether an escaped text exceeds the limit of Jinja2. Most
// texts are so short that they need not be escaped to know.
func tooLarge(text jsontree.Value) bool {
	return len(text.Raw())*render.MaxGrowth > render.MaxJinja && len(escapeText(render.Jinja2, text.Str())) > render.MaxJinja
}

func hasTag(text string) bool {
	_, _, _, ok := nextTag(text)
	return ok
}

// escapeText escapes a text, and snippet tags in Jinja2.
func escapeText(format render.Format, text string) string {
	escaped := render.Escape(format, text)
	if format == render.Jinja2 && hasTag(text) {
		escaped = strings.ReplaceAll(escaped, tagMark, `@@{{ '@' }}`)
	}
	return escaped
}

// tools changes the tools and functions that the registry would reject.
func (p *replay) tools(logged jsontree.Value) {
	for _, tool := range logged.Get("tools").Elems() {
		if tool.Kind() == jsontree.Object && !accepted(tool, &toolRule) {
			p.replace(tool, acceptedTool(tool))
		}
	}
	for _, function := range logged.Get("functions").Elems() {
		p.clear(function, functionRules)
		if function.Get("name").Kind() != jsontree.String {
			p.set(function, "name", []byte(`""`))
		}
	}
}

// acceptedTool returns a function in the format of another API as a tool, and
// anything else as a tool of an unknown type.
func acceptedTool(tool jsontree.Value) []byte {
	if written := appendGivenTool(nil, tool); len(written) > 0 {
		if v, err := jsontree.Parse(written); err == nil && accepted(v, &toolRule) {
			return written
		}
	}
	return appendObject(nil, tool, []field{{"type", []byte(`"unknown"`)}})
}

// escape escapes the strings that the renderer renders.
func (p *replay) escape(v jsontree.Value) {
	switch v.Kind() {
	case jsontree.String:
		if mayHoldBraces(v.Raw()) {
			p.string(v, func(plain string) string { return render.Escape(render.Jinja2, plain) })
		}
	case jsontree.Array:
		for _, element := range v.Elems() {
			p.escape(element)
		}
	case jsontree.Object:
		if _, kind := schemaVariable(v); kind != jsontree.Absent {
			return
		}
		for _, member := range v.Members() {
			p.escape(member)
		}
	}
}
