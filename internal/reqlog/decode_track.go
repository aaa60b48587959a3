package reqlog

import (
	"math"
	"strconv"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/builtin"
)

// DecodeTrack reads a provider call as client libraries record it: the
// arguments and the response. It adds every broken rule to problems; if there
// are any, the result must not be used.
func DecodeTrack(body jsontree.Value, loc []any, problems *fault.Problems) *LogInput {
	r := shape.New(loc, problems)
	d := logDecoder{shape.Object{Reader: &r, Value: body}}
	d.Need("request_start_time", "request_end_time")
	call := provider.Exchange{
		FunctionName: d.String("function_name"),
		ProviderType: d.String("provider_type"),
		Args:         d.Member("args", jsontree.Array),
		Kwargs:       d.Member("kwargs", jsontree.Object),
		// Some clients record an empty string when a stream was interrupted.
		Response: d.Value.Get("request_response"),
	}
	in := &LogInput{Log: LogOf(builtin.Providers.Read(call))}
	in.Log.Start, in.Log.End = d.instant("request_start_time", 0), d.instant("request_end_time", 0)
	in.Log.Tags, in.Log.SpanID = d.tags(), d.String("span_id")
	in.Log.Status, in.Log.ErrorType, in.Log.ErrorMessage = d.outcome(true)
	in.Log.Metadata = d.metadata()
	in.Log.GroupID = d.digits("group_id")
	in.Prompt = PromptRef{ID: d.digits("prompt_id"), Version: d.digits("prompt_version")}
	in.PromptGiven = in.Prompt.ID != 0
	if variables := d.Value.Get("prompt_input_variables"); variables.Kind() == jsontree.Object {
		in.Log.Variables = VariablesOf(variables)
	}
	return in
}

var positiveDigits = fault.Rule{Type: fault.IntOrDigits.Type, Msg: "Input should be a positive integer or a string of its digits"}

// LogOf returns a log of a provider call.
func LogOf(r provider.Record) *Log {
	return &Log{
		Provider: r.Provider, Engine: r.Engine, APIType: r.APIType, FunctionName: r.FunctionName,
		Input: r.Input, Output: r.Output, Parameters: r.Parameters,
		Usage: r.Usage,
	}
}

// digits returns a positive whole number that may be sent as a string of
// digits, 0 if there is none.
func (d logDecoder) digits(key string) int64 {
	v := d.Value.Get(key)
	if v.Kind() != jsontree.String {
		return d.Int(key, 1, math.MaxInt64, 0)
	}
	n, err := strconv.ParseUint(v.Str(), 10, 63)
	if err != nil || n == 0 {
		d.ReportAt(key, positiveDigits)
	}
	return int64(n)
}
