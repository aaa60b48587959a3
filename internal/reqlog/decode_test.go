package reqlog

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

const minimalBody = `{
 "provider":"openai", "model":"gpt-4o",
 "input":{"type":"chat","messages":[]}, "output":{"type":"chat","messages":[]},
 "request_start_time":"2025-03-15T10:30:00Z", "request_end_time":1742034601.5`

// broken renders problems as "path: type" lines.
func broken(problems *fault.Problems) []string {
	err, _ := errors.AsType[*fault.Error](problems.Err())
	if err == nil {
		return nil
	}
	var lines []string
	for _, f := range err.Fields {
		lines = append(lines, fmt.Sprintf("%s: %s", fault.Path(f.Loc), f.Type))
	}
	return lines
}

// with returns the minimal body with further members; they replace those with
// the same name, because the last of several members with the same name wins.
func with(members string) string {
	if members != "" {
		members = "," + members
	}
	return minimalBody + members + "}"
}

func decode(t testing.TB, body string) (*LogInput, *fault.Problems) {
	t.Helper()
	var problems fault.Problems
	return DecodeLog(tree(t, body), []any{"body"}, &problems), &problems
}

func ignoreTrees() cmp.Option { return cmpopts.IgnoreUnexported(LogInput{}) }

func TestDecodeMinimalLog(t *testing.T) {
	t.Parallel()
	got, problems := decode(t, with(""))
	if problems.Any() {
		t.Fatal(problems.Err())
	}
	start := At(time.Date(2025, 3, 15, 10, 30, 0, 0, time.UTC))
	empty := json.RawMessage(`{"type":"chat","messages":[]}`)
	want := &LogInput{Log: &Log{
		Provider: "openai", Engine: "gpt-4o", Input: empty, Output: empty,
		Start: start, End: start + 1_500_000, Status: StatusSuccess,
	}}
	if diff := cmp.Diff(want, got, ignoreTrees()); diff != "" {
		t.Errorf("input (-want +got):\n%s", diff)
	}
	if err := got.Check(); err != nil {
		t.Errorf("Check: %v", err)
	}
}

func TestDecodeFullLog(t *testing.T) {
	t.Parallel()
	got, problems := decode(t, with(`
		"parameters":{"temperature": 1.0}, "tags":["a","b","a"], "metadata":{"k":"v","n":{"x": 1},"k":null},
		"prompt_name":"welcome", "prompt_id":7, "prompt_version_number":3, "prompt_input_variables":{"name":"Ada"},
		"input_tokens":10, "output_tokens":5.0, "price":0.25, "function_name":"f", "score":90, "score_name":"quality",
		"api_type":"responses", "status":"WARNING", "error_type":"UNKNOWN_ERROR", "error_message":"m", "unknown":1, "api_key":"secret"`))
	if problems.Any() {
		t.Fatal(problems.Err())
	}
	minimal, _ := decode(t, with(""))
	want := &LogInput{
		Log: minimal.Log, Prompt: PromptRef{Name: "welcome", ID: 7, Version: 3}, PromptGiven: true,
	}
	l := want.Log
	l.Variables = json.RawMessage(`{"name":"Ada"}`)
	l.APIType, l.FunctionName, l.Parameters = "responses", "f", json.RawMessage(`{"temperature": 1.0}`)
	l.Usage.Input, l.Usage.Output, l.Price = provider.Tokens(10), provider.Tokens(5), Price{USD: 0.25, Source: PriceSent}
	l.Status, l.ErrorType, l.ErrorMessage = StatusWarning, "UNKNOWN_ERROR", "m"
	l.Tags = []string{"a", "b"}
	l.Metadata = []Member{{"k", json.RawMessage(`null`)}, {"n", json.RawMessage(`{"x": 1}`)}}
	l.Scores = []Score{{"quality", 90}}
	if diff := cmp.Diff(want, got, ignoreTrees()); diff != "" {
		t.Errorf("input (-want +got):\n%s", diff)
	}
}

func TestDecodeTreatsNullAsOmitted(t *testing.T) {
	t.Parallel()
	var members []string
	for _, key := range []string{
		"parameters", "tags", "metadata", "prompt_name", "prompt_id", "prompt_version_number", "prompt_input_variables", "input_tokens",
		"output_tokens", "price", "function_name", "score", "score_name", "api_type", "status", "error_type", "error_message",
	} {
		members = append(members, `"`+key+`":null`)
	}
	got, problems := decode(t, with(strings.Join(members, ",")))
	if problems.Any() {
		t.Fatal(problems.Err())
	}
	want, _ := decode(t, with(""))
	if diff := cmp.Diff(want, got, ignoreTrees()); diff != "" {
		t.Errorf("input (-omitted +null):\n%s", diff)
	}
}

