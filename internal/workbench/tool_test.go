package workbench_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/envvar"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/step"
	"github.com/promptuary/promptuary/internal/tool"
)

// addTool makes a tool at home and returns its id. Without code the registry
// cannot run it.
func (w *world) addTool(name, code string, labels ...string) int64 {
	w.t.Helper()
	content := tool.Content{Definition: []byte(`{"type":"function","function":{"name":"` + name + `","parameters":{"type":"object","properties":{}}}}`)}
	if code != "" {
		content.Execution = tool.Execution{Language: "javascript", Code: code}
	}
	return check.Must(w.tools.Create(access.AsSystem(w.t.Context()), w.home.Workspace, registry.CreateInput[tool.Content]{
		Name: name, Content: &content, Release: registry.Release{Labels: labels},
	}))(w.t).Entity.ID
}

// offer publishes the prompt "ask" that offers the tools.
func (w *world) offer(provider string, ids ...int64) {
	w.t.Helper()
	var refs []string
	for _, id := range ids {
		refs = append(refs, fmt.Sprintf(`{"type":"registry","tool_registry_id":%d}`, id))
	}
	w.publish("ask", `{"type":"chat","messages":[`+user("Is it sunny in {city}?")+`],"tools":[`+strings.Join(refs, ",")+`]}`,
		`{"model":{"provider":"`+provider+`","name":"m","parameters":{"temperature":0.5,"max_tokens":9}}}`)
}

const askStep = `{"template":{"prompt_name":"ask"}}`

// wants is an answer of OpenAI's that asks for tools, given as name and
// arguments by turns.
func wants(calls ...string) string {
	var list []string
	for i := 0; i < len(calls); i += 2 {
		list = append(list, fmt.Sprintf(`{"id":"call%d","type":"function","function":{"name":%q,"arguments":%s}}`, i/2, calls[i], quoted(calls[i+1])))
	}
	return `{"id":"c1","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":null,"tool_calls":[` +
		strings.Join(list, ",") + `]}}],"usage":{"prompt_tokens":1000,"completion_tokens":500,"total_tokens":1500}}`
}

func TestAModelIsGivenWhatItsToolsAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	weather := w.addTool("get_weather", `return {city: args.city, sunny: process.env.SUNNY}`)
	clock := w.addTool("get_time", `return "noon"`)
	check.Must(w.envVars.Create(access.AsSystem(t.Context()), envvar.Scope{Workspace: w.home.Workspace, Tool: weather}, "SUNNY", "yes-indeed"))(t)
	w.offer("openai", weather, clock)
	w.provider.turns = []string{
		wants("get_weather", `{"city":"Rome"}`, "get_time", ""), wants("get_time", "{}"), chatAnswer(`"It is sunny."`),
	}
	scope := w.home
	scope.Tags = []string{"workflow"}
	ctx := access.WithCaller(t.Context(), viewer(w.home.Workspace)) // who may run a prompt may run its tools
	value := check.Must(w.runWithin(ctx, scope, "PROMPT_TEMPLATE", askStep, `{"city":"Rome"}`))(t)
	check.Equal(t, "value", value, `"It is sunny."`)

	requests := w.provider.got()
	check.Equal(t, "calls", len(requests), 3)
	for i, request := range requests {
		check.Equal(t, "temperature", string(request.body.Get("temperature").Raw()), "0.5")
		check.Equal(t, "tools", request.body.Get("tools").Len(), 2)
		check.Equal(t, "messages", request.body.Get("messages").Len(), []int{1, 4, 6}[i])
	}
	sameJSON(t, "second question", string(requests[1].body.Get("messages").Raw()), `[
		{"role":"user","content":[{"type":"text","text":"Is it sunny in Rome?"}]},
		{"role":"assistant","content":null,"tool_calls":[
			{"id":"call0","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Rome\"}"}},
			{"id":"call1","type":"function","function":{"name":"get_time","arguments":""}}]},
		{"role":"tool","tool_call_id":"call0","content":"{\"city\":\"Rome\",\"sunny\":\"yes-indeed\"}"},
		{"role":"tool","tool_call_id":"call1","content":"noon"}]`)

	logs := w.logged(w.home)
	check.Equal(t, "logs", len(logs), 3)
	for _, log := range logs {
		check.Equal(t, "log", []any{log.Status, log.Engine, log.Tags, log.Prompt.Version, string(log.Variables)},
			[]any{reqlog.StatusSuccess, "m", []string{"workflow"}, int64(1), `{"city":"Rome"}`})
	}
	check.Equal(t, "what the last log was asked", len(spoken(logs[2].Input)), 6)
}

