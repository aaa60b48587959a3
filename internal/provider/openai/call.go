package openai

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// caller returns the caller of the API at a path.
func (d *Dialect) caller(path string, c provider.Caller) *provider.Caller {
	c.Address = func(r *provider.Request) (*url.URL, http.Header, error) {
		if d.Azure {
			return azureAddress(r, path)
		}
		return address(r, path)
	}
	if c.Body == nil {
		c.Body = body
	}
	c.WantsJSON = wantsJSON
	return &c
}

func address(r *provider.Request, path string) (*url.URL, http.Header, error) {
	if strings.Trim(r.Base.Path, "/") == "" {
		path = "v1/" + path // servers often omit it from their URL
	}
	header := http.Header{}
	if r.Key != "" {
		header.Set("Authorization", "Bearer "+r.Key)
	}
	return r.At(path), header, nil
}

// azureAddress returns the URL at Azure. With a version it is that of the
// deployment, which has the name of the model; without a version it is Azure's
// newer API, which matches OpenAI's. The Responses API does not use
// deployments.
func azureAddress(r *provider.Request, path string) (*url.URL, http.Header, error) {
	root := strings.TrimSuffix(r.Base.Path, "/")
	prefix := ""
	if !strings.Contains(root, "/openai") {
		prefix = "openai/"
	}
	query := url.Values{}
	switch {
	case strings.HasSuffix(root, "/v1"):
	case r.Version == "":
		prefix += "v1/"
	default:
		query.Set("api-version", r.Version)
		if path != responsesPath {
			if err := provider.CheckModelInPath(r.Model); err != nil {
				return nil, nil, err
			}
			prefix += "deployments/" + r.Model + "/"
		}
	}
	at := r.At(prefix + path)
	at.RawQuery = query.Encode()
	return at, http.Header{"Api-Key": {r.Key}}, nil
}

// body returns the arguments, except stream, which the request decides.
func body(r *provider.Request) (*provider.Object, error) { return Body(r), nil }

// Body returns the arguments with the model and stream, except those named.
func Body(r *provider.Request, except ...string) *provider.Object {
	except = append(except, "stream")
	if !r.Stream {
		except = append(except, "stream_options")
	}
	named := r.Arguments.Get("model").Str() != ""
	if !named {
		except = append(except, "model")
	}
	o := provider.NewObject().Copy(r.Arguments, except...)
	if !named {
		o.Str("model", r.Model)
	}
	if r.Stream {
		o.Set("stream", provider.Raw("true"))
	}
	return o
}

// chatBody is like body for chats. A prompt becomes a user message, and a
// stream includes token counts.
func (d *Dialect) chatBody(r *provider.Request) (*provider.Object, error) {
	prompt, limit := r.Arguments.Get("prompt"), r.Arguments.Get("max_tokens")
	completes := prompt.Kind() == jsontree.String && !r.Has("messages")
	renames := completes && limit.Given() && d.Limit != "max_tokens"
	asks := r.Stream && !d.NoStreamUsage && !r.Has("stream_options")
	var except []string
	if completes {
		except = append(except, "prompt", "messages")
	}
	if renames {
		except = append(except, "max_tokens")
	}
	if asks {
		except = append(except, "stream_options")
	}
	o := Body(r, except...)
	if completes {
		o.Set("messages", UserSays(prompt))
	}
	if renames {
		o.Val(d.Limit, limit)
	}
	if asks {
		o.Set("stream_options", provider.Raw(`{"include_usage":true}`))
	}
	return o, nil
}

// UserSays returns a conversation of one user message.
func UserSays(text jsontree.Value) provider.JSON {
	return provider.List{provider.NewObject().Str("role", provider.RoleUser).Val("content", text)}
}

// wantsJSON reports whether the arguments ask for JSON.
func wantsJSON(arguments jsontree.Value) bool {
	return IsJSONFormat(arguments.Get("response_format")) || IsJSONFormat(arguments.Get("text").Get("format"))
}

// IsJSONFormat reports whether a response format is JSON.
func IsJSONFormat(format jsontree.Value) bool {
	kind := format.Get("type").Str()
	return kind == "json_schema" || kind == "json_object"
}

// finishChoice checks the answer of a chat or a completion.
func finishChoice(answer jsontree.Value) (string, *provider.Error) {
	choice := provider.First(answer.Get("choices"))
	switch {
	case choice.Kind() == jsontree.Absent:
		return "", provider.Malformed("it has no choices")
	case choice.Get("message").Kind() != jsontree.Object && choice.Get("text").Kind() != jsontree.String:
		return "", provider.Malformed("its first choice has no message")
	}
	return choice.Get("finish_reason").Str(), nil
}

// finishResponse checks a response of the Responses API.
func finishResponse(answer jsontree.Value) (string, *provider.Error) {
	status := answer.Get("status").Str()
	switch {
	case status == "failed" || status == "cancelled":
		return "", provider.NewError(provider.TypeProvider, "The provider's answer has the status %s", status)
	case status == "queued" || status == "in_progress":
		return "", provider.NewError(provider.TypeProvider, "The provider answers in the background, which is not supported")
	case answer.Get("output").Kind() != jsontree.Array:
		return "", provider.Malformed("it has no output")
	}
	if reason := answer.Get("incomplete_details").Get("reason").Str(); reason != "" {
		return reason, nil
	}
	return status, nil
}

func finishImages(answer jsontree.Value) (string, *provider.Error) {
	if provider.First(answer.Get("data")).Kind() != jsontree.Object {
		return "", provider.Malformed("it has no images")
	}
	return "", nil
}
