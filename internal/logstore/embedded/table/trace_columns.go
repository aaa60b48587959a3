package table

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
	spanType     = "coalesce(s.type, CASE WHEN l.id IS NOT NULL THEN 'LLM_CALL' END)"
	spanModel    = "coalesce(nullif(l.engine, ''), s.model)"
	promptRef    = "l.prompt_id || ':' || l.prompt_version"
	workflowRef  = "s.workflow || ':' || s.workflow_version"
	spanDuration = "greatest(s.end_time - s.start_time, 0) / 1000.0"
)

// spanColumns are the fields of spans. The row of a span is s.
var spanColumns = map[reqlog.Field]viewColumn{
	"span_id":                      {sql: "s.span_id"},
	"span_name":                    {sql: "s.name"},
	"span_type":                    {spanType, needsLog},
	"span_kind":                    {sql: "s.kind"},
	"span_status":                  {sql: "s.status"},
	"span_duration_ms":             {sql: spanDuration},
	"span_cost_usd":                {"l.price", needsLog},
	"span_tokens":                  {"l.total_tokens", needsLog},
	"span_input_tokens":            {"l.input_tokens", needsLog},
	"span_output_tokens":           {"l.output_tokens", needsLog},
	"span_models_used":             {"list_filter([" + spanModel + "], x -> x IS NOT NULL)", needsLog},
	"span_prompt_id":               {"l.prompt_id", needsLog},
	"span_prompt_version_number":   {"l.prompt_version", needsLog},
	"span_prompt_version_ref":      {promptRef, needsLog},
	"span_workflow_id":             {sql: "s.workflow"},
	"span_workflow_version_number": {sql: "s.workflow_version"},
	"span_workflow_version_ref":    {sql: workflowRef},
	"span_tool_name":               {sql: "s.tool_name"},
	"span_input_variables":         {"coalesce(l.variable_pairs, [])", needsLog},
	"span_output_text":             {sql: "s.output_text"},
	"span_exception_text":          {sql: "s.exception_text"},
	"span_attributes":              {sql: "s.attributes"},
	"span_resource":                {sql: "s.resource"},
	"span_depth":                   {"tree.depth", needsDepth},
	"span_total_child_count":       {"coalesce(below.spans, 0)", needsChildren},
	"span_is_leaf":                 {"below.spans IS NULL", needsChildren},
}

// traceColumns are the fields of traces, as aggregates over their spans.
var traceColumns = map[reqlog.Field]viewColumn{
	"trace_id":                    {sql: "any_value(s.trace_id)"},
	"trace_name":                  {sql: firstOf("s.name")},
	"trace_status":                {sql: "CASE WHEN bool_or(s.status = 'ERROR') THEN 'ERROR' ELSE 'OK' END"},
	"trace_start":                 {sql: "min(s.start_time)"},
	"trace_end":                   {sql: "max(s.end_time)"},
	"trace_duration_ms":           {sql: "greatest(max(s.end_time) - min(s.start_time), 0) / 1000.0"},
	"trace_total_cost_usd":        {"any_value(sums.price)", needsSums},
	"trace_total_tokens":          {"any_value(sums.total_tokens)", needsSums},
	"trace_input_tokens":          {"any_value(sums.input_tokens)", needsSums},
	"trace_output_tokens":         {"any_value(sums.output_tokens)", needsSums},
	"trace_span_count":            {sql: "count(*)"},
	"trace_depth":                 {"max(tree.depth)", needsDepth},
	"trace_run_by_user_id":        {sql: firstWith("s.user_id")},
	"trace_session_id":            {sql: firstWith("s.session_id")},
	"trace_models_used":           {distinct(spanModel), needsLog},
	"trace_prompt_ids":            {distinct("l.prompt_id::VARCHAR"), needsLog},
	"trace_prompt_version_refs":   {distinct(promptRef), needsLog},
	"trace_workflow_ids":          {sql: distinct("s.workflow::VARCHAR")},
	"trace_workflow_version_refs": {sql: distinct(workflowRef)},
	"trace_tool_names":            {sql: distinct("s.tool_name")},
	// Not for clients:
	traceRequests: {"coalesce(any_value(sums.requests), 0)", needsSums},
	traceErrors:   {sql: "count(*) FILTER (s.status = 'ERROR')"},
}

// Columns of traces that are not fields.
const (
	traceRequests reqlog.Field = "trace_requests"
	traceErrors   reqlog.Field = "trace_errors"
)

// firstOf writes the value of the first span without a parent, or of the first
// span.
func firstOf(value string) string {
	return "arg_min(" + value + ", {'below': s.parent_id IS NOT NULL, 'start': s.start_time, 'id': s.key & " + idMask + "})"
}

// firstWith writes the value of the first span that has one.
func firstWith(value string) string {
	return "arg_min(" + value + ", {'start': s.start_time, 'id': s.key & " + idMask + "}) FILTER (" + value + " IS NOT NULL)"
}

// distinct writes the list of the different values, in order.
func distinct(value string) string {
	return "coalesce(list(DISTINCT " + value + " ORDER BY " + value + ") FILTER (" + value + " IS NOT NULL), [])"
}
