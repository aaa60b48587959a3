package step_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/step"
)

func inline(text string) string {
	return `"inline_template":{"inline":true,"prompt_template":{"type":"completion","content":[{"type":"text","text":` + quoted(text) + `}]}}`
}

func TestPromptTemplate(t *testing.T) {
	t.Parallel()
	const values = `{"who":"Ann","name":"Bob","item":3,"history":"[{\"role\":\"user\"}]","bad":"{}","n":null}`
	runExamples(t, "PROMPT_TEMPLATE", newWorld(t).env(), []example{
		{name: "variables of the same name", config: `{"template":{"prompt_name":"greet"}}`, values: values, want: `"Hello Bob, 3."`},
		{name: "mapped variables", config: `{"template":{"name":"greet","label":"prod"},"prompt_template_variable_mappings":{"name":"who","item":null}}`, values: values, want: `"Hello Ann, 3."`, sources: "who"},
		{name: "inline", config: `{` + inline("to {name}") + `}`, values: values, want: `"to Bob"`},
		{name: "structured", config: `{` + inline(`{{"a": "{name}"}}`) + `}`, values: values, want: `{"a":"Bob"}`},
		{name: "template only", config: `{` + inline("to {name}") + `,"return_template_only":true}`, values: values, want: `{"type":"completion","content":[{"type":"text","text":"to Bob"}]}`},
		{name: "verbose", config: `{` + inline("x") + `,"verbose":true}`, values: values, want: `{"whole":true}`},
		{name: "engine", config: `{` + inline("x") + `,"engine":{"provider":"openai","model":"m","parameters":{"temperature":1}}}`, values: values, want: `"x"`},
		{name: "history", config: `{` + inline("x") + `,"chat_history_source":"history"}`, values: values, want: `"x"`, sources: "history"},
		{name: "no history", config: `{` + inline("x") + `,"chat_history_source":"n"}`, values: values, want: `"x"`},
		{name: "history is no array", config: `{` + inline("x") + `,"chat_history_source":"bad"}`, values: values, fails: "not an array of messages"},
		{name: "no key", config: `{` + inline("fail") + `}`, values: values, fails: "No API key configured for provider 'openai'"},
		{name: "both", config: `{"template":{"name":"a"},` + inline("x") + `}`, refused: "exactly one of 'template' and 'inline_template'"},
		{name: "neither", config: `{"template":null}`, refused: "exactly one of 'template' and 'inline_template'"},
		{name: "no name", config: `{"template":{"label":"prod"}}`, refused: "template.prompt_name: Field required"},
		{name: "name is a number", config: `{"template":{"prompt_name":5}}`, refused: "template.prompt_name: Input should be a valid string"},
		{name: "version and label", config: `{"template":{"id":1,"version_number":2,"label":"prod"}}`, refused: "cannot both be given"},
		{name: "version is zero", config: `{"template":{"id":1,"version_number":0}}`, refused: "template.version_number: Input should be greater than or equal to 1"},
		{name: "inline without a template", config: `{"inline_template":{"inline":true}}`, refused: "inline_template.prompt_template: Field required"},
		{name: "mapping to a number", config: `{"template":{"id":1},"prompt_template_variable_mappings":{"a":1}}`, refused: "prompt_template_variable_mappings.a: Input should be a valid string"},
		{name: "engine is a string", config: `{"template":{"id":1},"engine":"gpt"}`, refused: "engine: Input should be a valid object"},
	})
}

func TestPromptRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	env := w.env()
	env.Values = valuesOf(t, `{"h":[{"role":"user","content":"x"}],"a":1}`)
	config := `{"template":{"id":"12","version_number":3},"engine":{"provider":"openai","model":"m","parameters":{"temperature":1}},"chat_history_source":"h"}`
	if _, err := mustPrepare(t, "PROMPT_TEMPLATE", config).Run(t.Context(), &env); err == nil {
		t.Error("a prompt was found")
	}
	got := w.requests[0]
	want := []any{int64(12), int64(3), "openai", "m", `{"temperature":1}`, `[{"role":"user","content":"x"}]`, `{"h":[{"role":"user","content":"x"}],"a":1}`}
	if diff := cmp.Diff(want, []any{
		got.ID, got.Version, got.Provider, got.Model, string(got.Parameters.Raw()), string(got.History.Raw()), string(got.Variables.Raw()),
	}); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
}

