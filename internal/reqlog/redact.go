package reqlog

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/redact"
)

// Redactions has the redaction rules of workspaces.
type Redactions interface {
	// Rules returns the rules of a workspace.
	Rules(ctx context.Context, workspace int64) (*redact.Rules, error)
	// Compile returns rules of a workspace that are not stored.
	Compile(workspace int64, list []redact.Rule) (*redact.Rules, error)
}

// rulesOf returns the redaction rules of a workspace, nil if they replace nothing.
func (s *Service) rulesOf(ctx context.Context, workspace int64) (*redact.Rules, error) {
	if s.redactions == nil {
		return nil, nil
	}
	rules, err := s.redactions.Rules(ctx, workspace)
	if err != nil || rules.Empty() {
		return nil, err
	}
	return rules, nil
}

// redact applies the redaction rules of its workspace to a log.
func (s *Service) redact(ctx context.Context, in *LogInput) error {
	rules, err := s.rulesOf(ctx, in.Log.Workspace)
	if err != nil || rules == nil {
		return err
	}
	in.Redact(rules.NewPass(nil))
	return nil
}

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

// redactAnnotation applies the redaction rules of its workspace to an annotation.
func (s *Service) redactAnnotation(ctx context.Context, change *Change) error {
	rules, err := s.rulesOf(ctx, change.Workspace)
	if err != nil || rules == nil {
		return err
	}
	change.Annotation.Redact(rules.NewPass(nil))
	return nil
}

// Redact replaces what rules find in an annotation.
func (a *Annotation) Redact(pass *redact.Pass) {
	redactMembers(pass, &a.Metadata)
	redactJSON(pass, &a.Variables, "input_variables")
}

// redactSpans applies the redaction rules of a workspace to spans, whose logs are
// at the same places.
func (s *Service) redactSpans(ctx context.Context, workspace int64, spans []*Span, logs []*Log) error {
	rules, err := s.rulesOf(ctx, workspace)
	if err != nil || rules == nil {
		return err
	}
	RedactSpans(rules.NewPass(nil), spans, func(i int) { spans[i].Index = s.spanIndex(spans[i], logs[i]) })
	return nil
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
