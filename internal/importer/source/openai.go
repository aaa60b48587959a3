package source

import (
	"cmp"
	"strconv"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/builtin"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/trace"
)

// readOpenAI reads a request and its response, a line of the output of a batch, or a
// conversation whose last message is the answer.
func readOpenAI(row jsontree.Value) (converted, error) {
	request, response := first(row, "request", "input", "body"), first(row, "response", "output", "completion")
	status := response.Get("status_code")
	if inner := response.Get("body"); inner.Given() {
		response = inner // of a batch
	}
	switch {
	case row.Get("choices").Given():
		response = row
	case row.Get("messages").Given():
		request, response = splitConversation(row)
	case !response.Given() && !row.Get("error").Given():
		if row.Get("custom_id").Given() {
			return converted{}, &ignoredError{"The row is the input of a batch, without a response"}
		}
		return converted{}, &refusedError{"The row has neither a response nor an error"}
	}
	b := &body{}
	record := builtin.Providers.Read(provider.Exchange{
		FunctionName: openAIFunction(request, response), ProviderType: openAIProvider(row, request, response), Kwargs: request, Response: response,
	})
	b.addRecord(record)
	b.value("usage", response.Get("usage"))
	b.addTimes(row, response)
	b.addOutcome(row, response, status)
	b.value("price", first(row, "price", "cost", "total_cost"))
	b.value("tags", row.Get("tags"))
	b.addMetadataOf(row.Get("metadata"))
	if id := row.Get("custom_id"); id.Given() {
		b.addMetadata("custom_id", id.Raw())
	}
	return converted{cmp.Or(plain(response.Get("id")), plain(first(row, "id", "custom_id"))), 0, b}, nil
}

// splitConversation makes a request and a response of a conversation that ends with
// the answer.
func splitConversation(row jsontree.Value) (request, response jsontree.Value) {
	messages := row.Get("messages")
	var last jsontree.Value
	for _, m := range messages.Elems() {
		last = m
	}
	if !last.Get("role").Is("assistant") {
		return row, jsontree.MustParse(`{}`)
	}
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Members(row, "messages", "metadata", "tags", "id")
		w.Key("messages").Array(func() {
			for i, m := range messages.Elems() {
				if i < messages.Len()-1 {
					w.Value(m)
				}
			}
		})
	})
	return parsed(w.Bytes()), answerOf(last)
}

// answerOf returns the response with a message as the only choice.
func answerOf(message jsontree.Value) jsontree.Value {
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Key("choices").Array(func() {
			w.Object(func() { w.Key("message").Value(message) })
		})
	})
	return parsed(w.Bytes())
}

// parsed returns the tree of a text that a Writer wrote. It is absent if the text is
// nested too deeply by now.
func parsed(text []byte) jsontree.Value {
	v, err := jsontree.Parse(text)
	if err != nil {
		return jsontree.Value{}
	}
	return v
}

// openAIFunction returns the function of the library that makes such a call.
func openAIFunction(request, response jsontree.Value) string {
	object := response.Get("object")
	switch {
	case object.Is("response") || request.Get("input").Given() && !request.Get("messages").Given():
		return "openai.responses.create"
	case object.Is("text_completion") || request.Get("prompt").Given():
		return "openai.completions.create"
	default:
		return "openai.chat.completions.create"
	}
}

func openAIProvider(row, request, response jsontree.Value) string {
	model := cmp.Or(request.Get("model").Str(), response.Get("model").Str())
	return cmp.Or(row.Get("provider").Str(), trace.ProviderOf(model), "openai")
}

// addRecord adds what was read of a call.
func (b *body) addRecord(r provider.Record) {
	b.text("provider", r.Provider)
	b.text("model", r.Engine)
	b.text("api_type", r.APIType)
	b.text("function_name", r.FunctionName)
	b.raw("input", r.Input)
	b.raw("output", r.Output)
	b.raw("parameters", r.Parameters)
}

// The names of times in logs of others.
var (
	startNames = []string{"request_start_time", "start_time", "startTime", "started_at", "timestamp", "time", "created_at", "createdAt", "created"}
	endNames   = []string{"request_end_time", "end_time", "endTime", "ended_at", "completed_at"}
)

// addTimes adds when a request began and ended. A request without an end has the
// latency that the row tells, or none.
func (b *body) addTimes(row, response jsontree.Value) {
	start := either(first(row, startNames...), first(response, "created", "created_at"))
	end := first(row, endNames...)
	b.value("request_start_time", start)
	if end.Given() || !start.Given() {
		b.value("request_end_time", end)
		return
	}
	b.endAfter(start, latencyOf(row))
}

// endAfter adds the end of a request that took so many milliseconds.
func (b *body) endAfter(start jsontree.Value, millis float64) {
	began, err := reqlog.ParseInstant(start)
	if err != nil || millis == 0 {
		b.value("request_end_time", start) // the checks say what is wrong with it
		return
	}
	end := began + reqlog.Micros(max(0, min(millis, maxMillis))*1000)
	b.text("request_end_time", end.Time().Format(timeLayout))
}

const (
	// maxMillis is a year: nothing takes longer.
	maxMillis  = 365 * 24 * 3600 * 1000
	timeLayout = "2006-01-02T15:04:05.999999Z"
)

// latencyOf returns the milliseconds that a row tells, 0 if there are none.
func latencyOf(row jsontree.Value) float64 {
	for _, name := range []string{"latency_ms", "duration_ms", "latencyMs", "durationMs"} {
		if f, ok := row.Get(name).Float(); ok {
			return f
		}
	}
	if f, ok := first(row, "latency", "duration").Float(); ok {
		return f * 1000
	}
	return 0
}

// addOutcome adds the error of a call that failed.
func (b *body) addOutcome(row, response, status jsontree.Value) {
	failure := either(row.Get("error"), response.Get("error"))
	code, _ := status.Int()
	if !failure.Given() && code < 400 {
		return
	}
	b.text("status", reqlog.StatusError)
	b.text("error_type", "PROVIDER_ERROR")
	message := cmp.Or(failure.Get("message").Str(), failure.Str(), string(failure.Compact()))
	if !failure.Given() {
		message = "The provider answered with status " + strconv.FormatInt(code, 10)
	}
	b.errorMessage(message)
}
