package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
)

// list returns a JSON array of that many elements; %d in the element is the
// index.
func list(count int, element string) string {
	var text strings.Builder
	text.WriteByte('[')
	for i := range count {
		if i > 0 {
			text.WriteByte(',')
		}
		text.WriteString(strings.ReplaceAll(element, "%d", fmt.Sprint(i)))
	}
	return text.String() + "]"
}

// publication returns a small publication with members added.
func publication(template, version, more string) string {
	return `{"prompt_template":{"prompt_name":"big"` + template + `},"prompt_version":{"prompt_template":{"type":"chat","messages":[]}` + version + `}` + more + `}`
}

// TestHostilePromptBodies sends bodies to the registry that are
// disproportionately expensive to process.
func TestHostilePromptBodies(t *testing.T) {
	t.Parallel()
	const publish = "POST /rest/prompt-templates"
	const patch = "PATCH /rest/prompt-templates/welcome"
	const run = "POST /prompt-templates/welcome"
	deep := func(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }
	chatOf := func(messages string) string {
		return `{"prompt_template":{"prompt_name":"big"},"prompt_version":{"prompt_template":{"type":"chat","messages":` + messages + `}}}`
	}
	pair := `{"source":"s","external_id":"e%d"}`
	tests := []struct {
		name, request, body string
		status              int
	}{
		{"10,000 tags", publish, publication(`,"tags":`+list(10_000, `"t%d"`), "", ""), 422},
		{"1,000 tags", publish, publication(`,"tags":`+list(1000, `"t%d"`), "", ""), 201},
		{"100,000 equal tags", publish, publication(`,"tags":`+list(100_000, `"t"`), "", ""), 422},
		{"100,000 labels", publish, publication("", "", `,"release_labels":`+list(100_000, `"l%d"`)), 422},
		{"1,000 labels", publish, publication("", "", `,"release_labels":`+list(1000, `"l%d"`)), 201},
		{"100,000 equal labels in a patch", patch, `{"release_labels":` + list(100_000, `"l"`) + `}`, 422},
		{"100,000 external ids", publish, publication("", "", `,"external_ids":`+list(100_000, pair)), 422},
		{"1,000 external ids", publish, publication("", "", `,"external_ids":`+list(1000, pair)), 201},
		{"200,000 overrides", publish, publication("", "", `,"snippet_overrides":{"a":"b"`+strings.Repeat(`,"x":"y"`, 200_000)+`}`), 201},
		{"20,000 messages", publish, chatOf(list(20_000, `{"role":"user","content":[]}`)), 201},
		{"100,000 wrong messages", publish, chatOf(list(100_000, `1`)), 422},
		{"20,000 variables", publish, chatOf(`[{"role":"user","content":[{"type":"text","text":"` + strings.Repeat("{a}", 1000) + `"}],"input_variables":` + list(20_000, `"v%d"`) + `}]`), 201},
		{"20,000 distinct fields", publish, chatOf(`[{"role":"user","content":[{"type":"text","text":"` + strings.Join(strings.Split(strings.Trim(list(20_000, "{v%d}"), "[]"), ","), "") + `"}]}]`), 201},
		{"20,000 unknown snippets", publish, chatOf(`[{"role":"user","content":[{"type":"text","text":"` + strings.Join(strings.Split(strings.Trim(list(20_000, "@@@s%d@@@"), "[]"), ","), "") + `"}]}]`), 422},
		{"100,000 levels", publish, publication("", `,"metadata":`+deep(100_000), ""), 400},
		{"150 levels of metadata", publish, publication("", `,"metadata":{"a":`+deep(150)+`}`, ""), 201},
		{"150 levels of a tool", publish, `{"prompt_template":{"prompt_name":"big"},"prompt_version":{"prompt_template":{"type":"chat","messages":[],"tools":[{"type":"x","y":` + deep(150) + `}]}}}`, 201},
		{"a name of a megabyte", publish, `{"prompt_template":{"prompt_name":"` + strings.Repeat("n", 1<<20) + `"},"prompt_version":{"prompt_template":{"type":"chat","messages":[]}}}`, 422},
		{"a text of a megabyte", publish, chatOf(`[{"role":"user","content":[{"type":"text","text":"` + strings.Repeat("t", 1<<20) + `"}]}]`), 201},
		{"a message of a megabyte", patch, `{"commit_message":"` + strings.Repeat("m", 1<<20) + `"}`, 201},
		{"a NUL in a text", publish, chatOf(`[{"role":"user","content":[{"type":"text","text":"a\u0000{b}"}]}]`), 201},
		{"a NUL in a variable's name", publish, chatOf(`[{"role":"user","content":[{"type":"text","text":"{a\u0000b}"}],"input_variables":["\u0000"]}]`), 201},
		{"a NUL in a snippet's name", publish, chatOf(`[{"role":"user","content":[{"type":"text","text":"@@@a\u0000b@@@"}]}]`), 422},
		{"a NUL in a snippet's label", publish, chatOf(`[{"role":"user","content":[{"type":"text","text":"@@@welcome@label:\u0000@@@"}]}]`), 422},
		{"a huge version of a snippet", publish, chatOf(`[{"role":"user","content":[{"type":"text","text":"@@@welcome@version_number:99999999999999999999@@@"}]}]`), 422},
		{"half a surrogate pair", publish, chatOf(`[{"role":"user","content":[{"type":"text","text":"\ud800 {\udc00}"}]}]`), 201},
		{"half a surrogate pair as a name", publish, `{"prompt_template":{"prompt_name":"\ud800"},"prompt_version":{"prompt_template":{"type":"chat","messages":[]}}}`, 201},
		{"invalid UTF-8", publish, chatOf("[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"\xff\"}]}]"), 400},
		{"a huge folder", publish, publication(`,"folder_id":9223372036854775807`, "", ""), 404},
		{"a folder beyond numbers", publish, publication(`,"folder_id":92233720368547758070`, "", ""), 422},
		{"a huge version", run, `{"version":9223372036854775807}`, 404},
		{"a version beyond numbers", run, `{"version":1e400}`, 422},
		{"a version with an exponent", run, `{"version":1e0}`, 200},
		{"100,000 filters", run, `{"metadata_filters":` + strings.NewReplacer("[", "{", "]", "}").Replace(list(100_000, `"k%d":"v"`)) + `}`, 200},
		{"100,000 variables", run, `{"input_variables":` + members(100_000) + `}`, 200},
		{"deep variables", run, `{"input_variables":{"city":` + deep(150) + `}}`, 200},
		{"too deep variables", run, `{"input_variables":{"city":` + deep(100_000) + `}}`, 400},
		{"a value of a megabyte", run, `{"input_variables":{"city":"` + strings.Repeat("c", 1<<20) + `"}}`, 200},
		{"100,000 overrides", run, `{"provider":"openai","model_parameter_overrides":` + members(100_000) + `}`, 200},
		{"100,000 indexes", patch, `{"messages":` + members(100_000) + `}`, 400},
		{"100,000 parameters", patch, `{"model_parameters":` + members(100_000) + `}`, 201},
		{"1,000 weights", "POST /api/public/v2/ab-tests", `{"name":"n","prompt_id":910001,"release_label":"prod","weights":` + list(1000, `{"version_number":1,"weight":0.1}`) + `}`, 422},
		{"100,000 values of a segment", "POST /api/public/v2/ab-tests", `{"name":"n","prompt_id":910001,"release_label":"prod","weights":[{"version_number":1,"weight":100}],"segments":[{"match":{"k":` + list(100_000, `"v%d"`) + `},"weights":[{"version_number":1,"weight":100}]}]}`, 422},
	}
	w := newWorld(t, settings{maxBody: 20 << 20})
	for _, tt := range tests {
		method, path, _ := strings.Cut(tt.request, " ")
		start := time.Now()
		got, err := w.send("home", method, path, []byte(tt.body))
		check.OK(t, err)
		if took := time.Since(start); took > requestTimeout {
			t.Errorf("%s took %v", tt.name, took)
		}
		if got.status != tt.status {
			t.Errorf("%s is answered with %d %s, want %d", tt.name, got.status, clip(string(got.body)), tt.status)
		}
		if got.status >= 400 {
			checkErrorShape(t, got.status, got.body)
			if len(got.body) > 50_000 {
				t.Errorf("%s is answered with %d bytes", tt.name, len(got.body))
			}
		}
	}
	for _, path := range []string{"/prompt-templates?per_page=1000", "/prompt-templates/big", "/prompt-templates/welcome", "/prompt-templates/big/labels"} {
		w.must(t, http.StatusOK, "home", http.MethodGet, path, "")
	}
	w.post(t, http.StatusOK, "/prompt-templates/big", `{"provider":"anthropic"}`)
}

