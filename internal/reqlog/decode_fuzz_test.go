package reqlog

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/template"
)

// FuzzDecodeLog runs the whole ingestion of a log with any body. Nothing may
// panic, even for a body with problems, and the result must be consistent.
func FuzzDecodeLog(f *testing.F) {
	f.Add(typicalBody)
	for _, members := range []string{
		``, `"score":1,"tags":["a"],"metadata":{"a":{"b":[1,{}]}}`, `"input":[],"output":7`, `"request_start_time":"2025-03-15"`,
		`"output":{"content":[{"type":"text","text":"x {\"a\":1}"}]}`, `"input":{"content":[{"type":"text"}]}`,
		`"output":{"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"[{}]"}}]}]}`,
		"\"output\":{\"messages\":[{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"```json\\n{}```\"}]}]}",
		`"output":{"messages":[{"role":"assistant","function_call":{"name":1}},null,{"content":{"a":1}}]}`,
		`"input":{"type":"completion","content":5},"output":{"type":"chat","messages":[{"role":"\u0000"}]}`,
		`"input":{"messages":[{"role":"user","content":"?"}]},"input":{"\u0074ype":null,"messages":[ ]}`,
		`"status":"ERROR","error_type":"UNKNOWN_ERROR","error_message":"\ud800"`, `"metadata":{"":{"":null}},"price":-0`,
	} {
		f.Add([]byte(with(members)))
	}
	f.Add([]byte(`null`))
	f.Add([]byte(`{"input":{"messages":[[]],"content":{}},"output":{"content":"x","type":"completion"}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		body, err := jsontree.Parse(text)
		if err != nil {
			return
		}
		var problems fault.Problems
		in := DecodeLog(body, []any{"body"}, &problems)
		in.Derive()
		_ = problems.Err()
		checkDerived(t, in, problems.Any())
	})
}

func checkDerived(t *testing.T, in *LogInput, refused bool) {
	t.Helper()
	l := in.Log
	for _, form := range []Form{Replayable, AsLogged} {
		blueprint := []byte(written(func(w *jsontree.Writer) { in.WriteBlueprint(w, form) }))
		if !json.Valid(blueprint) {
			t.Fatalf("the blueprint is not JSON: %s", blueprint)
		}
		if form == Replayable && !refused {
			checkPublishable(t, blueprint)
		}
	}
	if l.Index.IsJSON && l.Index.IsToolCall {
		t.Fatal("both JSON and a tool call")
	}
	if !utf8.ValidString(l.Index.InputText) || !utf8.ValidString(l.Index.OutputText) {
		t.Fatal("a text is not UTF-8")
	}
	if refused {
		return
	}
	if l.Start < minInstant || l.End > maxInstant || l.Price.USD < 0 || l.Usage.Total().N < 0 {
		t.Fatalf("out of bounds: start %d, end %d, price %v, tokens %d", l.Start, l.End, l.Price.USD, l.Usage.Total().N)
	}
	index := l.Index
	Derive(l)
	if diff := cmp.Diff(index, l.Index); diff != "" {
		t.Fatalf("derived from the body and from the log (-body +log):\n%s", diff)
	}
}

// checkPublishable fails unless the registry accepts a blueprint.
func checkPublishable(t *testing.T, blueprint []byte) {
	t.Helper()
	parsed, err := jsontree.Parse(blueprint)
	if err != nil {
		return // nested too deeply
	}
	var problems fault.Problems
	template.Check(parsed.Get("prompt_template"), nil, "prompt_template", template.Strict, &problems)
	template.CheckMetadata(parsed.Get("metadata"), nil, "metadata", &problems)
	if err := problems.Err(); err != nil {
		t.Fatalf("the registry rejects the blueprint %s: %v", blueprint, err)
	}
}
