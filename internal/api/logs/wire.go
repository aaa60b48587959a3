package logs

import (
	"encoding/json"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/rest"
)

// logRequest documents the body of a log; reqlog.DecodeLog reads it.
type logRequest struct {
	Provider        string         `json:"provider" required:"true" minLength:"1" description:"The provider, such as openai."`
	Model           string         `json:"model" required:"true" minLength:"1" description:"The model's name."`
	Input           rest.RawObject `json:"input" required:"true" description:"What was sent: a chat or completion template."`
	Output          rest.RawObject `json:"output" required:"true" description:"What came back: a chat or completion template; without messages when the request failed."`
	StartTime       rest.Time      `json:"request_start_time" required:"true" description:"When the request began: ISO 8601, or seconds or milliseconds since 1970."`
	EndTime         rest.Time      `json:"request_end_time" required:"true" description:"When the request ended."`
	Parameters      rest.RawObject `json:"parameters" description:"The model's parameters."`
	Tags            []string       `json:"tags" items.maxLength:"512" description:"Tags; repeated ones count once."`
	Metadata        rest.RawObject `json:"metadata" description:"Keys and values of any JSON type; a key has at most 1,024 characters."`
	PromptName      *string        `json:"prompt_name" description:"The template that the request was made from."`
	PromptID        *int64         `json:"prompt_id" description:"The same by id."`
	PromptVersion   *int64         `json:"prompt_version_number" minimum:"1" description:"Its version; the newest when left out."`
	PromptVariables rest.RawObject `json:"prompt_input_variables" description:"The values that the template was filled with."`
	InputTokens     int64          `json:"input_tokens" minimum:"0" maximum:"1000000000000" description:"Tokens sent."`
	OutputTokens    int64          `json:"output_tokens" minimum:"0" maximum:"1000000000000" description:"Tokens received."`
	Price           float64        `json:"price" minimum:"0" maximum:"1000000000000000" description:"What the request cost."`
	FunctionName    string         `json:"function_name" description:"The library function that was called."`
	Score           int64          `json:"score" minimum:"0" maximum:"100" description:"A first score."`
	ScoreName       *string        `json:"score_name" description:"What the score judges."`
	APIType         *string        `json:"api_type" description:"Which of the provider's interfaces was called."`
	Status          string         `json:"status" enum:"SUCCESS,WARNING,ERROR" default:"SUCCESS" description:"How it went."`
	ErrorType       *string        `json:"error_type" description:"What went wrong; must fit the status."`
	ErrorMessage    *string        `json:"error_message" maxLength:"1024" description:"What went wrong, in words."`
}

// logResponse documents what appendLog writes.
type logResponse struct {
	Success         bool              `json:"success" required:"true" description:"Always true."`
	ID              int64             `json:"id" required:"true" description:"The request log's id."`
	RequestID       int64             `json:"request_id" required:"true" description:"The same id."`
	Type            string            `json:"type" required:"true" description:"Always \"request\"."`
	WorkspaceID     int64             `json:"workspace_id" required:"true" description:"The workspace."`
	UserID          *int64            `json:"user_id" required:"true" description:"Always null: requests are logged by programs, not by people."`
	CreatedAt       rest.Time         `json:"created_at" required:"true" description:"When it was logged."`
	ProviderType    string            `json:"provider_type" required:"true" description:"The provider."`
	Engine          string            `json:"engine" required:"true" description:"The model."`
	FunctionName    string            `json:"function_name" required:"true" description:"The library function that was called."`
	FunctionArgs    []any             `json:"function_args" required:"true" description:"Always empty."`
	FunctionKwargs  rest.RawObject    `json:"function_kwargs" required:"true" description:"The input and the parameters, as they were sent."`
	RequestResponse rest.RawObject    `json:"request_response" required:"true" description:"The output, as it was sent."`
	StartTime       rest.Time         `json:"request_start_time" required:"true" description:"When the request began."`
	EndTime         rest.Time         `json:"request_end_time" required:"true" description:"When the request ended."`
	InputTokens     int64             `json:"input_tokens" required:"true" description:"Tokens sent."`
	OutputTokens    int64             `json:"output_tokens" required:"true" description:"Tokens received."`
	Tokens          int64             `json:"tokens" required:"true" description:"Their sum."`
	Price           float64           `json:"price" required:"true" description:"What the request cost."`
	Score           int64             `json:"score" required:"true" description:"The default score."`
	Status          string            `json:"status" required:"true" description:"How the request went."`
	ErrorType       *string           `json:"error_type" required:"true" description:"What went wrong."`
	ErrorMessage    *string           `json:"error_message" required:"true" description:"What went wrong, in words."`
	SpanID          *string           `json:"span_id" required:"true" description:"The span that the request belongs to."`
	PromptID        *int64            `json:"prompt_id" required:"true" description:"The template that the request was made from."`
	PromptVersionNo *int64            `json:"prompt_version_number" required:"true" description:"The template's version."`
	PromptVariables rest.RawObject    `json:"prompt_input_variables" required:"true" description:"The values that the template was filled with."`
	Metadata        []json.RawMessage `json:"metadata" required:"true" description:"One object for each key."`
	Scores          []scoreResponse   `json:"scores" required:"true" description:"The scores."`
	TagsArray       []string          `json:"tags_array" required:"true" description:"The tags."`
	PromptString    string            `json:"prompt_string" required:"true" description:"What the user said last."`
	ResponseString  string            `json:"response_string" required:"true" description:"The text of the output."`
	PromptVersion   rest.RawObject    `json:"prompt_version" required:"true" description:"The prompt blueprint: input and output as one template, with the model."`
}

