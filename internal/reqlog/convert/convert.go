// Package convert turns a recorded call to a model provider into what a
// request log holds: blueprint templates of the conversation before and after
// the call, the parameters, and the token counts.
//
// Clients record whatever arguments they gave to the provider's library and
// whatever came back, so every shape is possible. Convert therefore never
// fails: what it does not understand it carries over as it was written, and
// where nothing can be understood the template is empty.
package convert

import (
	"encoding/json"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Call is one recorded call. Absent values are as good as empty ones.
type Call struct {
	// FunctionName names the library function that was called, as in
	// "openai.chat.completions.create"; it may be "".
	FunctionName string
	// ProviderType is the provider the client named; it may be "".
	ProviderType string
	// Args and Kwargs are the positional and the named arguments.
	Args   jsontree.Value
	Kwargs jsontree.Value
	// Response is what the provider answered, {} when the call failed.
	Response jsontree.Value
}

// Result is the part of a request log that follows from a recorded call.
type Result struct {
	Provider string
	// Engine is the model's name, "" when the call does not tell.
	Engine string
	// APIType says which of a provider's interfaces was called, "" where the
	// provider has only one or the call does not tell.
	APIType string

	// Input and Output are chat or completion templates. The output of a
	// failed call has no messages.
	Input  json.RawMessage
	Output json.RawMessage
	// Parameters is the object of named arguments without those that became
	// part of Input or Engine, and without credentials.
	Parameters json.RawMessage

	InputTokens    int64
	OutputTokens   int64
	CachedTokens   int64
	ThinkingTokens int64
}

// Convert derives the result of c. It copies what it keeps: the result does
// not refer to the text that c was parsed from.
func Convert(c Call) Result {
	f := detect(c)
	r := newRequest(c)
	in := f.readInput(r)
	reply, answered := f.readOutput(c)
	out := outputTemplate(in.completion, reply, answered)
	provider := provider(c)
	t := usage(c.Response)
	return Result{
		Provider:       provider,
		Engine:         engine(c),
		APIType:        f.apiType(provider),
		Input:          in.json(),
		Output:         out.json(),
		Parameters:     r.parameters(),
		InputTokens:    t.input,
		OutputTokens:   t.output,
		CachedTokens:   t.cached,
		ThinkingTokens: t.thinking,
	}
}

// outputTemplate gives the reply the kind of the input, so that both read as
// one template; only tool calls need a chat.
func outputTemplate(completion bool, reply message, answered bool) template {
	switch {
	case completion && len(reply.calls) == 0:
		return template{completion: true, content: reply.blocks}
	case answered:
		return template{messages: []message{reply}}
	default:
		return template{}
	}
}

// providers maps the first part of a function name to the provider it means,
// where the two differ.
var providers = map[string]string{"boto3": "amazon.bedrock", "mistralai": "mistral", "genai": "google"}

func provider(c Call) string {
	if c.ProviderType != "" {
		return c.ProviderType
	}
	prefix, _, dotted := strings.Cut(c.FunctionName, ".")
	switch {
	case !dotted || prefix == "":
		return "openai"
	case prefix == "openai" && strings.Contains(c.FunctionName, "AzureOpenAI"):
		return "openai.azure"
	case providers[prefix] != "":
		return providers[prefix]
	default:
		return prefix
	}
}

func engine(c Call) string {
	for _, v := range []jsontree.Value{
		c.Kwargs.Get("model"), c.Kwargs.Get("engine"), field(c.Kwargs, "model_id"),
		c.Response.Get("model"), field(c.Response, "model_version"),
	} {
		if name := v.Str(); name != "" {
			return name
		}
	}
	return ""
}
