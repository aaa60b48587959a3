package step

import (
	"context"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// promptCall is a prompt with its mappings.
type promptCall struct {
	request  PromptRequest
	mappings []mapping
	history  string
	verbose  bool
	// templateOnly returns the rendered template instead of an answer.
	templateOnly bool
}

var promptTemplateSpec = Spec{
	Name: "PROMPT_TEMPLATE", Label: "Prompt", Group: groupModels, Icon: "message-square-text",
	Doc:     "Renders a prompt and calls its model.",
	Summary: "{template}",
	Form:    "prompt",
	Initial: []byte(`{"template":{"prompt_name":""},"prompt_template_variable_mappings":{}}`),
	Work:    Effect,
	Fields:  promptFields,
	SeesAll: true,
	read:    readPromptTemplate,
}

// readPromptTemplate reads PROMPT_TEMPLATE: the answer of a model to a prompt,
// or the rendered prompt.
func readPromptTemplate(c *settings) runner {
	call := readPromptCall(c)
	return call.run
}

func readPromptCall(c *settings) *promptCall {
	call := &promptCall{request: readPrompt(c)}
	call.mappings = c.mappings("prompt_template_variable_mappings")
	call.history = c.optionalSource("chat_history_source")
	call.verbose = c.flag(false, "verbose")
	call.templateOnly = c.flag(false, "return_template_only")
	engine := c.within("engine", c.optional(jsontree.Object, "engine"))
	call.request.Provider = engine.optionalText("provider")
	call.request.Model = engine.optionalText("model")
	call.request.Parameters = engine.optional(jsontree.Object, "parameters")
	return call
}

// readPrompt reads which prompt to use: one of the registry or an inline one.
func readPrompt(c *settings) PromptRequest {
	if c.has("template") == c.has("inline_template") {
		c.fail("exactly one of 'template' and 'inline_template' is required")
		return PromptRequest{}
	}
	if c.has("inline_template") {
		return readInline(c)
	}
	return readReference(c)
}

func readInline(c *settings) PromptRequest {
	inline := c.nested("inline_template")
	inline.flag(true, "inline")
	inline.optionalText("source_prompt_name")
	inline.integer("source_prompt_version")
	return PromptRequest{
		Inline:   inline.required(jsontree.Object, "prompt_template"),
		Metadata: inline.optional(jsontree.Object, "metadata"),
	}
}

func readReference(c *settings) PromptRequest {
	template := c.nested("template")
	request := PromptRequest{
		Name:    template.optionalText("prompt_name", "name"),
		Version: template.integer("version_number"),
		Label:   template.optionalText("label"),
	}
	if request.Name == "" {
		request.ID = template.integer("id")
	}
	switch {
	case request.Name == "" && request.ID == 0:
		template.reportAt("prompt_name", fault.Required)
	case request.Version != 0 && request.Label != "":
		template.fail("'version_number' and 'label' cannot both be given")
	}
	return request
}

func (p *promptCall) run(ctx context.Context, env *Env) (jsontree.Value, error) {
	prompt, err := p.render(ctx, env, jsontree.Value{})
	if err != nil || p.templateOnly {
		return prompt.Template, err
	}
	completion, err := complete(ctx, env, prompt)
	if err != nil {
		return jsontree.Value{}, err
	}
	if p.verbose && completion.Response.Given() {
		return completion.Response, nil
	}
	if completion.Structured {
		if v, err := parseText([]byte(completion.Text)); err == nil {
			return v, nil
		}
	}
	return textValue(completion.Text)
}

// render renders the prompt with all values and the mapped ones. The history of
// the configuration is used unless one is given.
func (p *promptCall) render(ctx context.Context, env *Env, history jsontree.Value) (Prompt, error) {
	if env.Prompts == nil {
		return Prompt{}, missing("The registry of prompts is")
	}
	request := p.request
	request.History = history
	if p.history != "" && !history.Given() {
		var err error
		if request.History, err = messages(env, p.history); err != nil {
			return Prompt{}, err
		}
	}
	front := make(List, 0, len(p.mappings))
	for _, m := range p.mappings {
		front = append(front, Named{m.variable, env.value(m.source)})
	}
	var err error
	if request.Variables, err = objectOf(layered{front, env.Values}.All()); err != nil {
		return Prompt{}, err
	}
	return env.Prompts.Render(ctx, request)
}

// messages returns the chat history under a name, absent if it is null.
func messages(env *Env, name string) (jsontree.Value, error) {
	history, err := env.json(name)
	if err != nil || !history.Given() {
		return jsontree.Value{}, err
	}
	if history.Kind() != jsontree.Array {
		return history, failf("the value of '%s' is not an array of messages", name)
	}
	return history, nil
}

func complete(ctx context.Context, env *Env, prompt Prompt) (Completion, error) {
	if env.Models == nil {
		return Completion{}, missing("A language model is")
	}
	return env.Models.Complete(ctx, prompt)
}

// ask sends a plain question to a model.
func ask(ctx context.Context, env *Env, question Question) (string, error) {
	if env.Models == nil {
		return "", missing("A language model is")
	}
	return env.Models.Ask(ctx, question)
}
