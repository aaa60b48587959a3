package google

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// resource returns the resource name of a model.
func resource(model string) string {
	if strings.HasPrefix(model, "models/") || strings.HasPrefix(model, "tunedModels/") {
		return model
	}
	return "models/" + model
}

func address(version string, resource func(string) string) func(*provider.Request) (*url.URL, http.Header, error) {
	return func(r *provider.Request) (*url.URL, http.Header, error) {
		if err := provider.CheckModelInPath(r.Model); err != nil {
			return nil, nil, err
		}
		method, query := ":generateContent", ""
		if r.Stream {
			method, query = ":streamGenerateContent", "alt=sse"
		}
		at := r.At(version + "/" + resource(r.Model) + method)
		at.RawQuery = query
		return at, http.Header{"X-Goog-Api-Key": {r.Key}}, nil
	}
}

// Arguments of Google's libraries that are not settings of the model, or not
// sent to the API, in snake case.
var (
	besideSettings = []string{
		"system_instruction", "tools", "tool_config", "safety_settings", "cached_content", "labels", "service_tier",
	}
	libraryOnly = []string{"http_options", "automatic_function_calling", "should_return_http_response"}
)

// settingsOf returns the settings among the arguments, which have three names.
func settingsOf(arguments jsontree.Value) jsontree.Value {
	return provider.FirstGiven(arguments, configName, "config")
}

// body moves the arguments to where the API expects them: some settings of the
// libraries are separate members in the API.
func body(r *provider.Request) (*provider.Object, error) {
	config := settingsOf(r.Arguments)
	o := provider.NewObject().Copy(r.Arguments,
		"model", "stream", "history", "contents", "generation_config", "generationConfig", "config")
	o.Set("contents", contents(r.Arguments))
	settings := provider.NewObject()
	for key, v := range config.Members() {
		name := provider.Snake(key)
		switch {
		case name == "tools" && v.Given():
			o.Set(key, toolsWithSchemas(v))
		case slices.Contains(besideSettings, name) && v.Given():
			o.Val(key, v)
		case slices.Contains(besideSettings, name), slices.Contains(libraryOnly, name):
		case name == "response_schema" && needsJSONSchema(v):
			settings.Val("responseJsonSchema", v)
		default:
			settings.Val(key, v)
		}
	}
	return o.Set("generationConfig", settings), nil
}

// contents returns the conversation, which may be a string.
func contents(arguments jsontree.Value) provider.JSON {
	contents := provider.FirstGiven(arguments, "contents", "history")
	switch contents.Kind() {
	case jsontree.Array:
		return provider.Value(contents)
	case jsontree.Object:
		return provider.List{provider.Value(contents)}
	case jsontree.String:
		parts := provider.List{provider.NewObject().Val("text", contents)}
		return provider.List{provider.NewObject().Str("role", provider.RoleUser).Set("parts", parts)}
	default:
		return provider.List{}
	}
}

// toolsWithSchemas returns the tools with each schema under the name for its
// dialect.
func toolsWithSchemas(tools jsontree.Value) provider.JSON {
	if tools.Kind() != jsontree.Array {
		return provider.Value(tools)
	}
	var list provider.List
	for _, tool := range tools.Elems() {
		functions := provider.Field(tool, "function_declarations")
		if functions.Kind() != jsontree.Array {
			list.Add(provider.Value(tool))
			continue
		}
		var declared provider.List
		for _, function := range functions.Elems() {
			declared.Add(withSchema(function))
		}
		list.Add(provider.NewObject().Copy(tool, "function_declarations", "functionDeclarations").
			Set("functionDeclarations", declared))
	}
	return list
}

func withSchema(function jsontree.Value) provider.JSON {
	parameters := function.Get("parameters")
	if !needsJSONSchema(parameters) {
		return provider.Value(function)
	}
	return provider.NewObject().Copy(function, "parameters").Val("parametersJsonSchema", parameters)
}

// jsonSchemaWords are JSON Schema keywords that Google's schema dialect lacks.
// Schemas that use them are sent as JSON Schema.
var jsonSchemaWords = []string{
	"additionalProperties", "$ref", "$defs", "$schema", "$id", "definitions", "const", "oneOf", "allOf", "not",
	"patternProperties", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "uniqueItems", "prefixItems",
}

func needsJSONSchema(schema jsontree.Value) bool {
	for key, v := range schema.Members() {
		if slices.Contains(jsonSchemaWords, key) || key == "type" && v.Kind() == jsontree.Array || needsJSONSchema(v) {
			return true
		}
	}
	for _, v := range schema.Elems() {
		if needsJSONSchema(v) {
			return true
		}
	}
	return false
}

func wantsJSON(arguments jsontree.Value) bool {
	return provider.Field(settingsOf(arguments), "response_mime_type").Str() == "application/json"
}

func finish(answer jsontree.Value) (string, *provider.Error) {
	candidate := provider.First(answer.Get("candidates"))
	if candidate.Kind() == jsontree.Object {
		return provider.Field(candidate, "finish_reason").Str(), nil
	}
	feedback := provider.Field(answer, "prompt_feedback")
	if reason := provider.Field(feedback, "block_reason").Str(); reason != "" {
		return "", provider.NewError(provider.TypeProvider, "The provider refused to answer: %s", reason)
	}
	return "", provider.Malformed("it has no candidates")
}
