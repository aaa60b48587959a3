package template

import "github.com/promptuary/promptuary/internal/jsontree"

// rule describes a member. Members without a rule are not checked.
type rule struct {
	name     string
	kind     jsontree.Kind // numbers must be integers
	also     jsontree.Kind // alternative to kind, unless Absent
	only     Strictness    // the checks that apply the rule, zero for all
	optional bool
	most     int      // maximum length of a string, zero for no limit
	words    []string // allowed strings, nil for any
	members  []rule   // of an object
	union    union    // of an object whose members depend on its type
	element  *rule    // of an array, nil for any
}

// union is a set of object types with a discriminator. It is open: objects of
// unknown types are kept as they are, because providers keep adding types.
type union map[string][]rule

var (
	inputVariablesRule = rule{
		name: "input_variables", kind: jsontree.Array, optional: true, element: &rule{kind: jsontree.String},
	}
	templateFormatRule = rule{
		name: "template_format", kind: jsontree.String, optional: true, words: []string{"f-string", "jinja2"},
	}
	datasetExamplesRule = rule{name: "dataset_examples", kind: jsontree.Array, optional: true, only: Strict}
	displayRoleRule     = rule{name: "raw_request_display_role", kind: jsontree.String, optional: true, only: Strict}
	callMetadataRule    = rule{name: "provider_metadata", kind: jsontree.Object, optional: true, only: Strict}
	nameRule            = rule{name: "name", kind: jsontree.String}
	optionalNameRule    = rule{name: "name", kind: jsontree.String, optional: true}
	objectRule          = rule{kind: jsontree.Object}
)

// chatRules do not check function_call and tool_choice in the registry: a patch
// may set them to any value.
var (
	chatRules = []rule{
		{name: "tools", kind: jsontree.Array, optional: true, only: Lenient, element: &objectRule},
		{name: "tools", kind: jsontree.Array, optional: true, only: Strict, element: &toolRule},
		{name: "functions", kind: jsontree.Array, optional: true, only: Lenient, element: &objectRule},
		{name: "functions", kind: jsontree.Array, optional: true, only: Strict, element: &rule{kind: jsontree.Object, members: functionRules}},
		{name: "tool_choice", kind: jsontree.String, also: jsontree.Object, optional: true, only: Lenient},
		{
			name: "function_call", kind: jsontree.String, also: jsontree.Object, optional: true, only: Lenient,
			members: []rule{nameRule},
		},
		inputVariablesRule, datasetExamplesRule,
	}
	completionRules = []rule{inputVariablesRule, templateFormatRule}
	messageRules    = []rule{inputVariablesRule, templateFormatRule, displayRoleRule, datasetExamplesRule}
	// chosenFunctionRules apply to a tool_choice that names a function.
	chosenFunctionRules = []rule{
		{name: "function", kind: jsontree.Object, members: []rule{nameRule}},
	}
)

// calledRules accept the arguments of a call as the text of the model or as an
// object.
var calledRules = []rule{nameRule, {name: "arguments", kind: jsontree.String, also: jsontree.Object}}

var assistantRules = []rule{
	optionalNameRule,
	{
		name: "tool_calls", kind: jsontree.Array, optional: true,
		element: &rule{kind: jsontree.Object, members: []rule{
			{name: "id", kind: jsontree.String},
			{name: "type", kind: jsontree.String, optional: true, words: []string{"function"}},
			{name: "function", kind: jsontree.Object, members: calledRules},
			{name: "tool_id", kind: jsontree.String, optional: true},
			callMetadataRule,
		}},
	},
	{name: "function_call", kind: jsontree.Object, optional: true, members: calledRules},
}

// roleRule has the rules for messages of one role.
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

// otherRole is for messages of all other roles: providers keep adding roles.
var otherRole = roleRule{rules: assistantRules}

// roles lists the known roles in the order of error messages.
var roles = []string{"system", "user", "assistant", "developer", "tool", "function", "placeholder"}

// templateTypes lists the types of templates in the order of error messages.
var templateTypes = []string{"chat", "completion"}

var functionRules = []rule{
	nameRule,
	{name: "description", kind: jsontree.String, optional: true},
	{name: "strict", kind: jsontree.Bool, optional: true},
	{name: "parameters", kind: jsontree.Object, optional: true},
}

// builtInToolRules require no members, because providers do not either.
var builtInToolRules = []rule{
	{name: "id", kind: jsontree.String, optional: true},
	optionalNameRule,
	{name: "description", kind: jsontree.String, optional: true},
	{name: "provider", kind: jsontree.String, optional: true},
	{name: "config", kind: jsontree.Object, optional: true},
}

var toolRule = rule{kind: jsontree.Object, union: toolUnion}

var toolUnion = union{
	"function": {{name: "function", kind: jsontree.Object, members: functionRules}},
	"registry": {
		{name: "tool_registry_id", kind: jsontree.Number},
		{name: "label", kind: jsontree.String, optional: true},
		{name: "version_number", kind: jsontree.Number, optional: true},
	},
	"variable":         {nameRule},
	"web_search":       builtInToolRules,
	"file_search":      builtInToolRules,
	"code_interpreter": builtInToolRules,
	"image_generation": builtInToolRules,
	"google_maps":      builtInToolRules,
	"url_context":      builtInToolRules,
	"mcp":              builtInToolRules,
	"bash":             builtInToolRules,
	"shell":            builtInToolRules,
	"apply_patch":      builtInToolRules,
	"text_editor":      builtInToolRules,
}

var metadataRule = rule{kind: jsontree.Object, members: []rule{
	{name: "model", kind: jsontree.Object, optional: true, members: []rule{
		{name: "model_config_display_name", kind: jsontree.String, optional: true, most: 255},
		{name: "base_model", kind: jsontree.String, optional: true, most: 100},
		{name: "parameters", kind: jsontree.Object, optional: true},
		{name: "display_params", kind: jsontree.Object, optional: true},
		{name: "api_type", kind: jsontree.String, optional: true},
	}},
}}

// modelRules name the model.
var modelRules = []rule{{name: "provider", kind: jsontree.String}, nameRule}
