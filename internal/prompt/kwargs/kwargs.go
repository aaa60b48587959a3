// Package kwargs builds the arguments that a provider's own client is called
// with from a prompt template: the same messages, tools and parameters in the
// shape that the provider's interface takes.
//
// A template says more than any one provider understands. What a provider
// cannot take is left out rather than refused, because one template is run
// against several providers.
package kwargs

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Input is what a payload is built from.
type Input struct {
	// Provider is the name of the provider, such as "openai" or
	// "amazon.bedrock". One that is not known is called as OpenAI is.
	Provider string
	// Model is the model's name; the payload names none when it is empty.
	Model string
	// APIType picks one of the provider's interfaces, such as "responses" or
	// "images". When it is empty, the provider's chat interface is meant.
	APIType string
	// Template is a chat or completion template with its texts rendered.
	Template jsontree.Value
	// Parameters are the stored parameters of the model, absent or an object.
	Parameters jsontree.Value
	// Overrides replace parameters for this one call, absent or an object.
	Overrides jsontree.Value
	// KeepPlaceholders leaves placeholder messages, and tools that are yet to
	// be looked up, in the payload as they are. Otherwise they are dropped.
	KeepPlaceholders bool
}

// Build returns the payload as a JSON object. What the template says comes
// first, then the model, the stored parameters and the overrides; of several
// values for one key the last counts. Build does not check its input: parts
// that do not have the shape of a template are left out.
func Build(in Input) []byte {
	s := shapeFor(in)
	b := newBuilder(in, s)
	b.open('{')
	s.write(b)
	b.close('}')
	return b.buf
}

// shape is how one interface of a provider takes its arguments.
type shape struct {
	write func(*builder)
	// limit is the interface's name for the highest number of tokens to
	// answer with. Without one, overrides of it stay as they are.
	limit string
	// nested names the argument that holds parameters in an object of its
	// own, so that overrides reach into it.
	nested string
	// canon gives the spellings of one parameter a common name.
	canon func(string) string
}

func shapeFor(in Input) shape {
	switch in.Provider {
	case "anthropic", "anthropic.bedrock":
		return anthropicShape(in)
	case "google":
		return googleShape
	case "vertexai":
		if strings.Contains(modelName(in), "claude") {
			return anthropicShape(in)
		}
		return googleShape
	case "amazon.bedrock":
		return bedrockShape
	case "openrouter":
		return openRouterShape(in)
	default:
		return openAIShape(in)
	}
}

// modelName returns the model that the payload will name.
func modelName(in Input) string {
	for _, given := range []jsontree.Value{in.Overrides, in.Parameters} {
		if name := given.Get("model").Str(); name != "" {
			return name
		}
	}
	return in.Model
}

func isCompletion(template jsontree.Value) bool {
	return template.Get("type").Str() == "completion"
}