func TestToolsOfOtherProviders(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		provider string // and what goes with it in the metadata
		turns    []string
		member   string
		want     []string
	}{
		"Anthropic": {
			provider: `"anthropic"`,
			turns: []string{
				`{"role":"assistant","content":[{"type":"text","text":"Let me see."},{"type":"tool_use","id":"tu1","name":"f","input":{"x":1}},{"type":"tool_use","id":"tu2","name":"g","input":{}}],"stop_reason":"tool_use","usage":{"input_tokens":7,"output_tokens":3}}`,
				`{"role":"assistant","content":[{"type":"text","text":"Yes."}],"stop_reason":"end_turn","usage":{"input_tokens":7,"output_tokens":3}}`,
			},
			member: "messages", want: []string{`"Let me see."`, `"tool_use_id":"tu1"`, `"tool_use_id":"tu2"`, `{\"f\":1}`, "g of nothing"},
		},
		"Google, which gives calls no id": {
			provider: `"google"`,
			turns: []string{
				`{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f","args":{"x":1}}},{"functionCall":{"name":"g","args":{}}}]},"finishReason":"STOP"}]}`,
				`{"candidates":[{"content":{"role":"model","parts":[{"text":"Yes."}]},"finishReason":"STOP"}]}`,
			},
			member: "contents", want: []string{`"name":"f","response":{`, `"name":"g","response":{`, "g of nothing"},
		},
		"responses of OpenAI": {
			provider: `"openai","api_type":"responses"`,
			turns: []string{
				`{"id":"r1","status":"completed","output":[{"type":"function_call","id":"fc1","call_id":"c1","name":"f","arguments":"{\"x\":1}"},{"type":"function_call","id":"fc2","call_id":"c2","name":"g","arguments":"{}"}]}`,
				`{"id":"r2","status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Yes."}]}]}`,
			},
			member: "input", want: []string{`"function_call_output"`, `"call_id":"c1"`, `"call_id":"c2"`, `{\"f\":1}`, "g of nothing"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, settings{})
			f, g := w.addTool("f", `return {f: args.x}`), w.addTool("g", `return "g of nothing"`)
			w.publish("ask", fmt.Sprintf(`{"type":"chat","messages":[`+user("Is it?")+`],"tools":[{"type":"registry","tool_registry_id":%d},{"type":"registry","tool_registry_id":%d}]}`, f, g),
				`{"model":{"name":"m","provider":`+test.provider+`,"parameters":{"max_tokens":9}}}`)
			w.provider.turns = test.turns
			check.Equal(t, "value", w.value(w.home, "PROMPT_TEMPLATE", askStep, `{}`), `"Yes."`)
			requests := w.provider.got()
			check.Equal(t, "calls", len(requests), 2)
			text := string(requests[1].body.Get(test.member).Compact())
			for _, part := range test.want {
				if !strings.Contains(text, part) {
					t.Errorf("%s is missing in %s", part, text)
				}
			}
		})
	}
}

