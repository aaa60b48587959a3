package trace

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

const camelRequest = `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"app"}}],"droppedAttributesCount":0},
 "schemaUrl":"https://schema","scopeSpans":[{"scope":{"name":"library","version":"1.2"},"spans":[{
  "traceId":"0AF7651916CD43DD8448EB211C80319C","spanId":"b7ad6b7169203331","parentSpanId":"00f067aa0ba902b7","traceState":"a=b","name":"chat","kind":3,
  "startTimeUnixNano":"1742034600000001999","endTimeUnixNano":"1742034601500000000","status":{"code":2,"message":"it failed"},"flags":257,
  "attributes":[{"key":"text","value":{"stringValue":"a\u0000\"b"}},{"key":"int","value":{"intValue":"-9223372036854775808"}},
   {"key":"double","value":{"doubleValue":0.25}},{"key":"nan","value":{"doubleValue":"NaN"}},{"key":"up","value":{"doubleValue":"Infinity"}},
   {"key":"down","value":{"doubleValue":"-Infinity"}},{"key":"bool","value":{"boolValue":true}},{"key":"bytes","value":{"bytesValue":"/wA="}},
   {"key":"list","value":{"arrayValue":{"values":[{"intValue":1},{"stringValue":"x"},{},{"arrayValue":{}}]}}},
   {"key":"__proto__","value":{"kvlistValue":{"values":[{"key":"a","value":{"intValue":1}},{"key":"a","value":{"intValue":2}}]}}},
   {"key":"none"},{"key":"twice","value":{"intValue":1}},{"key":"twice","value":{"intValue":2}}],
  "events":[{"name":"exception","timeUnixNano":"99999999999999999999","attributes":[{"key":"exception.type","value":{"stringValue":"E"}}]},{}],
  "links":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"00f067aa0ba902b7","traceState":"c=d","attributes":[{"key":"x","value":{"intValue":1}}]}]
 }]}]}],"unknown":[1]}`

// snakeRequest is the same with the names of the protobuf definition, base64
// ids, names of enumerations and numbers.
const snakeRequest = `{"resource_spans":[{"resource":{"attributes":[{"key":"service.name","value":{"string_value":"app"}}]},
 "schema_url":"https://schema","scope_spans":[{"scope":{"name":"library","version":"1.2"},"spans":[{
  "trace_id":"CvdlGRbNQ92ESOshHIAxnA==","span_id":"t61rcWkgMzE=","parent_span_id":"APBnqgupArc=","trace_state":"a=b","name":"chat","kind":"SPAN_KIND_CLIENT",
  "start_time_unix_nano":1742034600000001999,"end_time_unix_nano":1742034601500000000,"status":{"code":"STATUS_CODE_ERROR","message":"it failed"},
  "attributes":[{"key":"text","value":{"string_value":"a\u0000\"b"}},{"key":"int","value":{"int_value":-9223372036854775808}},
   {"key":"double","value":{"double_value":"0.25"}},{"key":"nan","value":{"double_value":"NaN"}},{"key":"up","value":{"double_value":"Infinity"}},
   {"key":"down","value":{"double_value":"-Infinity"}},{"key":"bool","value":{"bool_value":true}},{"key":"bytes","value":{"bytes_value":"/wA="}},
   {"key":"list","value":{"array_value":{"values":[{"int_value":"1"},{"string_value":"x"},{"string_value":null},{"array_value":{"values":[]}}]}}},
   {"key":"__proto__","value":{"kvlist_value":{"values":[{"key":"a","value":{"int_value":2}}]}}},
   {"key":"none","value":{}},{"key":"twice","value":{"int_value":2}}],
  "events":[{"name":"exception","time_unix_nano":"-1","attributes":[{"key":"exception.type","value":{"string_value":"E"}}]},{"attributes":null}],
  "links":[{"trace_id":"CvdlGRbNQ92ESOshHIAxnA","span_id":"APBnqgupArc","trace_state":"c=d","attributes":[{"key":"x","value":{"int_value":1}}]}]
 }]}]}]}`

func decodedJSON(t testing.TB, body string) Batch {
	t.Helper()
	return check.Must(DecodeOTLP("application/json; charset=utf-8", []byte(body)))(t)
}

func TestDecodeJSON(t *testing.T) {
	t.Parallel()
	for _, body := range []string{camelRequest, snakeRequest} {
		if diff := cmp.Diff(fullBatch(), decodedJSON(t, body), ignoreIndex); diff != "" {
			t.Error(diff)
		}
	}
	for _, body := range []string{`{}`, `{"resourceSpans":[]}`, `{"resourceSpans":null}`, `{"resourceSpans":[{"scopeSpans":[{}]}]}`, ` {"x":[[[]]]} `} {
		check.Equal(t, body, len(decodedJSON(t, body).Spans), 0)
	}
}

// jsonSpans returns a request with these spans.
func jsonSpans(spans ...string) string {
	return `{"resourceSpans":[{"scopeSpans":[{"spans":[` + strings.Join(spans, ",") + `]}]}]}`
}

