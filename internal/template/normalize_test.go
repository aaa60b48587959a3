package template

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// normalSettings are the defaults that normalising adds to a message.
func normalSettings(variables string) string {
	return `"input_variables":[` + variables + `],"template_format":"f-string","raw_request_display_role":"","dataset_examples":[],"name":null`
}

// chatTail is the normal form of everything after the tools of a chat.
func chatTail(variables string) string {
	return `,"function_call":null,"tool_choice":null,"type":"chat","input_variables":[` + variables + `],"dataset_examples":[]}`
}

func TestNormalize(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ template, want string }{
		"no messages": {
			`{"type":"chat","messages":[]}`,
			`{"messages":[],"functions":null,"tools":null` + chatTail(``),
		},
		"other members of a chat are dropped": {
			`{"more":1,"template_format":"jinja2","type":"chat","is_snippet":true,"messages":[]}`,
			`{"messages":[],"functions":null,"tools":null` + chatTail(``),
		},
		"user": {
			`{"type":"chat","messages":[{"content":[{"type":"text","text":"{a} and {b}"}],"role":"user","cache":true}]}`,
			`{"messages":[{"role":"user","content":[{"type":"text","text":"{a} and {b}"}],` + normalSettings(`"a","b"`) + `,"cache":true}],"functions":null,"tools":null` + chatTail(`"a","b"`),
		},
		"settings are kept": {
			`{"type":"chat","messages":[{"role":"system","content":[],"input_variables":["z"],"template_format":"jinja2","raw_request_display_role":"r","dataset_examples":[1.0],"name":"n"}],"tool_choice":"auto","function_call":{"name":"f"},"dataset_examples":[2e1]}`,
			`{"messages":[{"role":"system","content":[],"input_variables":["z"],"template_format":"jinja2","raw_request_display_role":"r","dataset_examples":[1.0],"name":"n"}],"functions":null,"tools":null,"function_call":{"name":"f"},"tool_choice":"auto","type":"chat","input_variables":["z"],"dataset_examples":[2e1]}`,
		},
		"nulls are filled in": {
			`{"type":"chat","messages":[{"role":"user","content":[],"input_variables":null,"template_format":null,"raw_request_display_role":null,"dataset_examples":null}],"dataset_examples":null}`,
			`{"messages":[{"role":"user","content":[],` + normalSettings(``) + `}],"functions":null,"tools":null` + chatTail(``),
		},
		"assistant": {
			`{"type":"chat","messages":[{"role":"assistant"},{"role":"assistant","content":null,"tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]}]}`,
			`{"messages":[{"role":"assistant",` + normalSettings(``) + `,"function_call":null,"tool_calls":null},` +
				`{"role":"assistant","content":null,` + normalSettings(``) + `,"function_call":null,"tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]}],"functions":null,"tools":null` + chatTail(``),
		},
		"tool and placeholder": {
			`{"type":"chat","messages":[{"role":"tool","content":[],"tool_call_id":"1"},{"role":"placeholder","name":"history"}]}`,
			`{"messages":[{"role":"tool","content":[],` + normalSettings(``) + `,"tool_call_id":"1"},` +
				`{"role":"placeholder","input_variables":[],"template_format":"f-string","raw_request_display_role":"","dataset_examples":[],"name":"history"}],"functions":null,"tools":null` + chatTail(``),
		},
		"functions": {
			`{"type":"chat","messages":[],"functions":[{"parameters":{"a": 1.50},"x":1,"name":"f"}],"tools":[{"type":"function","function":{"name":"g","strict":null,"description":"d"},"x":2},{"type":"variable","name":"v"},{"type":"bash","name":1}]}`,
			`{"messages":[],"functions":[{"name":"f","description":"","strict":false,"parameters":{"a":1.50},"x":1}],` +
				`"tools":[{"type":"function","function":{"name":"g","description":"d","strict":false,"parameters":{"type":"object","properties":{}}},"x":2},{"type":"variable","name":"v"},{"type":"bash","name":1}]` + chatTail(`"v"`),
		},
		"empty lists": {
			`{"type":"chat","messages":[],"functions":[],"tools":[]}`,
			`{"messages":[],"functions":[],"tools":[]` + chatTail(``),
		},
		"completion": {
			`{"more":{"a": 1},"content":[ {"type":"text","text":"{a}"} ],"type":"completion"}`,
			`{"type":"completion","content":[{"type":"text","text":"{a}"}],"template_format":"f-string","input_variables":["a"],"more":{"a":1}}`,
		},
		"items are echoed": {
			`{"type":"completion","content":[{"type":"text","text":"\u00e9/\/","id":null,"x":12345678901234567890.10}],"template_format":"jinja2"}`,
			`{"type":"completion","content":[{"type":"text","text":"\u00e9/\/","id":null,"x":12345678901234567890.10}],"template_format":"jinja2","input_variables":[]}`,
		},
		"the last of two counts": {
			`{"type":"chat","messages":[{"role":"user","role":"system","content":[],"name":"a","name":null}]}`,
			`{"messages":[{"role":"system","content":[],` + normalSettings(``) + `}],"functions":null,"tools":null` + chatTail(``),
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := string(Normalize(tree(t, c.template)))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("normal form (-want +got):\n%s", diff)
			}
			if again := string(Normalize(tree(t, got))); again != got {
				t.Errorf("the second time it is\n%s, not\n%s", again, got)
			}
		})
	}
}

