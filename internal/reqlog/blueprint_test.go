package reqlog

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// written returns what a function writes.
func written(write func(*jsontree.Writer)) string {
	w := jsontree.NewWriter(nil)
	write(&w)
	return string(w.Bytes())
}

func blueprintOf(l *Log) string {
	return written(func(w *jsontree.Writer) { WriteBlueprint(w, l, AsLogged, "") })
}

func TestBlueprint(t *testing.T) {
	t.Parallel()
	const head = `{"prompt_template":`
	const tail = `,"commit_message":null,"metadata":{"model":{"provider":"p\"","name":"m\u0000é","parameters":{ "t": 1.0 },"api_type":null,` +
		`"model_config_display_name":null,"base_model":null,"display_params":{}}},` +
		`"provider_base_url_name":null,"report_id":null,"inference_client_name":null,"provider_id":null}`
	cases := map[string]struct{ input, output, want string }{
		"chat": {
			`{"type":"chat","messages":[ {"role":"user", "content":[]} ],"tools":[{"n": 1.0}],"more":null}`, `{"type":"chat","messages":[{"role":"assistant"},{"role":"tool"}],"tools":[2]}`,
			`{"type":"chat","tools":[{"n": 1.0}],"more":null,"messages":[ {"role":"user", "content":[]} ,{"role":"assistant"},{"role":"tool"}]}`,
		},
		"failed request":    {`{"type":"chat","messages":[{"a":1}]}`, `{"type":"chat","messages":[]}`, `{"type":"chat","messages":[{"a":1}]}`},
		"only output":       {`{"type":"chat","messages":[ ]}`, `{"type":"chat","messages":[{"a":1}]}`, `{"type":"chat","messages":[{"a":1}]}`},
		"type is filled in": {`{"type":null,"messages":[]}`, `{"messages":[1]}`, `{"type":"chat","messages":[1]}`},
		"last of a name":    {`{"messages":[1],"messages":[2],"x":1}`, `{"messages":[3]}`, `{"type":"chat","x":1,"messages":[2,3]}`},
		"escaped name":      {`{"m\u0065ssages":[1],"\u0078":1}`, `{"messages":[3]}`, `{"type":"chat","\u0078":1,"messages":[1,3]}`},
		"completion": {
			`{"type":"completion","content":[{"type":"text","text":"a"}],"template_format":"jinja2"}`, `{"type":"completion","content":[{"type":"text","text":"b"}]}`,
			`{"type":"completion","template_format":"jinja2","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`,
		},
		"completion, no output": {`{"type":"completion","content":[1]}`, `null`, `{"type":"completion","content":[1]}`},
		"chat, then completion": {
			`{"type":"chat","messages":[1]}`, `{"type":"completion","content":[{"type":"text","text":"b"}]}`,
			`{"type":"chat","messages":[1,{"role":"assistant","content":[{"type":"text","text":"b"}]}]}`,
		},
		"chat, then empty completion": {`{"type":"chat","messages":[1]}`, `{"type":"completion","content":[]}`, `{"type":"chat","messages":[1]}`},
		"completion, then chat": {
			`{"type":"completion","content":[2],"template_format":"jinja2","input_variables":["v"]}`, `{"type":"chat","messages":[3]}`,
			`{"type":"chat","input_variables":["v"],"messages":[{"role":"user","content":[2],"template_format":"jinja2"},3]}`,
		},
		"no templates":  {``, `7`, `{"type":"chat","messages":[]}`},
		"unknown input": {`{"type":"x","messages":{"a":1}}`, `{"messages":[1]}`, `{"type":"chat","messages":[1]}`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := &Log{
				Provider: `p"`, Engine: "m\x00é", Parameters: json.RawMessage(`{ "t": 1.0 }`),
				Input: json.RawMessage(c.input), Output: json.RawMessage(c.output),
			}
			got := "x" + blueprintOf(l)
			if diff := cmp.Diff("x"+head+c.want+tail, got); diff != "" {
				t.Errorf("blueprint (-want +got):\n%s", diff)
			}
			if !json.Valid([]byte(got[1:])) {
				t.Errorf("not JSON: %s", got)
			}
		})
	}
}

func TestBlueprintOfModel(t *testing.T) {
	t.Parallel()
	var got struct {
		Metadata struct {
			Model struct {
				Parameters json.RawMessage
				APIType    *string `json:"api_type"`
				Name       string
			}
		}
	}
	l := &Log{APIType: "responses", Engine: "a\xffb\n\x1f<&>\u2028"}
	if err := json.Unmarshal([]byte(blueprintOf(l)), &got); err != nil {
		t.Fatal(err)
	}
	model := got.Metadata.Model
	if string(model.Parameters) != "{}" || model.APIType == nil || *model.APIType != "responses" {
		t.Errorf("model = %+v, want empty parameters and the API type", model)
	}
	if want := "a\ufffdb\n\x1f<&>\u2028"; model.Name != want {
		t.Errorf("name = %q, want %q", model.Name, want)
	}
}

func TestReplayableBlueprint(t *testing.T) {
	t.Parallel()
	l := &Log{
		Parameters: json.RawMessage(`{"response_format":{"title":"{{ t }}"},"top_p":1.0}`),
		Input: json.RawMessage(`{"type":"chat","messages":[{"role":"user","content":[{"type":"text","text":"{a}"},{"type":"text","text":"@@@b@@@ {{"}]},` +
			`{"role":"user", "content":[{"type":"text","text":"{\"a\": 1}"}]}],"tools":[{"type":"function","function":{"name":"f","description":"{{ d }}"}}]}`),
		Output: json.RawMessage(`{"type":"completion","content":[{"type":"text","text":"{c}"}]}`),
	}
	got := written(func(w *jsontree.Writer) { WriteBlueprint(w, l, Replayable, "mine") })
	want := `{"prompt_template":{"type":"chat","tools":[{"type":"function","function":{"name":"f","description":"{{ '{' }}{ d }}"}}],"messages":[` +
		`{"template_format":"jinja2","role":"user","content":[{"type":"text","text":"{a}"},{"type":"text","text":"@@{{ '@' }}b@@{{ '@' }} {{ '{' }}{"}]},` +
		`{"role":"user", "content":[{"type":"text","text":"{\"a\": 1}"}]},{"role":"assistant","content":[{"type":"text","text":"{{c}}"}]}]},` +
		`"commit_message":null,"metadata":{"model":{"provider":"","name":"","parameters":{"top_p":1.0,"response_format":{"title":"{{ '{' }}{ t }}"}},` +
		`"api_type":null,"model_config_display_name":null,"base_model":null,"display_params":{}}},` +
		`"provider_base_url_name":null,"report_id":null,"inference_client_name":"mine","provider_id":null}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("blueprint (-want +got):\n%s", diff)
	}
}
