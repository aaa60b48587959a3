package reqlog

import (
	"math"
	"strconv"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/builtin"
)

// DecodeTrack reads a call to a provider as client libraries record it: the
// arguments they passed and what came back. It adds everything that breaks a
// rule to problems; then the result must not be used.
func DecodeTrack(body jsontree.Value, loc []any, problems *fault.Problems) *LogInput {
	d := logDecoder{bodyReader{body, loc, problems}}
	d.require("request_start_time", "request_end_time")
	call := provider.Exchange{
		FunctionName: d.text("function_name", 0, math.MaxInt),
		ProviderType: d.text("provider_type", 0, math.MaxInt),
		Args:         d.member("args", jsontree.Array),
		Kwargs:       d.member("kwargs", jsontree.Object),
		// Some clients record an empty string when a stream broke off.
		Response: d.object.Get("request_response"),
	}
	result := builtin.Providers.Read(call)
	in := &LogInput{Log: &Log{
		Provider:       result.Provider,
		Engine:         result.Engine,
		APIType:        result.APIType,
		FunctionName:   call.FunctionName,
		Input:          result.Input,
		Output:         result.Output,
		Parameters:     result.Parameters,
		InputTokens:    result.InputTokens,
		OutputTokens:   result.OutputTokens,
		CachedTokens:   result.CachedTokens,
		ThinkingTokens: result.ThinkingTokens,
		Start:          d.instant("request_start_time", 0),
		End:            d.instant("request_end_time", 0),
		Tags:           d.tags(),
		SpanID:         d.text("span_id", 0, math.MaxInt),
	}}
	in.Log.Status, in.Log.ErrorType, in.Log.ErrorMessage = d.outcome(true)
	in.Log.Metadata = d.metadata()
	in.Log.GroupID = d.digits("group_id")
	in.Prompt = PromptRef{ID: d.digits("prompt_id"), Version: d.digits("prompt_version")}
	in.PromptGiven = in.Prompt.ID != 0
	if variables := d.object.Get("prompt_input_variables"); variables.Kind() == jsontree.Object {
		in.Log.Variables = VariablesOf(variables)
	}
	return in
}

// digits returns a positive whole number that may come as a string of digits,
// 0 when there is none.
func (d logDecoder) digits(key string) int64 {
	v := d.object.Get(key)
	if v.Kind() != jsontree.String {
		return d.integer(key, 1, math.MaxInt64, 0)
	}
	n, err := strconv.ParseUint(v.Str(), 10, 63)
	if err != nil || n == 0 {
		d.refuse(key, "int_parsing", "must be a positive whole number")
	}
	return int64(n)
}
