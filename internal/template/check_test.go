package template

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// broken formats problems as "path: type" lines.
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

func checkAll(template jsontree.Value, strictness Strictness) *fault.Problems {
	var problems fault.Problems
	Check(template, []any{"body"}, "input", strictness, &problems)
	return &problems
}

func tree(t testing.TB, text string) jsontree.Value {
	t.Helper()
	v, err := jsontree.Parse([]byte(text))
	if err != nil {
		t.Fatalf("parse %s: %v", text, err)
	}
	return v
}

func TestLenientAccepts(t *testing.T) {
	t.Parallel()
	for name, template := range map[string]string{
		"no messages":              `{"type":"chat","messages":[]}`,
		"chat without type":        `{"messages":[]}`,
		"null type":                `{"type":null,"messages":[]}`,
		"completion":               `{"type":"completion","content":[{"type":"text","text":""}]}`,
		"completion without type":  `{"content":[],"template_format":"jinja2","input_variables":["a"]}`,
		"escaped words":            `{"type":"\u0063hat","messages":[{"role":"us\u0065r","content":[{"type":"t\u0065xt","text":"x"}]}]}`,
		"the last of two types":    `{"type":"other","type":"chat","messages":[]}`,
		"all options":              `{"type":"chat","messages":[],"tools":[{}],"functions":[{"name":"f"}],"tool_choice":{"type":"function","function":{"name":"f"}},"function_call":{"name":"f"},"input_variables":["a"]}`,
		"null options":             `{"type":"chat","messages":[],"tools":null,"functions":null,"tool_choice":null,"function_call":null,"input_variables":null}`,
		"named choices":            `{"type":"chat","messages":[],"tool_choice":"auto","function_call":"none"}`,
		"a provider's tool choice": `{"type":"chat","messages":[],"tool_choice":{"type":"any"}}`,
		"system":                   `{"type":"chat","messages":[{"role":"system","content":[],"name":null,"template_format":"f-string"}]}`,
		"developer":                `{"type":"chat","messages":[{"role":"developer","content":[]}]}`,
		"other role":               `{"type":"chat","messages":[{"role":"critic","content":[]},{"role":"critic"}]}`,
		"assistant alone":          `{"type":"chat","messages":[{"role":"assistant"}]}`,
		"assistant null content":   `{"type":"chat","messages":[{"role":"assistant","content":null,"tool_calls":null,"function_call":null}]}`,
		"tool calls, no content":   `{"type":"chat","messages":[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]}]}`,
		"arguments as object":      `{"type":"chat","messages":[{"role":"assistant","content":[],"tool_calls":[{"id":"1","type":"function","tool_id":"t","function":{"name":"f","arguments":{}}}]}]}`,
		"function call":            `{"type":"chat","messages":[{"role":"assistant","function_call":{"name":"f","arguments":""}}]}`,
		"tool":                     `{"type":"chat","messages":[{"role":"tool","content":[],"tool_call_id":"1","name":"f"}]}`,
		"function":                 `{"type":"chat","messages":[{"role":"function","name":"f","content":null}]}`,
		"placeholder":              `{"type":"chat","messages":[{"role":"placeholder","name":"history"}]}`,
		"extra keys":               `{"type":"chat","messages":[{"role":"user","content":[],"raw_request_display_role":"","dataset_examples":[]}],"more":1}`,
		"blocks": `{"type":"completion","content":[
			{"type":"text","text":"a\u0000b","annotations":null},{"type":"thinking","thinking":"t","signature":null},{"type":"code","code":"c"},
			{"type":"image_url","image_url":{"url":"u","detail":"low"}},{"type":"media","media":{}},
			{"type":"media","media":{"title":"t","type":"image/png","url":"u","format":"base64"}},{"type":"media_variable","name":"v"},
			{"type":"output_media","url":"u"},{"type":"output_media","url":"u","mime_type":"m","media_type":"audio","provider_metadata":{}},
			{"type":"server_tool_use","id":"1","name":"n"},{"type":"server_tool_use","id":"1","name":"n","input":{"q":1}},
			{"type":"web_search_tool_result"},{"type":"code_execution_result"},{"type":"mcp_list_tools"},{"type":"mcp_call"},
			{"type":"mcp_approval_request"},{"type":"mcp_approval_response"},{"type":"bash_code_execution_tool_result"},
			{"type":"text_editor_code_execution_tool_result"},{"type":"shell_call"},{"type":"shell_call_output"},
			{"type":"apply_patch_call"},{"type":"apply_patch_call_output"},{"type":"never_heard_of","x":[]}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff([]string(nil), broken(checkAll(tree(t, template), Lenient))); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLenientRejects(t *testing.T) {
	t.Parallel()
	chat := func(message string) string { return `{"type":"chat","messages":[` + message + `]}` }
	block := func(block string) string { return `{"type":"completion","content":[` + block + `]}` }
	cases := map[string]struct {
		template string
		want     []string
	}{
		"null":                    {`null`, []string{"input: missing"}},
		"string":                  {`"hello"`, []string{"input: dict_type"}},
		"array":                   {`[]`, []string{"input: dict_type"}},
		"no type, nothing inside": {`{}`, []string{"input: union_tag_not_found"}},
		"no type, null inside":    {`{"messages":null,"content":null}`, []string{"input: union_tag_not_found"}},
		"unknown type":            {`{"type":"voice","messages":[]}`, []string{"input: union_tag_invalid"}},
		"number as type":          {`{"type":1,"messages":[]}`, []string{"input: union_tag_invalid"}},
		"chat without messages":   {`{"type":"chat","content":[]}`, []string{"input.messages: missing"}},
		"messages as object":      {`{"type":"chat","messages":{}}`, []string{"input.messages: list_type"}},
		"completion, no content":  {`{"type":"completion"}`, []string{"input.content: missing"}},
		"completion, null":        {`{"type":"completion","content":null}`, []string{"input.content: missing"}},
		"completion, string":      {`{"type":"completion","content":"x"}`, []string{"input.content: list_type"}},
		"completion, format":      {`{"type":"completion","content":[],"template_format":"mustache"}`, []string{"input.template_format: enum"}},
		"options": {
			`{"type":"chat","messages":[],"tools":{},"functions":[1],"tool_choice":1,"function_call":{},"input_variables":["a",1,null]}`,
			[]string{
				"input.tools: list_type", "input.functions[0]: dict_type", "input.tool_choice: string_type",
				"input.function_call.name: missing", "input.input_variables[1]: string_type", "input.input_variables[2]: string_type",
			},
		},
		"choice without function":      {`{"type":"chat","messages":[],"tool_choice":{"type":"function"}}`, []string{"input.tool_choice.function: missing"}},
		"choice without function name": {`{"type":"chat","messages":[],"tool_choice":{"function":{}}}`, []string{"input.tool_choice.function.name: missing"}},
		"message null":                 {chat(`null`), []string{"input.messages[0]: dict_type"}},
		"message string":               {chat(`{"role":"user","content":[]},"hi"`), []string{"input.messages[1]: dict_type"}},
		"no role":                      {chat(`{"content":[]}`), []string{"input.messages[0]: union_tag_not_found"}},
		"empty role":                   {chat(`{"role":""}`), []string{"input.messages[0]: union_tag_invalid"}},
		"number as role":               {chat(`{"role":1}`), []string{"input.messages[0]: union_tag_invalid"}},
		"content string":               {chat(`{"role":"user","content":"hi"}`), []string{"input.messages[0].content: list_type"}},
		"assistant content string":     {chat(`{"role":"assistant","content":"hi"}`), []string{"input.messages[0].content: list_type"}},
		"content number":               {chat(`{"role":"assistant","content":1}`), []string{"input.messages[0].content: list_type"}},
		"system without content":       {chat(`{"role":"system"}`), []string{"input.messages[0].content: missing"}},
		"user null content":            {chat(`{"role":"user","content":null}`), []string{"input.messages[0].content: missing"}},
		"developer without content":    {chat(`{"role":"developer"}`), []string{"input.messages[0].content: missing"}},
		"tool":                         {chat(`{"role":"tool"}`), []string{"input.messages[0].content: missing", "input.messages[0].tool_call_id: missing"}},
		"tool with a number as id":     {chat(`{"role":"tool","content":[],"tool_call_id":1}`), []string{"input.messages[0].tool_call_id: string_type"}},
		"function without name":        {chat(`{"role":"function"}`), []string{"input.messages[0].name: missing"}},
		"placeholder, number as name":  {chat(`{"role":"placeholder","name":1}`), []string{"input.messages[0].name: string_type"}},
		"user, number as name":         {chat(`{"role":"user","content":[],"name":1}`), []string{"input.messages[0].name: string_type"}},
		"message format":               {chat(`{"role":"user","content":[],"template_format":"x","input_variables":"x"}`), []string{"input.messages[0].input_variables: list_type", "input.messages[0].template_format: enum"}},
		"tool calls as object":         {chat(`{"role":"assistant","tool_calls":{}}`), []string{"input.messages[0].tool_calls: list_type"}},
		"tool call without all":        {chat(`{"role":"assistant","tool_calls":[{}]}`), []string{"input.messages[0].tool_calls[0].id: missing", "input.messages[0].tool_calls[0].function: missing"}},
		"tool call of another type": {
			chat(`{"role":"assistant","tool_calls":[{"id":"1","type":"code","function":{"name":1}}]}`),
			[]string{
				"input.messages[0].tool_calls[0].type: enum", "input.messages[0].tool_calls[0].function.name: string_type",
				"input.messages[0].tool_calls[0].function.arguments: missing",
			},
		},
		"arguments as array":      {chat(`{"role":"assistant","function_call":{"name":"f","arguments":[]}}`), []string{"input.messages[0].function_call.arguments: string_type"}},
		"function call as string": {chat(`{"role":"assistant","function_call":"f"}`), []string{"input.messages[0].function_call: dict_type"}},
		"block string":            {block(`"x"`), []string{"input.content[0]: dict_type"}},
		"block without type":      {block(`{"text":"x"}`), []string{"input.content[0]: union_tag_not_found"}},
		"text":                    {block(`{"type":"text"}`), []string{"input.content[0].text: missing"}},
		"text number":             {block(`{"type":"text","text":1}`), []string{"input.content[0].text: string_type"}},
		"thinking":                {block(`{"type":"thinking","signature":1}`), []string{"input.content[0].thinking: missing", "input.content[0].signature: string_type"}},
		"code":                    {block(`{"type":"code"}`), []string{"input.content[0].code: missing"}},
		"image":                   {block(`{"type":"image_url","image_url":"u"}`), []string{"input.content[0].image_url: dict_type"}},
		"image without url":       {block(`{"type":"image_url","image_url":{}}`), []string{"input.content[0].image_url.url: missing"}},
		"media":                   {block(`{"type":"media"}`), []string{"input.content[0].media: missing"}},
		"media format":            {block(`{"type":"media","media":{"format":"hex"}}`), []string{"input.content[0].media.format: enum"}},
		"media variable":          {block(`{"type":"media_variable"}`), []string{"input.content[0].name: missing"}},
		"output media":            {block(`{"type":"output_media","media_type":"smell"}`), []string{"input.content[0].url: missing", "input.content[0].media_type: enum"}},
		"server tool":             {block(`{"type":"server_tool_use","input":[]}`), []string{"input.content[0].id: missing", "input.content[0].name: missing", "input.content[0].input: dict_type"}},
		"all are found": {
			chat(`{"role":"user","content":"a"},{"role":"user","content":[{"type":"text","text":"ok"},{"type":"text"}]},{"role":"system","content":"b"}`),
			[]string{"input.messages[0].content: list_type", "input.messages[1].content[1].text: missing", "input.messages[2].content: list_type"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, broken(checkAll(tree(t, c.template), Lenient))); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStringContentIsMalformed(t *testing.T) {
	t.Parallel()
	problems := checkAll(tree(t, `{"type":"chat","messages":[{"role":"user","content":"hi"}]}`), Lenient)
	if got := problems.Err().Error(); !strings.Contains(got, "Malformed Request") {
		t.Errorf("message = %q, want it to say Malformed Request", got)
	}
}

func TestTemplateLocation(t *testing.T) {
	t.Parallel()
	problems := checkAll(tree(t, `{"type":"chat","messages":[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f"}}]}]}`), Lenient)
	err, _ := errors.AsType[*fault.Error](problems.Err())
	want := []any{"body", "input", "messages", 0, "tool_calls", 0, "function", "arguments"}
	if diff := cmp.Diff(want, err.Fields[0].Loc); diff != "" {
		t.Errorf("location (-want +got):\n%s", diff)
	}
}
