package api

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/rest"
)

// The answers below repeat large parts of what clients sent. They are written
// by hand because encoding/json would parse those parts once more.

// object writes the members of one JSON object.
type object struct{ text []byte }

func (o *object) key(name string) {
	if len(o.text) > 0 && o.text[len(o.text)-1] != '{' {
		o.text = append(o.text, ',')
	}
	o.text = append(o.text, '"')
	o.text = append(o.text, name...)
	o.text = append(o.text, '"', ':')
}

// begin and end enclose an object within this one.
func (o *object) begin() { o.text = append(o.text, '{') }
func (o *object) end()   { o.text = append(o.text, '}') }

// list writes an array; write appends one element.
func list[T any](o *object, name string, elements []T, write func(T)) {
	o.key(name)
	o.text = append(o.text, '[')
	for i, element := range elements {
		if i > 0 {
			o.text = append(o.text, ',')
		}
		write(element)
	}
	o.text = append(o.text, ']')
}

func (o *object) str(name, value string) {
	o.key(name)
	o.text = jsontree.AppendQuoted(o.text, value)
}

// maybe writes null for an empty string.
func (o *object) maybe(name, value string) {
	if value == "" {
		o.raw(name, "null")
		return
	}
	o.str(name, value)
}

func (o *object) raw(name, value string) {
	o.key(name)
	o.text = append(o.text, value...)
}

// json writes a JSON text, or an empty object where there is none.
func (o *object) json(name string, text []byte) {
	o.key(name)
	if len(text) == 0 {
		o.text = append(o.text, "{}"...)
		return
	}
	o.text = append(o.text, text...)
}

func (o *object) integer(name string, value int64) {
	o.key(name)
	o.text = strconv.AppendInt(o.text, value, 10)
}

// number writes the shortest text of a number that is neither infinite nor
// not a number.
func (o *object) number(name string, value float64) {
	o.key(name)
	o.text = appendNumber(o.text, value)
}

func appendNumber(dst []byte, value float64) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		return append(dst, '0')
	}
	return append(dst, text...)
}

func (o *object) time(name string, at reqlog.Micros) { o.str(name, rest.Time(at).String()) }

// appendDetail writes the answer to a request for one log.
func appendDetail(dst []byte, l *reqlog.Log) []byte {
	o := object{append(dst, '{')}
	o.raw("success", "true")
	o.key("prompt_blueprint")
	o.text = reqlog.AppendBlueprint(o.text, l)
	o.integer("request_id", l.ID)
	o.str("provider", l.Provider)
	o.str("model", l.Engine)
	o.integer("input_tokens", l.InputTokens)
	o.integer("output_tokens", l.OutputTokens)
	o.integer("tokens", l.Tokens())
	o.number("price", l.Price)
	o.time("request_start_time", l.Start)
	o.time("request_end_time", l.End)
	o.number("latency_ms", l.LatencyMS())
	o.raw("trace_id", "null")
	return append(o.text, '}')
}

// appendTracked writes the answer to a tracked call.
func appendTracked(dst []byte, l *reqlog.Log, in *reqlog.LogInput, blueprint bool) []byte {
	o := object{append(dst, '{')}
	o.raw("success", "true")
	o.integer("request_id", l.ID)
	o.key("prompt_blueprint")
	if blueprint {
		o.text = in.AppendBlueprint(o.text)
	} else {
		o.text = append(o.text, "null"...)
	}
	o.str("message", "Request tracked successfully")
	return append(o.text, '}')
}

// appendLog writes the answer to a logged request: the whole record.
func appendLog(dst []byte, in *reqlog.LogInput) []byte {
	l := in.Log
	// It holds input and output twice and their texts once.
	size := 2*(len(l.Input)+len(l.Output)+len(l.Parameters)) + len(in.UserText) + len(l.Index.OutputText)
	dst = slices.Grow(dst, 1536+size+size/32)
	o := object{append(dst, '{')}
	o.raw("success", "true")
	o.integer("id", l.ID)
	o.integer("request_id", l.ID)
	o.raw("type", `"request"`)
	o.integer("workspace_id", l.Workspace)
	o.raw("user_id", "null")
	o.time("created_at", l.CreatedAt)
	o.str("provider_type", l.Provider)
	o.str("engine", l.Engine)
	o.str("function_name", l.FunctionName)
	o.raw("function_args", "[]")
	o.key("function_kwargs")
	o.text = appendCall(o.text, l)
	o.key("request_response")
	o.begin()
	o.json("output", l.Output)
	o.end()
	o.time("request_start_time", l.Start)
	o.time("request_end_time", l.End)
	o.integer("input_tokens", l.InputTokens)
	o.integer("output_tokens", l.OutputTokens)
	o.integer("tokens", l.Tokens())
	o.number("price", l.Price)
	o.integer("score", l.Score)
	o.str("status", l.Status)
	o.maybe("error_type", l.ErrorType)
	o.maybe("error_message", l.ErrorMessage)
	o.maybe("span_id", l.SpanID)
	appendLinks(&o, l)
	appendLabels(&o, l)
	o.str("prompt_string", in.UserText)
	o.str("response_string", l.Index.OutputText)
	o.key("prompt_version")
	o.text = in.AppendBlueprint(o.text)
	return append(o.text, '}')
}

// appendCall writes the request as arguments of a function.
func appendCall(dst []byte, l *reqlog.Log) []byte {
	o := object{append(dst, '{')}
	o.json("input", l.Input)
	o.json("parameters", l.Parameters)
	return append(o.text, '}')
}

func appendLinks(o *object, l *reqlog.Log) {
	if l.Prompt == nil {
		o.raw("prompt_id", "null")
		o.raw("prompt_version_number", "null")
	} else {
		o.integer("prompt_id", l.Prompt.ID)
		o.integer("prompt_version_number", l.Prompt.Version)
	}
	o.json("prompt_input_variables", l.Variables)
}

func appendLabels(o *object, l *reqlog.Log) {
	list(o, "metadata", l.Metadata, func(m reqlog.Member) { o.text = appendMember(o.text, m) })
	list(o, "scores", l.Scores, func(s reqlog.Score) {
		o.begin()
		o.str("name", s.Name)
		o.integer("score", s.Value)
		o.end()
	})
	o.strings("tags_array", l.Tags)
}

// appendMember writes an object of one member.
func appendMember(dst []byte, m reqlog.Member) []byte {
	dst = jsontree.AppendQuoted(append(dst, '{'), m.Key)
	dst = append(append(dst, ':'), m.Value...)
	return append(dst, '}')
}

// metadataObjects writes each member as an object of its own.
func metadataObjects(members []reqlog.Member) []json.RawMessage {
	objects := make([]json.RawMessage, 0, len(members))
	for _, m := range members {
		objects = append(objects, appendMember(nil, m))
	}
	return objects
}
