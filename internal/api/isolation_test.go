package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

// TestLogsAreIsolated stores a secret in one workspace and tries to read it
// from the other in every possible way.
func TestLogsAreIsolated(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	output, _ := json.Marshal(map[string]any{"secret_key": "secret_value"})
	secret := w.log(t, "home", map[string]any{
		"provider": "secret_provider", "model": "secret_model", "status": "ERROR", "error_type": "PROVIDER_ERROR",
		"tags": []string{"secret_tag"}, "metadata": map[string]any{"secret_meta": "secret_value", "user_id": "secret_user"},
		"input": chat("user", "secret question"), "output": chat("assistant", string(output)), "price": 77,
		"prompt_name": "welcome", "prompt_input_variables": map[string]any{"city": "secret_city"}, "score": 9, "score_name": "secret_score",
	})
	group := int64(w.post(t, http.StatusOK, "/create-group", `{}`)["id"].(float64))
	own := w.log(t, "away", nil)
	before := w.must(t, http.StatusOK, "home", http.MethodPost, searchPath, `{}`)

	t.Run("annotations", func(t *testing.T) {
		for path, body := range map[string]string{
			"/rest/track-metadata":    `"metadata":{"secret_meta":"changed"}`,
			"/library-track-metadata": `"metadata":{}`,
			"/rest/track-score":       `"score":1,"name":"secret_score"`,
			"/library-track-score":    `"score":1`,
			"/rest/track-prompt":      `"prompt_name":"welcome"`,
			"/library-track-prompt":   `"prompt_name":"welcome"`,
			"/rest/track-group":       fmt.Sprintf(`"group_id":%d`, group),
			"/track-group":            fmt.Sprintf(`"group_id":%d`, group),
		} {
			w.must(t, http.StatusNotFound, "away", http.MethodPost, path, fmt.Sprintf(`{"request_id":%d,%s}`, secret, body))
		}
		w.must(t, http.StatusNotFound, "away", http.MethodPost, "/rest/track-group", fmt.Sprintf(`{"request_id":%d,"group_id":%d}`, own, group))
		w.must(t, http.StatusNotFound, "away", http.MethodGet, fmt.Sprintf("/api/public/v2/requests/%d", secret), "")
		after := w.must(t, http.StatusOK, "home", http.MethodPost, searchPath, `{}`)
		if toJSON(t, before) != toJSON(t, after) {
			t.Errorf("the log changed from %s to %s", toJSON(t, before), toJSON(t, after))
		}
	})
	t.Run("groups of others in a tracked call", func(t *testing.T) {
		answer := w.must(t, http.StatusOK, "away", http.MethodPost, "/track-request",
			fmt.Sprintf(`{"request_start_time":1,"request_end_time":2,"group_id":%d,"prompt_id":910001}`, group))
		id := int64(answer["request_id"].(float64))
		found := w.must(t, http.StatusOK, "away", http.MethodPost, searchPath, filtered(leaf("pl_id", "is", fmt.Sprint(id), "")))
		item := found["items"].([]any)[0].(map[string]any)
		if item["group_id"] != nil || item["prompt_id"] != nil {
			t.Errorf("the call is linked to group %v and prompt %v of the other workspace", item["group_id"], item["prompt_id"])
		}
	})
	t.Run("queries", func(t *testing.T) {
		bodies := []string{
			`{}`, `{"q":"secret"}`, `{"q":""}`, `{"sort_by":"cost"}`,
			filtered(leaf("pl_id", "in", fmt.Sprintf("[%d,%d]", secret, own), "")), filtered(leaf("engine", "is", `"secret_model"`, "")),
			`{"filter_group":{"logic":"OR","filters":[` + leaf("engine", "is", `"secret_model"`, "") + `,` + leaf("engine", "is_not", `"secret_model"`, "") + `]}}`,
			filtered(leaf("input_text", "contains", `"secret"`, "")), filtered(leaf("input_text", "not_contains", `"nothing"`, "")),
			filtered(leaf("metadata", "key_equals", `"secret_value"`, "secret_meta")), filtered(leaf("prompt_id", "is", "910001", "")),
			filtered(leaf("prompt_id", "is", `"welcome"`, "")), filtered(leaf("cost", "gt", "0", "")),
		}
		for _, body := range bodies {
			for _, path := range []string{searchPath, analyticsPath, chartsPath} {
				if path == chartsPath {
					body = everyGroup(body)
				}
				got, err := w.send("away", http.MethodPost, path, []byte(body))
				check.OK(t, err)
				if got.status != http.StatusOK {
					t.Fatalf("%s %s answers %d", path, body, got.status)
				}
				if text := string(got.body); strings.Contains(text, "secret") || strings.Contains(text, ":77") || strings.Contains(text, fmt.Sprint(secret)) {
					t.Errorf("%s %s answers %s", path, body, clip(text))
				}
			}
		}
	})
	t.Run("suggestions", func(t *testing.T) {
		for _, field := range []string{
			"engine", "provider_type", "prompt_id", "prompt", "tags", "metadata_keys", "tool_names", "output_keys", "input_variable_keys",
			"metadata_values&metadata_key=secret_meta", "output_values&metadata_key=secret_key", "input_variable_values&metadata_key=city",
			"prompt&prompt_id=910001",
		} {
			answer := w.must(t, http.StatusOK, "away", http.MethodGet, suggestPath+"?field="+field, "")
			if text := toJSON(t, answer); strings.Contains(text, "secret") || strings.Contains(text, "910001") || strings.Contains(text, "welcome") {
				t.Errorf("suggestions of %s are %s", field, text)
			}
		}
	})
}

// everyGroup adds a chart for every group to a query.
func everyGroup(query string) string {
	var charts []string
	for i, field := range []string{
		"engine", "provider_type", "prompt_id", "status", "error_type", "tags", "metadata_keys", "output_keys", "input_variable_keys", "tool_names",
	} {
		charts = append(charts, fmt.Sprintf(`{"id":"c%d","chartType":"pie","metric":"sum","metricField":"cost","groupByField":%q}`, i, field))
	}
	charts = append(charts,
		`{"id":"d","chartType":"pie","metric":"count","groupByMetadataKey":"secret_meta"}`, `{"id":"e","chartType":"bar","metric":"sum","metricField":"cost"}`)
	rest := strings.TrimPrefix(query, "{")
	if rest != "}" {
		rest = "," + rest
	}
	return `{"customCharts":[` + strings.Join(charts, ",") + `]` + rest
}
