package logstoretest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// values are the fields of a trace or a span.
type values map[query.Field]fieldValue

// traceRow is a trace with the values of its fields and of its spans' fields.
type traceRow struct {
	id     string
	spans  []*reqlog.Span // by start, then id
	logs   []*reqlog.Log  // all of the spans, each once
	values values
	rows   []values // of the spans
	// parents has the spans that have a parent in the trace, below the number of
	// spans that have an id, with leading zeros, as their parent.
	parents map[*reqlog.Span]*reqlog.Span
	below   map[string]int
}

// tracesOf returns the traces of a workspace.
func (n *naive) tracesOf(workspace int64) []*traceRow {
	byID := map[string]*traceRow{}
	for _, span := range n.spans {
		if span.Workspace != workspace {
			continue
		}
		row := byID[span.TraceID]
		if row == nil {
			row = &traceRow{id: span.TraceID}
			byID[span.TraceID] = row
		}
		row.spans = append(row.spans, span)
	}
	var all []*traceRow
	for _, row := range byID {
		row.complete(n)
		all = append(all, row)
	}
	return all
}

func (t *traceRow) complete(n *naive) {
	slices.SortFunc(t.spans, func(a, b *reqlog.Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.ID(), b.ID()))
	})
	for _, l := range n.logs {
		if slices.ContainsFunc(t.spans, func(s *reqlog.Span) bool {
			return l.Workspace == s.Workspace && l.SpanID == s.LogSpanID && l.SpanID != ""
		}) {
			t.logs = append(t.logs, l)
		}
	}
	t.linkParents()
	for _, span := range t.spans {
		t.rows = append(t.rows, t.spanValues(span))
	}
	t.values = t.traceValues()
}

// logOf returns the first log of a span, nil if there is none.
func (t *traceRow) logOf(span *reqlog.Span) *reqlog.Log {
	for _, l := range t.logs {
		if l.SpanID == span.LogSpanID {
			return l
		}
	}
	return nil
}

func padID(id string) string {
	if count := len([]rune(id)); count < 16 && id != "" {
		return strings.Repeat("0", 16-count) + id
	}
	return id
}

func (t *traceRow) linkParents() {
	byID := map[string]*reqlog.Span{}
	for _, span := range t.spans {
		byID[padID(span.SpanID)] = span
	}
	t.parents, t.below = map[*reqlog.Span]*reqlog.Span{}, map[string]int{}
	for _, span := range t.spans {
		if parent := byID[padID(span.ParentID)]; span.ParentID != "" && parent != nil {
			t.parents[span] = parent
			t.below[padID(span.ParentID)]++
		}
	}
}

// depth returns the level of a span, 0 if it is below no root or too deep.
func (t *traceRow) depth(span *reqlog.Span) int {
	for level := 1; level <= 1000; level++ {
		if span = t.parents[span]; span == nil {
			return level
		}
	}
	return 0
}

func textOrNone(texts ...string) fieldValue {
	return fieldValue{texts: slices.DeleteFunc(texts, func(text string) bool { return text == "" })}
}

func numeric(n float64, given bool) fieldValue { return fieldValue{number: n, given: given} }

func identity(id int64) fieldValue { return fieldValue{whole: id, number: float64(id), given: id != 0} }

func ref(id, version int64) fieldValue {
	if id == 0 || version == 0 {
		return fieldValue{}
	}
	return textOrNone(fmt.Sprintf("%d:%d", id, version))
}

func (t *traceRow) spanValues(s *reqlog.Span) values {
	depth, below := t.depth(s), t.below[padID(s.SpanID)]
	v := values{
		"span_id": textOrNone(s.SpanID), "span_name": {texts: []string{s.Name}}, "span_kind": textOrNone(s.Kind), "span_status": textOrNone(s.Status),
		"span_type": textOrNone(s.Index.Type), "span_tool_name": textOrNone(s.Index.ToolName), "span_models_used": textOrNone(s.Index.Model),
		"span_duration_ms": numeric(float64(max(s.End-s.Start, 0))/1000, true),
		"span_workflow_id": identity(s.Index.Workflow), "span_workflow_version_number": identity(s.Index.WorkflowVersion),
		"span_workflow_version_ref": ref(s.Index.Workflow, s.Index.WorkflowVersion),
		"span_output_text":          {text: s.Index.OutputText}, "span_exception_text": {text: s.Index.ExceptionText},
		"span_attributes": {pairs: attributePairs(s.Attributes)}, "span_resource": {pairs: attributePairs(s.Resource)},
		"span_depth": numeric(float64(depth), depth > 0), "span_total_child_count": numeric(float64(below), true), "span_is_leaf": {flag: below == 0},
	}
	if l := t.logOf(s); l != nil {
		t.addLog(v, s, l)
	}
	return v
}

