package workbench

import (
	"context"
	"errors"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/client"
	"github.com/promptuary/promptuary/internal/runtrace"
	"github.com/promptuary/promptuary/internal/script"
	"github.com/promptuary/promptuary/internal/step"
	"github.com/promptuary/promptuary/internal/tool"
)

// Tools runs the tools of the registry.
type Tools interface {
	// Run runs one version of a tool with an object of arguments.
	Run(ctx context.Context, workspace, id, number int64, arguments []byte) (*tool.Outcome, error)
}

const (
	// maxRounds is the maximum number of responses with tool calls.
	maxRounds = 10
	// maxToolCalls is the maximum number of tool calls in one response.
	maxToolCalls = 16
)

// converse calls the model, and runs its tool calls until it answers without
// any. Tool calls that cannot be run here are returned as the answer.
func (s *scoped) converse(ctx context.Context, p step.Prompt) (*provider.Completion, error) {
	for range maxRounds {
		done, err := s.call(ctx, client.Call{Provider: p.Provider, Model: p.Model, API: p.API, Arguments: p.Arguments.Raw()}, p)
		if err != nil || done.ToolCalls == nil || p.Follow == nil {
			return done, err
		}
		next, followed, err := p.Follow(ctx, done.Output)
		if err != nil {
			return nil, err
		}
		if !followed {
			return done, nil
		}
		p = next
	}
	return nil, fault.BadRequestf("The model asked for tools %d times and did not answer", maxRounds)
}

// following returns the prompt with a Follow function that runs its tools, if
// any of them can be run here.
func (s *scoped) following(p step.Prompt, run *prompt.Run) step.Prompt {
	known := map[string]tool.Definition{}
	for _, one := range run.Tools {
		if _, twice := known[one.Name]; one.Runs && one.Name != "" && !twice {
			known[one.Name] = one
		}
	}
	if s.bench.tools == nil || len(known) == 0 {
		return p
	}
	p.Follow = func(ctx context.Context, output []byte) (step.Prompt, bool, error) {
		said, ok := asks(output, known)
		if !ok {
			return step.Prompt{}, false, nil
		}
		messages, err := s.answers(ctx, said, known)
		if err != nil {
			return step.Prompt{}, false, err
		}
		longer, err := run.Continue(messages)
		if err != nil {
			return step.Prompt{}, false, err
		}
		next, err := rendered(longer, p.Variables)
		return s.following(next, longer), true, err
	}
	return p
}

// asks returns the message of an output with tool calls; ok is false when some
// of them cannot be run here, or there are too many.
func asks(output []byte, known map[string]tool.Definition) (said jsontree.Value, ok bool) {
	chat, err := jsontree.Parse(output)
	if err != nil {
		return said, false
	}
	for _, message := range chat.Get("messages").Elems() {
		said = message
	}
	calls := said.Get("tool_calls")
	for _, call := range calls.Elems() {
		if _, ok := known[call.Get("function").Get("name").Str()]; !ok {
			return said, false
		}
	}
	return said, calls.Len() > 0 && calls.Len() <= maxToolCalls
}

// answers runs the tool calls of a message in order, and returns the message
// followed by their results.
func (s *scoped) answers(ctx context.Context, said jsontree.Value, known map[string]tool.Definition) (jsontree.Value, error) {
	var messages jsontree.List
	messages.AddValue(said)
	for _, call := range said.Get("tool_calls").Elems() {
		function := call.Get("function")
		answer, err := s.runTool(ctx, known[function.Get("name").Str()], function.Get("arguments"))
		if err != nil {
			return jsontree.Value{}, err
		}
		messages.Add(func(w *jsontree.Writer) { writeAnswer(w, call, answer) })
	}
	list, err := jsontree.Parse(messages.Bytes())
	if err != nil {
		return list, fault.Wrap(fault.BadRequest, err, "the tool calls of the model are too large for a conversation")
	}
	return list, nil
}

// writeAnswer writes the message with the result of a tool call.
func writeAnswer(w *jsontree.Writer, call jsontree.Value, answer string) {
	id := call.Get("id").Str()
	w.Object(func() {
		w.Key("role").String("tool")
		w.Key("tool_call_id").String(id)
		if id == "" { // some providers match answers by name
			w.Key("name").Value(call.Get("function").Get("name"))
		}
		w.Key("content").Array(func() {
			w.Object(func() {
				w.Key("type").String("text")
				w.Key("text").String(answer)
			})
		})
	})
}

// runTool returns the result of a tool for the model. A failure of the code is
// a result, too, so that the model can try something else; only a value that
// cannot be represented fails the step.
func (s *scoped) runTool(ctx context.Context, chosen tool.Definition, arguments jsontree.Value) (string, error) {
	input, ok := argumentsOf(arguments)
	if !ok {
		return failure("InvalidArguments", "the arguments are not a JSON object"), nil
	}
	span := runtrace.From(ctx).Next(runtrace.Part{Name: "Tool: " + chosen.Name, Type: "TOOL", Start: time.Now(), Input: input})
	outcome, err := s.bench.tools.Run(ctx, s.scope.Workspace, chosen.ToolID, chosen.Number, input)
	span.Finish(toolResult(outcome, err))
	if errors.Is(err, context.DeadlineExceeded) {
		return "", fault.Wrap(fault.BadRequest, err, "the tool timed out")
	}
	if err != nil {
		return "", err
	}
	return told(outcome)
}

// toolResult returns how a tool call ended.
func toolResult(outcome *tool.Outcome, err error) runtrace.Result {
	r := runtrace.Result{End: time.Now()}
	switch {
	case err != nil:
		r.Error, r.Detail = step.Explain(err)
	case outcome.Failure != nil:
		r.Error, r.Detail = outcome.Failure.Message, outcome.Failure.Trace
	default:
		r.Output = outcome.Value
	}
	return r
}

// told returns the result of a run in the form for the model.
func told(outcome *tool.Outcome) (string, error) {
	if broken := outcome.Failure; broken != nil {
		if broken.Reason == script.BadValue {
			return "", explain(broken)
		}
		return failure(broken.Type, broken.Message), nil
	}
	if value, err := jsontree.Parse(outcome.Value); err == nil && value.Kind() == jsontree.String {
		return value.Str(), nil
	}
	return string(outcome.Value), nil
}

// argumentsOf returns the arguments of a call. Most models write them as a
// string, some omit them.
func argumentsOf(v jsontree.Value) ([]byte, bool) {
	if v.Kind() == jsontree.String && v.Str() != "" {
		v, _ = jsontree.Parse([]byte(v.Str()))
		return v.Raw(), v.Kind() == jsontree.Object
	}
	if v.Kind() == jsontree.Object {
		return v.Raw(), true
	}
	return []byte("{}"), !v.Given() || v.Kind() == jsontree.String
}

// failure returns the message to the model about a tool that failed.
func failure(kind, message string) string {
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Key("error").Object(func() {
			w.Key("type").String(kind)
			w.Key("message").String(message)
		})
	})
	return string(w.Bytes())
}
