package query

import "github.com/promptuary/promptuary/internal/reqlog"

// Level is what a field describes.
type Level string

// The levels of fields.
const (
	LevelRequest Level = ""
	LevelTrace   Level = "trace"
	LevelSpan    Level = "span"
)

// The fields of traces and spans that code refers to; the others are only in
// TraceFields.
const (
	FieldTraceStart    Field = "trace_start"
	FieldTraceDuration Field = "trace_duration_ms"
	FieldTraceStatus   Field = "trace_status"
	FieldTraceUser     Field = "trace_run_by_user_id"
	FieldTraceSession  Field = "trace_session_id"
	FieldSpanID        Field = "span_id"
)

const (
	sectionTrace = "Trace"
	sectionSpan  = "Span"
)

// TraceFields are the fields of queries about traces. A field of a span is a
// column of each span, a field of a trace one of the whole.
var TraceFields = []FieldSpec{
	traceField("trace_id", TypeString, "trace_id", "Trace id", "The id of the trace."),
	traceField("trace_name", TypeName, "name", "Name", "The name of the first span without a parent, or of the first span.").grouping(),
	traceField(FieldTraceStatus, TypeStatus, "status", "Status", "ERROR if a span failed, otherwise OK.").oneOf("OK", "ERROR").grouping(),
	traceField(FieldTraceStart, TypeDatetime, "start", "Start time", "When the first span started.").sorting(),
	traceField("trace_end", TypeDatetime, "end", "End time", "When the last span ended."),
	traceField(FieldTraceDuration, TypeNumeric, "duration", "Duration", "The time from the first start to the last end, in milliseconds.").measuring(UnitMillis).sorting(),
	traceField("trace_total_cost_usd", TypeNumeric, "cost", "Cost", "The cost of the requests, in US dollars.").measuring(UnitDollars).sorting(),
	traceField("trace_total_tokens", TypeNumeric, "tokens", "Tokens", "The input and output tokens of the requests.").measuring(UnitTokens).sorting(),
	traceField("trace_input_tokens", TypeNumeric, "input_tokens", "Input tokens", "The input tokens of the requests.").measuring(UnitTokens),
	traceField("trace_output_tokens", TypeNumeric, "output_tokens", "Output tokens", "The output tokens of the requests.").measuring(UnitTokens),
	traceField("trace_span_count", TypeNumeric, "spans", "Spans", "The number of spans.").measuring("").sorting(),
	traceField("trace_depth", TypeNumeric, "depth", "Depth", "The number of levels of the tree, up to 1,000.").measuring(""),
	traceField(FieldTraceUser, TypeString, "user", "User", "The user id of the first span that has one."),
	traceField(FieldTraceSession, TypeString, "session", "Session", "The conversation id of the first span that has one."),
	traceField("trace_models_used", TypeArray, "model", "Model", "The models of the spans.").grouping(),
	traceField("trace_prompt_ids", TypeArray, "prompt_id", "Prompt id", "The prompt templates of the requests.").grouping(),
	traceField("trace_prompt_version_refs", TypeArray, "prompt_version", "Prompt version", "The versions of the prompt templates, as id:version."),
	traceField("trace_workflow_ids", TypeArray, "workflow_id", "Workflow id", "The workflows of the spans.").grouping(),
	traceField("trace_workflow_version_refs", TypeArray, "workflow_version", "Workflow version", "The versions of the workflows, as id:version."),
	traceField("trace_tool_names", TypeArray, "tool", "Tool", "The tools that were called.").grouping(),

	spanField(FieldSpanID, TypeString, "Span id", "The id of the span."),
	spanField("span_name", TypeName, "Span name", "The name of the span.").grouping(),
	spanField("span_type", TypeString, "Span type", "The type of the node, or LLM_CALL for a span with a request.").grouping(),
	spanField("span_kind", TypeString, "Span kind", "The kind of the span.").oneOf(reqlog.SpanInternal, reqlog.SpanServer, reqlog.SpanClient, reqlog.SpanProducer, reqlog.SpanConsumer).grouping(),
	spanField("span_status", TypeStatus, "Span status", "The status of the span.").oneOf(reqlog.SpanUnset, reqlog.SpanOK, reqlog.SpanError).grouping(),
	spanField("span_duration_ms", TypeNumeric, "Span duration", "The duration of the span, in milliseconds.").measuring(UnitMillis),
	spanField("span_cost_usd", TypeNumeric, "Span cost", "The cost of the span's request, in US dollars.").measuring(UnitDollars),
	spanField("span_tokens", TypeNumeric, "Span tokens", "The input and output tokens of the span's request.").measuring(UnitTokens),
	spanField("span_input_tokens", TypeNumeric, "Span input tokens", "The input tokens of the span's request.").measuring(UnitTokens),
	spanField("span_output_tokens", TypeNumeric, "Span output tokens", "The output tokens of the span's request.").measuring(UnitTokens),
	spanField("span_models_used", TypeArray, "Span model", "The model of the span."),
	spanField("span_prompt_id", TypeIdentifier, "Span prompt id", "The prompt template of the span's request."),
	spanField("span_prompt_version_number", TypeNumeric, "Span prompt version", "The version of the prompt template."),
	spanField("span_prompt_version_ref", TypeString, "Span prompt version reference", "The version of the prompt template, as id:version."),
	spanField("span_workflow_id", TypeIdentifier, "Span workflow id", "The workflow of the span."),
	spanField("span_workflow_version_number", TypeNumeric, "Span workflow version", "The version of the workflow."),
	spanField("span_workflow_version_ref", TypeString, "Span workflow version reference", "The version of the workflow, as id:version."),
	spanField("span_tool_name", TypeString, "Span tool", "The tool that the span called.").grouping(),
	spanField("span_input_variables", TypeNested, "Span input variable", "The input variables of the span's request."),
	spanField("span_output_keys", TypeArray, "Span output key", "The keys in a JSON output, or in tool calls, of the span's request."),
	spanField("span_output_values", TypeNested, "Span output value", "The values in a JSON output, or in tool calls, of the span's request."),
	spanField("span_output_text", TypeText, "Span output text", "The output of the span, up to 32 KB."),
	spanField("span_exception_text", TypeText, "Span exception", "The type, message and stack of an exception, up to 32 KB."),
	spanField("span_attributes", TypeNested, "Span attribute", "The attributes of the span, without values above 1 KB."),
	spanField("span_resource", TypeNested, "Span resource attribute", "The attributes of what sent the span, without values above 1 KB."),
	spanField("span_depth", TypeNumeric, "Span depth", "The level of the span in the tree; that of a root is 1."),
	spanField("span_total_child_count", TypeNumeric, "Span children", "The number of spans directly below the span."),
	spanField("span_is_leaf", TypeBoolean, "Span is a leaf", "Whether no span is below the span."),
}

