package client

import (
	"context"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/promptuary/promptuary/internal/jsontree"
)

var messagesWire = wire{
	function: "messages.create", path: "v1/messages",
	body: messagesBody, send: sendAnthropic, read: readMessage, pieces: newMessagePieces, usage: anthropicUsage,
}

// sendAnthropic sends a body through Anthropic's library, whose client is made
// by hand as OpenAI's is.
func sendAnthropic(ctx context.Context, p *plan) error {
	options := []option.RequestOption{
		option.WithBaseURL(p.target.base.String()), option.WithAPIKey(p.target.key),
		option.WithHTTPClient(p.target.client.Client), option.WithMaxRetries(0),
	}
	if betas := p.betas(); betas != "" {
		options = append(options, option.WithHeader("anthropic-beta", betas))
	}
	client := anthropic.Client{Options: options}
	path := p.wire.path
	if strings.HasSuffix(strings.TrimSuffix(p.target.base.Path, "/"), "/v1") {
		path = strings.TrimPrefix(path, "v1/")
	}
	var ignored []byte
	return client.Post(ctx, path, p.body, &ignored)
}

// betas returns the features under test that the arguments name. The library
// for Python takes them as an argument, the interface as a header.
func (p *plan) betas() string {
	var names []string
	for _, v := range p.arguments.Get("betas").Elems() {
		if name := v.Str(); name != "" && !strings.ContainsAny(name, "\r\n,") {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// defaultMaxTokens is sent when the arguments do not say how long an answer
// may be: Anthropic demands that they do.
const defaultMaxTokens = "4096"

// messagesBody returns the arguments, a text to complete as what a user says.
func messagesBody(p *plan) ([]byte, error) {
	with := p.modelMember()
	without := append(p.withoutMembers(), "betas")
	limit := p.arguments.Get("max_tokens")
	if prompt := p.arguments.Get("prompt"); prompt.Kind() == jsontree.String && !p.arguments.Get("messages").Given() {
		without = append(without, "prompt", "messages", "max_tokens_to_sample")
		with = append(with, member{"messages", userSays(prompt)})
		if !limit.Given() {
			limit = p.arguments.Get("max_tokens_to_sample")
		}
	}
	without = append(without, "max_tokens")
	if limit.Given() {
		with = append(with, member{"max_tokens", limit.Raw()})
	} else {
		with = append(with, member{"max_tokens", []byte(defaultMaxTokens)})
	}
	if p.stream != nil {
		with = append(with, member{"stream", []byte("true")})
	}
	return rewritten(p.arguments, without, with...), nil
}

func readMessage(answer jsontree.Value) (string, *Error) {
	if answer.Get("content").Kind() != jsontree.Array {
		return "", malformed("it has no content")
	}
	return answer.Get("stop_reason").Str(), nil
}