func TestLLMAssertion(t *testing.T) {
	t.Parallel()
	const values = `{"yes":"well\nTrue.","no":"No, it is not","odd":"maybe","p":"is it {x}?","v":"fine"}`
	runExamples(t, "LLM_ASSERTION", newWorld(t).env(), []example{
		{name: "true", config: `{"source":"yes","prompt":"is it?"}`, values: values, want: `true`, sources: "yes"},
		{name: "false", config: `{"source":"no","prompt":"is it?"}`, values: values, want: `false`},
		{name: "prompt of a source", config: `{"source":"yes","prompt_source":"p","variable_mappings":{"x":"v"}}`, values: values, want: `true`, sources: "yes p v"},
		{name: "several", config: `{"source":"no","prompt":"[\"one\", \"two\"]"}`, values: values, want: `{"one":false,"two":false}`},
		{name: "none of several", config: `{"source":"no","prompt":"[]"}`, values: values, want: `{}`},
		{name: "neither", config: `{"source":"odd","prompt":"is it?"}`, values: values, fails: "neither true nor false"},
		{name: "not mapped", config: `{"source":"yes","prompt":"is it {x}?"}`, values: values, fails: "the variable 'x' of the prompt is not mapped"},
		{name: "literal braces", config: `{"source":"yes","prompt":"{\"a\": {}}"}`, values: values, want: `true`},
		{name: "too many", config: `{"source":"yes","prompt":"[` + strings.Repeat("1,", 50) + `1]"}`, values: values, fails: "more than 50 assertions"},
		{name: "no prompt", config: `{"source":"yes","prompt":null}`, refused: "'prompt' or 'prompt_source' is required"},
		{name: "blank prompt", config: `{"source":"yes","prompt":" "}`, refused: "'prompt' or 'prompt_source' is required"},
	})
}

func TestAssertionsIncludeValues(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	env := w.env()
	env.Values = valuesOf(t, `{"s":"true","v":"red"}`)
	if _, err := mustPrepare(t, "LLM_ASSERTION", `{"source":"s","prompt":"is it {c}?","variable_mappings":{"c":"v"}}`).Run(t.Context(), &env); err != nil {
		t.Fatal(err)
	}
	if got := w.questions[0].Text; !strings.Contains(got, "is it red?") || !strings.Contains(got, "true") {
		t.Errorf("asked %q", got)
	}
	if w.questions[0].Instructions == "" {
		t.Error("there were no instructions")
	}
}

func TestAIDataExtraction(t *testing.T) {
	t.Parallel()
	const values = `{"s":"a\n{\"x\": 1}","t":"plain words","n":"null","fence":"SAY: ` + "```json\\n[1,\\n2]\\n```" + ` ","open":"SAY:` + "```x" + `"}`
	runExamples(t, "AI_DATA_EXTRACTION", newWorld(t).env(), []example{
		{name: "JSON", config: `{"source":"s","query":"x"}`, values: values, want: `{"x":1}`, sources: "s"},
		{name: "text", config: `{"source":"t","extraction_prompt":"x"}`, values: values, want: `"plain words"`},
		{name: "nothing", config: `{"source":"n","query":"x"}`, values: values, want: `null`},
		{name: "in a fence", config: `{"source":"fence","query":"x"}`, values: values, want: `[1,2]`},
		{name: "in no fence", config: `{"source":"open","query":"x"}`, values: values, want: "\"```x\""},
		{name: "no query", config: `{"source":"s"}`, refused: "query: Field required"},
	})
}

func TestConversationSimulator(t *testing.T) {
	t.Parallel()
	const values = `{"name":"Ann","item":1,"who":"a pirate","end":"never"}`
	const template = `"template":{"prompt_name":"greet"}`
	runExamples(t, "CONVERSATION_SIMULATOR", newWorld(t).env(), []example{
		{name: "assistant first", config: `{` + template + `,"user_persona":"shy","max_turns":1}`, values: values,
			want: `{"conversation":[{"role":"assistant","content":"Hello Ann, 1."},{"role":"user","content":"assistant: Hello Ann, 1."}]}`},
		{name: "user first", config: `{` + template + `,"user_persona_source":"who","is_user_first":true,"max_turns":1}`, values: values,
			want: `{"conversation":[{"role":"user","content":"The conversation:"},{"role":"assistant","content":"Hello Ann, 1."}]}`, sources: "who"},
		{name: "mapped", config: `{` + template + `,"prompt_template_variable_mappings":{"item":"who"},"user_persona":"x","is_user_first":true,"max_turns":1}`, values: values,
			want: `{"conversation":[{"role":"user","content":"The conversation:"},{"role":"assistant","content":"Hello Ann, a pirate."}]}`},
		{name: "completed", config: `{"inline_template":{"prompt_template":{"type":"completion","content":[{"type":"text","text":"true"}]}},"user_persona":"x","is_user_first":true,"conversation_completed_prompt":"said true"}`, values: values,
			want: `{"conversation":[{"role":"user","content":"The conversation:"},{"role":"assistant","content":"true"}]}`},
		{name: "no persona", config: `{` + template + `}`, refused: "'user_persona' or 'user_persona_source' is required"},
		{name: "too many turns", config: `{` + template + `,"user_persona":"x","max_turns":151}`, refused: "max_turns: Input should be less than or equal to 150"},
		{name: "no turns", config: `{` + template + `,"user_persona":"x","max_turns":0}`, refused: "max_turns: Input should be greater than or equal to 1"},
		{name: "no template", config: `{"user_persona":"x"}`, refused: "exactly one of"},
	})
}

