package prompt_test

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// logged returns the log of a body, which must be accepted.
func logged(t *testing.T, input, output, parameters string) *reqlog.LogInput {
	t.Helper()
	var problems fault.Problems
	in := reqlog.DecodeLog(check.JSON(`{"provider":"openai","model":"m","request_start_time":1,"request_end_time":2,
		"input":`+input+`,"output":`+output+`,"parameters":`+parameters+`}`), []any{"body"}, &problems)
	if err := problems.Err(); err != nil {
		t.Fatalf("the log is rejected: %v", err)
	}
	return in
}

// replay publishes the blueprint of a log and returns what it renders to.
func (r *suite) replay(name string, in *reqlog.LogInput) *prompt.Run {
	r.t.Helper()
	w := jsontree.NewWriter(nil)
	in.WriteBlueprint(&w, reqlog.Replayable)
	blueprint := check.JSON(string(w.Bytes()))
	_, err := r.Publish(r.ctx, r.workspace, prompt.Publication{Name: name, Content: prompt.Content{
		Template: blueprint.Get("prompt_template").Raw(), Metadata: blueprint.Get("metadata").Raw(),
	}})
	if err != nil {
		r.t.Fatalf("publishing %s: %v", blueprint.Raw(), err)
	}
	return check.Must(r.Prepare(r.ctx, r.workspace, name, prompt.Request{Variables: check.JSON(`{}`)}))(r.t)
}

// textsIn returns the texts of all messages, or of a completion.
func textsIn(template jsontree.Value) []string {
	holders := []jsontree.Value{template}
	for _, message := range template.Get("messages").Elems() {
		holders = append(holders, message)
	}
	texts := []string{}
	for _, holder := range holders {
		for _, item := range holder.Get("content").Elems() {
			texts = append(texts, item.Get("text").Str())
		}
	}
	return texts
}

