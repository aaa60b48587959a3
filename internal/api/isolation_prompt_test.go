package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

// TestPromptsAreIsolated publishes a secret in one workspace and tries to
// read it from the other in every possible way.
func TestPromptsAreIsolated(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	record := w.post(t, http.StatusCreated, "/rest/prompt-templates", `{
		"prompt_template": {"prompt_name": "secret name", "tags": ["secret_tag"], "folder_id": 910010},
		"prompt_version": {"commit_message": "secret message", "prompt_template": {"type": "completion", "content": [{"type": "text", "text": "secret text"}]}},
		"release_labels": ["secret_label"], "external_ids": [{"source": "secret_source", "external_id": "secret_id"}]}`)
	id, version := number(record, "id"), number(record, "prompt_version_id")
	labels := w.must(t, http.StatusOK, "home", http.MethodGet, fmt.Sprintf("/prompt-templates/%d/labels", id), "")
	label := number(labels["release_labels"].([]any)[0].(map[string]any), "release_label_id")
	test := number(w.post(t, http.StatusCreated, "/api/public/v2/ab-tests", fmt.Sprintf(
		`{"name":"secret test","prompt_id":%d,"release_label":"secret_label","weights":[{"version_number":1,"weight":100}]}`, id))["ab_test"].(map[string]any), "id")
	state := func() string {
		var texts []string
		for _, path := range []string{
			fmt.Sprintf("/prompt-templates/%d", id), fmt.Sprintf("/prompt-templates/%d/labels", id),
			fmt.Sprintf("/prompt-templates/%d/external-ids", id), "/api/public/v2/ab-tests", "/prompt-templates",
		} {
			texts = append(texts, toJSON(t, w.must(t, http.StatusOK, "home", http.MethodGet, path, "")))
		}
		return strings.Join(texts, "\n")
	}
	before := state()

	const split = `"weights":[{"version_number":1,"weight":100}]`
	refused := map[string][]string{
		http.MethodGet: {
			fmt.Sprintf("/prompt-templates/%d", id), "/prompt-templates/secret%20name", fmt.Sprintf("/prompt-templates/%d?label=secret_label", id),
			fmt.Sprintf("/prompt-templates/%d/labels", id), "/prompt-templates/secret%20name/labels", fmt.Sprintf("/prompt-templates/%d/external-ids", id),
			fmt.Sprintf("/prompt-templates/%d/snippet-usage", id), fmt.Sprintf("/api/public/v2/ab-tests/%d", test), "/rest/get-prompt-template?prompt_name=secret+name",
		},
		http.MethodPost: {
			fmt.Sprintf("/prompt-templates/%d", id), "/prompt-templates/secret%20name {\"label\":\"secret_label\"}",
			fmt.Sprintf("/prompt-templates/%d/external-ids {\"source\":\"a\",\"external_id\":\"b\"}", id),
			fmt.Sprintf("/prompts/%d/label {\"name\":\"n\",\"prompt_version_number\":1}", id), fmt.Sprintf("/prompts/910008/label {\"name\":\"n\",\"prompt_version_id\":%d}", version),
			fmt.Sprintf(`/api/public/v2/ab-tests {"name":"n","prompt_id":%d,"release_label":"secret_label",%s}`, id, split),
			`/rest/prompt-templates {"prompt_template":{"prompt_name":"x","folder_id":910010},"prompt_version":{"prompt_template":{"type":"chat","messages":[]}}}`,
			`/rest/prompt-templates {"prompt_template":{"prompt_name":"x"},"prompt_version":{"prompt_template":{"type":"completion","content":[{"type":"text","text":"@@@secret name@@@"}]}}}`,
		},
		http.MethodPatch: {
			fmt.Sprintf("/rest/prompt-templates/%d {}", id), "/rest/prompt-templates/secret%20name {}",
			fmt.Sprintf("/prompt-labels/%d {\"prompt_version_number\":1}", label), fmt.Sprintf("/api/public/v2/ab-tests/%d {%s}", test, split),
		},
		http.MethodDelete: {
			fmt.Sprintf("/prompt-labels/%d", label), fmt.Sprintf("/api/public/v2/ab-tests/%d", test), fmt.Sprintf("/prompt-templates/%d/external-ids/secret_source/secret_id", id),
		},
	}
	for method, requests := range refused {
		for _, request := range requests {
			path, body, _ := strings.Cut(request, " ")
			got, err := w.send("away", method, path, []byte(body))
			check.OK(t, err)
			if got.status != http.StatusNotFound && got.status != http.StatusUnprocessableEntity || strings.Contains(string(got.body), "secret text") {
				t.Errorf("%s %s is answered with %d %s", method, request, got.status, clip(string(got.body)))
			}
		}
	}
	for _, query := range []string{
		"", "?status=all", "?name=secret", "?label=secret_label", "?tags=secret_tag", "?external_source=secret_source&external_id=secret_id", "?is_snippet=true&created_by_email=ann@x.test",
	} {
		answer := w.must(t, http.StatusOK, "away", http.MethodGet, "/prompt-templates"+query, "")
		if text := toJSON(t, answer); strings.Contains(text, "secret") {
			t.Errorf("the list with %q is %s", query, clip(text))
		}
	}
	w.must(t, http.StatusCreated, "away", http.MethodPut, "/prompt-templates/by-external-id/secret_source/secret_id",
		`{"prompt_template":{"prompt_name":"secret name"},"prompt_version":{"prompt_template":{"type":"chat","messages":[]}},"release_labels":["secret_label"]}`)
	if after := state(); after != before {
		t.Errorf("the state changed from\n%s\nto\n%s", before, after)
	}
}