// jsonSpan returns a minimal span with further members, which replace those with
// the same name.
func jsonSpan(members string) string {
	return `{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","name":"step","startTimeUnixNano":"5"` + members + `}`
}

func TestDecodeJSONVariants(t *testing.T) {
	t.Parallel()
	for members, want := range map[string]string{
		`,"kind":"client"`:                               "CLIENT UNSET",
		`,"kind":"2","status":{"code":"1"}`:              "SERVER OK",
		`,"kind":"SPAN_KIND_NEW","status":{"code":9}`:    "INTERNAL UNSET",
		`,"kind":[],"status":"OK"`:                       "INTERNAL UNSET",
		`,"kind":5e0,"status":{"code":"STATUS_CODE_OK"}`: "CONSUMER OK",
	} {
		span := decodedJSON(t, jsonSpans(jsonSpan(members))).Spans[0]
		check.Equal(t, members, span.Kind+" "+span.Status, want)
	}
	for value, want := range map[string]string{
		`{"intValue":"9223372036854775808"}`:  "\"9223372036854775808\"",
		`{"intValue":5.0}`:                    "5",
		`{"doubleValue":1}`:                   "1",
		`{"doubleValue":"x"}`:                 `"x"`,
		`{"boolValue":"true"}`:                `"true"`,
		`{"bytesValue":"!"}`:                  `"!"`,
		`{"stringValue":7}`:                   `"7"`,
		`{"otherValue":7}`:                    `null`,
		`"bare"`:                              `null`,
		`{"intValue":null,"stringValue":"x"}`: `"x"`,
		`{"arrayValue":{"values":[]},"stringValue":"late"}`: `[]`,
	} {
		span := decodedJSON(t, jsonSpans(jsonSpan(`,"attributes":[{"key":"k","value":`+value+`}]`))).Spans[0]
		check.Equal(t, value, string(span.Attributes), `{"k":`+want+`}`)
	}
}

func TestDecodeJSONRejectsSpans(t *testing.T) {
	t.Parallel()
	for members, want := range map[string]string{
		`,"traceId":"0af7651916cd43dd8448eb211c80319"`: "Invalid traceId length",
		`,"traceId":7`:                              "Invalid traceId length",
		`,"spanId":""`:                              "Invalid spanId length",
		`,"spanId":"zzzzzzzz"`:                      "Invalid spanId length",
		`,"parentSpanId":"x"`:                       "Invalid parentSpanId length",
		`,"spanId":"0000000000000000"`:              "Invalid spanId: all zeros",
		`,"name":7`:                                 "Missing name",
		`,"startTimeUnixNano":null`:                 "Missing startTimeUnixNano",
		`,"startTimeUnixNano":"2025-01-01"`:         "Invalid startTimeUnixNano",
		`,"startTimeUnixNano":-5`:                   "Invalid startTimeUnixNano",
		`,"endTimeUnixNano":"18446744073709551615"`: "Invalid endTimeUnixNano",
		`,"attributes":{"a":1}`:                     "Invalid span: attributes must be a list",
		`,"attributes":[1]`:                         "Invalid span: attributes must be a list of objects",
		`,"attributes":[{"value":{}}]`:              "Invalid span: the key of an attribute must be a string",
		`,"events":{}`:                              "Invalid span: events must be a list",
		`,"links":[null]`:                           "Invalid span: links must be a list of objects",
		`,"attributes":[{"key":"` + strings.Repeat("k", 1<<20) + `"}]`: "Invalid attribute key length",
	} {
		batch := decodedJSON(t, jsonSpans(jsonSpan(members), jsonSpan(`,"spanId":"00f067aa0ba902b7"`)))
		check.Equal(t, "reason", batch.Reason, want)
		check.Equal(t, want+": rejected", batch.Rejected, 1)
		check.Equal(t, want+": accepted", len(batch.Spans), 1)
	}
}

func TestDecodeJSONRefuses(t *testing.T) {
	t.Parallel()
	for body, message := range map[string]string{
		``:                              "The request body is not valid JSON: unexpected end of text at byte 0",
		`{`:                             "The request body is not valid JSON: unexpected end of text at byte 1",
		`[]`:                            "The request body must be a JSON object",
		`{"resourceSpans":{}}`:          "The request body is not a valid export request: resourceSpans must be a list",
		`{"resourceSpans":[5]}`:         "The request body is not a valid export request: resourceSpans must be a list of objects",
		jsonSpans(`"x"`):                "The request body is not a valid export request: spans must be a list of objects",
		strings.Repeat(`{"a":`, 10_000): "The request body is not valid JSON: nested deeper than 200 levels at byte 1000",
		`{"resourceSpans":[{"resource":{"attributes":7}}]}`: "The request body is not a valid export request: attributes must be a list",
	} {
		check.Refused(t, check.Failure(DecodeOTLP(JSON, []byte(body))), fault.BadRequest, message)
	}
}
