package reqlog

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/redact"
)

// Redact replaces what rules find in a log, and reports whether they found
// anything. It does not change what the log refers to.
func (in *LogInput) Redact(pass *redact.Pass) bool {
	l := in.Log
	input, output := in.trees()
	changed := redactTree(pass, input, &l.Input, "input")
	changed = redactTree(pass, output, &l.Output, "output") || changed
	changed = redactJSON(pass, &l.Parameters, "parameters") || changed
	changed = redactJSON(pass, &l.Variables, "input_variables") || changed
	changed = redactText(pass, &l.ErrorMessage, "error_message") || changed
	changed = redactTags(pass, l) || changed
	changed = redactMembers(pass, &l.Metadata) || changed
	if changed {
		// The trees and everything that was derived from them are those before.
		in.input, in.output, in.derived = jsontree.Value{}, jsontree.Value{}, false
	}
	return changed
}

// redactTree redacts a text whose tree is known. The tree of a text that is no JSON
// is absent.
func redactTree(pass *redact.Pass, tree jsontree.Value, text *json.RawMessage, key string) (changed bool) {
	if tree.Kind() == jsontree.Absent {
		return redactJSON(pass, text, key)
	}
	*text, changed = pass.Value(tree, key)
	return changed
}

func redactJSON(pass *redact.Pass, text *json.RawMessage, keys ...string) (changed bool) {
	*text, changed = pass.JSON(*text, keys...)
	return changed
}

func redactText(pass *redact.Pass, text *string, keys ...string) (changed bool) {
	*text, changed = pass.Text(*text, keys...)
	return changed
}

func redactTags(pass *redact.Pass, l *Log) (changed bool) {
	tags := slices.Clone(l.Tags)
	for i := range tags {
		changed = redactText(pass, &tags[i], "tags", strconv.Itoa(i)) || changed
	}
	if changed {
		l.Tags = distinct(slices.DeleteFunc(tags, func(tag string) bool { return tag == "" }))
	}
	return changed
}

func redactMembers(pass *redact.Pass, members *[]Member) (changed bool) {
	redacted := slices.Clone(*members)
	for i := range redacted {
		changed = redactJSON(pass, &redacted[i].Value, "metadata", redacted[i].Key) || changed
	}
	if changed {
		*members = redacted
	}
	return changed
}

// Redact replaces what rules find in an annotation.
func (a *Annotation) Redact(pass *redact.Pass) {
	redactMembers(pass, &a.Metadata)
	redactJSON(pass, &a.Variables, "input_variables")
}

// RedactSpans replaces what rules find in spans, and calls changed with the place of
// each span in which they found anything.
func RedactSpans(pass *redact.Pass, spans []*Span, changed func(i int)) {
	resources := resourceRedactor{pass: pass}
	for i, span := range spans {
		redacted := resources.redact(span)
		if redactSpan(pass, span) || redacted {
			changed(i)
		}
	}
}

// resourceRedactor redacts the resources of spans. Spans that follow each other
// mostly have the same one.
type resourceRedactor struct {
	pass          *redact.Pass
	before, after json.RawMessage
	changed       bool
}

func (r *resourceRedactor) redact(span *Span) bool {
	if r.before == nil || !bytes.Equal(r.before, span.Resource) {
		r.before, r.after = span.Resource, span.Resource
		r.changed = redactJSON(r.pass, &r.after, "resource")
	}
	span.Resource = r.after
	return r.changed
}

func redactSpan(pass *redact.Pass, span *Span) bool {
	changed := redactJSON(pass, &span.Attributes, "attributes")
	changed = redactJSON(pass, &span.Events, "events") || changed
	changed = redactJSON(pass, &span.Links, "links") || changed
	changed = redactText(pass, &span.Name, "name") || changed
	return redactText(pass, &span.StatusMessage, "status_message") || changed
}
