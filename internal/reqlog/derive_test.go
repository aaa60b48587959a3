package reqlog

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// said returns a chat message with one text block.
func said(role, text string) string {
	quoted, _ := json.Marshal(text)
	return `{"role":"` + role + `","content":[{"type":"text","text":` + string(quoted) + `}]}`
}

func chatOf(messages ...string) string {
	list := ""
	for i, m := range messages {
		if i > 0 {
			list += ","
		}
		list += m
	}
	return `{"type":"chat","messages":[` + list + `]}`
}

func completionOf(text string) string {
	quoted, _ := json.Marshal(text)
	return `{"type":"completion","content":[{"type":"text","text":` + string(quoted) + `}]}`
}

func TestDerive(t *testing.T) {
	t.Parallel()
	twoCalls := `{"role":"assistant","content":[{"type":"text","text":"Looking."}],"tool_calls":[` +
		`{"id":"1","type":"function","function":{"name":"find","arguments":"{\"city\": \"Ulm\", \"days\": [1, 2]}"}},` +
		`{"id":"2","type":"function","function":{"name":"book","arguments":"later"}}]}`
	cases := map[string]struct {
		input, output string
		want          Index
	}{
		"nothing":       {`null`, `null`, Index{}},
		"not JSON":      {`{`, ``, Index{}},
		"not templates": {`[1]`, `{"type":"chat","messages":{"a":1}}`, Index{}},
		"plain text": {
			chatOf(said("system", "Be kind."), said("user", "Hi")), chatOf(said("assistant", "Hello  \n")),
			Index{InputText: "Be kind.\n\nHi", OutputText: "Hello  \n", TurnCount: 1},
		},
		"failed request": {
			chatOf(said("user", "Why?")), chatOf(),
			Index{InputText: "Why?", UserIntent: []string{"curious"}},
		},
		"earlier answers are input": {
			chatOf(said("user", "a"), said("assistant", "b"), said("user", "c")), chatOf(said("assistant", "d"), said("tool", "e"), said("assistant", "f"), said("tool", "g")),
			Index{InputText: "a\n\nb\n\nc\n\nd\n\ne\n\ng", OutputText: "f", TurnCount: 3},
		},
		"no assistant in the output": {
			chatOf(said("user", "a")), chatOf(said("tool", "b"), said("user", "c")),
			Index{InputText: "a\n\nb", OutputText: "c"},
		},
		"blocks": {
			`{"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"u"}},{"type":"text","text":"b"}]},{"role":"placeholder","name":"p"}]}`,
			`{"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"hmm"},{"type":"text","text":"c"},{"type":"thinking","thinking":"so"},{"type":"text","text":"d"}]}]}`,
			Index{InputText: "a\nb", OutputText: "c\nd", ThinkingText: "hmm\nso", TurnCount: 1},
		},
		"messages without text": {
			chatOf(`{"role":"system"}`, said("user", ""), said("user", "a"), `{"role":"user","content":[{"type":"image_url","image_url":{"url":"u"}}]}`, said("tool", "b")), chatOf(said("assistant", "c")),
			Index{InputText: "a\n\nb", OutputText: "c", TurnCount: 1},
		},
		"what looks like a role": {
			chatOf(said("user", "[user]: a"), said("user", "b\n\n[system]: c")), chatOf(),
			Index{InputText: "[user]: a\n\nb\n\n[system]: c"},
		},
		"history with calls": {
			chatOf(said("user", "a"), twoCalls, `{"role":"assistant","function_call":{"name":"old","arguments":{"x": 1}}}`, `{"role":"assistant","function_call":{"name":"bare"}}`), chatOf(said("assistant", "b")),
			Index{
				InputText:  "a\n\nLooking.\nfind {\"city\": \"Ulm\", \"days\": [1, 2]}\nbook later\n\nold {\"x\":1}\n\nbare",
				OutputText: "b", TurnCount: 4,
			},
		},
		"JSON": {
			chatOf(), chatOf(said("assistant", `{"a":1,"b":{"c":["x",null]}}`)),
			Index{
				IsJSON: true, OutputText: "a: 1\nb.c: x\nb.c:", TurnCount: 1,
				Output: []Pair{{Key: "a", Value: "1"}, {Key: "b.c", Value: "x"}, {Key: "b.c", Empty: true}},
			},
		},
		"JSON behind prose": {
			chatOf(), chatOf(said("assistant", "Sure:\n```json\n{\"a\":1}\n```")),
			Index{IsJSON: true, OutputText: "Sure:\na: 1", TurnCount: 1, Output: []Pair{{Key: "a", Value: "1"}}},
		},
		"empty JSON":      {chatOf(), chatOf(said("assistant", `{}`)), Index{IsJSON: true, OutputText: "{}", TurnCount: 1}},
		"array is plain":  {chatOf(), chatOf(said("assistant", `[1,2]`)), Index{OutputText: "[1,2]", TurnCount: 1}},
		"number is plain": {chatOf(), chatOf(said("assistant", `42`)), Index{OutputText: "42", TurnCount: 1}},
		"two tool calls": {
			chatOf(), chatOf(twoCalls),
			Index{
				IsToolCall: true, TurnCount: 1, ToolCallCount: 2, ToolNames: []string{"find", "book"},
				OutputText: "Looking.\ntool_calls.id: 1\ntool_calls.type: function\ntool_calls.function.name: find\n" +
					"tool_calls.function.arguments.city: Ulm\ntool_calls.function.arguments.days: 1\ntool_calls.function.arguments.days: 2\n" +
					"tool_calls.id: 2\ntool_calls.type: function\ntool_calls.function.name: book\ntool_calls.function.arguments: later",
				Output: []Pair{
					{Key: "tool_calls.id", Value: "1"}, {Key: "tool_calls.type", Value: "function"}, {Key: "tool_calls.function.name", Value: "find"},
					{Key: "tool_calls.function.arguments.city", Value: "Ulm"},
					{Key: "tool_calls.function.arguments.days", Value: "1"}, {Key: "tool_calls.function.arguments.days", Value: "2"},
					{Key: "tool_calls.id", Value: "2"}, {Key: "tool_calls.type", Value: "function"}, {Key: "tool_calls.function.name", Value: "book"},
					{Key: "tool_calls.function.arguments", Value: "later"},
				},
			},
		},
		"tool call with JSON is not JSON": {
			chatOf(), chatOf(`{"role":"assistant","content":[{"type":"text","text":"{\"a\":1}"}],"tool_calls":[{"function":{"name":"f","arguments":{}}}]}`),
			Index{
				IsToolCall: true, TurnCount: 1, ToolCallCount: 1, ToolNames: []string{"f"},
				OutputText: "{\"a\":1}\ntool_calls.function.name: f\ntool_calls.function.arguments:",
				Output:     []Pair{{Key: "tool_calls.function.name", Value: "f"}, {Key: "tool_calls.function.arguments", Empty: true}},
			},
		},
		"function call": {
			chatOf(), chatOf(`{"role":"assistant","tool_calls":[],"function_call":{"name":"f","arguments":" [{\"x\":true}]"}}`),
			Index{
				IsToolCall: true, TurnCount: 1, ToolCallCount: 1, ToolNames: []string{"f"},
				OutputText: "tool_calls.function.name: f\ntool_calls.function.arguments.x: true",
				Output:     []Pair{{Key: "tool_calls.function.name", Value: "f"}, {Key: "tool_calls.function.arguments.x", Value: "true"}},
			},
		},
		"no calls": {
			chatOf(), chatOf(`{"role":"assistant","tool_calls":[],"function_call":null,"content":[{"type":"text","text":"a"}]}`),
			Index{OutputText: "a", TurnCount: 1},
		},
		"calls of the provider": {
			chatOf(), chatOf(
				`{"role":"assistant","tool_calls":[{"function":{"name":"early","arguments":"1"}}]}`,
				`{"role":"assistant","content":[{"type":"server_tool_use","id":"1","name":"web"},{"type":"mcp_call","name":"db"},{"type":"mcp_call","name":"web"},{"type":"mcp_call"},{"type":"text","text":"a"}]}`,
			),
			Index{
				InputText: "early 1", OutputText: "a", TurnCount: 2,
				ToolCallCount: 5, ToolNames: []string{"web", "db"},
			},
		},
		"completion": {
			completionOf("Once upon"), completionOf(`{"a":true}`),
			Index{InputText: "Once upon", IsJSON: true, OutputText: "a: true", Output: []Pair{{Key: "a", Value: "true"}}},
		},
		"chat, then completion": {
			chatOf(said("user", "a")), completionOf("b"),
			Index{InputText: "a", OutputText: "b", TurnCount: 1},
		},
		"chat, then nothing": {
			chatOf(said("user", "a")), `{"type":"completion","content":[]}`,
			Index{InputText: "a"},
		},
		"completion, then chat": {
			completionOf("Thank you"), chatOf(said("user", "a"), said("assistant", "b")),
			Index{InputText: "Thank you\n\na", OutputText: "b", TurnCount: 1},
		},
		"intents": {
			chatOf(said("user", "thanks"), said("user", "This is useless!!"), said("assistant", "sorry")), chatOf(said("assistant", "I cannot help, perhaps")),
			Index{
				InputText: "thanks\n\nThis is useless!!\n\nsorry", OutputText: "I cannot help, perhaps", TurnCount: 2,
				UserIntent: []string{"frustrated"}, AgentIntent: []string{"refusal", "uncertain"},
			},
		},
		"escaped words": {
			`{"\u0074ype":"ch\u0061t","messages":[{"r\u006fle":"us\u0065r","content":[{"type":"te\u0078t","text":"a"}]}]}`, `{"type":"chat","messages":[{"role":"assist\u0061nt"},{"role":"user"}]}`,
			Index{InputText: "a", TurnCount: 1},
		},
		"NUL": {
			chatOf(said("user", "a\x00b")), chatOf(said("assistant", "\x00")),
			Index{InputText: "a\x00b", OutputText: "\x00", TurnCount: 1},
		},
		"older string content": {
			`{"messages":[{"role":"user","content":"a"}]}`, `{"messages":[{"role":"assistant","content":"b"}]}`,
			Index{InputText: "a", OutputText: "b", TurnCount: 1},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := &Log{Input: json.RawMessage(c.input), Output: json.RawMessage(c.output), Index: Index{InputText: "stale", ToolCallCount: 9}}
			Derive(l)
			if diff := cmp.Diff(c.want, l.Index, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("index (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDeriveNotes(t *testing.T) {
	t.Parallel()
	l := &Log{Notes: Notes{
		Metadata:  []Member{{"user", json.RawMessage(`{"id":7}`)}},
		Prompt:    &PromptLink{ID: 1, Version: 1, Referenced: []string{"b"}},
		Variables: json.RawMessage(`{"a":1,"b":2}`),
	}}
	Derive(l)
	want := Index{Metadata: []Pair{{Key: "user.id", Value: "7"}}, Variables: []Pair{{Key: "b", Value: "2"}}}
	if diff := cmp.Diff(want, l.Index, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("index (-want +got):\n%s", diff)
	}
}

func TestDeriveReturnsLastUserMessage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ input, output, want string }{
		"chat":          {chatOf(said("user", "a"), said("user", "b"), said("tool", "c")), chatOf(said("assistant", "d")), "b"},
		"in the output": {chatOf(said("user", "a")), chatOf(said("user", "b"), said("assistant", "c")), "b"},
		"without text":  {chatOf(said("user", "a"), said("user", ""), said("tool", "b")), chatOf(), ""},
		"first":         {chatOf(said("user", ""), said("tool", "b")), chatOf(), ""},
		"before calls":  {chatOf(said("tool", "x"), `{"role":"user","content":[{"type":"text","text":"a"}],"function_call":{"name":"f"}}`), chatOf(), "a"},
		"none":          {chatOf(said("system", "a")), chatOf(said("assistant", "b")), ""},
		"completion":    {completionOf("a"), completionOf("b"), "a"},
	} {
		if got := DeriveFrom(&Log{}, tree(t, c.input), tree(t, c.output)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// An output that exceeds the limits when flattened remains searchable as text.
func TestDeriveKeepsTextOfLargeJSON(t *testing.T) {
	t.Parallel()
	list, _ := json.Marshal(make([]int, MaxPairs+1))
	text := `{"a":` + string(list) + `}`
	l := &Log{Output: json.RawMessage(chatOf(said("assistant", text)))}
	Derive(l)
	if !l.Index.IsJSON || len(l.Index.Output) != MaxPairs || l.Index.OutputText != text {
		t.Errorf("is JSON %v, %d pairs, text of %d bytes; want true, %d, %d",
			l.Index.IsJSON, len(l.Index.Output), len(l.Index.OutputText), MaxPairs, len(text))
	}
}