func TestDecodeAccepts(t *testing.T) {
	t.Parallel()
	long := func(n int) string { return strings.Repeat("é", n) }
	for name, members := range map[string]string{
		"empty containers":     `"parameters":{},"tags":[],"metadata":{},"prompt_input_variables":{}`,
		"longest tag":          `"tags":["` + long(512) + `"]`,
		"longest metadata key": `"metadata":{"` + long(1024) + `":1}`,
		"longest message":      `"status":"ERROR","error_message":"` + long(1024) + `"`,
		"message with success": `"error_message":"m"`,
		"NUL":                  `"provider":"\u0000","metadata":{"\u0000":"\u0000"},"tags":["\u0000"]`,
		"end before start":     `"request_end_time":0`,
		"large counts":         `"input_tokens":1000000000000,"output_tokens":1000000000000,"price":1e15`,
		"negative zero":        `"price":-0,"input_tokens":-0`,
		"many metadata":        `"metadata":{"a":[` + strings.Repeat("0,", MaxPairs-1) + `0]}`,
		"scores":               `"score":100`,
		"escaped words":        `"status":"ERR\u004fR"`,
		"the last counts":      `"score":"x","score":5`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, problems := decode(t, with(members))
			if diff := cmp.Diff([]string(nil), broken(problems)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeRejects(t *testing.T) {
	t.Parallel()
	long := func(n int) string { return strings.Repeat("é", n) }
	for members, want := range map[string][]string{
		`"provider":null`: {"provider: missing"},
		`"provider":""`:   {"provider: string_too_short"},
		`"model":5`:       {"model: string_type"},
		`"input":null`:    {"input: missing"},
		`"output":"text"`: {"output: dict_type"},
		`"output":{"type":"chat","messages":[{"role":"assistant","content":"x"}]}`: {"output.messages[0].content: list_type"},
		`"request_start_time":null`:           {"request_start_time: missing"},
		`"request_end_time":"yesterday"`:      {"request_end_time: value_error"},
		`"request_end_time":true`:             {"request_end_time: value_error"},
		`"parameters":[]`:                     {"parameters: dict_type"},
		`"tags":"a"`:                          {"tags: list_type"},
		`"tags":["a",1,null]`:                 {"tags[1]: string_type", "tags[2]: string_type"},
		`"tags":["` + long(513) + `"]`:        {"tags[0]: string_too_long"},
		`"metadata":[]`:                       {"metadata: dict_type"},
		`"metadata":"x"`:                      {"metadata: dict_type"},
		`"metadata":{"` + long(1025) + `":1}`: {"metadata: string_too_long"},
		`"metadata":{"a":[` + strings.Repeat("0,", MaxPairs) + `0]}`:                                   {"metadata: too_long"},
		`"metadata":{"a":{"` + strings.Repeat("k", 3000) + `":[` + strings.Repeat("0,", 1500) + `0]}}`: {"metadata: too_long"},
		`"prompt_name":1`:                             {"prompt_name: string_type"},
		`"prompt_id":0`:                               {"prompt_id: greater_than_equal"},
		`"prompt_id":1.5`:                             {"prompt_id: int_type"},
		`"prompt_version_number":0`:                   {"prompt_version_number: greater_than_equal"},
		`"prompt_version_number":9223372036854775808`: {"prompt_version_number: int_parsing"},
		`"prompt_input_variables":[]`:                 {"prompt_input_variables: dict_type"},
		`"input_tokens":-1`:                           {"input_tokens: greater_than_equal"},
		`"input_tokens":1.5`:                          {"input_tokens: int_type"},
		`"input_tokens":1e999`:                        {"input_tokens: int_parsing"},
		`"output_tokens":9223372036854775808`:         {"output_tokens: int_parsing"},
		`"output_tokens":1000000000001`:               {"output_tokens: less_than_equal"},
		`"price":-0.01`:                               {"price: greater_than_equal"},
		`"price":1e999`:                               {"price: float_parsing"},
		`"price":"1"`:                                 {"price: float_type"},
		`"price":true`:                                {"price: float_type"},
		`"function_name":1`:                           {"function_name: string_type"},
		`"api_type":1`:                                {"api_type: string_type"},
		`"score":101`:                                 {"score: less_than_equal"},
		`"score":-1`:                                  {"score: greater_than_equal"},
		`"score":95.5`:                                {"score: int_type"},
		`"score_name":1`:                              {"score_name: string_type"},
		`"status":"error"`:                            {"status: enum"},
		`"status":""`:                                 {"status: enum"},
		`"status":"error","error_type":"PROVIDER_ERROR"`: {"status: enum"},
		`"error_type":"OTHER"`:                           {"error_type: enum"},
		`"error_message":"` + long(1025) + `"`:           {"error_message: string_too_long"},
		`"provider":1,"score":101,"tags":[1]`:            {"provider: string_type", "tags[0]: string_type", "score: less_than_equal"},
	} {
		_, problems := decode(t, with(members))
		if diff := cmp.Diff(want, broken(problems)); diff != "" {
			t.Errorf("problems of %.100s (-want +got):\n%s", members, diff)
		}
	}
}

// The reader decides which type of problem a score of another JSON type is;
// here it matters only that there is one.
func TestDecodeRejectsScoresOfOtherTypes(t *testing.T) {
	t.Parallel()
	for _, score := range []string{`"95"`, `true`, `[]`, `{}`} {
		if _, problems := decode(t, with(`"score":`+score)); !problems.Any() {
			t.Errorf("score %s was accepted", score)
		}
	}
}

func TestDecodeNotAnObject(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`null`, `[]`, `"x"`, `1`} {
		in, problems := decode(t, body)
		if diff := cmp.Diff([]string{"body: dict_type"}, broken(problems)); diff != "" {
			t.Errorf("problems of %s (-want +got):\n%s", body, diff)
		}
		in.Derive()
	}
	var problems fault.Problems
	DecodeLog(jsontree.Value{}, []any{"body"}, &problems).Derive()
	if !problems.Any() {
		t.Error("no body at all was accepted")
	}
}

func TestDecodeMissing(t *testing.T) {
	t.Parallel()
	_, problems := decode(t, `{}`)
	want := []string{
		"provider: missing", "model: missing", "input: missing", "output: missing", "request_start_time: missing", "request_end_time: missing",
	}
	if diff := cmp.Diff(want, broken(problems)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestDecodeStatusPairs(t *testing.T) {
	t.Parallel()
	allowed := map[string]string{
		"PROVIDER_RATE_LIMIT": "WARNING ERROR", "PROVIDER_QUOTA_LIMIT": "WARNING ERROR", "UNKNOWN_ERROR": "WARNING ERROR",
		"PROVIDER_PARTIAL_RESPONSE": "WARNING", "VARIABLE_MISSING_OR_EMPTY": "WARNING",
		"PROVIDER_TIMEOUT": "ERROR", "PROVIDER_AUTH_ERROR": "ERROR", "PROVIDER_ERROR": "ERROR", "TEMPLATE_RENDER_ERROR": "ERROR",
	}
	for errorType, with3 := range allowed {
		for _, status := range []string{"SUCCESS", "WARNING", "ERROR"} {
			_, problems := decode(t, with(fmt.Sprintf(`"status":%q,"error_type":%q`, status, errorType)))
			if want := !strings.Contains(with3, status); problems.Any() != want {
				t.Errorf("%s with %s: refused %v, want %v", errorType, status, problems.Any(), want)
			}
		}
		if _, problems := decode(t, with(fmt.Sprintf(`"error_type":%q`, errorType))); !problems.Any() {
			t.Errorf("%s without a status was accepted", errorType)
		}
	}
}

func TestDecodeScore(t *testing.T) {
	t.Parallel()
	for members, want := range map[string]Notes{
		`"score":0`:                        {},
		`"score":0,"score_name":null`:      {},
		`"score":0,"score_name":""`:        {},
		`"score":80`:                       {Scores: []Score{{"default", 80}}, Score: 80},
		`"score":80,"score_name":""`:       {Scores: []Score{{"default", 80}}, Score: 80},
		`"score":80.0,"score_name":"q"`:    {Scores: []Score{{"q", 80}}},
		`"score":0,"score_name":"q"`:       {Scores: []Score{{"q", 0}}},
		`"score_name":"q"`:                 {Scores: []Score{{"q", 0}}},
		`"score":5,"score_name":"default"`: {Scores: []Score{{"default", 5}}, Score: 5},
	} {
		in, problems := decode(t, with(members))
		if problems.Any() {
			t.Errorf("%s: %v", members, problems.Err())
		}
		if diff := cmp.Diff(want, in.Log.Notes); diff != "" {
			t.Errorf("notes of %s (-want +got):\n%s", members, diff)
		}
	}
}

func TestDecodePriceHasNoSign(t *testing.T) {
	t.Parallel()
	if in, problems := decode(t, with(`"price":-0.0`)); problems.Any() || math.Signbit(in.Log.Price.USD) {
		t.Errorf("price = %v (%v), want 0 without a sign", in.Log.Price, problems.Err())
	}
}

func TestDecodeSameInstant(t *testing.T) {
	t.Parallel()
	for _, written := range []string{
		`1742034600.5`, `1742034600500`, `"1742034600.5"`, `"2025-03-15T10:30:00.5Z"`, `"2025-03-15T12:30:00.5+02:00"`, `"2025-03-15T10:30:00.500000"`,
	} {
		in, problems := decode(t, with(`"request_start_time":`+written))
		if want := Micros(1_742_034_600_500_000); problems.Any() || in.Log.Start != want {
			t.Errorf("start %s = %d (%v), want %d", written, in.Log.Start, problems.Err(), want)
		}
	}
}

func TestDecodePromptVersionAlone(t *testing.T) {
	t.Parallel()
	for members, bad := range map[string]bool{
		`"prompt_version_number":1`:                   true,
		`"prompt_version_number":1,"prompt_name":""`:  true,
		`"prompt_version_number":1,"prompt_name":"a"`: false,
		`"prompt_version_number":1,"prompt_id":1`:     false,
		`"prompt_name":"a"`:                           false,
	} {
		in, problems := decode(t, with(members))
		if problems.Any() {
			t.Errorf("%s: %v", members, problems.Err())
		}
		if err := in.Check(); fault.Is(err, fault.BadRequest) != bad {
			t.Errorf("Check of %s = %v, want a bad request: %v", members, err, bad)
		}
	}
}

func TestDecodeManyTagsAndMetadata(t *testing.T) {
	t.Parallel()
	var tags, metadata []string
	for i := range 3 * smallObject {
		tags = append(tags, fmt.Sprintf(`"t%d"`, i%(2*smallObject)))
		metadata = append(metadata, fmt.Sprintf(`"m%d":%d`, i%(2*smallObject), i))
	}
	in, problems := decode(t, with(`"tags":[`+strings.Join(tags, ",")+`],"metadata":{`+strings.Join(metadata, ",")+`}`))
	if problems.Any() {
		t.Fatal(problems.Err())
	}
	l := in.Log
	if len(l.Tags) != 2*smallObject || l.Tags[0] != "t0" || l.Tags[2*smallObject-1] != fmt.Sprintf("t%d", 2*smallObject-1) {
		t.Errorf("tags = %v", l.Tags)
	}
	if len(l.Metadata) != 2*smallObject || string(l.Metadata[0].Value) != fmt.Sprint(2*smallObject) {
		t.Errorf("metadata = %s", l.Metadata)
	}
}

func TestDecodeSpanLog(t *testing.T) {
	t.Parallel()
	var problems fault.Problems
	body := `{"provider":"p","model":"m","input":{"messages":[]},"output":{"messages":[]},"request_end_time":2}`
	in := DecodeSpanLog(tree(t, body), []any{"body", "spans", 0, "log_request"}, 1_000_000, 9_000_000, &problems)
	if problems.Any() || in.Log.Start != 1_000_000 || in.Log.End != 2_000_000 {
		t.Errorf("start %d, end %d (%v), want the span's start and the log's own end", in.Log.Start, in.Log.End, problems.Err())
	}
	in = DecodeSpanLog(tree(t, `{}`), []any{"body", "spans", 0, "log_request"}, 1, 2, &problems)
	if in.Log.Start != 1 || in.Log.End != 2 {
		t.Errorf("start %d, end %d, want the span's", in.Log.Start, in.Log.End)
	}
	want := []string{
		"spans[0].log_request.provider: missing", "spans[0].log_request.model: missing",
		"spans[0].log_request.input: missing", "spans[0].log_request.output: missing",
	}
	if diff := cmp.Diff(want, broken(&problems)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestDecodeMetadata(t *testing.T) {
	t.Parallel()
	var problems fault.Problems
	got := DecodeMetadata(tree(t, `{"metadata":{"a":[1, 2]}}`), []any{"body"}, &problems)
	if diff := cmp.Diff([]Member{{"a", json.RawMessage(`[1, 2]`)}}, got); diff != "" || problems.Any() {
		t.Errorf("metadata (%v) (-want +got):\n%s", problems.Err(), diff)
	}
	DecodeMetadata(tree(t, `{"metadata":"x"}`), []any{"body"}, &problems)
	if diff := cmp.Diff([]string{"metadata: dict_type"}, broken(&problems)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}
