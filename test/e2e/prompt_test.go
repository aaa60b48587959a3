package e2e

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// publishPath is the path for publishing versions of prompt templates.
const publishPath = "/rest/prompt-templates"

func templatePath(name string) string { return "/prompt-templates/" + url.PathEscape(name) }

// publication returns a version with one message and a known model.
func publication(name, text string, labels ...string) object {
	return object{
		"prompt_template": object{"prompt_name": name},
		"prompt_version": object{
			"prompt_template": object{"type": "chat", "messages": []any{message("user", text)}},
			"metadata":        object{"model": object{"provider": "openai", "name": "gpt-4o", "parameters": object{}}},
		},
		"release_labels": labels,
	}
}

// snippet returns a version of a snippet.
func snippet(name, text string) object {
	return object{
		"prompt_template": object{"prompt_name": name},
		"prompt_version": object{
			"prompt_template": object{"type": "completion", "content": []any{object{"type": "text", "text": text}}},
			"commit_message":  "made to be used",
		},
	}
}

func (c *client) publish(t *testing.T, body object) publishedPrompt {
	t.Helper()
	return mustDecode[publishedPrompt](t, c.post(t, publishPath, body, http.StatusCreated))
}

// fetch fetches a version like applications do.
func (c *client) fetch(t *testing.T, name string, body object) fetchedPrompt {
	t.Helper()
	return mustDecode[fetchedPrompt](t, c.post(t, templatePath(name), body, http.StatusOK))
}

// releaseLabel is a label of a template.
type releaseLabel struct {
	ID      int64  `json:"release_label_id"`
	Name    string `json:"release_label"`
	Version int64  `json:"prompt_version_number"`
}

// labels returns the labels of a template by their names.
func (c *client) labels(name string) (map[string]releaseLabel, error) {
	a, err := c.call(http.MethodGet, templatePath(name)+"/labels", nil)
	if err != nil {
		return nil, err
	}
	list, err := decode[struct {
		Labels []releaseLabel `json:"release_labels"`
	}](a)
	byName := map[string]releaseLabel{}
	for _, label := range list.Labels {
		byName[label.Name] = label
	}
	return byName, err
}

// TestPromptsSurviveRestart compares all responses about templates before and
// after the server is stopped and killed.
func TestPromptsSurviveRestart(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := start(t, data)
	p.publish(t, snippet("house rules", "Be {tone}."))
	first := p.publish(t, publication("team/café bot", "@@@house rules@@@ One {thing}", "prod", "old"))
	p.publish(t, publication("team/café bot", "@@@house rules@@@ Two {thing}", "prod"))
	p.do(t, http.MethodPatch, publishPath+"/team%2Fcaf%C3%A9%20bot", object{"messages": object{"0": message("user", "Three {thing}")}}, http.StatusCreated)
	p.post(t, templatePath("team/café bot"), nil, http.StatusOK)
	pair := object{"source": "git", "external_id": "a/b c"}
	p.post(t, "/prompt-templates/"+number(first.ID)+"/external-ids", pair, http.StatusCreated)

	before := askPrompts(t, p)
	if got := p.fetch(t, "team/café bot", object{"label": "prod", "input_variables": object{"tone": "kind", "thing": "bread"}}); got.Version != 2 || got.Template.String() != "user(Be kind. Two bread)" {
		t.Fatalf("the label points to version %d, %s", got.Version, got.Template)
	}
	check := func(p *program, when string) {
		t.Helper()
		if diff := cmp.Diff(before, askPrompts(t, p)); diff != "" {
			t.Errorf("%s (-before +after):\n%s", when, diff)
		}
	}
	p.stop()
	p = start(t, data)
	check(p, "after a stop")
	p.kill()
	p = start(t, data)
	check(p, "after a crash")
	next := p.publish(t, publication("team/café bot", "Four"))
	if next.ID != first.ID || next.Version != 4 || next.VersionID <= first.VersionID {
		t.Errorf("the next version is %+v, want number 4 of template %d", next, first.ID)
	}
}

// askPrompts returns the responses about templates.
func askPrompts(t *testing.T, p *program) map[string]any {
	t.Helper()
	answers := map[string]any{}
	for _, path := range []string{
		"/prompt-templates", "/prompt-templates?is_snippet=true", "/prompt-templates?external_source=git&external_id=a%2Fb%20c",
		templatePath("team/café bot"), templatePath("team/café bot") + "?version=1&include_llm_kwargs=true",
		templatePath("team/café bot") + "?label=prod&resolve_snippets=false", templatePath("team/café bot") + "/labels",
		templatePath("house rules") + "/snippet-usage", templatePath("house rules"),
	} {
		answers[path] = parsed(string(p.get(t, path).body))
	}
	for _, label := range []string{"prod", "old"} {
		run := mustDecode[object](t, p.post(t, templatePath("team/café bot"), object{"label": label, "input_variables": object{"thing": 1}}, http.StatusOK))
		delete(run, "request_id") // differs each time
		answers[label] = run
	}
	return answers
}
