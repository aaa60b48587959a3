package prompt_test

import (
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt"
)

// said returns the texts of the messages that a run's arguments hold.
func said(run *prompt.Run) []string {
	var all []string
	for _, m := range parse(string(run.Arguments)).Get("messages").Elems() {
		text := m.Get("content").Str()
		for _, item := range m.Get("content").Elems() {
			text += item.Get("text").Str()
		}
		all = append(all, m.Get("role").Str()+": "+text)
	}
	return all
}

func TestPrepareInline(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.publish("word", completion("dear {name}"))
	content := chat("Hi @@@word@@@")
	content.Metadata = []byte(`{"model":{"provider":"openai","name":"g","parameters":{"temperature":0.10}}}`)
	prepare := func(workspace int64, in prompt.Request) *prompt.Run {
		return must(r.PrepareInline(r.ctx, workspace, content, in))(t)
	}
	run := prepare(r.workspace, prompt.Request{Variables: parse(`{"name":"Ann"}`)})
	equal(t, "text", texts(run.Filled), []string{"Hi dear Ann"})
	equal(t, "arguments", said(run), []string{"user: Hi dear Ann"})
	equal(t, "who", []string{run.Provider, run.Model, run.APIType}, []string{"openai", "g", "chat-completions"})
	equal(t, "identity", []int64{run.Entity.ID, run.Version.Number}, []int64{0, 0})

	other := prepare(r.workspace, prompt.Request{Provider: "mistral", Model: "m", Overrides: parse(`{"top_p":1}`)})
	equal(t, "other", []string{other.Provider, other.Model, other.APIType}, []string{"mistral", "m", ""})
	arguments := parse(string(other.Arguments))
	equal(t, "parameters", string(arguments.Get("temperature").Raw())+string(arguments.Get("top_p").Raw()), "0.101")

	away := prepare(r.other, prompt.Request{})
	equal(t, "snippet of another workspace", texts(away.Filled), []string{"Hi @@@word@@@"})
	equal(t, "warned", away.Warning != "", true)
}

func TestHistoryFollowsTheTemplate(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.model(greeting, `{"model":{"provider":"openai","name":"g"}}`)
	history := parse(`[{"role":"assistant","content":"{name}?"},7,{"role":"placeholder","name":"x"},{"role":"user","content":[{"type":"text","text":"yes"}]}]`)
	run := r.prepare("talk", prompt.Request{Variables: parse(`{"name":"Ann","more":[{"role":"user","content":"more"}]}`), History: history})
	equal(t, "arguments", said(run), []string{"user: Hi Ann", "user: more", "assistant: {name}?", "user: yes"})
	equal(t, "filled", texts(run.Filled), []string{"Hi Ann", "more", "{name}?", "yes"})
	equal(t, "template", texts(run.Prompt), []string{"Hi Ann"})
	equal(t, "without", said(r.prepare("talk", prompt.Request{History: parse(`[]`)})), []string{"user: Hi "})

	deep := `[{"role":"user","content":[],"x":` + strings.Repeat("[", jsontree.MaxDepth-2) + strings.Repeat("]", jsontree.MaxDepth-2) + `}]`
	r.publish("text", completion("Hi"))
	for name, in := range map[string]prompt.Request{"talk": {History: parse(deep)}, "text": {History: history}} {
		if _, err := r.Prepare(r.ctx, r.workspace, name, in); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: failed with %v", name, err)
		}
	}
}