// TestHostilePromptPaths requests templates with unusual paths.
func TestHostilePromptPaths(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	long := strings.Repeat("n", 100_000)
	for _, path := range []string{
		"/prompt-templates/a%00b", "/prompt-templates/%ff%fe", "/prompt-templates/%00/labels", "/prompt-templates//", "/prompt-templates/%2F",
		"/prompt-templates/" + long, "/prompt-templates/" + strings.Repeat("a/", 10_000), "/prompt-templates/" + strings.Repeat("%252F", 1000),
		"/prompt-templates/welcome?label=%00", "/prompt-templates/welcome?label=%ff", "/prompt-templates/welcome?label=" + long,
		"/prompt-templates/welcome?version=99999999999999999999", "/prompt-templates/welcome?version=-0", "/prompt-templates/welcome?version=0x1",
		"/prompt-templates?name=%00", "/prompt-templates?name=%ff", "/prompt-templates?name=" + long, "/prompt-templates?tags=" + strings.Repeat("a,", 10_000),
		"/prompt-templates?tags=%00", "/prompt-templates?tags=" + strings.Repeat("b", 100_000), "/prompt-templates?" + strings.Repeat("tags=a&", 10_000),
		"/prompt-templates?page=99999999999999999999", "/prompt-templates?per_page=9223372036854775807&page=9223372036854775807",
		"/prompt-templates?created_after=9999-12-31T23:59:59.999999999Z", "/prompt-templates?created_after=0001-01-01", "/prompt-templates?created_after=99999-01-01",
		"/prompt-templates?created_after=-1e999", "/prompt-templates?external_source=%00&external_id=%00", "/prompt-templates?created_by_email=%00",
		"/prompt-templates/by-external-id/%00/%00", "/prompt-templates/1/external-ids/%00/%ff", "/prompt-templates/%30%30%30/external-ids",
		"/prompt-labels/%00", "/prompts/%00/label", "/api/public/v2/ab-tests/%00", "/rest/get-prompt-template?prompt_name=%00", "/rest/prompt-templates/%00",
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
			start := time.Now()
			got, err := w.send("home", method, path, []byte(`{}`))
			check.OK(t, err)
			if got.status >= http.StatusInternalServerError {
				t.Errorf("%s %s is answered with %d %s", method, clip(path), got.status, clip(string(got.body)))
			}
			if took := time.Since(start); took > requestTimeout {
				t.Errorf("%s %s took %v", method, clip(path), took)
			}
			if got.status >= 400 {
				checkErrorShape(t, got.status, got.body)
			}
		}
	}
	w.must(t, http.StatusOK, "home", http.MethodGet, "/prompt-templates?name="+url.QueryEscape("welcome"), "")
}
