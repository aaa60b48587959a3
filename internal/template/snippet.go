package template

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Ref is the reference of a snippet tag: a version by number or by label, or
// the latest.
type Ref struct {
	Name    string
	Version int64
	Label   string
}

const (
	tagMark       = "@@@"
	versionSuffix = "@version_number:"
	labelSuffix   = "@label:"
)

// MaxExpanded limits the size that snippets may add to a template or a text,
// because nested snippets could grow exponentially. Tags beyond it are not
// expanded.
const MaxExpanded = 4 << 20

// nextTag returns the position of the first tag in text. An empty pair of marks
// is not a tag; its second mark may start one.
func nextTag(text string) (ref Ref, start, end int, ok bool) {
	start = strings.Index(text, tagMark)
	for start >= 0 {
		inside := start + len(tagMark)
		length := strings.Index(text[inside:], tagMark)
		if length < 0 {
			break
		}
		if length > 0 {
			end = inside + length + len(tagMark)
			return parseRef(text[inside : inside+length]), start, end, true
		}
		start = inside
	}
	return Ref{}, 0, 0, false
}

// parseRef parses the text between the marks of a tag. An invalid suffix is
// part of the name.
func parseRef(inside string) Ref {
	version, label := strings.LastIndex(inside, versionSuffix), strings.LastIndex(inside, labelSuffix)
	switch {
	case version > label && version > 0:
		text := unbrace(inside[version+len(versionSuffix):])
		if n, err := strconv.ParseUint(text, 10, 63); err == nil && n > 0 {
			return Ref{Name: inside[:version], Version: int64(n)}
		}
	case label > version && label > 0:
		if text := unbrace(inside[label+len(labelSuffix):]); text != "" {
			return Ref{Name: inside[:label], Label: text}
		}
	}
	return Ref{Name: inside}
}

// unbrace removes a pair of braces around a text: users copy them from
// documentation that shows {name} for a value.
func unbrace(text string) string {
	if len(text) >= 2 && text[0] == '{' && text[len(text)-1] == '}' {
		return text[1 : len(text)-1]
	}
	return text
}

// Refs returns the distinct references in the text items of a template, in
// order. It does not include references in those snippets.
func Refs(template jsontree.Value) []Ref {
	if !mayHoldTags(template) {
		return nil
	}
	var refs refList
	for _, holder := range holders(template) {
		for text := range texts(holder) {
			if mayHoldTags(text) {
				refs.add(text.Str())
			}
		}
	}
	return refs.list
}

// mayHoldTags is a quick check of the bytes of a value without false negatives.
func mayHoldTags(v jsontree.Value) bool {
	raw := v.Raw()
	return bytes.Contains(raw, []byte(tagMark)) || bytes.Contains(raw, []byte(`\u0040`))
}

type refList struct {
	list []Ref
	seen map[Ref]struct{}
}

func (l *refList) add(text string) {
	for {
		ref, _, end, ok := nextTag(text)
		if !ok {
			return
		}
		text = text[end:]
		if _, known := l.seen[ref]; known {
			continue
		}
		if l.seen == nil {
			l.seen = map[Ref]struct{}{}
		}
		l.seen[ref] = struct{}{}
		l.list = append(l.list, ref)
	}
}

// ExpandText replaces the tags of a text with the results of resolve.
// Unresolved tags stay. Tags in the results are not expanded.
func ExpandText(text string, resolve func(Ref) (string, bool)) string {
	added := 0
	expanded, _ := expandText(text, resolve, &added)
	return expanded
}

// expandText counts the added bytes, and reports whether it replaced a tag.
func expandText(text string, resolve func(Ref) (string, bool), added *int) (expanded string, changed bool) {
	var out []byte
	from, rest := 0, 0 // start of the text not yet copied, and not yet searched
	for {
		ref, start, end, ok := nextTag(text[rest:])
		if !ok {
			break
		}
		start, end, rest = start+rest, end+rest, end+rest
		snippet, ok := resolve(ref)
		if !ok || *added+len(snippet) > MaxExpanded {
			continue
		}
		*added += len(snippet)
		out = append(append(out, text[from:start]...), snippet...)
		from, changed = end, true
	}
	if !changed {
		return text, false
	}
	return string(append(out, text[from:]...)), true
}

// Expand replaces the tags in every text item like ExpandText, and adds the
// variables of the snippets to the lists of input variables. If nothing
// changes, it returns the template itself.
func Expand(template jsontree.Value, resolve func(Ref) (text string, ok bool)) []byte {
	if !mayHoldTags(template) {
		return template.Raw()
	}
	x := expansion{editor: editor{base: template}, resolve: resolve}
	x.all.addStrings(template.Get("input_variables"))
	known := len(x.all.list)
	for _, holder := range holders(template) {
		x.holder(holder)
	}
	if list := template.Get("input_variables"); KindOf(template) == Chat && list.Kind() == jsontree.Array && len(x.all.list) > known {
		x.replace(list, x.all.encode())
	}
	return x.bytes()
}

// expansion is the state of Expand.
type expansion struct {
	editor
	resolve func(Ref) (string, bool)
	added   int
	all     names
}

// holder expands the texts of a message or a completion and extends its list of
// input variables.
func (x *expansion) holder(holder jsontree.Value) {
	var variables names
	list := holder.Get("input_variables")
	variables.addStrings(list)
	known := len(variables.list)
	for text := range texts(holder) {
		if !mayHoldTags(text) {
			continue
		}
		if expanded, changed := expandText(text.Str(), x.resolve, &x.added); changed {
			x.replaceString(text, expanded)
			variables.addText(holderFormat(holder), expanded)
		}
	}
	if len(variables.list) == known {
		return
	}
	x.all.addAll(variables.list)
	if list.Kind() == jsontree.Array {
		x.replace(list, variables.encode())
	}
}

// SnippetText returns the text of a template that is used as a snippet: the
// texts of a completion, empty for a chat.
func SnippetText(template jsontree.Value) string {
	if KindOf(template) != Completion {
		return ""
	}
	var text []byte
	for t := range texts(template) {
		text = t.AppendStr(text)
	}
	return string(text)
}