func TestConversationIsLimited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	env := w.env()
	env.Values = valuesOf(t, `{"name":"Ann","item":1}`)
	got, err := mustPrepare(t, "CONVERSATION_SIMULATOR", `{"template":{"name":"greet"},"user_persona":"x","conversation_samples":[{"role":"user","content":"ahoy"}]}`).Run(t.Context(), &env)
	if err != nil || got.Get("conversation").Len() != 20 {
		t.Fatalf("%d messages, %v", got.Get("conversation").Len(), err)
	}
	if last := w.requests[9].History; last.Len() != 18 {
		t.Errorf("the last history has %d messages", last.Len())
	}
	if !strings.Contains(w.questions[0].Instructions, "ahoy") {
		t.Error("the samples were not shown")
	}
}

func TestCosineSimilarity(t *testing.T) {
	t.Parallel()
	const values = `{"a":"The cat sat","b":"the CAT, sat!","c":"dogs run","d":"the cat ran","e":"","n":null}`
	examples := []example{
		{name: "same words", config: `{"sources":["a","b"]}`, values: values, want: `1`, sources: "a b"},
		{name: "other words", config: `{"source1":"a","source2":"c"}`, values: values, want: `0`},
		{name: "some words", config: `{"sources":["a","d"]}`, values: values, want: `0.6666666666666666`},
		{name: "nothing", config: `{"sources":["a","e"]}`, values: values, want: `0`},
		{name: "nothing at all", config: `{"sources":["n","e"]}`, values: values, want: `0`},
		{name: "one", config: `{"sources":["a"]}`, refused: "must name two sources"},
	}
	runExamples(t, "COSINE_SIMILARITY", step.Env{}, examples)
	runExamples(t, "COSINE_SIMILARITY", step.Env{Embeddings: embedder{err: step.ErrNoEmbeddings}}, examples)
	runExamples(t, "COSINE_SIMILARITY", step.Env{Embeddings: embedder{}}, []example{
		{name: "embedded", config: `{"sources":["x","y"]}`, values: `{"x":"aab","y":"aaaabb"}`, want: `1`},
		{name: "embedded otherwise", config: `{"sources":["x","y"]}`, values: `{"x":"a","y":"b"}`, want: `0`},
	})
	env := step.Env{Embeddings: embedder{err: errors.New("the provider is down")}}
	if _, err := mustPrepare(t, "COSINE_SIMILARITY", `{"sources":["x","y"]}`).Run(t.Context(), &env); err == nil {
		t.Error("a failure was passed over")
	}
}

func TestHumanAndCodingAgent(t *testing.T) {
	t.Parallel()
	examples := []example{
		{name: "data type", config: `{"data_type":"number","ui_element":{"type":"slider"}}`, want: `null`},
		{name: "other spelling", config: `{"input_type":"text","prompt":"how?","min":1,"max":5}`, want: `null`},
		{name: "unknown data type", config: `{"data_type":"date"}`, refused: "data_type: Input should be '"},
		{name: "element is a string", config: `{"ui_element":"slider"}`, refused: "ui_element: Input should be a valid object"},
	}
	runExamples(t, "HUMAN", step.Env{Report: true}, examples)
	_, err := mustPrepare(t, "HUMAN", `{}`).Run(t.Context(), &step.Env{})
	wantFault(t, err, "human input is not available")
	runExamples(t, "CODING_AGENT", newWorld(t).env(), []example{
		{name: "always fails", config: `{"prompt":"do it","files":[]}`, fails: "not supported"},
		{name: "no prompt", config: `{"files":[]}`, refused: "prompt: Field required"},
	})
}
