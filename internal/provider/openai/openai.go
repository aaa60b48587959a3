// Package openai implements OpenAI, Azure OpenAI and OpenAI-compatible servers.
// Other compatible providers only describe their differences.
package openai

import (
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/provider"
)

// Providers are OpenAI and providers that differ from it only by data.
var Providers = []*provider.Provider{
	openAI(provider.Provider{
		Name: "openai", Libraries: []string{"openai"}, Base: "https://api.openai.com/v1/",
		Keys: []string{"OPENAI_API_KEY"}, Bases: []string{"OPENAI_BASE_URL"},
	}, Dialect{}),
	openAI(provider.Provider{
		Name: "openai.azure", Libraries: []string{"openai.AzureOpenAI"},
		Keys: []string{"AZURE_OPENAI_API_KEY"}, Bases: []string{"AZURE_OPENAI_ENDPOINT"},
		Versions: []string{"AZURE_OPENAI_API_VERSION", "OPENAI_API_VERSION"},
	}, Dialect{Azure: true}),
	Compatible("ollama"),
	Compatible("vllm"),
	Compatible("openai.custom"),
}

// Dialect describes how the API of a provider differs from OpenAI's.
type Dialect struct {
	// Limit is the chat API's name for the maximum number of tokens to generate.
	Limit string
	// CacheControl says that parts can be marked for caching.
	CacheControl bool
	// NoDeveloper says that there is no role between system and user.
	NoDeveloper bool
	// Plugins says that built-in tools are not among the tools.
	Plugins bool
	// Reasoning says that a model's reasoning can be sent back to it.
	Reasoning bool
	// Video says that videos can be sent.
	Video bool
	// Documents is the format in which documents are sent.
	Documents DocumentForm
	// NoStreamUsage says that streams cannot include token counts.
	NoStreamUsage bool
	// Azure says that URLs and authentication are those of Azure.
	Azure bool
}

// DocumentForm is a format for documents.
type DocumentForm int

// The formats of documents.
const (
	FileData DocumentForm = iota
	FileDataOrURL
	DocumentURL
)

// The readers of OpenAI's APIs, shared by all compatible providers.
var (
	chatReader = provider.Reader{
		Functions: []string{
			"chat.completions.create", "chat.completions.parse", "ChatCompletion.create", "ChatCompletion.acreate",
			"client.chat", "chat.send", "chat.complete", "chat.stream",
		},
		Chat: true, Input: chatInput, Output: chatOutput, Distinct: true, Usage: readUsage,
		Matches: func(x provider.Exchange) bool { return x.Kwargs.Get("messages").Given() },
	}
	completionReader = provider.Reader{
		Functions: []string{"completions.create", "Completion.create", "Completion.acreate"},
		Chat:      true, Input: completionInput, Output: completionOutput, Distinct: true, Usage: readUsage,
		Matches: func(x provider.Exchange) bool { return x.Kwargs.Get("prompt").Given() && !isImageAnswer(x) },
	}
	responsesReader = provider.Reader{
		Functions: []string{"responses.create", "responses.parse"}, APIType: "responses",
		Input: responsesInput, Output: responsesOutput, Distinct: true, Usage: readUsage,
		Matches: func(x provider.Exchange) bool {
			return x.FunctionName == "" && provider.FirstGiven(x.Kwargs, "input", "instructions").Given()
		},
	}
	imageReader = provider.Reader{
		Functions: []string{"images.generate", "images.edit", "generate_images"}, APIType: "images",
		Input: mediaInput, Output: imageOutput, Usage: readUsage,
		Matches: func(x provider.Exchange) bool { return x.Kwargs.Get("prompt").Given() && isImageAnswer(x) },
	}
	videoReader = provider.Reader{
		Functions: []string{"video.generate", "videos.generate", "videos.create", "generate_videos"}, APIType: "video",
		Input: mediaInput, Output: videoOutput, Usage: readUsage,
	}
	speechReader = provider.Reader{
		Functions: []string{"speech.create", "speech.generate"}, APIType: "speech",
		Input: mediaInput, Output: speechOutput, Usage: readUsage,
	}
)

