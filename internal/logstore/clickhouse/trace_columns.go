package clickhouse

import "github.com/promptuary/promptuary/internal/reqlog"

// viewColumn is how a field of traces or spans is computed.
type viewColumn struct {
	sql   string
	needs needs
}

// needs says what a view must join to compute its columns.
type needs uint8

const (
	needsLog      needs = 1 << iota // the first log of a span, as l
	needsSums                       // sums over the logs of a trace, as sums
	needsDepth                      // the level of a span in its tree, as tree
	needsChildren                   // the number of spans below a span, as below
)

const (
	spanType     = "coalesce(toString(s.type), if(l.id IS NOT NULL, 'LLM_CALL', NULL))"
	spanModel    = "coalesce(nullIf(toString(l.engine), ''), toString(s.model))"
	promptRef    = "concat(toString(l.prompt_id), ':', toString(l.prompt_version))"
	workflowRef  = "concat(toString(s.workflow), ':', toString(s.workflow_version))"
	spanDuration = "greatest(s.end_time - s.start_time, 0) / 1000"
)

// spanColumns are the fields of spans. The row of a span is s.
var spanColumns = map[reqlog.Field]viewColumn{
	"span_id":                      {sql: "s.span_id"},
	"span_name":                    {sql: "toString(s.name)"},
	"span_type":                    {spanType, needsLog},
	"span_kind":                    {sql: "toString(s.kind)"},
	"span_status":                  {sql: "toString(s.status)"},
	"span_duration_ms":             {sql: spanDuration},
	"span_cost_usd":                {"l.price", needsLog},
	"span_tokens":                  {"l.total_tokens", needsLog},
	"span_input_tokens":            {"l.input_tokens", needsLog},
	"span_output_tokens":           {"l.output_tokens", needsLog},
	"span_models_used":             {"if(" + spanModel + " IS NULL, [], [assumeNotNull(" + spanModel + ")])", needsLog},
	"span_prompt_id":               {"l.prompt_id", needsLog},
	"span_prompt_version_number":   {"l.prompt_version", needsLog},
	"span_prompt_version_ref":      {promptRef, needsLog},
	"span_workflow_id":             {sql: "s.workflow"},
	"span_workflow_version_number": {sql: "s.workflow_version"},
	"span_workflow_version_ref":    {sql: workflowRef},
	"span_tool_name":               {sql: "toString(s.tool_name)"},
	"span_input_variables":         {"l.variable_pairs", needsLog},
	"span_output_text":             {sql: "s.output_text"},
	"span_exception_text":          {sql: "s.exception_text"},
	"span_attributes":              {sql: "s.attributes"},
	"span_resource":                {sql: "s.resource"},
	"span_depth":                   {"tree.depth", needsDepth},
	"span_total_child_count":       {"ifNull(below.spans, 0)", needsChildren},
	"span_is_leaf":                 {"below.spans IS NULL", needsChildren},
}

// traceColumns are the fields of traces, as aggregates over their spans.
var traceColumns = map[reqlog.Field]viewColumn{
	"trace_id":                    {sql: "any(s.trace_id)"},
	"trace_name":                  {sql: firstOf("toString(s.name)")},
	"trace_status":                {sql: "if(max(s.status = 'ERROR'), 'ERROR', 'OK')"},
	"trace_start":                 {sql: "min(s.start_time)"},
	"trace_end":                   {sql: "max(s.end_time)"},
	"trace_duration_ms":           {sql: "greatest(max(s.end_time) - min(s.start_time), 0) / 1000"},
	"trace_total_cost_usd":        {"any(sums.price)", needsSums},
	"trace_total_tokens":          {"any(sums.total_tokens)", needsSums},
	"trace_input_tokens":          {"any(sums.input_tokens)", needsSums},
	"trace_output_tokens":         {"any(sums.output_tokens)", needsSums},
	"trace_span_count":            {sql: "toInt64(count())"},
	"trace_depth":                 {"max(tree.depth)", needsDepth},
	"trace_run_by_user_id":        {sql: firstWith("s.user_id")},
	"trace_session_id":            {sql: firstWith("s.session_id")},
	"trace_models_used":           {distinct(spanModel), needsLog},
	"trace_prompt_ids":            {distinct("toString(l.prompt_id)"), needsLog},
	"trace_prompt_version_refs":   {distinct(promptRef), needsLog},
	"trace_workflow_ids":          {sql: distinct("toString(s.workflow)")},
	"trace_workflow_version_refs": {sql: distinct(workflowRef)},
	"trace_tool_names":            {sql: distinct("toString(s.tool_name)")},
	// Not for clients:
	traceRequests: {"toInt64(ifNull(any(sums.requests), 0))", needsSums},
	traceErrors:   {sql: "toInt64(countIf(s.status = 'ERROR'))"},
}

// Columns of traces that are not fields.
const (
	traceRequests reqlog.Field = "trace_requests"
	traceErrors   reqlog.Field = "trace_errors"
)

// firstOf writes the value of the first span without a parent, or of the first
// span.
func firstOf(value string) string {
	return "argMin(" + value + ", (s.parent_id IS NOT NULL, s.start_time, bitAnd(s.key, " + idMask + ")))"
}

// firstWith writes the value of the first span that has one.
func firstWith(value string) string {
	return "argMin(" + value + ", (s.start_time, bitAnd(s.key, " + idMask + ")))"
}

// distinct writes the list of the different values, in order.
func distinct(value string) string { return "arraySort(groupUniqArray(" + value + "))" }