// addLog adds what a span has from its log.
func (t *traceRow) addLog(v values, s *reqlog.Span, l *reqlog.Log) {
	for name, field := range map[query.Field]query.Field{
		"span_cost_usd": query.FieldCost, "span_tokens": query.FieldTotalTokens, "span_input_tokens": query.FieldInputTokens, "span_output_tokens": query.FieldOutputTokens,
	} {
		v[name] = valueOf(l, field)
	}
	v["span_type"] = textOrNone(cmp.Or(s.Index.Type, "LLM_CALL"))
	v["span_models_used"] = textOrNone(cmp.Or(l.Engine, s.Index.Model))
	v["span_input_variables"] = fieldValue{pairs: withValues(l.Index.Variables)}
	v["span_output_keys"], v["span_output_values"] = valueOf(l, query.FieldOutputKeys), fieldValue{pairs: withValues(l.Index.Output)}
	if l.Prompt != nil {
		v["span_prompt_id"], v["span_prompt_version_number"] = identity(l.Prompt.ID), identity(l.Prompt.Version)
		v["span_prompt_version_ref"] = ref(l.Prompt.ID, l.Prompt.Version)
	}
}

func attributePairs(object []byte) []reqlog.Pair {
	tree, err := jsontree.Parse(object)
	if err != nil {
		return nil
	}
	return withValues(slices.DeleteFunc(reqlog.Flatten(tree), func(p reqlog.Pair) bool { return len(p.Value) > 1024 }))
}

// withValues leaves out keys without a value, which these fields do not have.
func withValues(pairs []reqlog.Pair) []reqlog.Pair {
	return slices.DeleteFunc(slices.Clone(pairs), func(p reqlog.Pair) bool { return p.Empty })
}

func (t *traceRow) traceValues() values {
	status := "OK"
	end, depth := t.spans[0].End, 0
	for i, s := range t.spans {
		end, depth = max(end, s.End), max(depth, int(t.rows[i]["span_depth"].number))
		if s.Status == reqlog.SpanError {
			status = "ERROR"
		}
	}
	start := t.spans[0].Start
	v := values{
		"trace_id": {texts: []string{t.id}}, "trace_name": {texts: []string{t.root().Name}}, "trace_status": textOrNone(status),
		"trace_start": {at: start}, "trace_end": {at: end}, "trace_duration_ms": numeric(float64(max(end-start, 0))/1000, true),
		"trace_span_count": numeric(float64(len(t.spans)), true), "trace_depth": numeric(float64(depth), depth > 0),
		"trace_run_by_user_id": textOrNone(t.first(func(x *reqlog.SpanIndex) string { return x.User })),
		"trace_session_id":     textOrNone(t.first(func(x *reqlog.SpanIndex) string { return x.Session })),
		"trace_models_used":    t.distinct("span_models_used"), "trace_tool_names": t.distinct("span_tool_name"),
		"trace_prompt_ids": t.distinct("span_prompt_id"), "trace_prompt_version_refs": t.distinct("span_prompt_version_ref"),
		"trace_workflow_ids": t.distinct("span_workflow_id"), "trace_workflow_version_refs": t.distinct("span_workflow_version_ref"),
	}
	for name, field := range map[query.Field]query.Field{
		"trace_total_cost_usd": query.FieldCost, "trace_total_tokens": query.FieldTotalTokens, "trace_input_tokens": query.FieldInputTokens, "trace_output_tokens": query.FieldOutputTokens,
	} {
		v[name] = t.sum(field)
	}
	return v
}

// sum adds up a field of the logs. It has a value if one of them has.
func (t *traceRow) sum(field query.Field) (total fieldValue) {
	for _, l := range t.logs {
		if v := valueOf(l, field); v.given {
			total.number += v.number
			total.given = true
		}
	}
	return total
}

// root returns the first span without a parent, or the first span.
func (t *traceRow) root() *reqlog.Span {
	for _, s := range t.spans {
		if s.ParentID == "" {
			return s
		}
	}
	return t.spans[0]
}

func (t *traceRow) first(of func(*reqlog.SpanIndex) string) string {
	for _, s := range t.spans {
		if text := of(&s.Index); text != "" {
			return text
		}
	}
	return ""
}

// distinct returns the different values of a field of the spans, in order.
func (t *traceRow) distinct(field query.Field) fieldValue {
	var all []string
	for _, row := range t.rows {
		if v := row[field]; v.whole != 0 {
			all = append(all, fmt.Sprint(v.whole))
		} else {
			all = append(all, v.texts...)
		}
	}
	slices.Sort(all)
	return fieldValue{texts: slices.Compact(all)}
}
