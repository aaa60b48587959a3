package convert

import "strings"

// family is a group of interfaces whose calls look alike. Its functions report
// false when a call does not look as it should.
type family struct {
	input  func(*request) (template, bool)
	output func(Call) (message, bool)
	// api is the api type of every call, apis that of a provider's calls.
	api  string
	apis map[string]string
}

var chatAPIs = map[string]string{
	"openai": "chat-completions", "openai.azure": "chat-completions", "openrouter": "chat",
}

var (
	chatFamily       = family{input: chatInput, output: chatOutput, apis: chatAPIs}
	completionFamily = family{input: completionInput, output: completionOutput, apis: chatAPIs}
	responsesFamily  = family{input: responsesInput, output: responsesOutput, api: "responses"}
	anthropicFamily  = family{input: anthropicInput, output: anthropicOutput}
	googleFamily     = family{input: googleInput, output: googleOutput}
	bedrockFamily    = family{input: bedrockInput, output: bedrockOutput}
	imageFamily      = family{input: mediaInput, output: imageOutput, api: "images"}
	videoFamily      = family{input: mediaInput, output: videoOutput, api: "video"}
	speechFamily     = family{input: mediaInput, output: speechOutput, api: "speech"}
	unknownFamily    = family{}
)

// endings maps the end of a function's name to its family. The first that
// fits counts, so longer endings stand before those they end with.
var endings = []struct {
	suffix string
	family *family
}{
	{"chat.completions.create", &chatFamily},
	{"chat.completions.parse", &chatFamily},
	{"ChatCompletion.create", &chatFamily},
	{"ChatCompletion.acreate", &chatFamily},
	{"client.chat", &chatFamily},
	{"chat.send", &chatFamily},
	{"chat.complete", &chatFamily},
	{"chat.stream", &chatFamily},
	{"responses.create", &responsesFamily},
	{"responses.parse", &responsesFamily},
	{"messages.create", &anthropicFamily},
	{"messages.stream", &anthropicFamily},
	{"completions.create", &completionFamily},
	{"Completion.create", &completionFamily},
	{"Completion.acreate", &completionFamily},
	{"send_message", &googleFamily},
	{"send_message_stream", &googleFamily},
	{"generate_content", &googleFamily},
	{"generate_content_stream", &googleFamily},
	{"converse", &bedrockFamily},
	{"converse_stream", &bedrockFamily},
	{"images.generate", &imageFamily},
	{"images.edit", &imageFamily},
	{"generate_images", &imageFamily},
	{"video.generate", &videoFamily},
	{"videos.generate", &videoFamily},
	{"videos.create", &videoFamily},
	{"generate_videos", &videoFamily},
	{"speech.create", &speechFamily},
	{"speech.generate", &speechFamily},
	{"embeddings.create", &unknownFamily},
}

// detect returns the family of a call: by its function's name, else by its
// arguments.
func detect(c Call) *family {
	for _, e := range endings {
		if strings.HasSuffix(c.FunctionName, e.suffix) {
			return e.family
		}
	}
	k := c.Kwargs
	switch messages := k.Get("messages").Given(); {
	case k.Get("contents").Given() || k.Get("history").Given():
		return &googleFamily
	case field(k, "model_id").Given() || field(k, "inference_config").Given() || field(k, "tool_config").Given():
		return &bedrockFamily
	case messages && looksAnthropic(c):
		return &anthropicFamily
	case messages:
		return &chatFamily
	case k.Get("prompt").Given() && looksDrawn(c):
		return &imageFamily
	case k.Get("prompt").Given():
		return &completionFamily
	case c.FunctionName == "" && (k.Get("input").Given() || k.Get("instructions").Given()):
		return &responsesFamily
	default:
		return &unknownFamily
	}
}

func looksAnthropic(c Call) bool {
	return strings.HasPrefix(c.ProviderType, "anthropic") || strings.HasPrefix(c.FunctionName, "anthropic") ||
		c.Kwargs.Get("system").Given() || c.Response.Get("type").Str() == "message"
}

// looksDrawn reports whether the answer is a list of images.
func looksDrawn(c Call) bool {
	return firstGiven(first(c.Response.Get("data")), "url", "b64_json").Given()
}

func (f *family) readInput(r *request) template {
	if f.input != nil {
		if t, ok := f.input(r); ok {
			return t
		}
	}
	return fallbackInput(r)
}

func (f *family) readOutput(c Call) (message, bool) {
	if f.output != nil {
		if m, ok := f.output(c); ok {
			return m, true
		}
	}
	return fallbackOutput(c)
}

func (f *family) apiType(provider string) string {
	if f.api != "" {
		return f.api
	}
	return f.apis[provider]
}
