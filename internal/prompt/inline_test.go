package prompt_test

import (
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt"
)

// said returns the texts of the messages in the arguments of a run.
func said(run *prompt.Run) []string {
	var all []string
	for _, m := range check.JSON(string(run.Arguments)).Get("messages").Elems() {
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
		return check.Must(r.PrepareInline(r.ctx, workspace, []any{"body"}, content, in))(t)
	}
	run := prepare(r.workspace, prompt.Request{Variables: check.JSON(`{"name":"Ann"}`)})
	check.Equal(t, "text", texts(run.Filled), []string{"Hi dear Ann"})
	check.Equal(t, "arguments", said(run), []string{"user: Hi dear Ann"})
	check.Equal(t, "who", []string{run.Provider, run.Model, run.APIType}, []string{"openai", "g", "chat-completions"})
	check.Equal(t, "identity", []int64{run.Entity.ID, run.Version.Number}, []int64{0, 0})

	other := prepare(r.workspace, prompt.Request{Provider: "mistral", Model: "m", Overrides: check.JSON(`{"top_p":1}`)})
	check.Equal(t, "other", []string{other.Provider, other.Model, other.APIType}, []string{"mistral", "m", ""})
	arguments := check.JSON(string(other.Arguments))
	check.Equal(t, "parameters", string(arguments.Get("temperature").Raw())+string(arguments.Get("top_p").Raw()), "0.101")

	away := prepare(r.other, prompt.Request{})
	check.Equal(t, "snippet of another workspace", texts(away.Filled), []string{"Hi @@@word@@@"})
	check.Equal(t, "warned", away.Warning != "", true)
}

func TestHistoryFollowsTheTemplate(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.model(greeting, `{"model":{"provider":"openai","name":"g"}}`)
	history := check.JSON(`[{"role":"assistant","content":"{name}?"},7,{"role":"placeholder","name":"x"},{"role":"user","content":[{"type":"text","text":"yes"}]}]`)
	run := r.prepare("talk", prompt.Request{Variables: check.JSON(`{"name":"Ann","more":[{"role":"user","content":"more"}]}`), History: history})
	check.Equal(t, "arguments", said(run), []string{"user: Hi Ann", "user: more", "assistant: {name}?", "user: yes"})
	check.Equal(t, "filled", texts(run.Filled), []string{"Hi Ann", "more", "{name}?", "yes"})
	check.Equal(t, "template", texts(run.Prompt), []string{"Hi Ann"})
	check.Equal(t, "without", said(r.prepare("talk", prompt.Request{History: check.JSON(`[]`)})), []string{"user: Hi "})

	deep := `[{"role":"user","content":[],"x":` + strings.Repeat("[", jsontree.MaxDepth-2) + strings.Repeat("]", jsontree.MaxDepth-2) + `}]`
	r.publish("text", completion("Hi"))
	for name, in := range map[string]prompt.Request{"talk": {History: check.JSON(deep)}, "text": {History: history}} {
		if _, err := r.Prepare(r.ctx, r.workspace, name, in); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: failed with %v", name, err)
		}
	}
}
