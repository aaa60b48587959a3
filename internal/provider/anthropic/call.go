package anthropic

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/openai"
)

// apiVersion is the version of the API that requests use.
const apiVersion = "2023-06-01"

func address(r *provider.Request) (*url.URL, http.Header, error) {
	path := "v1/messages"
	if strings.HasSuffix(strings.TrimSuffix(r.Base.Path, "/"), "/v1") {
		path = "messages"
	}
	header := http.Header{}
	header.Set("X-Api-Key", r.Key)
	header.Set("Anthropic-Version", apiVersion)
	if betas := betas(r.Arguments); betas != "" {
		header.Set("Anthropic-Beta", betas)
	}
	return r.At(path), header, nil
}

// betas returns the beta features that the arguments name. The Python library
// takes them as an argument, the API as a header.
func betas(arguments jsontree.Value) string {
	var names []string
	for _, v := range arguments.Get("betas").Elems() {
		if name := v.Str(); name != "" && !strings.ContainsAny(name, "\r\n,") {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// body returns the arguments, with a prompt as a user message.
func body(r *provider.Request) (*provider.Object, error) {
	limit, prompt := r.Arguments.Get("max_tokens"), r.Arguments.Get("prompt")
	except := []string{"betas", "max_tokens"}
	completes := prompt.Kind() == jsontree.String && !r.Has("messages")
	if completes {
		except = append(except, "prompt", "messages", "max_tokens_to_sample")
		if !limit.Given() {
			limit = r.Arguments.Get("max_tokens_to_sample")
		}
	}
	o := openai.Body(r, except...)
	if completes {
		o.Set("messages", openai.UserSays(prompt))
	}
	if limit.Given() {
		return o.Val("max_tokens", limit), nil
	}
	return o.Set("max_tokens", provider.Raw(limitFor(r.Model, r.Arguments.Get("thinking")))), nil
}

func finish(answer jsontree.Value) (string, *provider.Error) {
	if answer.Get("content").Kind() != jsontree.Array {
		return "", provider.Malformed("it has no content")
	}
	return answer.Get("stop_reason").Str(), nil
}

func wantsJSON(arguments jsontree.Value) bool {
	return openai.IsJSONFormat(arguments.Get("output_config").Get("format")) ||
		openai.IsJSONFormat(arguments.Get("output_format"))
}