var textParts = []string{
	"{", "}", "{{", "}}", "{%", "%}", "{#", "#}", "{{-", "-}}", "x", "name", "!r", ":", "[", "]", "'", `"`, `\`, "\n", "\r\n", " ", "@@@", "@@", "é",
	"{% raw %}", "{% endraw %}", "{x}", "{{ x }}", "@@@name@@@", "@@@name@label:prod@@@", `{"a": {"b": 1}}`, "{% if x %}",
}

// TestBlueprintsReplayTheirTexts publishes and renders blueprints of logs with
// random texts.
func TestBlueprintsReplayTheirTexts(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	random := rand.New(rand.NewPCG(7, 16))
	text := func() string {
		var b strings.Builder
		for range random.IntN(9) {
			b.WriteString(textParts[random.IntN(len(textParts))])
		}
		return b.String()
	}
	format := func() string {
		return []string{"", `,"template_format":"f-string"`, `,"template_format":"jinja2"`, `,"template_format":null`}[random.IntN(4)]
	}
	message := func(role string, texts ...string) string {
		return `{"role":"` + role + `","tool_call_id":"c","name":"n","content":` + items(texts...) + format() + `}`
	}
	for i := range 150 {
		texts := []string{text(), text(), text(), text()}
		chat := `{"type":"chat","messages":[` + message("system", texts[0]) + `,` + message([]string{"user", "tool", "function", "critic"}[i%4], texts[1], texts[2]) + `]}`
		completion := `{"type":"completion","content":` + items(texts[:3]...) + format() + `}`
		answer := `{"type":"chat","messages":[` + message("assistant", texts[3]) + `]}`
		continued := `{"type":"completion","content":` + items(texts[3]) + format() + `}`
		input, output := []string{chat, completion}[i%2], []string{answer, continued}[i/2%2]
		run := r.replay("replay "+strconv.Itoa(i), logged(t, input, output, `{}`))
		check.Equal(t, "texts", textsIn(check.JSON(string(run.Prompt))), texts)
		check.Equal(t, "filled texts", textsIn(check.JSON(string(run.Filled))), texts)
		check.Equal(t, "warning", run.Warning, "")
	}
}

// TestBlueprintsReplayTools covers strings outside of messages, which are
// rendered if one of the messages is in Jinja2.
func TestBlueprintsReplayTools(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	function := `{"name":"f","description":"takes {{ x }} and {x}","strict":false,"parameters":{"type":"object","properties":{"p":{"description":"{# p #}"}}}}`
	format := `{"type":"json_schema","json_schema":{"name":"s","schema":{"title":"{% raw %}{{ t }}"}}}`
	for _, text := range []string{"plain", "@@@name@@@"} { // a snippet tag is escaped in Jinja2
		for _, as := range []string{"f-string", "jinja2"} {
			input := `{"type":"chat","messages":[{"role":"user","content":` + items(text) + `,"template_format":"` + as + `"}],
				"tools":[{"type":"function","function":` + function + `}],"functions":[` + function + `]}`
			run := r.replay("tools", logged(t, input, `{"type":"chat","messages":[]}`, `{"response_format":`+format+`}`))
			filled := check.JSON(string(run.Filled))
			check.Equal(t, "tool", string(filled.Get("tools").Compact()), `[{"type":"function","function":`+function+`}]`)
			check.Equal(t, "functions", string(filled.Get("functions").Compact()), `[`+function+`]`)
			check.Equal(t, "response format", string(check.JSON(string(run.Arguments)).Get("response_format").Compact()), format)
		}
	}
}

// TestLargeTextsReplay covers a text that is too large for Jinja2.
func TestLargeTextsReplay(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	large := strings.Repeat("{{ x }} and ", 200_000)
	run := r.replay("large", logged(t, `{"type":"completion","content":`+items(large)+`,"template_format":"jinja2"}`, `{"type":"completion","content":[]}`, `{}`))
	check.Equal(t, "same text", textsIn(check.JSON(string(run.Prompt)))[0] == large, true)
}

// TestWhatIsLoggedCanBePublished covers templates that logging accepts although
// publishing would reject them as they are.
func TestWhatIsLoggedCanBePublished(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	annotated := func(annotations string) string {
		return `{"type":"completion","content":[{"type":"text","text":"","annotations":` + annotations + `}]}`
	}
	chat := func(message string) string { return `{"type":"chat","messages":[` + message + `]}` }
	for name, c := range map[string]struct{ input, want string }{
		"another citation": {annotated(`[{"type":"web_search_result_location","url":"u"}]`), `"annotations":[{"type":"web_search_result_location","url":"u"}]`},
		"no citation":      {annotated(`"x"`), `"annotations":null`},
		"untyped citation": {annotated(`[{}]`), `"annotations":null`},
		"another role":     {chat(`{"role":"critic","content":[]}`), `"role":"critic"`},
		"another item":     {`{"type":"completion","content":[{"type":"hologram","x":1}]}`, `{"type":"hologram","x":1}`},
		"wrong item":       {`{"type":"completion","content":[{"type":"mcp_call","id":1,"name":"n"}]}`, `{"type":"mcp_call","id":null,"name":"n"}`},
		"arguments":        {chat(`{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":{"a": 1}},"provider_metadata":1}]}`), `"arguments":{"a":1}`},
		"legacy arguments": {chat(`{"role":"assistant","function_call":{"name":"f","arguments":{}}}`), `"arguments":{}`},
		"wrong settings":   {chat(`{"role":"user","content":[],"raw_request_display_role":1,"dataset_examples":1}`), `"raw_request_display_role":""`},
		"flat tool":        {`{"type":"chat","messages":[],"tools":[{"name":"f","input_schema":{"type":"object"}}]}`, `"function":{"name":"f"`},
		"strange tool":     {`{"type":"chat","messages":[],"tools":[{},{"type":"variable"},{"type":3,"x":1}]}`, `"tools":[{"type":"unknown"},{"type":"unknown"},{"type":"unknown","x":1}]`},
		"strange function": {`{"type":"chat","messages":[],"functions":[{},{"name":1,"strict":"no"}]}`, `"functions":[{"name":""`},
	} {
		t.Run(name, func(t *testing.T) {
			run := r.replay(name, logged(t, c.input, `{"type":"chat","messages":[]}`, `{}`))
			if stored := string(run.Content.Template); !strings.Contains(stored, c.want) {
				t.Errorf("stored %s, want it to contain %s", stored, c.want)
			}
			check.Equal(t, "arguments are JSON", json.Valid(run.Arguments), true)
		})
	}
}