func traceField(name Field, typ FieldType, queryName, label, doc string) FieldSpec {
	return FieldSpec{Name: name, Type: typ, QueryName: queryName, Label: label, Doc: doc, Section: sectionTrace, Level: LevelTrace, Column: string(name)}
}

func spanField(name Field, typ FieldType, label, doc string) FieldSpec {
	return FieldSpec{Name: name, Type: typ, QueryName: string(name), Label: label, Doc: doc, Section: sectionSpan, Level: LevelSpan, Column: string(name)}
}

func (f FieldSpec) grouping() FieldSpec { f.GroupBy = true; return f }

func (f FieldSpec) sorting() FieldSpec { f.Sortable = true; return f }

func (f FieldSpec) measuring(unit Unit) FieldSpec { f.Metric, f.Unit = true, unit; return f }

func (f FieldSpec) oneOf(values ...string) FieldSpec { f.Values = values; return f }

// vocabulary is the set of fields that a query may use.
type vocabulary struct {
	fields map[Field]*FieldSpec
	// metrics, groups and sorts are those for charts and orders.
	metrics, groups, sorts []Field
}

func newVocabulary(fields []FieldSpec) vocabulary {
	v := vocabulary{fields: make(map[Field]*FieldSpec, len(fields))}
	for i := range fields {
		f := &fields[i]
		v.fields[f.Name] = f
		if f.Metric {
			v.metrics = append(v.metrics, f.Name)
		}
		if f.GroupBy {
			v.groups = append(v.groups, f.Name)
		}
		if f.Sortable {
			v.sorts = append(v.sorts, f.Name)
		}
	}
	return v
}

var (
	requestVocabulary = newVocabulary(Fields)
	traceVocabulary   = newVocabulary(TraceFields)
	groupVocabulary   = vocabulary{fields: traceVocabulary.fields, sorts: TraceGroupSorts}
)

// TraceSpec returns the description of a field of TraceFields, nil if there is no
// such field.
func TraceSpec(f Field) *FieldSpec { return traceVocabulary.fields[f] }

// The fields that parts of a query about traces may use.
var (
	TraceSortFields   = traceVocabulary.sorts
	TraceMetricFields = traceVocabulary.metrics
	TraceGroupFields  = traceVocabulary.groups
)
