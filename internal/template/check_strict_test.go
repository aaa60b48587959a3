package template

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/fault"
)

func chatOf(message string) string { return `{"type":"chat","messages":[` + message + `]}` }
func itemsOf(items string) string  { return `{"type":"completion","content":[` + items + `]}` }
func toolsOf(tools string) string  { return `{"type":"chat","messages":[],"tools":[` + tools + `]}` }
func citations(list string) string {
	return itemsOf(`{"type":"text","text":"","annotations":[` + list + `]}`)
}
func functions(list string) string   { return `{"type":"chat","messages":[],"functions":[` + list + `]}` }
func assistant(member string) string { return chatOf(`{"role":"assistant",` + member + `}`) }

func TestStrictAccepts(t *testing.T) {
	t.Parallel()
	for name, template := range map[string]string{
		"no messages":        `{"type":"chat","messages":[]}`,
		"no content":         `{"type":"completion","content":[]}`,
		"null options":       `{"type":"chat","messages":[],"tools":null,"functions":null,"tool_choice":null,"function_call":null,"input_variables":null,"dataset_examples":null}`,
		"any choice":         `{"type":"chat","messages":[],"tool_choice":{"type":"function"},"function_call":[1]}`,
		"unknown keys":       chatOf(`{"role":"user","content":[{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}],"more":1}`),
		"a whole message":    chatOf(`{"role":"user","content":[],"name":null,"input_variables":[],"template_format":"jinja2","raw_request_display_role":"","dataset_examples":[]}`),
		"assistant":          chatOf(`{"role":"assistant"}`),
		"tool calls":         assistant(`"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"},"tool_id":null,"provider_metadata":{}}]`),
		"arguments object":   assistant(`"tool_calls":[{"id":"1","function":{"name":"f","arguments":{"a":1}}}],"function_call":{"name":"f","arguments":{}}`),
		"function call":      assistant(`"function_call":{"name":"f","arguments":""}`),
		"function":           chatOf(`{"role":"function","name":"f","content":null}`),
		"tool":               chatOf(`{"role":"tool","content":[],"tool_call_id":"1"}`),
		"placeholder":        chatOf(`{"role":"placeholder","name":"history"}`),
		"function tool":      toolsOf(`{"type":"function","function":{"name":"f"}}`),
		"whole function":     toolsOf(`{"type":"function","function":{"name":"f","description":"","strict":true,"parameters":{"type":"object"},"x":1},"x":1}`),
		"registry tool":      toolsOf(`{"type":"registry","tool_registry_id":7,"label":null,"version_number":2}`),
		"tool variable":      toolsOf(`{"type":"variable","name":"tools"}`),
		"built-in tool":      toolsOf(`{"type":"web_search","id":"1","name":"n","description":"d","provider":"openai","config":{}}`),
		"bare built-in":      toolsOf(`{"type":"mcp"}`),
		"unknown tool type":  toolsOf(`{"type":"time_travel","name":1}`),
		"functions":          functions(`{"name":"f","parameters":{}}`),
		"text":               itemsOf(`{"type":"text","text":"","id":null,"annotations":null,"thought_signature":"s"}`),
		"thinking":           itemsOf(`{"type":"thinking","thinking":"t","signature":null,"id":"1"}`),
		"code":               itemsOf(`{"type":"code","code":"c","id":"1","container_id":"c","language":"go"}`),
		"image":              itemsOf(`{"type":"image_url","image_url":{"url":"","detail":"low"},"image_variable":"v"}`),
		"media":              itemsOf(`{"type":"media","media":{"title":"t","type":"image/png","url":"u","format":"neither"}}`),
		"media variable":     itemsOf(`{"type":"media_variable","name":"v"}`),
		"output media":       itemsOf(`{"type":"output_media","url":"u","id":"1","mime_type":"m","media_type":"video","provider_metadata":{}}`),
		"server tool":        itemsOf(`{"type":"server_tool_use","id":"1","name":"n","input":{}}`),
		"web search":         itemsOf(`{"type":"web_search_tool_result","tool_use_id":"1","content":[{"type":"web_search_result","url":"","title":"","encrypted_content":"","page_age":null}]}`),
		"code execution":     itemsOf(`{"type":"code_execution_result","output":"o","outcome":"OUTCOME_OK"}`),
		"mcp tools":          itemsOf(`{"type":"mcp_list_tools","id":"1","server_label":"","tools":[{}],"error":{}}`),
		"mcp call":           itemsOf(`{"type":"mcp_call","id":"1","name":"","server_label":"","arguments":"","output":"o","error":"e","approval_request_id":null,"call_id":"c","status":"s"}`),
		"mcp request":        itemsOf(`{"type":"mcp_approval_request","id":"1","name":"","arguments":"","server_label":""}`),
		"mcp response":       itemsOf(`{"type":"mcp_approval_response","approval_request_id":"1","approve":false}`),
		"bash result":        itemsOf(`{"type":"bash_code_execution_tool_result","tool_use_id":"1","content":{}}`),
		"editor result":      itemsOf(`{"type":"text_editor_code_execution_tool_result","tool_use_id":"1"}`),
		"shell call":         itemsOf(`{"type":"shell_call","id":"1","call_id":"c","action":{},"status":"s"}`),
		"shell output":       itemsOf(`{"type":"shell_call_output","id":"1","call_id":"c","output":[{}],"status":"s"}`),
		"patch call":         itemsOf(`{"type":"apply_patch_call","id":"1","call_id":"c","operation":{},"status":"s"}`),
		"patch output":       itemsOf(`{"type":"apply_patch_call_output","id":"1","call_id":"c","output":"o","status":"s"}`),
		"URL citation":       citations(`{"type":"url_citation","title":"t","url":"u","start_index":0,"end_index":1,"cited_text":"c","encrypted_index":null}`),
		"file citation":      citations(`{"type":"file_citation","index":0,"file_id":"f","filename":"n"}`),
		"map citation":       citations(`{"type":"map_citation","title":"t","url":"u","start_index":0,"end_index":1,"place_id":"p","cited_text":"c"}`),
		"other citation":     citations(`{"type":"web_search_result_location","url":"u","title":"t","encrypted_index":"e","cited_text":"c"}`),
		"bare citations":     citations(`{"type":"url_citation"},{"type":"file_citation"},{"type":"map_citation","title":""},{"type":"container_file_citation"}`),
		"other role":         chatOf(`{"role":"critic","content":[{"type":"text","text":"{x}"}],"tool_calls":[{"id":"1","function":{"name":"f","arguments":""}}]}`),
		"role alone":         chatOf(`{"role":"critic"}`),
		"other item":         itemsOf(`{"type":"never_heard_of","text":1}`),
		"failed web search":  itemsOf(`{"type":"web_search_tool_result","content":{"type":"web_search_tool_result_error","error_code":"x"}},{"type":"web_search_tool_result","content":[{"type":"x"}]}`),
		"bare items":         itemsOf(`{"type":"code_execution_result"},{"type":"mcp_approval_response"},{"type":"bash_code_execution_tool_result"},{"type":"text_editor_code_execution_tool_result"}`),
		"container citation": citations(`{"type":"container_file_citation","container_id":"c","start_index":null,"end_index":1,"filename":"n","file_id":"f"}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff([]string(nil), broken(checkAll(tree(t, template), Strict))); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStrictRejects(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ template, want string }{
		"no type":               {`{"messages":[]}`, "input: union_tag_not_found"},
		"null type":             {`{"type":null,"content":[]}`, "input: union_tag_not_found"},
		"unknown type":          {`{"type":"voice","messages":[]}`, "input: union_tag_invalid"},
		"no role":               {chatOf(`{"content":[]}`), "input.messages[0]: union_tag_not_found"},
		"empty role":            {chatOf(`{"role":"","content":[]}`), "input.messages[0]: union_tag_invalid"},
		"number as role":        {chatOf(`{"role":7,"content":[]}`), "input.messages[0]: union_tag_invalid"},
		"other role":            {chatOf(`{"role":"critic","content":"hi","name":1,"tool_calls":[{}]}`), "input.messages[0].content: list_type, input.messages[0].name: string_type, input.messages[0].tool_calls[0].id: missing, input.messages[0].tool_calls[0].function: missing"},
		"string content":        {chatOf(`{"role":"user","content":"hi"}`), "input.messages[0].content: list_type"},
		"display role":          {chatOf(`{"role":"user","content":[],"raw_request_display_role":1,"dataset_examples":{}}`), "input.messages[0].raw_request_display_role: string_type, input.messages[0].dataset_examples: list_type"},
		"template examples":     {`{"type":"chat","messages":[],"dataset_examples":"x"}`, "input.dataset_examples: list_type"},
		"arguments as list":     {assistant(`"tool_calls":[{"id":"1","function":{"name":"f","arguments":[]}}]`), "input.messages[0].tool_calls[0].function.arguments: string_type"},
		"call metadata":         {assistant(`"tool_calls":[{"id":"1","function":{"name":"f","arguments":""},"provider_metadata":1}]`), "input.messages[0].tool_calls[0].provider_metadata: dict_type"},
		"tools as object":       {`{"type":"chat","messages":[],"tools":{}}`, "input.tools: list_type"},
		"tool as string":        {toolsOf(`"f"`), "input.tools[0]: dict_type"},
		"tool without type":     {toolsOf(`{"function":{"name":"f"}}`), "input.tools[0]: union_tag_not_found"},
		"tool, number as type":  {toolsOf(`{"type":1}`), "input.tools[0]: union_tag_invalid"},
		"tool without function": {toolsOf(`{"type":"function"}`), "input.tools[0].function: missing"},
		"function without name": {toolsOf(`{"type":"function","function":{"description":1,"strict":"no","parameters":[]}}`),
			"input.tools[0].function.name: missing, input.tools[0].function.description: string_type, " +
				"input.tools[0].function.strict: bool_type, input.tools[0].function.parameters: dict_type"},
		"registry tool":   {toolsOf(`{"type":"registry","label":1,"version_number":"2"}`), "input.tools[0].tool_registry_id: missing, input.tools[0].label: string_type, input.tools[0].version_number: int_type"},
		"registry id":     {toolsOf(`{"type":"registry","tool_registry_id":1.5}`), "input.tools[0].tool_registry_id: int_type"},
		"tool variable":   {toolsOf(`{"type":"variable"}`), "input.tools[0].name: missing"},
		"built-in tool":   {toolsOf(`{"type":"bash","id":1,"name":1,"description":1,"provider":1,"config":1}`), "input.tools[0].id: string_type, input.tools[0].name: string_type, input.tools[0].description: string_type, input.tools[0].provider: string_type, input.tools[0].config: dict_type"},
		"functions":       {functions(`{},{"name":1}`), "input.functions[0].name: missing, input.functions[1].name: string_type"},
		"item type":       {itemsOf(`{"type":7}`), "input.content[0]: union_tag_invalid"},
		"no item type":    {itemsOf(`{"text":"x"}`), "input.content[0]: union_tag_not_found"},
		"text":            {itemsOf(`{"type":"text","id":1,"annotations":{},"thought_signature":1}`), "input.content[0].text: missing, input.content[0].id: string_type, input.content[0].annotations: list_type, input.content[0].thought_signature: string_type"},
		"thinking":        {itemsOf(`{"type":"thinking","thinking":1,"id":1}`), "input.content[0].thinking: string_type, input.content[0].id: string_type"},
		"code":            {itemsOf(`{"type":"code","container_id":1,"language":1}`), "input.content[0].code: missing, input.content[0].container_id: string_type, input.content[0].language: string_type"},
		"image":           {itemsOf(`{"type":"image_url","image_variable":1}`), "input.content[0].image_url: missing, input.content[0].image_variable: string_type"},
		"media":           {itemsOf(`{"type":"media","media":{"format":"hex","url":1}}`), "input.content[0].media.url: string_type, input.content[0].media.format: enum"},
		"media variable":  {itemsOf(`{"type":"media_variable"}`), "input.content[0].name: missing"},
		"output media":    {itemsOf(`{"type":"output_media","id":1,"media_type":"x"}`), "input.content[0].url: missing, input.content[0].id: string_type, input.content[0].media_type: enum"},
		"server tool":     {itemsOf(`{"type":"server_tool_use","input":[]}`), "input.content[0].id: missing, input.content[0].name: missing, input.content[0].input: dict_type"},
		"web search":      {itemsOf(`{"type":"web_search_tool_result","tool_use_id":1,"content":[{"type":2,"url":1},1]}`), "input.content[0].tool_use_id: string_type, input.content[0].content[0].type: string_type, input.content[0].content[0].url: string_type, input.content[0].content[1]: dict_type"},
		"code execution":  {itemsOf(`{"type":"code_execution_result","output":1,"outcome":1}`), "input.content[0].output: string_type, input.content[0].outcome: string_type"},
		"mcp tools":       {itemsOf(`{"type":"mcp_list_tools","tools":[1],"error":[]}`), "input.content[0].tools[0]: dict_type, input.content[0].error: string_type"},
		"mcp call":        {itemsOf(`{"type":"mcp_call","arguments":{},"error":1}`), "input.content[0].arguments: string_type, input.content[0].error: string_type"},
		"mcp request":     {itemsOf(`{"type":"mcp_approval_request","arguments":{}}`), "input.content[0].arguments: string_type"},
		"mcp response":    {itemsOf(`{"type":"mcp_approval_response","approval_request_id":1,"approve":"yes"}`), "input.content[0].approval_request_id: string_type, input.content[0].approve: bool_type"},
		"bash result":     {itemsOf(`{"type":"bash_code_execution_tool_result","tool_use_id":1,"content":[]}`), "input.content[0].tool_use_id: string_type, input.content[0].content: dict_type"},
		"editor result":   {itemsOf(`{"type":"text_editor_code_execution_tool_result","tool_use_id":1,"content":[]}`), "input.content[0].tool_use_id: string_type, input.content[0].content: dict_type"},
		"shell call":      {itemsOf(`{"type":"shell_call","call_id":1,"action":[]}`), "input.content[0].call_id: string_type, input.content[0].action: dict_type"},
		"shell output":    {itemsOf(`{"type":"shell_call_output","output":{}}`), "input.content[0].output: list_type"},
		"patch call":      {itemsOf(`{"type":"apply_patch_call","operation":"x"}`), "input.content[0].operation: dict_type"},
		"patch output":    {itemsOf(`{"type":"apply_patch_call_output","output":[]}`), "input.content[0].output: string_type"},
		"annotation type": {citations(`{},{"type":7},1`), "input.content[0].annotations[0]: union_tag_not_found, input.content[0].annotations[1]: union_tag_invalid, input.content[0].annotations[2]: dict_type"},
		"URL citation":    {citations(`{"type":"url_citation","title":1,"url":[],"start_index":0.5,"end_index":"1"}`), "input.content[0].annotations[0].title: string_type, input.content[0].annotations[0].url: string_type, input.content[0].annotations[0].start_index: int_type, input.content[0].annotations[0].end_index: int_type"},
		"file citation":   {citations(`{"type":"file_citation","index":"0","file_id":1,"filename":1}`), "input.content[0].annotations[0].index: int_type, input.content[0].annotations[0].file_id: string_type, input.content[0].annotations[0].filename: string_type"},
		"map citation":    {citations(`{"type":"map_citation","title":"","url":"","start_index":0,"end_index":"1"}`), "input.content[0].annotations[0].end_index: int_type"},
		"container":       {citations(`{"type":"container_file_citation","container_id":1,"start_index":"0"}`), "input.content[0].annotations[0].container_id: string_type, input.content[0].annotations[0].start_index: int_type"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := strings.Join(broken(checkAll(tree(t, c.template), Strict)), ", ")
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMissingContentTypeListsKnownTypes(t *testing.T) {
	t.Parallel()
	got := checkAll(tree(t, itemsOf(`{}`)), Strict).Err().Error()
	for _, want := range []string{"'apply_patch_call', 'apply_patch_call_output',", "'thinking' or 'web_search_tool_result'"} {
		if !strings.Contains(got, want) {
			t.Errorf("message = %q, want it to name %q", got, want)
		}
	}
}

func TestMetadata(t *testing.T) {
	t.Parallel()
	model := func(members string) string { return `{"model":{"provider":"openai","name":"gpt",` + members + `}}` }
	cases := map[string]struct{ metadata, want string }{
		"null":               {`null`, ""},
		"nothing":            {`{}`, ""},
		"no model":           {`{"model":null,"custom":[1]}`, ""},
		"whole model":        {model(`"model_config_display_name":"d","base_model":"b","parameters":{"temperature":1},"display_params":{},"api_type":"responses","more":1`), ""},
		"only parameters":    {`{"model":{"parameters":{"temperature":1}},"own":1}`, ""},
		"no provider":        {`{"model":{"name":"m","parameters":{}}}`, "metadata.model.provider: missing"},
		"no name":            {`{"model":{"provider":"p","parameters":{}}}`, "metadata.model.name: missing"},
		"no parameters":      {`{"model":{"parameters":null}}`, "metadata.model.provider: missing, metadata.model.name: missing"},
		"wrong parameters":   {`{"model":{"parameters":[]}}`, "metadata.model.parameters: dict_type"},
		"null members":       {model(`"model_config_display_name":null,"base_model":null,"parameters":null,"display_params":null,"api_type":null`), ""},
		"longest names":      {model(`"model_config_display_name":"` + strings.Repeat("é", 255) + `","base_model":"` + strings.Repeat("é", 100) + `"`), ""},
		"too long names":     {model(`"model_config_display_name":"` + strings.Repeat("é", 256) + `","base_model":"` + strings.Repeat("é", 101) + `"`), "metadata.model.model_config_display_name: string_too_long, metadata.model.base_model: string_too_long"},
		"array":              {`[]`, "metadata: dict_type"},
		"string as model":    {`{"model":"gpt"}`, "metadata.model: dict_type"},
		"empty model":        {`{"model":{}}`, "metadata.model.provider: missing, metadata.model.name: missing"},
		"numbers in a model": {`{"model":{"provider":1,"name":2,"parameters":3,"display_params":4,"api_type":5}}`, "metadata.model.provider: string_type, metadata.model.name: string_type, metadata.model.parameters: dict_type, metadata.model.display_params: dict_type, metadata.model.api_type: string_type"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var problems fault.Problems
			CheckMetadata(tree(t, c.metadata), []any{"body"}, "metadata", &problems)
			if diff := cmp.Diff(c.want, strings.Join(broken(&problems), ", ")); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}
