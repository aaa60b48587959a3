// Package providertest helps to test providers: it builds arguments from small
// templates, compares them with the types of client libraries, and reads
// recorded calls from golden files.
package providertest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/builtin"
)

// Case is a template and its expected arguments.
type Case struct {
	Name                  string
	Provider, Model, API  string
	Template              string
	Parameters, Overrides string
	Keep                  bool
	Want                  string
}

// Build returns the arguments of a case.
func (c Case) Build(t testing.TB) []byte {
	t.Helper()
	return builtin.Providers.Arguments(provider.Input{
		Provider: c.Provider, Model: c.Model, APIType: c.API, KeepPlaceholders: c.Keep,
		Template: Parse(t, c.Template), Parameters: Parse(t, c.Parameters), Overrides: Parse(t, c.Overrides),
	})
}

// Parse parses JSON. It returns absent for an empty text.
func Parse(t testing.TB, text string) jsontree.Value {
	t.Helper()
	if text == "" {
		return jsontree.Value{}
	}
	v, err := jsontree.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

// Run tests each case.
func Run(t *testing.T, cases []Case) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			got := string(c.Build(t))
			if !json.Valid([]byte(got)) {
				t.Fatalf("no JSON: %s", got)
			}
			if diff := cmp.Diff(lines(c.Want), lines(got)); diff != "" {
				t.Errorf("(-want +got):\n%s\ngot %s", diff, got)
			}
		})
	}
}

// lines adds line breaks where expectations may have them.
func lines(text string) []string {
	text = strings.ReplaceAll(text, "\n", "")
	text = strings.ReplaceAll(text, "\t", "")
	return strings.SplitAfter(text, "},")
}

// Chat returns a chat template of these messages with further members.
func Chat(messages string, more ...string) string {
	return `{"type":"chat","messages":[` + messages + `]` + strings.Join(more, "") + `}`
}

// Say returns a message with these content items.
func Say(role, content string) string {
	return `{"role":"` + role + `","content":[` + content + `],"template_format":"f-string","input_variables":[]}`
}

// Text returns a text item.
func Text(s string) string { return `{"type":"text","text":"` + s + `"}` }

// Templates and parts of them.
const (
	Hello   = `{"type":"completion","content":[{"type":"text","text":"Hello, "},{"type":"text","text":"you"}]}`
	Weather = `{"type":"function","function":{"name":"weather","description":"Tells it","strict":false,` +
		`"parameters":{"type":"object","properties":{"city":{"type":"string"}}}}}`
	WeatherSchema = `{"type":"object","properties":{"city":{"type":"string"}}}`
	WeatherCall   = `{"role":"assistant","content":[` + `{"type":"text","text":"Let me look."}` + `],"tool_calls":[` +
		`{"id":"call_1","type":"function","function":{"name":"weather","arguments":"{\"city\":\"Oslo\"}"}}]}`
	WeatherResult = `{"role":"tool","tool_call_id":"call_1","content":[{"type":"text","text":"cold"}]}`
	SmallImage    = "iVBORw0KGgoAAAANSUhEUg=="
	PNGItem       = `{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}`
	PDFItem       = `{"type":"media","media":{"title":"paper.pdf","type":"application/pdf","url":"JVBERi0=","format":"base64"}}`

	richTools = `,"tools":[` + Weather + `],"tool_choice":{"type":"function","function":{"name":"weather"}}`
)

// Rich returns a conversation with files and a tool call, with additional
// members. The thoughts are content items of the assistant.
func Rich(thoughts, more string) string {
	reply := strings.Replace(WeatherCall, `"content":[`, `"content":[`+thoughts, 1)
	return Chat(Say("system", Text("Be kind."))+","+
		Say("user", Text("Look:")+","+PNGItem+","+PDFItem)+","+
		reply+","+WeatherResult+","+Say("assistant", Text("It is cold."))+","+Say("user", Text("Thanks")), richTools, more)
}

// Decode reads JSON.
func Decode(t testing.TB, text []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}
