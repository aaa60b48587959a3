package logs

import (
	"encoding/json"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
	"github.com/promptuary/promptuary/internal/rest"
)

// logRequest documents the body of a log; reqlog.DecodeLog reads it.
type logRequest struct {
	Provider        string         `json:"provider" required:"true" minLength:"1" description:"Name of the provider, such as openai."`
	Model           string         `json:"model" required:"true" minLength:"1" description:"Name of the model."`
	Input           rest.RawObject `json:"input" required:"true" description:"Model input: a chat or completion template."`
	Output          rest.RawObject `json:"output" required:"true" description:"Model output: a chat or completion template, without messages if the request failed."`
	StartTime       rest.Time      `json:"request_start_time" required:"true" description:"When the request started: ISO 8601, or seconds or milliseconds since 1970."`
	EndTime         rest.Time      `json:"request_end_time" required:"true" description:"When the request ended."`
	Parameters      rest.RawObject `json:"parameters" description:"The model's parameters."`
	Tags            []string       `json:"tags" items.maxLength:"512" description:"Tags; duplicates are removed."`
	Metadata        rest.RawObject `json:"metadata" description:"Keys and values of any JSON type. Keys have at most 1,024 characters."`
	PromptName      *string        `json:"prompt_name" description:"The template that the request was made from."`
	PromptID        *int64         `json:"prompt_id" description:"The id of the template, instead of its name."`
	PromptVersion   *int64         `json:"prompt_version_number" minimum:"1" description:"Version number; defaults to the latest."`
	PromptVariables rest.RawObject `json:"prompt_input_variables" description:"Input variables that the template was rendered with."`
	InputTokens     int64          `json:"input_tokens" minimum:"0" maximum:"1000000000000" description:"Number of input tokens."`
	OutputTokens    int64          `json:"output_tokens" minimum:"0" maximum:"1000000000000" description:"Number of output tokens."`
	Usage           rest.RawObject `json:"usage" description:"Token counts in the format of the provider, such as the usage object of its response, with cached and thinking tokens. They take precedence over input_tokens and output_tokens. It may also be a member of parameters."`
	Price           float64        `json:"price" minimum:"0" maximum:"1000000000000000" description:"Cost of the request."`
	FunctionName    string         `json:"function_name" description:"Name of the library function that was called."`
	Score           int64          `json:"score" minimum:"0" maximum:"100" description:"An initial score."`
	ScoreName       *string        `json:"score_name" description:"Name of the score."`
	APIType         *string        `json:"api_type" description:"Type of the provider's API that was called."`
	Status          string         `json:"status" enum:"SUCCESS,WARNING,ERROR" default:"SUCCESS" description:"Outcome of the request."`
	ErrorType       *string        `json:"error_type" description:"Error type; must match the status."`
	ErrorMessage    *string        `json:"error_message" maxLength:"1024" description:"Error message."`
}

