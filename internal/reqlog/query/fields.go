package query

import (
	"strconv"

	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// The filter fields.
const (
	FieldID             Field = "pl_id"
	FieldPromptID       Field = "prompt_id"
	FieldPrompt         Field = "prompt"
	FieldPromptVersion  Field = "prompt_version_number"
	FieldPromptRef      Field = "prompt_version_ref"
	FieldEngine         Field = "engine"
	FieldProvider       Field = "provider_type"
	FieldStatus         Field = "status"
	FieldErrorType      Field = "error_type"
	FieldUserID         Field = "user_id"
	FieldSource         Field = "source"
	FieldAPIKey         Field = "api_key"
	FieldAPIKeyID       Field = "api_key_id"
	FieldInputText      Field = "input_text"
	FieldOutputText     Field = "output_text"
	FieldThinkingText   Field = "thinking_text"
	FieldInputTokens    Field = "input_tokens"
	FieldOutputTokens   Field = "output_tokens"
	FieldTotalTokens    Field = "total_tokens"
	FieldCachedTokens   Field = "cached_tokens"
	FieldThinkingTokens Field = "thinking_tokens"
	FieldCost           Field = "cost"
	FieldLatency        Field = "latency_ms"
	FieldTurns          Field = "turn_count"
	FieldToolCalls      Field = "tool_call_count"
	FieldStart          Field = "request_start_time"
	FieldEnd            Field = "request_end_time"
	FieldIsJSON         Field = "is_json"
	FieldIsToolCall     Field = "is_tool_call"
	FieldIsPlainText    Field = "is_plain_text"
	FieldHasTrace       Field = "has_trace"
	FieldTraceID        Field = "trace_id"
	FieldTags           Field = "tags"
	FieldMetadataKeys   Field = "metadata_keys"
	FieldToolNames      Field = "tool_names"
	FieldOutputKeys     Field = "output_keys"
	FieldVariableKeys   Field = "input_variable_keys"
	FieldMetadata       Field = "metadata"
	FieldScores         Field = "scores"
	FieldScoreNames     Field = "score_names"
	FieldOutput         Field = "output"
	FieldVariables      Field = "input_variables"
	FieldUserIntent     Field = "user_intent"
	FieldAgentIntent    Field = "agent_intent"
)

// The sections fields are listed under.
const (
	sectionRequest  = "Request"
	sectionPrompt   = "Prompt"
	sectionNumbers  = "Numbers"
	sectionMetadata = "Metadata"
	sectionContent  = "Content"
	sectionTime     = "Time"
)

// Fields is the vocabulary of the filter language, in the order in which
// fields are listed. It must not be changed.
var Fields = []FieldSpec{
	{
		Name: FieldStatus, Type: TypeStatus, QueryName: "status", Label: "Status", Section: sectionRequest,
		Doc: "How the request ended.", Values: reqlog.Statuses, Sortable: true, GroupBy: true, Suggest: "status",
		Column: "status", Word: always(func(l *reqlog.Log) string { return l.Status }),
	},
	{
		Name: FieldEngine, Type: TypeString, QueryName: "model", Label: "Model", Section: sectionRequest,
		Doc: "The model.", GroupBy: true, Suggest: "engine",
		Column: "engine", Word: always(func(l *reqlog.Log) string { return l.Engine }),
	},
	{
		Name: FieldProvider, Type: TypeString, QueryName: "provider", Label: "Provider", Section: sectionRequest,
		Doc: "The provider of the model.", GroupBy: true, Suggest: "provider_type",
		Column: "provider", Word: always(func(l *reqlog.Log) string { return l.Provider }),
	},
	{
		Name: FieldErrorType, Type: TypeString, QueryName: "error", Label: "Error type", Section: sectionRequest,
		Doc: "The type of error.", Values: reqlog.ErrorTypes, GroupBy: true,
		Column: "error_type", Optional: true, Word: func(l *reqlog.Log) (string, bool) { return l.ErrorType, l.ErrorType != "" },
	},
	{
		Name: FieldID, Type: TypeIdentifier, QueryName: "id", Label: "Request ID", Section: sectionRequest,
		Doc:    "The ID of the request.",
		Column: "id", Int: always(func(l *reqlog.Log) int64 { return l.ID }),
	},
	{
		Name: FieldUserID, Type: TypeString, QueryName: "user", Label: "User", Section: sectionRequest,
		Doc:         "The user: the value of the metadata key user_id.",
		MetadataKey: "user_id",
	},
	{
		Name: FieldSource, Type: TypeString, QueryName: "source", Label: "Source", Section: sectionRequest,
		Doc: "Where the request came from.", Values: reqlog.Sources, GroupBy: true,
		Column: "source", Word: always(func(l *reqlog.Log) string { return string(l.Origin()) }),
	},
	{
		Name: FieldAPIKey, Type: TypeString, QueryName: "key", Label: "API key name", Section: sectionRequest,
		Doc: "The name of the API key that the request was logged with.", Suggest: "api_key",
	},
	{
		Name: FieldAPIKeyID, Type: TypeIdentifier, QueryName: "key_id", Label: "API key", Section: sectionRequest,
		Doc: "The ID of the API key that the request was logged with.", GroupBy: true,
		Column: "api_key_id", Optional: true, Int: func(l *reqlog.Log) (int64, bool) { return l.KeyID, l.KeyID != 0 },
	},
	{
		Name: FieldTags, Type: TypeArray, QueryName: "tag", Label: "Tag", Section: sectionRequest,
		Doc: "The tags.", GroupBy: true, Suggest: "tags",
		Column: "tags", List: func(l *reqlog.Log) []string { return l.Tags },
	},

	{
		Name: FieldLatency, Type: TypeNumeric, QueryName: "latency", Label: "Latency", Section: sectionNumbers,
		Doc: "The duration in milliseconds.", Unit: UnitMillis, Sortable: true, Metric: true,
		Column: "latency_ms", Float: always((*reqlog.Log).LatencyMS),
	},
	{
		Name: FieldCost, Type: TypeNumeric, QueryName: "cost", Label: "Cost", Section: sectionNumbers,
		Doc: "The cost in US dollars.", Unit: UnitDollars, Sortable: true, Metric: true,
		Column: "price", Optional: true, Float: func(l *reqlog.Log) (float64, bool) { return l.Price.USD, l.Price.Known() },
	},
	{
		Name: FieldInputTokens, Type: TypeNumeric, QueryName: "input_tokens", Label: "Input tokens", Section: sectionNumbers,
		Doc: "The number of tokens sent.", Unit: UnitTokens, Sortable: true, Metric: true,
		Column: "input_tokens", Optional: true, Int: counted(func(u *provider.Usage) provider.Count { return u.Input }),
	},
	{
		Name: FieldOutputTokens, Type: TypeNumeric, QueryName: "output_tokens", Label: "Output tokens", Section: sectionNumbers,
		Doc: "The number of tokens received.", Unit: UnitTokens, Sortable: true, Metric: true,
		Column: "output_tokens", Optional: true, Int: counted(func(u *provider.Usage) provider.Count { return u.Output }),
	},
	{
		Name: FieldTotalTokens, Type: TypeNumeric, QueryName: "tokens", Label: "Total tokens", Section: sectionNumbers,
		Doc: "The number of tokens sent and received.", Unit: UnitTokens, Sortable: true, Metric: true,
		Column: "total_tokens", Optional: true, Int: counted(func(u *provider.Usage) provider.Count { return u.Total() }),
	},
	{
		Name: FieldCachedTokens, Type: TypeNumeric, QueryName: "cached_tokens", Label: "Cached tokens", Section: sectionNumbers,
		Doc: "The number of tokens read from a cache.", Unit: UnitTokens, Metric: true,
		Column: "cached_tokens", Optional: true, Int: counted(func(u *provider.Usage) provider.Count { return u.CacheRead }),
	},
	{
		Name: FieldThinkingTokens, Type: TypeNumeric, QueryName: "thinking_tokens", Label: "Thinking tokens", Section: sectionNumbers,
		Doc: "The number of tokens spent on thinking.", Unit: UnitTokens, Metric: true,
		Column: "thinking_tokens", Optional: true, Int: counted(func(u *provider.Usage) provider.Count { return u.Reasoning }),
	},
	{
		Name: FieldTurns, Type: TypeNumeric, QueryName: "turns", Label: "Turns", Section: sectionNumbers,
		Doc: "The number of assistant messages.", Sortable: true, Metric: true,
		Column: "turns", Int: always(func(l *reqlog.Log) int64 { return l.Index.TurnCount }),
	},
	{
		Name: FieldToolCalls, Type: TypeNumeric, QueryName: "tool_calls", Label: "Tool calls", Section: sectionNumbers,
		Doc: "The number of tool calls in the output.", Sortable: true, Metric: true,
		Column: "tool_calls", Int: always(func(l *reqlog.Log) int64 { return l.Index.ToolCallCount }),
	},

	{
		Name: FieldPrompt, Type: TypeString, QueryName: "prompt", Label: "Prompt name", Section: sectionPrompt,
		Doc: "The name of the prompt template.", Suggest: "prompt",
	},
	{
		Name: FieldPromptID, Type: TypeIdentifier, QueryName: "prompt_id", Label: "Prompt", Section: sectionPrompt,
		Doc: "The ID of the prompt template, or its name.", GroupBy: true, Suggest: "prompt_id",
		Column: "prompt_id", Optional: true, Int: func(l *reqlog.Log) (int64, bool) {
			if l.Prompt == nil {
				return 0, false
			}
			return l.Prompt.ID, true
		},
	},
	{
		Name: FieldPromptVersion, Type: TypeNumeric, QueryName: "version", Label: "Prompt version", Section: sectionPrompt,
		Doc: "The version of the prompt template.", Metric: true, GroupBy: true,
		Column: "prompt_version", Optional: true, Int: func(l *reqlog.Log) (int64, bool) {
			if l.Prompt == nil {
				return 0, false
			}
			return l.Prompt.Version, true
		},
	},
	{
		Name: FieldPromptRef, Type: TypeString, QueryName: "prompt_version", Label: "Prompt and version", Section: sectionPrompt,
		Doc: "The prompt template and its version, as id:version.", GroupBy: true,
		Column: "prompt_ref", Optional: true, Word: func(l *reqlog.Log) (string, bool) {
			if l.Prompt == nil {
				return "", false
			}
			return l.Prompt.Ref(), true
		},
	},
	{
		Name: FieldVariables, Type: TypeNested, QueryName: "var", Label: "Input variable value", Section: sectionPrompt,
		Doc: "The values of input variables that the template uses.", Suggest: "input_variable_values", Keys: FieldVariableKeys,
		Column: "variable_pairs", Pairs: func(l *reqlog.Log) []reqlog.Pair { return l.Index.Variables },
	},
	{
		Name: FieldVariableKeys, Type: TypeArray, QueryName: "var_key", Label: "Input variable", Section: sectionPrompt,
		Doc: "The names of input variables that the template uses.", GroupBy: true, Suggest: "input_variable_keys",
		Column: "variable_keys", List: func(l *reqlog.Log) []string { return reqlog.Keys(l.Index.Variables) },
	},

	{
		Name: FieldMetadata, Type: TypeNested, QueryName: "metadata", Label: "Metadata value", Section: sectionMetadata,
		Doc: "The values of metadata keys.", Suggest: "metadata_values", Keys: FieldMetadataKeys,
		Column: "metadata_pairs", Pairs: func(l *reqlog.Log) []reqlog.Pair { return l.Index.Metadata },
	},
	{
		Name: FieldMetadataKeys, Type: TypeArray, QueryName: "metadata_key", Label: "Metadata key", Section: sectionMetadata,
		Doc: "The metadata keys.", GroupBy: true, Suggest: "metadata_keys",
		Column: "metadata_keys", List: func(l *reqlog.Log) []string { return reqlog.Keys(l.Index.Metadata) },
	},
	{
		Name: FieldScores, Type: TypeScore, QueryName: "score", Label: "Score", Section: sectionMetadata,
		Doc: "The scores by name, 0 to 100.", Unit: UnitPoints, Sortable: true, Metric: true, GroupBy: true,
		Suggest: "score_values", Keys: FieldScoreNames,
		Column: "score_pairs", Pairs: scorePairs,
	},
	{
		Name: FieldScoreNames, Type: TypeArray, QueryName: "score_name", Label: "Score name", Section: sectionMetadata,
		Doc: "The names of the scores.", GroupBy: true, Suggest: "score_names",
		Column: "score_names", List: func(l *reqlog.Log) []string { return reqlog.Keys(scorePairs(l)) },
	},

	{
		Name: FieldInputText, Type: TypeText, QueryName: "input", Label: "Input text", Section: sectionContent,
		Doc:  "The text of the input.",
		Text: func(l *reqlog.Log) string { return l.Index.InputText },
	},
	{
		Name: FieldOutputText, Type: TypeText, QueryName: "output", Label: "Output text", Section: sectionContent,
		Doc:  "The text of the output.",
		Text: func(l *reqlog.Log) string { return l.Index.OutputText },
	},
	{
		Name: FieldThinkingText, Type: TypeText, QueryName: "thinking", Label: "Thinking text", Section: sectionContent,
		Doc:  "The text of the thinking blocks.",
		Text: func(l *reqlog.Log) string { return l.Index.ThinkingText },
	},
	{
		Name: FieldIsJSON, Type: TypeBoolean, QueryName: "json", Label: "JSON output", Section: sectionContent,
		Doc:    "Whether the output is a JSON object.",
		Column: "is_json", Flag: func(l *reqlog.Log) bool { return l.Index.IsJSON },
	},
	{
		Name: FieldIsPlainText, Type: TypeBoolean, QueryName: "plain_text", Label: "Plain text output", Section: sectionContent,
		Doc:    "Whether the output is neither JSON nor a tool call.",
		Column: "is_plain_text", Flag: func(l *reqlog.Log) bool { return !l.Index.IsJSON && !l.Index.IsToolCall },
	},
	{
		Name: FieldIsToolCall, Type: TypeBoolean, QueryName: "tool_call", Label: "Tool call output", Section: sectionContent,
		Doc:    "Whether the output calls tools.",
		Column: "is_tool_call", Flag: func(l *reqlog.Log) bool { return l.Index.IsToolCall },
	},
	{
		Name: FieldToolNames, Type: TypeArray, QueryName: "tool", Label: "Tool", Section: sectionContent,
		Doc: "The names of the tools called.", GroupBy: true, Suggest: "tool_names",
		Column: "tool_names", List: func(l *reqlog.Log) []string { return l.Index.ToolNames },
	},
	{
		Name: FieldOutput, Type: TypeNested, QueryName: "output", Label: "Output value", Section: sectionContent,
		Doc: "The values in a JSON output or in tool calls.", Suggest: "output_values", Keys: FieldOutputKeys,
		Column: "output_pairs", Pairs: func(l *reqlog.Log) []reqlog.Pair { return l.Index.Output },
	},
	{
		Name: FieldOutputKeys, Type: TypeArray, QueryName: "output_key", Label: "Output key", Section: sectionContent,
		Doc: "The keys in a JSON output or in tool calls.", GroupBy: true, Suggest: "output_keys",
		Column: "output_keys", List: func(l *reqlog.Log) []string { return reqlog.Keys(l.Index.Output) },
	},
	{
		Name: FieldUserIntent, Type: TypeIntent, QueryName: "user_intent", Label: "User intent", Section: sectionContent,
		Doc: "The intents shown by the last user message.", Values: []string{"frustrated", "satisfied", "curious"},
		Column: "user_intent", List: func(l *reqlog.Log) []string { return l.Index.UserIntent },
	},
	{
		Name: FieldAgentIntent, Type: TypeIntent, QueryName: "agent_intent", Label: "Agent intent", Section: sectionContent,
		Doc: "The intents shown by the output.", Values: []string{"apologetic", "refusal", "uncertain"},
		Column: "agent_intent", List: func(l *reqlog.Log) []string { return l.Index.AgentIntent },
	},

	{
		Name: FieldHasTrace, Type: TypeBoolean, QueryName: "trace", Label: "Has a trace", Section: sectionTime,
		Doc:     "Whether the request belongs to a trace.",
		OfTrace: true, Flag: func(l *reqlog.Log) bool { return l.TraceID != "" },
	},
	{
		Name: FieldTraceID, Type: TypeString, QueryName: "trace_id", Label: "Trace id", Section: sectionTime,
		Doc:     "The trace of the request.",
		OfTrace: true, Optional: true, Word: func(l *reqlog.Log) (string, bool) { return l.TraceID, l.TraceID != "" },
	},
	{
		Name: FieldStart, Type: TypeDatetime, QueryName: "start", Label: "Start time", Section: sectionTime,
		Doc: "When the request started.", Sortable: true,
		Column: "start_time", Time: func(l *reqlog.Log) reqlog.Micros { return l.Start },
	},
	{
		Name: FieldEnd, Type: TypeDatetime, QueryName: "end", Label: "End time", Section: sectionTime,
		Doc:    "When the request ended.",
		Column: "end_time", Time: func(l *reqlog.Log) reqlog.Micros { return l.End },
	},
}

// always reads a value that every log has.
func always[T any](read func(*reqlog.Log) T) func(*reqlog.Log) (T, bool) {
	return func(l *reqlog.Log) (T, bool) { return read(l), true }
}

// counted reads a token count, which a log may lack.
func counted(read func(*provider.Usage) provider.Count) func(*reqlog.Log) (int64, bool) {
	return func(l *reqlog.Log) (int64, bool) {
		count := read(&l.Usage)
		return count.N, count.Given
	}
}

// scorePairs returns the names and values of the scores.
func scorePairs(l *reqlog.Log) []reqlog.Pair {
	pairs := make([]reqlog.Pair, len(l.Scores))
	for i, score := range l.Scores {
		pairs[i] = reqlog.Pair{Key: score.Name, Value: strconv.FormatInt(score.Value, 10)}
	}
	return pairs
}
