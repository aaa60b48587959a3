package run_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

// echo starts a server that returns the request body.
func echo(t *testing.T) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) }))
	t.Cleanup(server.Close)
	return server.URL
}

// dataScripts is code that returns its data.
type dataScripts struct{}

func (dataScripts) Run(_ context.Context, _ step.Language, _ string, data jsontree.Value) (jsontree.Value, error) {
	return data, nil
}

// variablePrompts renders a prompt as its variables.
type variablePrompts struct{}

func (variablePrompts) Render(_ context.Context, request step.PromptRequest) (step.Prompt, error) {
	return step.Prompt{Template: request.Variables}, nil
}

// Inputs of a run set input variables, but must not fake the results of nodes.
func TestNodeHidesInputOfSameName(t *testing.T) {
	t.Parallel()
	const inputs = `{"a":"INPUT","fails":"INPUT","later":"INPUT","aside":"INPUT","x":1}`
	const prompt = `{"template":{"prompt_name":"p"},"return_template_only":true}`
	nodeOf := func(kind, configuration string) string {
		return fmt.Sprintf(`{"name":"c","node_type":%q,"configuration":%s,"dependencies":["a"],"is_output_node":true}`, kind, configuration)
	}
	tests := map[string]string{
		"code":        nodeOf("CODE_EXECUTION", `{"code":"return data","language":"JAVASCRIPT"}`),
		"an endpoint": nodeOf("ENDPOINT", `{"url":"`+echo(t)+`"}`),
		"a prompt":    nodeOf("PROMPT_TEMPLATE", prompt),
	}
	l := onSQLite(t)
	p := l.process("a", func(s *setup) {
		s.scripts = dataScripts{}
		s.prompts = variablePrompts{}
	})
	for name, reader := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l.create(name, nodes(variable("a", `"NODE"`, false), human("fails", false), variable("aside", `"NODE"`, false),
				reader, variable("later", `"NODE"`, false, "c")))
			result := p.runs(name, inputs)
			check.Equal(t, "values", string(node(result, "c").Get("value").Raw()), `{"a":"NODE","x":1}`)
		})
	}
}