func TestWhatAModelIsToldOfTools(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ code, arguments, want string }{
		"an object":           {`return args`, `{"b":1,"a":2.50}`, `{"b":1,"a":2.5}`},
		"a text":              {`return "plain \"text\""`, `{}`, `plain "text"`},
		"nothing":             {`1`, `{}`, `null`},
		"an exception":        {`throw new RangeError("too far")`, `{}`, `{"error":{"type":"RangeError","message":"RangeError: too far (line 1)"}}`},
		"bad syntax":          {`return (`, `{}`, `{"error":{"type":"SyntaxError","message":"SyntaxError: Unexpected token } (line 2)"}}`},
		"too much":            {`return "x".repeat(300000)`, `{}`, `{"error":{"type":"OutputLimitExceeded","message":"output limit of 256 KiB exceeded"}}`},
		"arguments of a list": {`return 1`, `[]`, `{"error":{"type":"InvalidArguments","message":"the arguments are not a JSON object"}}`},
		"half arguments":      {`return 1`, `{"city":`, `{"error":{"type":"InvalidArguments","message":"the arguments are not a JSON object"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, settings{})
			w.offer("openai", w.addTool("f", test.code))
			w.provider.turns = []string{wants("f", test.arguments)}
			// The provider repeats what was said last, which is what the tool said.
			check.Equal(t, "value", w.value(w.home, "PROMPT_TEMPLATE", askStep, `{"city":"Rome"}`), quoted(test.want))
		})
	}
}

func TestWhatIsNotForTheServerToRun(t *testing.T) {
	t.Parallel()
	for name, calls := range map[string][]string{
		"a tool without code": {"bare", "{}"},
		"one of two":          {"f", "{}", "bare", "{}"},
		"no tool at all":      {"nobody", "{}"},
		"too many":            strings.Split(strings.Repeat("f {} ", 17), " ")[:34],
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, settings{})
			w.offer("openai", w.addTool("f", "return 1"), w.addTool("bare", ""))
			w.provider.turns = []string{wants(calls...)}
			got := w.value(w.home, "PROMPT_TEMPLATE", askStep, `{"city":"Rome"}`)
			check.Equal(t, "calls in the answer", check.JSON(got).Len(), len(calls)/2)
			w.provider.only(t)
			w.onlyLog(w.home)
		})
	}
}

func TestToolsThatFailAStep(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		code  string
		turns int
		want  string
		calls int
	}{
		"it never answers":     {"return 1", 20, "The model asked for tools 10 times and did not answer", 10},
		"a value that is none": {"const a = []; a.push(a); return a", 1, "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, settings{})
			w.offer("openai", w.addTool("f", test.code))
			for range test.turns {
				w.provider.turns = append(w.provider.turns, wants("f", "{}"))
			}
			_, err := w.run(w.home, "PROMPT_TEMPLATE", askStep, `{"city":"Rome"}`)
			var failure *step.FailureError
			if err == nil || !strings.Contains(err.Error(), test.want) || !errors.As(err, &failure) && !fault.Is(err, fault.BadRequest) {
				t.Errorf("failed with %v", err)
			}
			check.Equal(t, "logs", len(w.logged(w.home)), test.calls)
		})
	}
}

// TestTheVersionThatWasOfferedIsRun changes the tool while the model thinks.
func TestTheVersionThatWasOfferedIsRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.offer("openai", w.addTool("f", `return "the first"`))
	w.provider.turns = []string{wants("f", "{}")}
	w.provider.before = func(*http.Request) {
		_, err := w.tools.AddVersion(access.AsSystem(t.Context()), w.home.Workspace, "f", tool.Content{
			Definition: []byte(`{"function":{"name":"f"}}`), Execution: tool.Execution{Language: "javascript", Code: `return "another"`},
		}, registry.Release{})
		check.OK(t, err)
	}
	check.Equal(t, "value", w.value(w.home, "PROMPT_TEMPLATE", askStep, `{"city":"Rome"}`), `"the first"`)
}

// TestToolsOfAnInlinePrompt are run as those of a published one.
func TestToolsOfAnInlinePrompt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	id := w.addTool("f", `return "by label"`, "prod")
	w.provider.turns = []string{wants("f", "{}")}
	got := w.value(w.home, "PROMPT_TEMPLATE", fmt.Sprintf(`{"inline_template":{"prompt_template":{"type":"chat","messages":[`+user("Hi")+`],
		"tools":[{"type":"registry","tool_registry_id":%d,"label":"prod"}]},"metadata":{"model":{"provider":"openai","name":"m"}}}}`, id), `{}`)
	check.Equal(t, "value", got, `"by label"`)
}
