package work

import (
	"encoding/json"
	"time"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/playground"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/rest"
)

// runPlaygroundRequest is a prompt to run. Template and metadata are as in a
// published version.
type runPlaygroundRequest struct {
	Template            kit.PromptTemplate `json:"prompt_template" required:"true" description:"The template, as when publishing."`
	Metadata            kit.PromptMetadata `json:"metadata" required:"true" description:"Model to call, as when publishing."`
	Variables           *rest.RawObject    `json:"input_variables" description:"Input variables to render the template with."`
	PromptName          *string            `json:"prompt_name" minLength:"1" maxLength:"512" description:"Name of the prompt template to link the log to."`
	PromptVersion       *int64             `json:"prompt_version" minimum:"1" description:"Version number; defaults to the latest."`
	ProviderBaseURLName *string            `json:"provider_base_url_name" maxLength:"255" description:"Accepted for compatibility; it has no effect."`
}

// Validate requires a model, and a prompt name if a version is given.
func (in *runPlaygroundRequest) Validate(problems *fault.Problems) {
	if !in.Metadata.Get("model").Given() {
		problems.Report(fault.At(kit.BodyLoc, "metadata", "model"), fault.Required)
	}
	if in.PromptVersion != nil && in.PromptName == nil {
		problems.Add(fault.At(kit.BodyLoc, "prompt_name"), "missing", "Field required together with prompt_version")
	}
}

func (in *runPlaygroundRequest) request(variables jsontree.Value) playground.Request {
	return playground.Request{
		Content:   prompt.Content{Template: in.Template.Raw(), Metadata: in.Metadata.Raw()},
		Variables: variables,
		Prompt:    reqlog.PromptRef{Name: kit.OrZero(in.PromptName), Version: kit.OrZero(in.PromptVersion)},
	}
}

// playgroundDelta is a chunk of the response.
type playgroundDelta struct {
	Text     string `json:"text,omitempty"`
	Thinking string `json:"thinking,omitempty"`
}

// playgroundDone is the end of a response. The request id is null if the log
// could not be written, the price if it is unknown.
type playgroundDone struct {
	RequestID    *int64          `json:"request_id"`
	Provider     string          `json:"provider"`
	Model        string          `json:"model"`
	Output       json.RawMessage `json:"output"`
	InputTokens  int64           `json:"input_tokens"`
	OutputTokens int64           `json:"output_tokens"`
	Price        *float64        `json:"price"`
	LatencyMS    float64         `json:"latency_ms"`
	FinishReason *string         `json:"finish_reason"`
	Warning      *string         `json:"warning"`
}

func wireAnswer(a *playground.Answer) playgroundDone {
	done := playgroundDone{
		RequestID: kit.OrNil(a.RequestID), Provider: a.Provider, Model: a.Model, Output: a.Output,
		InputTokens: a.InputTokens, OutputTokens: a.OutputTokens,
		LatencyMS:    float64(a.Latency) / float64(time.Millisecond),
		FinishReason: kit.OrNil(a.FinishReason), Warning: kit.OrNil(a.Warning),
	}
	if a.Priced {
		done.Price = &a.Price
	}
	return done
}

// playgroundFailure is the end of a failed call.
type playgroundFailure struct {
	Message   string `json:"message"`
	ErrorType string `json:"error_type"`
	RequestID *int64 `json:"request_id"`
}

func wireFailure(e *playground.FailedError) playgroundFailure {
	return playgroundFailure{Message: e.Message, ErrorType: e.Type, RequestID: kit.OrNil(e.RequestID)}
}

type providerList struct {
	Success   bool           `json:"success" required:"true" description:"Always true."`
	Providers []providerItem `json:"providers" required:"true" description:"The providers, by name."`
}

type providerItem struct {
	Name       string             `json:"name" required:"true" description:"Name of the provider, as used in a model's metadata."`
	Configured bool               `json:"configured" required:"true" description:"Whether its models can be called in this workspace."`
	Source     *string            `json:"source" required:"true" enum:"[\"workspace\",\"environment\",null]" description:"Where the API key, or the address if no key is needed, comes from: the workspace or the server's environment; null if the provider is not configured."`
	Variables  []providerVariable `json:"variables" required:"true" description:"Variables that configure the provider."`
	Models     []string           `json:"models" required:"true" description:"Known models of the provider; it may have others."`
}

type providerVariable struct {
	Name     string  `json:"name" required:"true" description:"Name of the variable."`
	Purpose  string  `json:"purpose" required:"true" enum:"api_key,base_url,api_version" description:"Purpose."`
	Required bool    `json:"required" required:"true" description:"Whether this variable, or another one with the same purpose, must be set."`
	Source   *string `json:"source" required:"true" enum:"[\"workspace\",\"environment\",null]" description:"Where the variable is set: the workspace or the server's environment; null if it is not set."`
}
