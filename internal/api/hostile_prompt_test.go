package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/promptuary/promptuary/internal/check"
)

// TestHostilePromptTexts publishes a template with each text as its name and
// in every other string, and finds it by the text in every possible way.
func TestHostilePromptTexts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	for _, text := range hostileTexts {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			body := toJSON(t, hostilePublication(text))
			if strings.Contains(text, "\x00") {
				w.post(t, http.StatusUnprocessableEntity, "/rest/prompt-templates", body)
				w.must(t, http.StatusUnprocessableEntity, "home", http.MethodGet, "/prompt-templates?name="+url.QueryEscape(text), "")
				return
			}
			p := hostilePrompt{t, w, text, w.post(t, http.StatusCreated, "/rest/prompt-templates", body)}
			p.comesBack()
			p.isReached()
			p.isListed()
			p.isUsed()
		})
	}
}

func hostilePublication(text string) map[string]any {
	return map[string]any{
		"prompt_template": map[string]any{"prompt_name": text, "tags": []string{text}},
		"prompt_version": map[string]any{
			"commit_message": text, "inference_client_name": text[:min(255, len(text))],
			"metadata": map[string]any{"model": map[string]any{
				"provider": text, "name": text, "base_model": text[:min(100, len(text))], "parameters": map[string]any{text: text},
			}, "own" + text: text},
			"prompt_template": map[string]any{
				"type": "completion", "extra" + text: text, "content": []any{map[string]any{"type": "text", "text": text, "key" + text: text}},
			},
		},
		"release_labels": []string{text[:min(255, len(text))]},
		"external_ids":   []any{map[string]any{"source": text[:min(128, len(text))], "external_id": text}},
	}
}

type hostilePrompt struct {
	t      *testing.T
	w      *world
	text   string
	record map[string]any
}

func (p hostilePrompt) path() string { return "/prompt-templates/" + url.PathEscape(p.text) }

func (p hostilePrompt) get(path string) map[string]any {
	p.t.Helper()
	return p.w.must(p.t, http.StatusOK, "home", http.MethodGet, path, "")
}

// isIt checks that a response is about the template.
func (p hostilePrompt) isIt(answer map[string]any) {
	p.t.Helper()
	if answer["id"] != p.record["id"] || answer["prompt_name"] != p.text {
		p.t.Errorf("the template %v %q is reached, want %v", answer["id"], answer["prompt_name"], p.record["id"])
	}
}

// comesBack compares the record with what was sent.
func (p hostilePrompt) comesBack() {
	p.t.Helper()
	sent := hostilePublication(p.text)
	version := sent["prompt_version"].(map[string]any)
	tmpl := version["prompt_template"].(map[string]any)
	got := p.record["prompt_template"].(map[string]any)
	for _, pair := range [][2]any{
		{toJSON(p.t, version["metadata"]), toJSON(p.t, p.record["metadata"])},
		{toJSON(p.t, tmpl["content"]), toJSON(p.t, got["content"])},
		{p.text, got["extra"+p.text]}, {p.text, p.record["commit_message"]},
		{toJSON(p.t, sent["external_ids"]), toJSON(p.t, p.record["external_ids"])},
	} {
		if diff := cmp.Diff(pair[0], pair[1]); diff != "" {
			p.t.Errorf("the record (-sent +got):\n%s", diff)
		}
	}
}

// isReached gets the template by its name and label.
func (p hostilePrompt) isReached() {
	p.t.Helper()
	label := p.text[:min(255, len(p.text))]
	p.isIt(p.get(p.path()))
	p.isIt(p.get(p.path() + "?label=" + url.QueryEscape(label)))
	p.isIt(p.w.post(p.t, http.StatusOK, p.path(), toJSON(p.t, map[string]any{"label": label, "input_variables": map[string]any{p.text: p.text}})))
	labels := p.get(p.path() + "/labels")["release_labels"].([]any)
	if len(labels) != 1 || labels[0].(map[string]any)["release_label"] != label {
		p.t.Errorf("the labels are %v", labels)
	}
	if name := p.get(p.path() + "/snippet-usage")["snippet_name"]; name != p.text {
		p.t.Errorf("the usage is that of %q", name)
	}
	p.isIt(p.w.must(p.t, http.StatusCreated, "home", http.MethodPatch, "/rest"+p.path(), toJSON(p.t, map[string]any{
		"label": label, "commit_message": p.text, "model_parameters": map[string]any{p.text: p.text},
	})))
}

// isListed checks lists that have only this template.
func (p hostilePrompt) isListed() {
	p.t.Helper()
	short := url.QueryEscape(p.text[:min(128, len(p.text))])
	escaped := url.QueryEscape(p.text)
	queries := []string{"label=" + url.QueryEscape(p.text[:min(255, len(p.text))]), "external_source=" + short + "&external_id=" + escaped}
	if !strings.Contains(p.text, ",") && strings.TrimSpace(p.text) == p.text {
		queries = append(queries, "tags="+escaped)
	}
	for _, query := range queries {
		items := p.get("/prompt-templates?" + query)["items"].([]any)
		if len(items) != 1 {
			p.t.Errorf("%s lists %d templates", query, len(items))
			continue
		}
		p.isIt(items[0].(map[string]any))
	}
	found := false
	for _, item := range p.get("/prompt-templates?per_page=1000&name=" + escaped)["items"].([]any) {
		found = found || item.(map[string]any)["id"] == p.record["id"]
	}
	if !found {
		p.t.Errorf("the name is not found by itself")
	}
}

