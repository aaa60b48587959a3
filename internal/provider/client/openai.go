package client

import (
	"context"
	"net/url"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// The interfaces of OpenAI, which many others have too.
var (
	chatWire = wire{
		function: "chat.completions.create", path: "chat/completions",
		body: chatBody, send: sendOpenAI, read: readChoices, pieces: newChatPieces, usage: openAIUsage,
	}
	completionWire = wire{
		function: "completions.create", path: "completions",
		body: openAIBody, send: sendOpenAI, read: readChoices, usage: openAIUsage,
	}
	responsesWire = wire{
		function: "responses.create", path: "responses", undeployed: true,
		body: openAIBody, send: sendOpenAI, read: readResponse, pieces: newResponsePieces, usage: openAIUsage,
	}
	imagesWire = wire{
		function: "images.generate", path: "images/generations",
		body: openAIBody, send: sendOpenAI, read: readImages, usage: openAIUsage,
	}
)

// sendOpenAI sends a body through OpenAI's library. The client is made by hand
// because the library's own constructor takes settings of the process along,
// which a workspace's server must not see.
func sendOpenAI(ctx context.Context, p *plan) error {
	client := openai.Client{Options: append(p.address(),
		option.WithHTTPClient(p.target.client.Client), option.WithMaxRetries(0))}
	var ignored []byte
	return client.Post(ctx, p.wire.path, p.body, &ignored)
}

// address returns where the call goes and how it is signed.
func (p *plan) address() []option.RequestOption {
	base := *p.target.base
	if p.name == azureName {
		return p.azureAddress(&base)
	}
	if strings.Trim(base.Path, "/") == "" {
		base.Path = "/v1/" // what servers call their address leaves it out
	}
	options := []option.RequestOption{option.WithBaseURL(base.String())}
	if p.target.key != "" {
		options = append(options, option.WithAPIKey(p.target.key))
	}
	return options
}

// azureAddress returns the address at Azure. With a version it is that of the
// deployment, which is called like the model; without, Azure's newer interface
// is meant, which is OpenAI's own.
func (p *plan) azureAddress(base *url.URL) []option.RequestOption {
	root := strings.TrimSuffix(base.Path, "/")
	if !strings.Contains(root, "/openai") {
		root += "/openai"
	}
	options := []option.RequestOption{option.WithHeader("api-key", p.target.key)}
	switch {
	case strings.HasSuffix(root, "/v1"):
	case p.target.version == "":
		root += "/v1"
	default:
		options = append(options, option.WithQuery("api-version", p.target.version))
		if !p.wire.undeployed {
			root += "/deployments/" + p.model
		}
	}
	base.Path = root + "/"
	return append(options, option.WithBaseURL(base.String()))
}

// openAIBody returns the arguments as they are. Whether to stream is not for
// them to say.
func openAIBody(p *plan) ([]byte, error) {
	if p.name == azureName && p.target.version != "" {
		if err := checkModelInPath(p.model); err != nil {
			return nil, err
		}
	}
	with := p.modelMember()
	if p.stream != nil {
		with = append(with, member{"stream", []byte("true")})
	}
	return rewritten(p.arguments, p.withoutMembers(), with...), nil
}

func (p *plan) withoutMembers() []string {
	without := []string{"stream"}
	if p.stream == nil {
		without = append(without, "stream_options")
	}
	if p.arguments.Get("model").Str() == "" {
		without = append(without, "model")
	}
	return without
}

// chatBody is openAIBody for chats. A text to complete becomes what a user
// says, and a stream is asked for the tokens it took.
func chatBody(p *plan) ([]byte, error) {
	plain, err := openAIBody(p)
	if err != nil {
		return nil, err
	}
	body, err := jsontree.Parse(plain)
	if err != nil {
		return nil, err
	}
	var without []string
	var with []member
	if prompt := body.Get("prompt"); prompt.Kind() == jsontree.String && !body.Get("messages").Given() {
		without = append(without, "prompt", "messages")
		with = append(with, member{"messages", userSays(prompt)})
		if limit := body.Get("max_tokens"); limit.Given() && p.provider.prices == "openai" {
			without = append(without, "max_tokens")
			with = append(with, member{"max_completion_tokens", limit.Raw()})
		}
	}
	if p.stream != nil && p.name != "mistral" && !body.Get("stream_options").Given() {
		without = append(without, "stream_options")
		with = append(with, member{"stream_options", []byte(`{"include_usage":true}`)})
	}
	if with == nil {
		return plain, nil
	}
	return rewritten(body, without, with...), nil
}

// userSays returns a conversation of one message.
func userSays(text jsontree.Value) []byte {
	dst := append([]byte(`[{"role":"user","content":`), text.Raw()...)
	return append(dst, `}]`...)
}

// readChoices reads the answer of a chat or a completion.
func readChoices(answer jsontree.Value) (string, *Error) {
	choice := firstOf(answer.Get("choices"))
	switch {
	case choice.Kind() == jsontree.Absent:
		return "", malformed("it has no choices")
	case choice.Get("message").Kind() != jsontree.Object && choice.Get("text").Kind() != jsontree.String:
		return "", malformed("its first choice has no message")
	}
	return choice.Get("finish_reason").Str(), nil
}

// readResponse reads a response of OpenAI's newer interface.
func readResponse(answer jsontree.Value) (string, *Error) {
	status := answer.Get("status").Str()
	switch {
	case status == "failed" || status == "cancelled":
		return "", newError(TypeProvider, "The provider's answer has the status %s", status)
	case status == "queued" || status == "in_progress":
		return "", newError(TypeProvider, "The provider answers in the background, which cannot be waited for")
	case answer.Get("output").Kind() != jsontree.Array:
		return "", malformed("it has no output")
	}
	if reason := answer.Get("incomplete_details").Get("reason").Str(); reason != "" {
		return reason, nil
	}
	return status, nil
}

func readImages(answer jsontree.Value) (string, *Error) {
	if firstOf(answer.Get("data")).Kind() != jsontree.Object {
		return "", malformed("it has no images")
	}
	return "", nil
}
