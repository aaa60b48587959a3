package client

import (
	"context"
	"encoding/json"
	"slices"

	"google.golang.org/genai"

	"github.com/promptuary/promptuary/internal/jsontree"
)

var googleWire = wire{
	function: "model.generate_content",
	body:     googleBody, send: sendGoogle, read: readCandidates, pieces: newCandidatePieces, usage: googleUsage,
}

// sendGoogle sends a body through Google's library. The library's own types
// hold less than a call may say, so the body takes the place of what it makes
// of them.
func sendGoogle(ctx context.Context, p *plan) error {
	backend := genai.BackendGeminiAPI
	if p.name == vertexName {
		backend = genai.BackendVertexAI
	}
	client, err := genai.NewClient(ctx, &genai.ClientConfig{
		Backend: backend, APIKey: p.target.key, HTTPClient: p.target.client.Client,
		HTTPOptions: genai.HTTPOptions{BaseURL: p.target.base.String()},
	})
	if err != nil {
		return err
	}
	config := &genai.GenerateContentConfig{HTTPOptions: &genai.HTTPOptions{
		ExtrasRequestProvider: func(map[string]any) map[string]any { return asMap(p.body) },
	}}
	if p.stream == nil {
		_, err = client.Models.GenerateContent(ctx, p.model, nil, config)
		return err
	}
	for _, err = range client.Models.GenerateContentStream(ctx, p.model, nil, config) {
		if err != nil {
			break
		}
	}
	return err
}

// asMap returns an object whose members stay as they are written.
func asMap(body []byte) map[string]any {
	object, _ := jsontree.Parse(body)
	members := make(map[string]any, object.Len())
	for key, v := range object.Members() {
		members[key] = json.RawMessage(v.Raw())
	}
	return members
}

// Arguments of Google's libraries that are not settings of the model, or not
// meant for the interface at all, in both of their spellings.
var (
	besideSettings = []string{
		"system_instruction", "systemInstruction", "tools", "tool_config", "toolConfig", "safety_settings",
		"safetySettings", "cached_content", "cachedContent", "labels", "service_tier", "serviceTier",
	}
	libraryOnly = []string{
		"http_options", "httpOptions", "automatic_function_calling", "automaticFunctionCalling",
		"should_return_http_response", "shouldReturnHttpResponse",
	}
	schemaNames = []string{"response_schema", "responseSchema"}
)

// googleBody puts the arguments where the interface wants them: the libraries
// take as settings what the interface has beside them.
func googleBody(p *plan) ([]byte, error) {
	if err := checkModelInPath(p.model); err != nil {
		return nil, err
	}
	configs := []string{"generation_config", "generationConfig", "config"}
	config := either(p.arguments, configs...)
	with := []member{{"contents", googleContents(p.arguments)}}
	for key, v := range config.Members() {
		if slices.Contains(besideSettings, key) && v.Given() {
			if key == "tools" {
				with = append(with, member{key, googleTools(v)})
				continue
			}
			with = append(with, member{key, v.Raw()})
		}
	}
	with = append(with, member{"generationConfig", googleSettings(config)})
	without := []string{"model", "stream", "history", "contents"}
	return rewritten(p.arguments, append(without, configs...), with...), nil
}

// googleSettings returns the settings alone. A schema that says more than
// Google's own kind of schema can is sent as the JSON schema it is.
func googleSettings(config jsontree.Value) []byte {
	without := slices.Concat(besideSettings, libraryOnly)
	var with []member
	if schema := either(config, schemaNames...); needsJSONSchema(schema) {
		without = append(without, schemaNames...)
		with = append(with, member{"responseJsonSchema", schema.Raw()})
	}
	if config.Kind() != jsontree.Object {
		return []byte("{}")
	}
	return rewritten(config, without, with...)
}

// googleContents returns the conversation, which may be a bare text.
func googleContents(arguments jsontree.Value) []byte {
	contents := either(arguments, "contents", "history")
	switch contents.Kind() {
	case jsontree.Array:
		return contents.Raw()
	case jsontree.Object:
		return append(append([]byte{'['}, contents.Raw()...), ']')
	case jsontree.String:
		dst := append([]byte(`[{"role":"user","parts":[{"text":`), contents.Raw()...)
		return append(dst, `}]}]`...)
	default:
		return []byte("[]")
	}
}

// googleTools returns the tools with the schemas of functions under the name
// that fits what they say.
func googleTools(tools jsontree.Value) []byte {
	if tools.Kind() != jsontree.Array {
		return tools.Raw()
	}
	dst := []byte{'['}
	for _, tool := range tools.Elems() {
		dst = separated(dst)
		list := either(tool, "function_declarations", "functionDeclarations")
		if list.Kind() != jsontree.Array {
			dst = append(dst, tool.Raw()...)
			continue
		}
		dst = append(dst, rewritten(tool, []string{"function_declarations", "functionDeclarations"},
			member{"functionDeclarations", googleFunctions(list)})...)
	}
	return append(dst, ']')
}

func googleFunctions(list jsontree.Value) []byte {
	dst := []byte{'['}
	for _, function := range list.Elems() {
		dst = separated(dst)
		if parameters := function.Get("parameters"); needsJSONSchema(parameters) {
			dst = append(dst, rewritten(function, []string{"parameters"},
				member{"parametersJsonSchema", parameters.Raw()})...)
			continue
		}
		dst = append(dst, function.Raw()...)
	}
	return append(dst, ']')
}

// jsonSchemaWords are members that Google's own kind of schema lacks.
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

func readCandidates(answer jsontree.Value) (string, *Error) {
	candidate := firstOf(answer.Get("candidates"))
	if candidate.Kind() == jsontree.Object {
		return either(candidate, "finishReason", "finish_reason").Str(), nil
	}
	feedback := either(answer, "promptFeedback", "prompt_feedback")
	if reason := either(feedback, "blockReason", "block_reason").Str(); reason != "" {
		return "", newError(TypeProvider, "The provider refused to answer: %s", reason)
	}
	return "", malformed("it has no candidates")
}
