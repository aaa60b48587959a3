package reqlog

import "github.com/promptuary/promptuary/internal/jsontree"

// rule is what a member must look like. Members that no rule names are free.
type rule struct {
	name     string
	kind     jsontree.Kind
	also     jsontree.Kind // a second kind that will do
	optional bool
	words    []string // all that a string may say, nil for anything
	members  []rule   // of an object
	element  *rule    // of an array
}

var (
	inputVariablesRule = rule{
		name: "input_variables", kind: jsontree.Array, optional: true, element: &rule{kind: jsontree.String},
	}
	templateFormatRule = rule{
		name: "template_format", kind: jsontree.String, optional: true, words: []string{"f-string", "jinja2"},
	}
	objectRule = rule{kind: jsontree.Object}
	arrayRule  = rule{kind: jsontree.Array}

	chatRules = []rule{
		{name: "tools", kind: jsontree.Array, optional: true, element: &objectRule},
		{name: "functions", kind: jsontree.Array, optional: true, element: &objectRule},
		{name: "tool_choice", kind: jsontree.String, also: jsontree.Object, optional: true},
		{
			name: "function_call", kind: jsontree.String, also: jsontree.Object, optional: true,
			members: []rule{nameRule},
		},
		inputVariablesRule,
	}
	completionRules = []rule{inputVariablesRule, templateFormatRule}
	messageRules    = []rule{inputVariablesRule, templateFormatRule}
	// chosenFunctionRules hold for a tool_choice that names a function.
	chosenFunctionRules = []rule{
		{name: "function", kind: jsontree.Object, members: []rule{nameRule}},
	}

	calledRules = []rule{
		nameRule,
		{name: "arguments", kind: jsontree.String, also: jsontree.Object},
	}
	assistantRules = []rule{
		optionalNameRule,
		{
			name: "tool_calls", kind: jsontree.Array, optional: true,
			element: &rule{kind: jsontree.Object, members: []rule{
				{name: "id", kind: jsontree.String},
				{name: "type", kind: jsontree.String, optional: true, words: []string{"function"}},
				{name: "function", kind: jsontree.Object, members: calledRules},
				{name: "tool_id", kind: jsontree.String, optional: true},
			}},
		},
		{name: "function_call", kind: jsontree.Object, optional: true, members: calledRules},
	}
	nameRule         = rule{name: "name", kind: jsontree.String}
	optionalNameRule = rule{name: "name", kind: jsontree.String, optional: true}
)

// roleRule is what holds for messages of one role.
type roleRule struct {
	needsContent bool
	rules        []rule
}

var roleRules = map[string]roleRule{
	"system":      {needsContent: true, rules: []rule{optionalNameRule}},
	"user":        {needsContent: true, rules: []rule{optionalNameRule}},
	"developer":   {needsContent: true, rules: []rule{optionalNameRule}},
	"assistant":   {rules: assistantRules},
	"tool":        {needsContent: true, rules: []rule{optionalNameRule, {name: "tool_call_id", kind: jsontree.String}}},
	"function":    {rules: []rule{nameRule}},
	"placeholder": {rules: []rule{nameRule}},
}

// roleList names the roles in the order in which a person would.
const roleList = "system, user, assistant, developer, tool, function, placeholder"

// blockRules holds the content blocks whose members are checked. Blocks of any
// other type are kept as they are: providers add types faster than anybody
// could list them.
var blockRules = map[string][]rule{
	"text":     {{name: "text", kind: jsontree.String}},
	"thinking": {{name: "thinking", kind: jsontree.String}, {name: "signature", kind: jsontree.String, optional: true}},
	"code":     {{name: "code", kind: jsontree.String}},
	"image_url": {{name: "image_url", kind: jsontree.Object, members: []rule{
		{name: "url", kind: jsontree.String},
		{name: "detail", kind: jsontree.String, optional: true},
	}}},
	"media": {{name: "media", kind: jsontree.Object, members: []rule{
		{name: "title", kind: jsontree.String, optional: true},
		{name: "type", kind: jsontree.String, optional: true},
		{name: "url", kind: jsontree.String, optional: true},
		{name: "format", kind: jsontree.String, optional: true, words: []string{"base64", "url", "neither"}},
	}}},
	"media_variable": {nameRule},
	"output_media": {
		{name: "url", kind: jsontree.String},
		{name: "mime_type", kind: jsontree.String, optional: true},
		{name: "media_type", kind: jsontree.String, optional: true, words: []string{"image", "video", "audio"}},
		{name: "provider_metadata", kind: jsontree.Object, optional: true},
	},
	"server_tool_use": {
		{name: "id", kind: jsontree.String},
		nameRule,
		{name: "input", kind: jsontree.Object, optional: true},
	},
}
