package logs

import (
	"encoding/json"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/rest"
)

// The responses below repeat large parts of requests. They do not use
// encoding/json because it would parse those parts again.

// appendDetail appends the response with one log, and its input variables if
// the client asks for them.
func appendDetail(dst []byte, l *reqlog.Log, form reqlog.Form, inferenceClient string, variables bool) []byte {
	w := jsontree.NewWriter(dst)
	w.Object(func() {
		w.Key("success").Bool(true)
		reqlog.WriteBlueprint(w.Key("prompt_blueprint"), l, form, inferenceClient)
		w.Key("request_id").Int(l.ID)
		w.Key("provider").String(l.Provider)
		w.Key("model").String(l.Engine)
		writeTokens(&w, l)
		w.Key("request_start_time").String(rest.Time(l.Start).String())
		w.Key("request_end_time").String(rest.Time(l.End).String())
		w.Key("latency_ms").Float(l.LatencyMS())
		w.Key("trace_id").StringOrNull(l.TraceID)
		if variables {
			w.Key("prompt_input_variables").RawOr(l.Variables, "{}")
		}
	})
	return w.Bytes()
}

// writeTokens writes the token counts and the cost of a request.
func writeTokens(w *jsontree.Writer, l *reqlog.Log) {
	w.Key("input_tokens").Int(l.Usage.Input.N)
	w.Key("output_tokens").Int(l.Usage.Output.N)
	w.Key("tokens").Int(l.Usage.Total().N)
	w.Key("price").Float(l.Price.USD)
}

// appendTracked appends the response to a tracked call. Its texts are as logged,
// because client libraries hand the last one to the application as the answer.
func appendTracked(dst []byte, l *reqlog.Log, in *reqlog.LogInput, blueprint bool) []byte {
	w := jsontree.NewWriter(dst)
	w.Object(func() {
		w.Key("success").Bool(true)
		w.Key("request_id").Int(l.ID)
		if w.Key("prompt_blueprint"); blueprint {
			in.WriteBlueprint(&w, reqlog.AsLogged)
		} else {
			w.Null()
		}
		w.Key("message").String("Request tracked successfully")
	})
	return w.Bytes()
}

// appendLog appends the response to a logged request: the whole record.
func appendLog(dst []byte, in *reqlog.LogInput) []byte {
	l := in.Log
	w := jsontree.NewWriter(dst)
	// The record has input and output twice and their texts once.
	size := 2*(len(l.Input)+len(l.Output)+len(l.Parameters)) + len(in.UserText) + len(l.Index.OutputText)
	w.Grow(1536 + size + size/32)
	w.Object(func() {
		w.Key("success").Bool(true)
		w.Key("id").Int(l.ID)
		w.Key("request_id").Int(l.ID)
		w.Key("type").String("request")
		w.Key("workspace_id").Int(l.Workspace)
		w.Key("user_id").Null()
		w.Key("created_at").String(rest.Time(l.CreatedAt).String())
		writeCall(&w, l)
		w.Key("request_start_time").String(rest.Time(l.Start).String())
		w.Key("request_end_time").String(rest.Time(l.End).String())
		writeTokens(&w, l)
		w.Key("score").Int(l.Score)
		w.Key("status").String(l.Status)
		w.Key("error_type").StringOrNull(l.ErrorType)
		w.Key("error_message").StringOrNull(l.ErrorMessage)
		w.Key("span_id").StringOrNull(l.SpanID)
		writeLinks(&w, l)
		writeLabels(&w, l)
		w.Key("prompt_string").String(in.UserText)
		w.Key("response_string").String(l.Index.OutputText)
		in.WriteBlueprint(w.Key("prompt_version"), reqlog.Replayable)
	})
	return w.Bytes()
}

// writeCall writes the request as the call of a function.
func writeCall(w *jsontree.Writer, l *reqlog.Log) {
	w.Key("provider_type").String(l.Provider)
	w.Key("engine").String(l.Engine)
	w.Key("function_name").String(l.FunctionName)
	w.Key("function_args").Strings(nil)
	w.Key("function_kwargs").Object(func() {
		w.Key("input").RawOr(l.Input, "{}")
		w.Key("parameters").RawOr(l.Parameters, "{}")
	})
	w.Key("request_response").Object(func() {
		w.Key("output").RawOr(l.Output, "{}")
	})
}

func writeLinks(w *jsontree.Writer, l *reqlog.Log) {
	if l.Prompt == nil {
		w.Key("prompt_id").Null()
		w.Key("prompt_version_number").Null()
	} else {
		w.Key("prompt_id").Int(l.Prompt.ID)
		w.Key("prompt_version_number").Int(l.Prompt.Version)
	}
	w.Key("prompt_input_variables").RawOr(l.Variables, "{}")
}

func writeLabels(w *jsontree.Writer, l *reqlog.Log) {
	w.Key("metadata").Array(func() {
		for _, m := range l.Metadata {
			writeMember(w, m)
		}
	})
	w.Key("scores").Array(func() {
		for _, score := range l.Scores {
			w.Object(func() {
				w.Key("name").String(score.Name)
				w.Key("score").Int(score.Value)
			})
		}
	})
	w.Key("tags_array").Strings(l.Tags)
}

// writeMember writes an object with one member.
func writeMember(w *jsontree.Writer, m reqlog.Member) {
	w.Object(func() { w.Key(m.Key).Raw(m.Value) })
}

// metadataObjects returns each member as a separate object.
func metadataObjects(members []reqlog.Member) []json.RawMessage {
	return kit.Each(members, func(m reqlog.Member) json.RawMessage {
		w := jsontree.NewWriter(nil)
		writeMember(&w, m)
		return w.Bytes()
	})
}