func TestInputVariables(t *testing.T) {
	t.Parallel()
	text := func(s string) string { return `{"type":"text","text":"` + s + `"}` }
	cases := map[string]struct {
		template string
		want     string // of the template, then of each message
	}{
		"first appearance": {itemsOf(text("{b}{a}{b}") + "," + text("{c}{a}")), `["b","a","c"]`},
		"the client's first": {
			`{"type":"completion","content":[` + text("{a}{b}") + `],"input_variables":["z","b","z"]}`,
			`["z","b","a"]`,
		},
		"pictures and files": {
			itemsOf(`{"type":"image_url","image_url":{"url":""},"image_variable":"i"},{"type":"media_variable","name":"m"},{"type":"image_url","image_url":{"url":""},"image_variable":null}`),
			`["i","m"]`,
		},
		"other items are no text": {itemsOf(`{"type":"thinking","thinking":"{a}"},{"type":"code","code":"{b}"}`), `[]`},
		"tags are no text":        {itemsOf(text("@@@x@label:{a}@@@ {b} @@@y")), `["b"]`},
		"messages, then tools": {
			`{"type":"chat","input_variables":["own"],"messages":[{"role":"user","content":[` + text("{b}") + `],"input_variables":["mine"]},{"role":"placeholder","name":"history"},{"role":"user","content":[` + text("{a}{b}") + `]}],"tools":[{"type":"variable","name":"t"},{"type":"variable","name":"a"}]}`,
			`["own","mine","b","a","t"]["mine","b"][]["a","b"]`,
		},
		"jinja2": {
			`{"type":"chat","messages":[{"role":"user","template_format":"jinja2","content":[` + text("{{ b }}{{ a }}") + `]}]}`,
			`["b","a"]["b","a"]`,
		},
		"many": {
			itemsOf(text("{a}{b}{c}{d}{e}{f}{g}{h}{i}{j}{k}{l}{m}{n}{o}{p}{q}{r}{a}{q}{r}")),
			`["a","b","c","d","e","f","g","h","i","j","k","l","m","n","o","p","q","r"]`,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			normal := tree(t, string(Normalize(tree(t, c.template))))
			var got strings.Builder
			got.Write(normal.Get("input_variables").Raw())
			for _, message := range normal.Get("messages").Elems() {
				got.Write(message.Get("input_variables").Raw())
			}
			if diff := cmp.Diff(c.want, got.String()); diff != "" {
				t.Errorf("variables (-want +got):\n%s", diff)
			}
		})
	}
}