// logResponse documents what appendLog writes.
type logResponse struct {
	Success         bool              `json:"success" required:"true" description:"Always true."`
	ID              int64             `json:"id" required:"true" description:"The id of the request log."`
	RequestID       int64             `json:"request_id" required:"true" description:"Same as id."`
	Type            string            `json:"type" required:"true" description:"Always \"request\"."`
	WorkspaceID     int64             `json:"workspace_id" required:"true" description:"The id of the workspace."`
	UserID          *int64            `json:"user_id" required:"true" description:"Always null: requests are logged by programs, not by people."`
	CreatedAt       rest.Time         `json:"created_at" required:"true" description:"When it was logged."`
	ProviderType    string            `json:"provider_type" required:"true" description:"The provider."`
	Engine          string            `json:"engine" required:"true" description:"The model."`
	FunctionName    string            `json:"function_name" required:"true" description:"Name of the library function that was called."`
	FunctionArgs    []any             `json:"function_args" required:"true" description:"Always empty."`
	FunctionKwargs  rest.RawObject    `json:"function_kwargs" required:"true" description:"The input and the parameters, as sent."`
	RequestResponse rest.RawObject    `json:"request_response" required:"true" description:"The output, as sent."`
	StartTime       rest.Time         `json:"request_start_time" required:"true" description:"When the request started."`
	EndTime         rest.Time         `json:"request_end_time" required:"true" description:"When the request ended."`
	InputTokens     int64             `json:"input_tokens" required:"true" description:"Number of input tokens."`
	OutputTokens    int64             `json:"output_tokens" required:"true" description:"Number of output tokens."`
	Tokens          int64             `json:"tokens" required:"true" description:"Sum of input and output tokens."`
	Price           float64           `json:"price" required:"true" description:"Cost of the request."`
	Score           int64             `json:"score" required:"true" description:"The default score."`
	Status          string            `json:"status" required:"true" description:"Outcome of the request."`
	ErrorType       *string           `json:"error_type" required:"true" description:"Error type."`
	ErrorMessage    *string           `json:"error_message" required:"true" description:"Error message."`
	SpanID          *string           `json:"span_id" required:"true" description:"The id of the span."`
	PromptID        *int64            `json:"prompt_id" required:"true" description:"The id of the template that the request was made from."`
	PromptVersionNo *int64            `json:"prompt_version_number" required:"true" description:"Version number of the prompt template."`
	PromptVariables rest.RawObject    `json:"prompt_input_variables" required:"true" description:"Input variables that the template was rendered with."`
	Metadata        []json.RawMessage `json:"metadata" required:"true" description:"One object for each key."`
	Scores          []scoreResponse   `json:"scores" required:"true" description:"The scores."`
	TagsArray       []string          `json:"tags_array" required:"true" description:"The tags."`
	PromptString    string            `json:"prompt_string" required:"true" description:"Text of the last user message."`
	ResponseString  string            `json:"response_string" required:"true" description:"Text of the output."`
	PromptVersion   rest.RawObject    `json:"prompt_version" required:"true" description:"The prompt blueprint: input and output as one template, with the model. It can be published, and renders to the logged texts."`
}

type logManyRequest struct {
	Requests []rest.RawObject `json:"requests" required:"true" minItems:"1" maxItems:"1000" description:"The requests, each like the body of /log-request."`
}

type logManyResponse struct {
	Success bool        `json:"success" required:"true" description:"Whether all requests were stored."`
	Results []logResult `json:"results" required:"true" description:"Result of each request, in order."`
}

// logResult is the result of one of many logs.
type logResult struct {
	Status    int   `json:"status" required:"true" description:"201, or the status that a single request would have been answered with."`
	ID        int64 `json:"id,omitempty" description:"The id of the request log."`
	RequestID int64 `json:"request_id,omitempty" description:"Same as id."`

	Success bool               `json:"success" required:"true" description:"Whether the request was stored."`
	Message string             `json:"message,omitempty" description:"Error message for people."`
	Error   string             `json:"error,omitempty" description:"Error code for programs."`
	Detail  []rest.ErrorDetail `json:"detail,omitempty" description:"All validation errors; only with status 422."`
}

// trackRequest documents the body of a tracked call; reqlog.DecodeTrack reads it.
type trackRequest struct {
	FunctionName    *string        `json:"function_name" description:"Name of the library function that was called."`
	ProviderType    *string        `json:"provider_type" description:"Name of the provider; inferred from the function if omitted."`
	Args            []any          `json:"args" description:"Positional arguments."`
	Kwargs          rest.RawObject `json:"kwargs" description:"Keyword arguments."`
	Response        rest.RawObject `json:"request_response" description:"The provider's response; empty if the call failed."`
	StartTime       rest.Time      `json:"request_start_time" required:"true" description:"When the call started."`
	EndTime         rest.Time      `json:"request_end_time" required:"true" description:"When the call ended."`
	Tags            []string       `json:"tags" description:"Tags."`
	Metadata        rest.RawObject `json:"metadata" description:"Metadata."`
	GroupID         rest.DigitInt  `json:"group_id" description:"The id of the group."`
	SpanID          *string        `json:"span_id" description:"The id of the span."`
	PromptID        rest.DigitInt  `json:"prompt_id" description:"The id of the prompt template."`
	PromptVersion   rest.DigitInt  `json:"prompt_version" description:"Version number of the prompt template."`
	Variables       rest.RawObject `json:"prompt_input_variables" description:"Input variables that the template was rendered with."`
	ReturnBlueprint bool           `json:"return_prompt_blueprint" description:"Whether to return the prompt blueprint."`
	Status          string         `json:"status" enum:"SUCCESS,WARNING,ERROR" default:"SUCCESS" description:"Outcome of the request."`
	ErrorType       *string        `json:"error_type" description:"Error type; must match the status."`
	ErrorMessage    *string        `json:"error_message" description:"Error message, truncated to 1,024 characters."`
	APIKey          string         `json:"api_key" description:"The API key, if it is not in the header."`
}

