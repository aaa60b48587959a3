package logsql

import "github.com/promptuary/promptuary/internal/reqlog/query"

// viewColumn is how a field of traces or spans is computed.
type viewColumn struct {
	sql   string
	needs Needs
}

// Needs says what a view must join to compute its columns.
type Needs uint8

// What can be joined to the spans of a view, which are s.
const (
	NeedsLog      Needs = 1 << iota // the first log of a span, as l
	NeedsSums                       // sums over the logs of a trace, as sums
	NeedsDepth                      // the level of a span in its tree, as tree
	NeedsChildren                   // the number of spans below a span, as below
)

const (
	spanType     = "coalesce(s.type, CASE WHEN l.id IS NOT NULL THEN 'LLM_CALL' END)"
	spanModel    = "coalesce(nullif(l.engine, ''), s.model)"
	promptRef    = "l.prompt_id || ':' || l.prompt_version"
	workflowRef  = "s.workflow || ':' || s.workflow_version"
	spanDuration = "greatest(s.end_time - s.start_time, 0) / 1000.0"
)

// spanColumns are the fields of spans.
func spanColumns(d Dialect) map[query.Field]viewColumn {
	return map[query.Field]viewColumn{
		"span_id":                      {sql: "s.span_id"},
		"span_name":                    {sql: "s.name"},
		"span_type":                    {spanType, NeedsLog},
		"span_kind":                    {sql: "s.kind"},
		"span_status":                  {sql: "s.status"},
		"span_duration_ms":             {sql: spanDuration},
		"span_cost_usd":                {"l.price", NeedsLog},
		"span_tokens":                  {"l.total_tokens", NeedsLog},
		"span_input_tokens":            {"l.input_tokens", NeedsLog},
		"span_output_tokens":           {"l.output_tokens", NeedsLog},
		"span_models_used":             {d.Filter("["+spanModel+"]", "x IS NOT NULL"), NeedsLog},
		"span_prompt_id":               {"l.prompt_id", NeedsLog},
		"span_prompt_version_number":   {"l.prompt_version", NeedsLog},
		"span_prompt_version_ref":      {promptRef, NeedsLog},
		"span_workflow_id":             {sql: "s.workflow"},
		"span_workflow_version_number": {sql: "s.workflow_version"},
		"span_workflow_version_ref":    {sql: workflowRef},
		"span_tool_name":               {sql: "s.tool_name"},
		"span_input_variables":         {"coalesce(l.variable_pairs, [])", NeedsLog},
		"span_output_keys":             {"coalesce(l.output_keys, [])", NeedsLog},
		"span_output_values":           {"coalesce(l.output_pairs, [])", NeedsLog},
		"span_output_text":             {sql: "s.output_text"},
		"span_exception_text":          {sql: "s.exception_text"},
		"span_attributes":              {sql: "s.attributes"},
		"span_resource":                {sql: "s.resource"},
		"span_depth":                   {"tree.depth", NeedsDepth},
		"span_total_child_count":       {"coalesce(below.spans, 0)", NeedsChildren},
		"span_is_leaf":                 {"below.spans IS NULL", NeedsChildren},
	}
}

// Columns of traces that are not fields.
const (
	traceRequests query.Field = "trace_requests"
	traceErrors   query.Field = "trace_errors"
)

// traceColumns are the fields of traces, as aggregates over their spans.
func traceColumns(d Dialect) map[query.Field]viewColumn {
	errors := d.CountIf("s.status = 'ERROR'")
	return map[query.Field]viewColumn{
		"trace_id":                    {sql: "any_value(s.trace_id)"},
		"trace_name":                  {sql: d.First("s.name", append([]string{"s.parent_id IS NOT NULL"}, spanOrder(d)...)...)},
		"trace_status":                {sql: "CASE WHEN " + errors + " > 0 THEN 'ERROR' ELSE 'OK' END"},
		"trace_start":                 {sql: "min(s.start_time)"},
		"trace_end":                   {sql: "max(s.end_time)"},
		"trace_duration_ms":           {sql: "greatest(max(s.end_time) - min(s.start_time), 0) / 1000.0"},
		"trace_total_cost_usd":        {"any_value(sums.price)", NeedsSums},
		"trace_total_tokens":          {"any_value(sums.total_tokens)", NeedsSums},
		"trace_input_tokens":          {"any_value(sums.input_tokens)", NeedsSums},
		"trace_output_tokens":         {"any_value(sums.output_tokens)", NeedsSums},
		"trace_span_count":            {sql: "count(*)"},
		"trace_depth":                 {"max(tree.depth)", NeedsDepth},
		"trace_run_by_user_id":        {sql: d.First("s.user_id", spanOrder(d)...)},
		"trace_session_id":            {sql: d.First("s.session_id", spanOrder(d)...)},
		"trace_models_used":           {d.Distinct(spanModel), NeedsLog},
		"trace_prompt_ids":            {d.Distinct("l.prompt_id::VARCHAR"), NeedsLog},
		"trace_prompt_version_refs":   {d.Distinct(promptRef), NeedsLog},
		"trace_workflow_ids":          {sql: d.Distinct("s.workflow::VARCHAR")},
		"trace_workflow_version_refs": {sql: d.Distinct(workflowRef)},
		"trace_tool_names":            {sql: d.Distinct("s.tool_name")},
		// Not for clients:
		traceRequests: {"coalesce(any_value(sums.requests), 0)", NeedsSums},
		traceErrors:   {sql: errors},
	}
}

// idMask turns the key of a span into its id.
const idMask = 1<<53 - 1

// spanOrder is the order of the spans of a trace.
func spanOrder(d Dialect) []string { return []string{"s.start_time", d.Bits("s.key", idMask)} }