type logManyRequest struct {
	Requests []rest.RawObject `json:"requests" required:"true" minItems:"1" maxItems:"1000" description:"The requests, each as the body of /log-request."`
}

type logManyResponse struct {
	Success bool        `json:"success" required:"true" description:"Whether all were stored."`
	Results []logResult `json:"results" required:"true" description:"What became of each request, in their order."`
}

// logResult is what became of one of many logs.
type logResult struct {
	Status    int   `json:"status" required:"true" description:"201, or the status that the request alone would have got."`
	ID        int64 `json:"id,omitempty" description:"The request log's id."`
	RequestID int64 `json:"request_id,omitempty" description:"The same id."`

	Success bool               `json:"success" required:"true" description:"Whether it was stored."`
	Message string             `json:"message,omitempty" description:"Why it was refused, for people."`
	Error   string             `json:"error,omitempty" description:"The class of the error, for programs."`
	Detail  []rest.ErrorDetail `json:"detail,omitempty" description:"Every broken rule; only with status 422."`
}

// trackRequest documents the body of a tracked call; reqlog.DecodeTrack reads it.
type trackRequest struct {
	FunctionName    *string        `json:"function_name" description:"The library function that was called."`
	ProviderType    *string        `json:"provider_type" description:"The provider; follows from the function when left out."`
	Args            []any          `json:"args" description:"Positional arguments."`
	Kwargs          rest.RawObject `json:"kwargs" description:"Named arguments."`
	Response        rest.RawObject `json:"request_response" description:"The provider's answer; empty when the call failed."`
	StartTime       rest.Time      `json:"request_start_time" required:"true" description:"When the call began."`
	EndTime         rest.Time      `json:"request_end_time" required:"true" description:"When the call ended."`
	Tags            []string       `json:"tags" description:"Tags."`
	Metadata        rest.RawObject `json:"metadata" description:"Metadata."`
	GroupID         rest.DigitInt  `json:"group_id" description:"The group to put it into."`
	SpanID          *string        `json:"span_id" description:"The span that the call belongs to."`
	PromptID        rest.DigitInt  `json:"prompt_id" description:"The template it was made from."`
	PromptVersion   rest.DigitInt  `json:"prompt_version" description:"The template's version."`
	Variables       rest.RawObject `json:"prompt_input_variables" description:"The values that the template was filled with."`
	ReturnBlueprint bool           `json:"return_prompt_blueprint" description:"Whether to answer with the prompt blueprint."`
	Status          string         `json:"status" enum:"SUCCESS,WARNING,ERROR" default:"SUCCESS" description:"How it went."`
	ErrorType       *string        `json:"error_type" description:"What went wrong; must fit the status."`
	ErrorMessage    *string        `json:"error_message" description:"What went wrong, in words; cut after 1,024 characters."`
	APIKey          string         `json:"api_key" description:"The API key, when no header carries it."`
}

// trackResponse documents what appendTracked writes.
type trackResponse struct {
	Success   bool            `json:"success" required:"true" description:"Always true."`
	RequestID int64           `json:"request_id" required:"true" description:"The request log's id."`
	Blueprint *rest.RawObject `json:"prompt_blueprint" required:"true" description:"The prompt blueprint, null unless it was asked for."`
	Message   string          `json:"message" required:"true" description:"What was done."`
}

// getResponse documents what appendDetail writes.
type getResponse struct {
	Success      bool           `json:"success" required:"true" description:"Always true."`
	Blueprint    rest.RawObject `json:"prompt_blueprint" required:"true" description:"Input and output as one template, with the model; ready to be replayed."`
	RequestID    int64          `json:"request_id" required:"true" description:"The request log's id."`
	Provider     string         `json:"provider" description:"The provider."`
	Model        string         `json:"model" description:"The model."`
	InputTokens  int64          `json:"input_tokens" description:"Tokens sent."`
	OutputTokens int64          `json:"output_tokens" description:"Tokens received."`
	Tokens       int64          `json:"tokens" description:"Their sum."`
	Price        float64        `json:"price" description:"What the request cost."`
	StartTime    rest.Time      `json:"request_start_time" description:"When the request began."`
	EndTime      rest.Time      `json:"request_end_time" description:"When the request ended."`
	LatencyMS    float64        `json:"latency_ms" description:"How long it took, in milliseconds."`
	TraceID      *string        `json:"trace_id" description:"The trace that the request belongs to."`
}

// scoreResponse is a reqlog.Score with its documentation.
type scoreResponse struct {
	Name  string `json:"name" required:"true" description:"What is judged."`
	Value int64  `json:"score" required:"true" description:"The score, 0 to 100."`
}