// trackResponse documents what appendTracked writes.
type trackResponse struct {
	Success   bool            `json:"success" required:"true" description:"Always true."`
	RequestID int64           `json:"request_id" required:"true" description:"The id of the request log."`
	Blueprint *rest.RawObject `json:"prompt_blueprint" required:"true" description:"The prompt blueprint with the texts as logged; null unless return_prompt_blueprint is set."`
	Message   string          `json:"message" required:"true" description:"Result message."`
}

// getResponse documents what appendDetail writes.
type getResponse struct {
	Success      bool           `json:"success" required:"true" description:"Always true."`
	Blueprint    rest.RawObject `json:"prompt_blueprint" required:"true" description:"Input and output as one template, with the model. It can be published, and renders to the logged texts."`
	RequestID    int64          `json:"request_id" required:"true" description:"The id of the request log."`
	Provider     string         `json:"provider" description:"The provider."`
	Model        string         `json:"model" description:"The model."`
	InputTokens  int64          `json:"input_tokens" description:"Number of input tokens."`
	OutputTokens int64          `json:"output_tokens" description:"Number of output tokens."`
	Tokens       int64          `json:"tokens" description:"Sum of input and output tokens."`
	Price        float64        `json:"price" description:"Cost of the request."`
	StartTime    rest.Time      `json:"request_start_time" description:"When the request started."`
	EndTime      rest.Time      `json:"request_end_time" description:"When the request ended."`
	LatencyMS    float64        `json:"latency_ms" description:"Duration in milliseconds."`
	TraceID      *string        `json:"trace_id" description:"The id of the trace; null unless a span of the request is stored."`
	Variables    rest.RawObject `json:"prompt_input_variables,omitempty" description:"Input variables that the template was rendered with; only with include_variables."`
}

// scoreResponse is a reqlog.Score on the wire.
type scoreResponse struct {
	Name  string `json:"name" required:"true" description:"Name of the score."`
	Value int64  `json:"score" required:"true" description:"The score, 0 to 100."`
}

type searchResponse struct {
	Success bool         `json:"success" required:"true" description:"Always true."`
	Items   []searchItem `json:"items" required:"true" description:"Request logs of the page."`
	Page    int          `json:"page" required:"true" description:"Page number."`
	Pages   int64        `json:"pages" required:"true" description:"Number of pages."`
	PerPage int          `json:"per_page" required:"true" description:"Page size."`
	Total   int64        `json:"total" required:"true" description:"Number of matching request logs."`
	HasNext bool         `json:"has_next" required:"true" description:"Whether there is a next page."`
	HasPrev bool         `json:"has_prev" required:"true" description:"Whether there is a previous page."`
	NextNum *int         `json:"next_num" required:"true" description:"Number of the next page; null on the last page."`
	PrevNum *int         `json:"prev_num" required:"true" description:"Number of the previous page, which is the last one past the end; null on the first page."`
	Damaged []int64      `json:"damaged_request_ids,omitempty" description:"Ids of request logs that belong to the page but can no longer be read, because their storage is damaged. They count in total. Absent if there are none."`
}

