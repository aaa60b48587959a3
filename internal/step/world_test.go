package step_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/textproto"
	"strings"
	"sync"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
	"github.com/promptuary/promptuary/internal/template"
	"github.com/promptuary/promptuary/internal/template/render"
)

// world is a small environment for steps. It has a few prompts, a model that
// answers by rules, and workflows that are functions.
type world struct {
	t *testing.T

	mu        sync.Mutex
	requests  []step.PromptRequest
	questions []step.Question
	workflows []step.WorkflowRequest
}

func newWorld(t *testing.T) *world { return &world{t: t} }

func (w *world) env() step.Env {
	return step.Env{Prompts: w, Models: w, Workflows: workflows{w}, Scripts: scripts{}, HTTP: poster{}}
}

var prompts = map[string]string{
	"greet": `{"type":"completion","content":[{"type":"text","text":"Hello {name}, {item}."}]}`,
	"loop":  `{"type":"completion","content":[{"type":"text","text":"{loop_index}:{_iterator_item}:{previous_outputs}"}]}`,
}

// Render renders a prompt and records the request.
func (w *world) Render(ctx context.Context, request step.PromptRequest) (step.Prompt, error) {
	w.mu.Lock()
	w.requests = append(w.requests, request)
	w.mu.Unlock()
	source := request.Inline
	if !source.Given() {
		text, ok := prompts[request.Name]
		if !ok {
			return step.Prompt{}, fault.NotFoundf("Prompt not found")
		}
		source = check.JSON(text)
	}
	rendered, err := template.Render(source, render.NewValues(request.Variables), render.NewBudget(ctx, nil))
	if err != nil {
		return step.Prompt{}, err
	}
	return step.Prompt{Template: check.JSON(string(rendered.Template)), Variables: request.Variables}, nil
}

// Complete answers with the text of the prompt, as JSON if the text is JSON.
func (w *world) Complete(_ context.Context, prompt step.Prompt) (step.Completion, error) {
	text := prompt.Template.Get("content")
	for _, part := range text.Elems() {
		said := part.Get("text").Str()
		if said == "fail" {
			return step.Completion{}, fault.BadRequestf("No API key configured for provider 'openai'")
		}
		return step.Completion{Text: said, Structured: strings.HasPrefix(said, "{"), Response: check.JSON(`{"whole":true}`)}, nil
	}
	return step.Completion{Text: "nothing"}, nil
}

// Ask answers with the text after "SAY:", else with the last line of the
// question.
func (w *world) Ask(_ context.Context, question step.Question) (string, error) {
	w.mu.Lock()
	w.questions = append(w.questions, question)
	w.mu.Unlock()
	if _, said, ok := strings.Cut(question.Text, "SAY:"); ok {
		return said, nil
	}
	lines := strings.Split(strings.TrimSpace(question.Text), "\n")
	return lines[len(lines)-1], nil
}

type workflows struct{ w *world }

// Run returns the inputs and the request of a workflow.
func (r workflows) Run(_ context.Context, request step.WorkflowRequest) (jsontree.Value, error) {
	r.w.mu.Lock()
	r.w.workflows = append(r.w.workflows, request)
	r.w.mu.Unlock()
	switch request.Name {
	case "down":
		return jsontree.Value{}, &step.FailureError{Message: "it is down", Detail: "all of it"}
	case "lost":
		return jsontree.Value{}, errLost
	case "broken":
		return jsontree.Value{}, fault.BadRequestf("no output node succeeded")
	}
	return check.JSON(fmt.Sprintf(`{"id":%d,"in":%s,"done":%t}`, request.ID, request.Inputs.Raw(), len(r.w.workflows) >= 3)), nil
}

// errLost is an internal error that is hidden from users.
var errLost = errors.New("the database is gone")

type scripts struct{}

// Run returns its data.
func (scripts) Run(ctx context.Context, language step.Language, code string, data jsontree.Value) (jsontree.Value, error) {
	if _, limited := ctx.Deadline(); !limited {
		return jsontree.Value{}, fault.BadRequestf("the code would run forever")
	}
	return check.JSON(fmt.Sprintf(`{"language":%q,"code":%q,"data":%s}`, language, code, data.Raw())), nil
}

// poster sends requests to test servers.
type poster struct{}

// Post sends a request without restrictions.
func (poster) Post(ctx context.Context, request step.HTTPRequest) (*step.HTTPReply, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, request.URL, bytes.NewReader(request.Body))
	if err != nil {
		return nil, err
	}
	r.Header = http.Header(request.Header)
	answer, err := http.DefaultClient.Do(r) //nolint:bodyclose // the step closes it
	if err != nil {
		return nil, err
	}
	return &step.HTTPReply{Status: answer.StatusCode, Header: textproto.MIMEHeader(answer.Header), Body: answer.Body}, nil
}

// embedder embeds texts by counting letters.
type embedder struct{ err error }

// Embed returns vectors of two numbers.
func (e embedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	var vectors [][]float32
	for _, text := range texts {
		vectors = append(vectors, []float32{float32(strings.Count(text, "a")), float32(strings.Count(text, "b"))})
	}
	return vectors, e.err
}