type searchResponse struct {
	Success bool         `json:"success" required:"true" description:"Always true."`
	Items   []searchItem `json:"items" required:"true" description:"The page's request logs."`
	Page    int          `json:"page" required:"true" description:"The page."`
	Pages   int64        `json:"pages" required:"true" description:"How many pages there are."`
	PerPage int          `json:"per_page" required:"true" description:"Items a page."`
	Total   int64        `json:"total" required:"true" description:"How many request logs match."`
	HasNext bool         `json:"has_next" required:"true" description:"Whether a page follows."`
	HasPrev bool         `json:"has_prev" required:"true" description:"Whether a page precedes."`
	NextNum *int         `json:"next_num" required:"true" description:"The next page, null on the last."`
	PrevNum *int         `json:"prev_num" required:"true" description:"The page before, null on the first."`
}

type searchItem struct {
	ID             int64             `json:"id" required:"true" description:"The request log's id."`
	Type           string            `json:"type" description:"Always \"request\"."`
	WorkspaceID    int64             `json:"workspace_id" description:"The workspace."`
	Engine         string            `json:"engine" required:"true" description:"The model."`
	ProviderType   string            `json:"provider_type" required:"true" description:"The provider."`
	APIType        *string           `json:"api_type" description:"Which of the provider's interfaces was called."`
	FunctionName   string            `json:"function_name" description:"The library function that was called."`
	InputTokens    int64             `json:"input_tokens" required:"true" description:"Tokens sent."`
	OutputTokens   int64             `json:"output_tokens" required:"true" description:"Tokens received."`
	Tokens         int64             `json:"tokens" description:"Their sum."`
	CachedTokens   int64             `json:"cached_tokens" description:"Tokens read from the provider's cache."`
	ThinkingTokens int64             `json:"thinking_tokens" description:"Tokens spent on thinking."`
	Price          float64           `json:"price" required:"true" description:"What the request cost."`
	StartTime      rest.Time         `json:"request_start_time" required:"true" description:"When the request began."`
	EndTime        rest.Time         `json:"request_end_time" required:"true" description:"When the request ended."`
	CreatedAt      rest.Time         `json:"created_at" description:"When it was logged."`
	Latency        float64           `json:"latency" required:"true" description:"How long it took, in seconds."`
	Status         string            `json:"status" description:"How it went."`
	ErrorType      *string           `json:"error_type" description:"What went wrong."`
	ErrorMessage   *string           `json:"error_message" description:"What went wrong, in words."`
	TagsArray      []string          `json:"tags_array" required:"true" description:"The tags."`
	Metadata       []json.RawMessage `json:"metadata" required:"true" description:"One object for each key."`
	Scores         []scoreResponse   `json:"scores" required:"true" description:"The scores."`
	Score          int64             `json:"score" description:"The default score."`
	PromptID       *int64            `json:"prompt_id" description:"The template that it was made from."`
	PromptVersion  *int64            `json:"prompt_version_number" description:"The template's version."`
	PromptName     rest.Opt[string]  `json:"prompt_name,omitzero" description:"The template's name; only when asked for."`
	GroupID        *int64            `json:"group_id" description:"The group it is in."`
	SpanID         *string           `json:"span_id" description:"The span that it belongs to."`
	TraceID        *string           `json:"trace_id" description:"The trace that it belongs to."`
}

func newSearchResponse(in searchRequest, found reqlog.SearchResult) searchResponse {
	pages := (found.Total + int64(in.PerPage) - 1) / int64(in.PerPage)
	out := searchResponse{
		Success: true, Items: make([]searchItem, 0, len(found.Items)),
		Page: in.Page, Pages: pages, PerPage: in.PerPage, Total: found.Total,
		HasNext: int64(in.Page) < pages, HasPrev: in.Page > 1,
	}
	if out.HasNext {
		out.NextNum = new(in.Page + 1)
	}
	if out.HasPrev {
		out.PrevNum = new(in.Page - 1)
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
		InputTokens: l.InputTokens, OutputTokens: l.OutputTokens, Tokens: l.Tokens(),
		CachedTokens: l.CachedTokens, ThinkingTokens: l.ThinkingTokens, Price: l.Price,
		StartTime: rest.Time(l.Start), EndTime: rest.Time(l.End), CreatedAt: rest.Time(l.CreatedAt),
		Latency: l.LatencyMS() / 1000, Status: l.Status, ErrorType: kit.OrNil(l.ErrorType), ErrorMessage: kit.OrNil(l.ErrorMessage),
		TagsArray: append([]string{}, l.Tags...), Metadata: metadataObjects(l.Metadata),
		Scores: kit.Each(l.Scores, func(s reqlog.Score) scoreResponse { return scoreResponse(s) }), Score: l.Score,
		GroupID: kit.OrNil(l.GroupID), SpanID: kit.OrNil(l.SpanID),
	}
	if l.Prompt != nil {
		item.PromptID, item.PromptVersion = &l.Prompt.ID, &l.Prompt.Version
	}
	return item
}