// isUsed uses the template as a snippet in another one.
func (p hostilePrompt) isUsed() {
	p.t.Helper()
	body := map[string]any{
		"prompt_template": map[string]any{"prompt_name": "user of " + p.text},
		"prompt_version":  map[string]any{"prompt_template": chat("user", "<@@@"+p.text+"@@@>")},
	}
	if len(p.text) < 500 {
		p.w.post(p.t, http.StatusCreated, "/rest/prompt-templates", toJSON(p.t, body))
		used := p.get("/prompt-templates/" + url.PathEscape("user of "+p.text))
		message := used["prompt_template"].(map[string]any)["messages"].([]any)[0].(map[string]any)
		if text := message["content"].([]any)[0].(map[string]any)["text"]; text != "<"+p.text+">" {
			p.t.Errorf("the snippet expands to %q", text)
		}
	}
	pair := "/external-ids/" + url.PathEscape(p.text[:min(128, len(p.text))]) + "/" + url.PathEscape(p.text)
	p.w.must(p.t, http.StatusOK, "home", http.MethodDelete, fmt.Sprintf("/prompt-templates/%.0f", p.record["id"])+pair, "")
}

// promptBody returns a publication with one text.
func promptBody(t *testing.T, name, format, text string) string {
	t.Helper()
	return toJSON(t, map[string]any{
		"prompt_template": map[string]any{"prompt_name": name},
		"prompt_version": map[string]any{
			"metadata":        map[string]any{"model": map[string]any{"provider": "openai", "name": "m"}},
			"prompt_template": map[string]any{"type": "completion", "template_format": format, "content": []any{map[string]any{"type": "text", "text": text}}},
		},
	})
}

// requestTimeout is how long one request may take, with room for a busy machine.
const requestTimeout = 30 * time.Second

// TestTemplateBombs runs templates that are disproportionately expensive to
// render. Each is answered with a text of limited size or with an error.
func TestTemplateBombs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{maxBody: 8 << 20})
	loops := strings.Repeat("{% for a in range(100000) %}", 6) + "x" + strings.Repeat("{% endfor %}", 6)
	bombs := []struct {
		name, format, text string
		status             int
	}{
		{"a megabyte of text", "jinja2", strings.Repeat("word ", 200_000) + "{{ x }}", 200},
		{"loops", "jinja2", loops, 422},
		{"a repeated string", "jinja2", "{{ 'a' * 10**9 }}", 422},
		{"a repeated list", "jinja2", "{{ [0] * 10**9 }}", 422},
		{"a power", "jinja2", "{{ 7 ** 10 ** 9 }}", 200},
		{"a shift of powers", "jinja2", "{{ (7 ** 99999) ** 99999 }}", 422},
		{"a range", "jinja2", "{{ range(10**12) | list }}", 422},
		{"doubling", "jinja2", "{% set n = namespace(x='ab') %}{% for i in range(99) %}{% set n.x = n.x ~ n.x %}{% endfor %}{{ n.x }}", 422},
		{"a recursive macro", "jinja2", "{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}", 422},
		{"a wide format", "jinja2", "{{ '%1000000000d' % 1 }}", 422},
		{"a wide center", "jinja2", "{{ 'a' | center(1000000000) }}{{ 'a'.ljust(1000000000) }}", 422},
		{"a deep indent", "jinja2", "{{ 'a\nb' | indent(1000000000) }}", 422},
		{"much lipsum", "jinja2", "{{ lipsum(n=1000000) }}", 422},
		{"parentheses", "jinja2", "{{ " + strings.Repeat("(", 100_000) + "1" + strings.Repeat(")", 100_000) + " }}", 422},
		{"nested ifs", "jinja2", strings.Repeat("{% if 1 %}", 50_000) + strings.Repeat("{% endif %}", 50_000), 422},
		{"filters", "jinja2", "{{ x" + strings.Repeat("|upper", 50_000) + " }}", 422},
		{"the machine room", "jinja2", "{{ ''.__class__.__mro__[1].__subclasses__() }}{{ self.__init__.__globals__ }}", 200},
		{"a megabyte", "jinja2", strings.Repeat("{{ x }}", 150_000), 422},
		{"a megabyte of braces", "f-string", strings.Repeat("{", 1<<20), 200},
		{"a megabyte of fields", "f-string", strings.Repeat("{x}", 350_000), 200},
		{"a wide field", "f-string", "{x:1000000000}{x:>1000000000}{x:.1000000000f}", 200},
		{"nested fields", "f-string", strings.Repeat("{x:", 100_000) + strings.Repeat("}", 100_000), 200},
		{"a large value often", "f-string", strings.Repeat("{large}", 1000), 422},
		{"a large value often 2", "jinja2", strings.Repeat("{{ large }}", 1000), 422},
		{"tags", "f-string", strings.Repeat("@@@", 300_000), 200},
	}
	variables := toJSON(t, map[string]any{"input_variables": map[string]any{"x": "y", "large": strings.Repeat("z", 1<<20)}})
	for _, bomb := range bombs {
		t.Run(bomb.name, func(t *testing.T) {
			start := time.Now()
			w.post(t, http.StatusCreated, "/rest/prompt-templates", promptBody(t, bomb.name, bomb.format, bomb.text))
			for _, body := range []string{"", variables} {
				got, err := w.send("home", http.MethodPost, "/prompt-templates/"+url.PathEscape(bomb.name), []byte(body))
				check.OK(t, err)
				if got.status != bomb.status && (body != "" || got.status != http.StatusOK) {
					t.Errorf("the answer is %d %s, want %d", got.status, clip(string(got.body)), bomb.status)
				}
				if len(got.body) > 40<<20 {
					t.Errorf("the answer has %d bytes", len(got.body))
				}
			}
			if took := time.Since(start); took > requestTimeout {
				t.Errorf("it took %v", took)
			}
		})
	}
}
