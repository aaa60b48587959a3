package api_test

import (
	"fmt"
	"net/http"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
)

const tracesPath = "/api/public/v2/traces"

// spanBody returns a span of a trace in our own format, with more members.
func spanBody(trace, id, more string) string {
	return fmt.Sprintf(`{"name":"span %s","context":{"trace_id":%q,"span_id":%q},"kind":"SpanKind.INTERNAL","start_time":1773568800000000000,`+
		`"end_time":1773568801000000000,"status":{"status_code":"StatusCode.OK"},"attributes":{},"resource":{"attributes":{}}%s}`, id, trace, id, more)
}

func spansBody(spans string) string { return `{"spans":[` + spans + `]}` }

func traceSamples() []sample {
	create := all(access.RequestCreate)
	const span = `{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174","name":"a","startTimeUnixNano":"1773568800000000000"}`
	return []sample{
		{op: "createSpansBulk", may: create, body: spansBody(spanBody("$new", "s", `,"log_request":`+logSample)), status: 201, silent: manyLogs},
		{op: "createSpansBulk", name: "of a trace", may: create, body: spansBody(spanBody("$trace", "root", "")), status: 201, silent: manyLogs, foreign: 201},
		{op: "ingestOtlpTraces", may: create, body: `{"resourceSpans":[{"scopeSpans":[{"spans":[` + span + `]}]}]}`, silent: manyLogs},
		{op: "getTrace", may: anyone, path: tracesPath + "/$trace"},
		{op: "getTraceOutline", may: anyone, path: tracesPath + "/$trace/outline"},
		{op: "getSpan", may: anyone, path: tracesPath + "/$trace/spans/root"},
		{op: "closeTrace", may: create, path: tracesPath + "/$trace/close", status: 201, silent: manyLogs},
	}
}

// makeTrace creates the subjects of samples about traces.
func (s *subjects) makeTrace(name string) {
	if name != "$trace" {
		return
	}
	s.w.lastTrace = s.unique()
	got, err := s.w.send("root", http.MethodPost, "/spans-bulk", []byte(spansBody(spanBody(s.w.lastTrace, "root", ""))))
	check.OK(s.t, err)
	check.Equal(s.t, "status of a new trace", got.status, http.StatusCreated)
	s.known[name] = s.w.lastTrace
}