type searchItem struct {
	ID             int64             `json:"id" required:"true" description:"The id of the request log."`
	Type           string            `json:"type" description:"Always \"request\"."`
	WorkspaceID    int64             `json:"workspace_id" description:"The id of the workspace."`
	Engine         string            `json:"engine" required:"true" description:"The model."`
	ProviderType   string            `json:"provider_type" required:"true" description:"The provider."`
	APIType        *string           `json:"api_type" description:"Type of the provider's API that was called."`
	FunctionName   string            `json:"function_name" description:"Name of the library function that was called."`
	InputTokens    int64             `json:"input_tokens" required:"true" description:"Number of input tokens."`
	OutputTokens   int64             `json:"output_tokens" required:"true" description:"Number of output tokens."`
	Tokens         int64             `json:"tokens" description:"Sum of input and output tokens."`
	CachedTokens   int64             `json:"cached_tokens" description:"Number of tokens read from the provider's cache."`
	ThinkingTokens int64             `json:"thinking_tokens" description:"Number of thinking tokens."`
	Price          float64           `json:"price" required:"true" description:"Cost of the request."`
	StartTime      rest.Time         `json:"request_start_time" required:"true" description:"When the request started."`
	EndTime        rest.Time         `json:"request_end_time" required:"true" description:"When the request ended."`
	CreatedAt      rest.Time         `json:"created_at" description:"When it was logged."`
	Latency        float64           `json:"latency" required:"true" description:"Latency in seconds."`
	Status         string            `json:"status" description:"Outcome of the request."`
	ErrorType      *string           `json:"error_type" description:"Error type."`
	ErrorMessage   *string           `json:"error_message" description:"Error message."`
	TagsArray      []string          `json:"tags_array" required:"true" description:"The tags."`
	Metadata       []json.RawMessage `json:"metadata" required:"true" description:"One object for each key."`
	Scores         []scoreResponse   `json:"scores" required:"true" description:"The scores."`
	Score          int64             `json:"score" description:"The default score."`
	PromptID       *int64            `json:"prompt_id" description:"The id of the prompt template."`
	PromptVersion  *int64            `json:"prompt_version_number" description:"Version number of the prompt template."`
	PromptName     rest.Opt[string]  `json:"prompt_name,omitzero" description:"Name of the template; only with include_prompt_name."`
	Source         string            `json:"source" enum:"api,otlp,playground,workflow,evaluation,import" description:"Where the request came from. For requests from before this was recorded, the tags that the program adds decide."`
	APIKeyID       *int64            `json:"api_key_id" description:"The id of the API key that it was logged with; null without one."`
	GroupID        *int64            `json:"group_id" description:"The id of the group."`
	SpanID         *string           `json:"span_id" description:"The id of the span."`
	TraceID        *string           `json:"trace_id" description:"The id of the trace; null unless a span of the request is stored."`
}

func newSearchResponse(in searchRequest, found requests.SearchResult) searchResponse {
	pages := (found.Total + int64(in.PerPage) - 1) / int64(in.PerPage)
	out := searchResponse{
		Success: true, Items: make([]searchItem, 0, len(found.Items)),
		Page: in.Page, Pages: pages, PerPage: in.PerPage, Total: found.Total,
		HasNext: int64(in.Page) < pages, HasPrev: in.Page > 1, Damaged: found.Damaged,
	}
	if out.HasNext {
		out.NextNum = new(in.Page + 1)
	}
	if out.HasPrev {
		out.PrevNum = new(int(kit.PreviousPage(int64(in.Page), pages)))
	}
	for _, l := range found.Items {
		item := newSearchItem(l)
		if in.IncludePromptName {
			item.PromptName = rest.Null[string]()
			if l.Prompt != nil && found.PromptNames[l.Prompt.ID] != "" {
				item.PromptName = rest.Some(found.PromptNames[l.Prompt.ID])
			}
		}
		out.Items = append(out.Items, item)
	}
	return out
}

func newSearchItem(l *reqlog.Log) searchItem {
	item := searchItem{
		ID: l.ID, Type: "request", WorkspaceID: l.Workspace, Engine: l.Engine, ProviderType: l.Provider,
		APIType: kit.OrNil(l.APIType), FunctionName: l.FunctionName,
		InputTokens: l.Usage.Input.N, OutputTokens: l.Usage.Output.N, Tokens: l.Usage.Total().N,
		CachedTokens: l.Usage.CacheRead.N, ThinkingTokens: l.Usage.Reasoning.N, Price: l.Price.USD,
		StartTime: rest.Time(l.Start), EndTime: rest.Time(l.End), CreatedAt: rest.Time(l.CreatedAt),
		Latency: l.LatencyMS() / 1000, Status: l.Status, ErrorType: kit.OrNil(l.ErrorType), ErrorMessage: kit.OrNil(l.ErrorMessage),
		TagsArray: append([]string{}, l.Tags...), Metadata: metadataObjects(l.Metadata),
		Scores: kit.Each(l.Scores, func(s reqlog.Score) scoreResponse { return scoreResponse(s) }), Score: l.Score,
		Source: string(l.Origin()), APIKeyID: kit.OrNil(l.KeyID), GroupID: kit.OrNil(l.GroupID), SpanID: kit.OrNil(l.SpanID), TraceID: kit.OrNil(l.TraceID),
	}
	if l.Prompt != nil {
		item.PromptID, item.PromptVersion = &l.Prompt.ID, &l.Prompt.Version
	}
	return item
}
