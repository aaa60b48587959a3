package reqlog

import (
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// typicalBody is a logging call of common size, 2.6 KB: a system prompt, a
// short conversation and an answer in JSON.
var typicalBody = []byte(`{
 "provider": "openai", "model": "gpt-4o-mini", "api_type": "chat-completions",
 "input": {"type": "chat", "input_variables": [], "messages": [
  {"role": "system", "content": [{"type": "text", "text": "` + strings.Repeat(`You help customers of a shop.\nAlways say \"please\". `, 12) + `"}]},
  {"role": "user", "content": [{"type": "text", "text": "Where is my parcel? It was sent on Monday and the tracking page is not working!!"}]},
  {"role": "assistant", "content": [], "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "track", "arguments": "{\"order\": 1234}"}}]},
  {"role": "tool", "tool_call_id": "call_1", "content": [{"type": "text", "text": "{\"state\": \"in transit\", \"eta\": \"2025-03-17\"}"}]},
  {"role": "user", "content": [{"type": "text", "text": "` + strings.Repeat(`Please tell me when it will be here and what I can do. `, 8) + `"}]}
 ]},
 "output": {"type": "chat", "messages": [
  {"role": "assistant", "content": [{"type": "text", "text": "{\"answer\": \"I am sorry for the delay. It should arrive on March 17th, possibly a day later.\", \"confidence\": 0.87, \"sources\": [{\"id\": 4, \"title\": \"tracking\"}, {\"id\": 9, \"title\": \"faq\"}]}"}]}
 ]},
 "request_start_time": "2025-03-15T10:30:00.123456+00:00", "request_end_time": "2025-03-15T10:30:01.623456+00:00",
 "parameters": {"temperature": 0.2, "max_tokens": 512, "response_format": {"type": "json_object"}},
 "tags": ["prod", "support", "v2"],
 "metadata": {"user_id": "u-123456", "session": "4f1c9d8e", "env": "production", "attempt": 1, "plan": {"name": "gold", "seats": 12}},
 "input_tokens": 412, "output_tokens": 96, "price": 0.000123, "function_name": "openai.chat.completions.create",
 "score": 0, "status": "SUCCESS", "error_type": null, "error_message": null
}`)

func parseTypical(b *testing.B) jsontree.Value {
	b.Helper()
	body, err := jsontree.Parse(typicalBody)
	if err != nil {
		b.Fatal(err)
	}
	return body
}

func BenchmarkDecodeAndDerive(b *testing.B) {
	body := parseTypical(b)
	loc := []any{"body"}
	b.SetBytes(int64(len(typicalBody)))
	b.ReportAllocs()
	for b.Loop() {
		var problems fault.Problems
		in := DecodeLog(body, loc, &problems)
		if problems.Any() {
			b.Fatal(problems.Err())
		}
		in.Derive()
	}
}

func BenchmarkDecode(b *testing.B) {
	body := parseTypical(b)
	loc := []any{"body"}
	b.ReportAllocs()
	for b.Loop() {
		var problems fault.Problems
		DecodeLog(body, loc, &problems)
	}
}

func BenchmarkBlueprint(b *testing.B) {
	var problems fault.Problems
	in := DecodeLog(parseTypical(b), []any{"body"}, &problems)
	dst := make([]byte, 0, 1<<13)
	b.ReportAllocs()
	for b.Loop() {
		w := jsontree.NewWriter(dst)
		in.WriteBlueprint(&w, Replayable)
		w.Bytes()
	}
}
