package logs

import (
	"encoding/json"
	"slices"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// The responses below repeat large parts of requests. They are written by
// hand, because encoding/json would parse those parts again.

// appendDetail appends the response with one log.
func appendDetail(dst []byte, l *reqlog.Log) []byte {
	o := kit.Object{Text: append(dst, '{')}
	o.Raw("success", "true")
	o.Key("prompt_blueprint")
	o.Text = reqlog.AppendBlueprint(o.Text, l)
	o.Int("request_id", l.ID)
	o.String("provider", l.Provider)
	o.String("model", l.Engine)
	o.Int("input_tokens", l.InputTokens)
	o.Int("output_tokens", l.OutputTokens)
	o.Int("tokens", l.Tokens())
	o.Float("price", l.Price)
	o.Time("request_start_time", l.Start)
	o.Time("request_end_time", l.End)
	o.Float("latency_ms", l.LatencyMS())
	o.Raw("trace_id", "null")
	return append(o.Text, '}')
}

// appendTracked appends the response to a tracked call.
func appendTracked(dst []byte, l *reqlog.Log, in *reqlog.LogInput, blueprint bool) []byte {
	o := kit.Object{Text: append(dst, '{')}
	o.Raw("success", "true")
	o.Int("request_id", l.ID)
	o.Key("prompt_blueprint")
	if blueprint {
		o.Text = in.AppendBlueprint(o.Text)
	} else {
		o.Text = append(o.Text, "null"...)
	}
	o.String("message", "Request tracked successfully")
	return append(o.Text, '}')
}

// appendLog appends the response to a logged request: the whole record.
func appendLog(dst []byte, in *reqlog.LogInput) []byte {
	l := in.Log
	// The record has input and output twice and their texts once.
	size := 2*(len(l.Input)+len(l.Output)+len(l.Parameters)) + len(in.UserText) + len(l.Index.OutputText)
	dst = slices.Grow(dst, 1536+size+size/32)
	o := kit.Object{Text: append(dst, '{')}
	o.Raw("success", "true")
	o.Int("id", l.ID)
	o.Int("request_id", l.ID)
	o.Raw("type", `"request"`)
	o.Int("workspace_id", l.Workspace)
	o.Raw("user_id", "null")
	o.Time("created_at", l.CreatedAt)
	o.String("provider_type", l.Provider)
	o.String("engine", l.Engine)
	o.String("function_name", l.FunctionName)
	o.Raw("function_args", "[]")
	o.Key("function_kwargs")
	o.Text = appendCall(o.Text, l)
	o.Key("request_response")
	o.Begin()
	o.JSON("output", l.Output)
	o.End()
	o.Time("request_start_time", l.Start)
	o.Time("request_end_time", l.End)
	o.Int("input_tokens", l.InputTokens)
	o.Int("output_tokens", l.OutputTokens)
	o.Int("tokens", l.Tokens())
	o.Float("price", l.Price)
	o.Int("score", l.Score)
	o.String("status", l.Status)
	o.StringOrNull("error_type", l.ErrorType)
	o.StringOrNull("error_message", l.ErrorMessage)
	o.StringOrNull("span_id", l.SpanID)
	appendLinks(&o, l)
	appendLabels(&o, l)
	o.String("prompt_string", in.UserText)
	o.String("response_string", l.Index.OutputText)
	o.Key("prompt_version")
	o.Text = in.AppendBlueprint(o.Text)
	return append(o.Text, '}')
}

// appendCall appends the request in the form of function arguments.
func appendCall(dst []byte, l *reqlog.Log) []byte {
	o := kit.Object{Text: append(dst, '{')}
	o.JSON("input", l.Input)
	o.JSON("parameters", l.Parameters)
	return append(o.Text, '}')
}

func appendLinks(o *kit.Object, l *reqlog.Log) {
	if l.Prompt == nil {
		o.Raw("prompt_id", "null")
		o.Raw("prompt_version_number", "null")
	} else {
		o.Int("prompt_id", l.Prompt.ID)
		o.Int("prompt_version_number", l.Prompt.Version)
	}
	o.JSON("prompt_input_variables", l.Variables)
}

func appendLabels(o *kit.Object, l *reqlog.Log) {
	kit.WriteList(o, "metadata", l.Metadata, func(m reqlog.Member) { o.Text = appendMember(o.Text, m) })
	kit.WriteList(o, "scores", l.Scores, func(s reqlog.Score) {
		o.Begin()
		o.String("name", s.Name)
		o.Int("score", s.Value)
		o.End()
	})
	o.Strings("tags_array", l.Tags)
}

// appendMember appends an object with one member.
func appendMember(dst []byte, m reqlog.Member) []byte {
	dst = jsontree.AppendQuoted(append(dst, '{'), m.Key)
	dst = append(append(dst, ':'), m.Value...)
	return append(dst, '}')
}

// metadataObjects returns each member as an object of its own.
func metadataObjects(members []reqlog.Member) []json.RawMessage {
	return kit.Each(members, func(m reqlog.Member) json.RawMessage { return appendMember(nil, m) })
}
