package template

import "github.com/promptuary/promptuary/internal/jsontree"

// perhaps is for an optional member that the registry checks.
func perhaps(name string, kind jsontree.Kind) rule {
	return rule{name: name, kind: kind, only: Strict, optional: true}
}

var errorRule = rule{name: "error", kind: jsontree.String, also: jsontree.Object, only: Strict, optional: true}

// objectsRule is for a list of arbitrary objects.
func objectsRule(name string) rule {
	return rule{name: name, kind: jsontree.Array, only: Strict, optional: true, element: &objectRule}
}

var textRules = []rule{
	{name: "text", kind: jsontree.String},
	perhaps("id", jsontree.String),
	{
		name: "annotations", kind: jsontree.Array, only: Strict, optional: true,
		element: &rule{kind: jsontree.Object, union: annotationUnion},
	},
	perhaps("thought_signature", jsontree.String),
}

// contentUnion has the types of content items. The registry checks the types of
// more members than logs, but requires the same ones, so that logged content
// can be published, see Replay.
var contentUnion = union{
	"text": textRules,
	"thinking": {
		{name: "thinking", kind: jsontree.String},
		{name: "signature", kind: jsontree.String, optional: true},
		perhaps("id", jsontree.String),
	},
	"code": {
		{name: "code", kind: jsontree.String},
		perhaps("id", jsontree.String), perhaps("container_id", jsontree.String), perhaps("language", jsontree.String),
	},
	"image_url": {
		{name: "image_url", kind: jsontree.Object, members: []rule{
			{name: "url", kind: jsontree.String},
			{name: "detail", kind: jsontree.String, optional: true},
		}},
		perhaps("image_variable", jsontree.String),
	},
	"media": {{name: "media", kind: jsontree.Object, members: []rule{
		{name: "title", kind: jsontree.String, optional: true},
		{name: "type", kind: jsontree.String, optional: true},
		{name: "url", kind: jsontree.String, optional: true},
		{name: "format", kind: jsontree.String, optional: true, words: []string{"base64", "url", "neither"}},
	}}},
	"media_variable": {nameRule},
	"output_media": {
		{name: "url", kind: jsontree.String},
		perhaps("id", jsontree.String),
		{name: "mime_type", kind: jsontree.String, optional: true},
		{name: "media_type", kind: jsontree.String, optional: true, words: []string{"image", "video", "audio"}},
		{name: "provider_metadata", kind: jsontree.Object, optional: true},
	},
	"server_tool_use": {
		{name: "id", kind: jsontree.String},
		nameRule,
		{name: "input", kind: jsontree.Object, optional: true},
	},
	"web_search_tool_result": {
		perhaps("tool_use_id", jsontree.String),
		{name: "content", kind: jsontree.Array, also: jsontree.Object, only: Strict, optional: true, element: &webSearchResultRule},
	},
	"code_execution_result": {perhaps("output", jsontree.String), perhaps("outcome", jsontree.String)},
	"mcp_list_tools": {
		perhaps("id", jsontree.String), perhaps("server_label", jsontree.String), objectsRule("tools"), errorRule,
	},
	"mcp_call": {
		perhaps("id", jsontree.String), perhaps("name", jsontree.String), perhaps("server_label", jsontree.String),
		perhaps("arguments", jsontree.String), perhaps("output", jsontree.String), errorRule,
		perhaps("approval_request_id", jsontree.String), perhaps("call_id", jsontree.String), perhaps("status", jsontree.String),
	},
	"mcp_approval_request": {
		perhaps("id", jsontree.String), perhaps("name", jsontree.String),
		perhaps("arguments", jsontree.String), perhaps("server_label", jsontree.String),
	},
	"mcp_approval_response":                  {perhaps("approval_request_id", jsontree.String), perhaps("approve", jsontree.Bool)},
	"bash_code_execution_tool_result":        {perhaps("tool_use_id", jsontree.String), perhaps("content", jsontree.Object)},
	"text_editor_code_execution_tool_result": {perhaps("tool_use_id", jsontree.String), perhaps("content", jsontree.Object)},
	"shell_call":                             providerCallRules(perhaps("action", jsontree.Object)),
	"shell_call_output":                      providerCallRules(objectsRule("output")),
	"apply_patch_call":                       providerCallRules(perhaps("operation", jsontree.Object)),
	"apply_patch_call_output":                providerCallRules(perhaps("output", jsontree.String)),
}

// providerCallRules are for calls between the provider and the client's
// machine, with the one member that differs.
func providerCallRules(own rule) []rule {
	return []rule{perhaps("id", jsontree.String), perhaps("call_id", jsontree.String), own, perhaps("status", jsontree.String)}
}

var webSearchResultRule = rule{kind: jsontree.Object, members: []rule{
	perhaps("type", jsontree.String), perhaps("url", jsontree.String), perhaps("title", jsontree.String),
	perhaps("encrypted_content", jsontree.String), perhaps("page_age", jsontree.String),
}}

var annotationUnion = union{
	"url_citation": {
		perhaps("title", jsontree.String), perhaps("url", jsontree.String),
		perhaps("start_index", jsontree.Number), perhaps("end_index", jsontree.Number),
		perhaps("cited_text", jsontree.String), perhaps("encrypted_index", jsontree.String),
	},
	"file_citation": {
		perhaps("index", jsontree.Number), perhaps("file_id", jsontree.String), perhaps("filename", jsontree.String),
	},
	"map_citation": {
		perhaps("title", jsontree.String), perhaps("url", jsontree.String),
		perhaps("start_index", jsontree.Number), perhaps("end_index", jsontree.Number),
		perhaps("place_id", jsontree.String), perhaps("cited_text", jsontree.String),
	},
	"container_file_citation": {
		perhaps("container_id", jsontree.String), perhaps("start_index", jsontree.Number), perhaps("end_index", jsontree.Number),
		perhaps("filename", jsontree.String), perhaps("file_id", jsontree.String),
	},
}