// The APIs of other providers that resemble OpenAI's: arguments are built and
// recorded calls are read, but they cannot be called.
var (
	Images = promptAPI("prompt", &imageReader)
	Video  = promptAPI("prompt", &videoReader)
	Speech = promptAPI("input", &speechReader)
)

// promptAPI returns an API with one text argument of the given name.
func promptAPI(name string, reader *provider.Reader) *provider.API {
	return &provider.API{
		Types: []string{reader.APIType}, Format: &provider.Format{Write: WritePrompt(name)}, Reader: reader,
		Lacks: []provider.Part{provider.PartCalling, provider.PartStreaming},
	}
}

const responsesPath = "responses"

// chat returns the chat API with these API types.
func (d *Dialect) chat(types ...string) *provider.API {
	completion := &provider.API{
		Format: &provider.Format{Write: WritePrompt("prompt"), Limit: "max_tokens"},
		Reader: &completionReader,
		Caller: d.caller("completions", provider.Caller{Finish: finishChoice}),
		Lacks:  []provider.Part{provider.PartStreaming},
	}
	return &provider.API{
		Types: types, Format: &provider.Format{Write: d.writeChat, Limit: d.Limit}, Reader: &chatReader,
		Caller: d.caller("chat/completions", provider.Caller{
			Body: d.chatBody, Finish: finishChoice, Stream: newChatStream,
		}),
		Completion: completion,
	}
}

// responses returns the Responses API.
func (d *Dialect) responses() *provider.API {
	return &provider.API{
		Types: []string{"responses"}, Reader: &responsesReader,
		Format: &provider.Format{Write: writeResponses, Limit: "max_output_tokens"},
		Caller: d.caller(responsesPath, provider.Caller{Finish: finishResponse, Stream: newResponseStream}),
	}
}

// openAI returns a provider with all of OpenAI's APIs.
func openAI(p provider.Provider, d Dialect) *provider.Provider {
	d.Limit = "max_completion_tokens"
	images := *Images
	images.Caller = d.caller("images/generations", provider.Caller{Finish: finishImages})
	images.Lacks = []provider.Part{provider.PartStreaming}
	p.APIs = []*provider.API{d.chat("chat-completions"), &images, d.responses()}
	p.ChatType, p.Choose = "chat-completions", choose
	return &p
}

// Follower returns an OpenAI-compatible provider with a dialect and additional
// APIs.
func Follower(p provider.Provider, d Dialect, further ...*provider.API) *provider.Provider {
	d.Limit = "max_tokens"
	p.APIs = append([]*provider.API{d.chat("chat", "chat-completions"), Images, d.responses()}, further...)
	p.Choose = choose
	return &p
}

// Compatible returns an OpenAI-compatible server whose URL must be set. Its
// settings are named after it.
func Compatible(name string) *provider.Provider {
	prefix := settingPrefix(name)
	return Follower(provider.Provider{
		Name: name, Libraries: []string{name}, Keyless: true,
		Keys: []string{prefix + "_API_KEY"}, Bases: []string{prefix + "_BASE_URL"},
	}, Dialect{CacheControl: true})
}

// settingPrefix returns the prefix of the settings of a provider, such as
// OPENAI_CUSTOM.
func settingPrefix(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		default:
			return '_'
		}
	}, name)
}

// choose returns the API for the arguments. A prompt is sent to the legacy
// completions API if the model or the server supports it.
func choose(p *provider.Provider, chosen *provider.API, r *provider.Request) (*provider.API, error) {
	switch {
	case chosen == p.APIs[0] && !r.Typed && r.Has("input") && !r.Has("messages"):
		return p.API("responses"), nil
	case chosen == p.APIs[0] && r.Has("prompt") && !r.Has("messages") && (p.Keyless || completes(r.Model)):
		return chosen.Completion, nil
	default:
		return chosen, nil
	}
}

// completes reports whether a model supports the legacy completions API.
func completes(model string) bool {
	base, _, _ := strings.Cut(model, ":")
	return strings.HasSuffix(base, "-instruct") || strings.Contains(base, "-instruct-") ||
		slices.Contains([]string{"babbage-002", "davinci-002"}, base)
}
