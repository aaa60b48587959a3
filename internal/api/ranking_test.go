package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// manyWorld returns a world with 120 logs, each with a unique tag, model,
// provider, metadata key, output key, tool and error type or prompt, in
// addition to common ones. Later logs cost more.
func manyWorld(t *testing.T) *world {
	t.Helper()
	w := newWorld(t, settings{})
	var logs []string
	for i := range 120 {
		name := fmt.Sprintf("n%03d", i)
		output := chat("assistant", fmt.Sprintf(`{"all": 1, "%s": 2}`, name))
		logs = append(logs, toJSON(t, logBody(map[string]any{
			"model": name, "provider": name, "tags": []string{name, "all"}, "price": i,
			"metadata": map[string]any{name: name, "all": "same", "kind": fmt.Sprint(i % 3)}, "output": output,
		})))
	}
	w.post(t, http.StatusCreated, "/log-requests", `{"requests":[`+strings.Join(logs, ",")+`]}`)
	return w
}

// TestSuggestionsAreRanked covers the order and number of suggestions.
func TestSuggestionsAreRanked(t *testing.T) {
	t.Parallel()
	w := manyWorld(t)
	for field, first := range map[string][]any{
		"tags": {"all", "n000", "n001"}, "metadata_keys": {"all", "kind", "n000"}, "output_keys": {"all", "n000", "n001"},
		"engine": {"n000", "n001", "n002"}, "metadata_values&metadata_key=kind": {"0", "1", "2"}, "tags&prefix=N11": {"n110", "n111", "n112"},
	} {
		answer := w.must(t, http.StatusOK, "home", http.MethodGet, suggestPath+"?field="+field, "")
		values := answer["values"].([]any)
		if diff := cmp.Diff(first, values[:min(3, len(values))]); diff != "" {
			t.Errorf("the first suggestions of %s (-want +got):\n%s", field, diff)
		}
		if want := map[string]int{"metadata_values&metadata_key=kind": 3, "tags&prefix=N11": 10}[field]; want != 0 && len(values) != want || len(values) > 100 {
			t.Errorf("%s has %d suggestions", field, len(values))
		}
		if !strings.Contains(field, "&") && len(values) != 100 {
			t.Errorf("%s has %d suggestions, want 100", field, len(values))
		}
	}
}

// TestAnalyticsAreTruncated covers the order and length of rankings.
func TestAnalyticsAreTruncated(t *testing.T) {
	t.Parallel()
	w := manyWorld(t)
	answer := w.post(t, http.StatusOK, analyticsPath, `{}`)
	for list, first := range map[string]string{
		"mostUsedModels": `["n000",1]`, "providerBreakdown": `"provider":"n119"`, "tagsBreakdown": `"tag":"all"`,
		"metadataKeysTop": `{"key":"all","requests":120}`, "outputKeysTop": `{"key":"all","requests":120}`,
		"metadataValueBreakdown": `"label":"all = same"`,
	} {
		rows := answer[list].([]any)
		if len(rows) != 50 {
			t.Errorf("%s has %d rows, want 50", list, len(rows))
		}
		if text := toJSON(t, rows[0]); !strings.Contains(text, first) {
			t.Errorf("%s begins with %s, want %s", list, text, first)
		}
	}
	if second := toJSON(t, answer["tagsBreakdown"].([]any)[1]); !strings.Contains(second, `"n119"`) {
		t.Errorf("the second tag is %s, want the most expensive", second)
	}
	charts := w.post(t, http.StatusOK, chartsPath, `{"customCharts":[{"id":"a","chartType":"pie","metric":"sum","metricField":"cost","groupByField":"engine"},
		{"id":"b","chartType":"pie","metric":"count","groupByField":"engine","limit":100},
		{"id":"c","chartType":"line","metric":"count","groupByField":"engine","timeSeries":true}]}`)["customCharts"].([]any)
	rows := func(i int) []any { return charts[i].(map[string]any)["data"].([]any) }
	if len(rows(0)) != 25 || len(rows(1)) != 100 || rows(0)[0].(map[string]any)["label"] != "n119" || rows(1)[0].(map[string]any)["label"] != "n000" {
		t.Errorf("the charts have %d and %d rows, beginning with %v and %v", len(rows(0)), len(rows(1)), rows(0)[0], rows(1)[0])
	}
	if series := charts[2].(map[string]any)["series"].([]any); len(series) != 25 {
		t.Errorf("the chart over time has %d series", len(series))
	}
}

// TestUnknownModel covers calls without a model.
func TestUnknownModel(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.post(t, http.StatusOK, "/track-request", `{"request_start_time":1,"request_end_time":2}`)
	answer := w.post(t, http.StatusOK, analyticsPath, `{}`)
	if diff := cmp.Diff([]any{[]any{"unknown", 1.0}}, answer["mostUsedModels"]); diff != "" {
		t.Errorf("mostUsedModels (-want +got):\n%s", diff)
	}
	want := map[string]any{"unknown": []any{[]any{"1970-01-01", 1.0}}}
	if diff := cmp.Diff(want, answer["modelRequestsByDay"]); diff != "" {
		t.Errorf("modelRequestsByDay (-want +got):\n%s", diff)
	}
	suggested := w.must(t, http.StatusOK, "home", http.MethodGet, suggestPath+"?field=engine", "")
	if diff := cmp.Diff([]any{}, suggested["values"]); diff != "" {
		t.Errorf("suggestions (-want +got):\n%s", diff)
	}
	chart := w.post(t, http.StatusOK, chartsPath, `{"customCharts":[{"id":"a","chartType":"pie","metric":"count","groupByField":"engine"}]}`)
	if diff := cmp.Diff([]any{}, chart["customCharts"].([]any)[0].(map[string]any)["data"]); diff != "" {
		t.Errorf("chart (-want +got):\n%s", diff)
	}
}
