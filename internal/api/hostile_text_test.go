package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// hostileTexts have a special meaning somewhere on their way: in SQL, JSON,
// HTML, paths, formats or key encodings.
var hostileTexts = []string{
	`'; DROP TABLE log; --`, `" OR 1=1 --`, `') OR ('1'='1`, `$1`, `?`, `:workspace`, `%s%d%!`, `%`, `_`, `*`, `\`, `\' OR 1=1`,
	"a\x00b", "\x00", "\u2028x\u2029", "💥 日本 \U0010FFFF", "line\nbreak\ttab\r", `</script><script>alert(1)</script>`, `{"a":1}`, `[1]`,
	"NULL", "null", "true", "0", "-0.0", "1e3", " spaces ", strings.Repeat("x", 500), "\u00e9", "e\u0301", "12:abc", "3:a.b1", "a.b", "..", ".",
	"ﬀ", "İ", "ß", "\ufffd", "\ufeff", "\u202e",
}

// TestHostileTexts puts each text into every string of a log, and searches
// for it by every field. It must be returned unchanged and find only its own
// log.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	ids := map[string]int64{}
	for _, text := range hostileTexts {
		ids[text] = w.log(t, "home", hostileLog(text))
	}
	for _, text := range hostileTexts {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			t.Parallel()
			h := hostile{t, w, text, ids[text]}
			h.comesBack()
			h.isFound()
			h.isSuggested()
			h.isCounted()
		})
	}
}

func hostileLog(text string) map[string]any {
	output, _ := json.Marshal(map[string]any{"key" + text: text, "o": map[string]any{text: 1}})
	return logBody(map[string]any{
		"provider": text, "model": text, "function_name": text, "api_type": text, "error_message": text,
		"tags": []string{text, "t" + text}, "score": 5, "score_name": text,
		"metadata": map[string]any{"m" + text: text, "nested": map[string]any{text: text}},
		"input":    chat("user", "before "+text+" after"), "output": chat("assistant", string(output)),
		"parameters":  map[string]any{text: text},
		"prompt_name": "welcome", "prompt_input_variables": map[string]any{"city": text},
	})
}

type hostile struct {
	t    *testing.T
	w    *world
	text string
	id   int64
}

// comesBack compares the responses with what was sent.
func (h hostile) comesBack() {
	h.t.Helper()
	found := h.w.post(h.t, http.StatusOK, searchPath, filtered(leaf("pl_id", "is", fmt.Sprint(h.id), "")))
	item := found["items"].([]any)[0].(map[string]any)
	want := map[string]any{
		"engine": h.text, "provider_type": h.text, "function_name": h.text, "api_type": h.text, "error_message": h.text,
		"tags_array": []any{h.text, "t" + h.text}, "scores": []any{map[string]any{"name": h.text, "score": 5.0}},
		"metadata": []any{map[string]any{"m" + h.text: h.text}, map[string]any{"nested": map[string]any{h.text: h.text}}},
	}
	for key, value := range want {
		if diff := cmp.Diff(value, item[key]); diff != "" {
			h.t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
	detail := h.w.must(h.t, http.StatusOK, "home", http.MethodGet, fmt.Sprintf("/api/public/v2/requests/%d", h.id), "")
	blueprint := detail["prompt_blueprint"].(map[string]any)
	message := blueprint["prompt_template"].(map[string]any)["messages"].([]any)[0].(map[string]any)
	block := message["content"].([]any)[0].(map[string]any)
	if block["text"] != "before "+h.text+" after" {
		h.t.Errorf("the message is %q", block["text"])
	}
	model := blueprint["metadata"].(map[string]any)["model"].(map[string]any)
	if diff := cmp.Diff(map[string]any{h.text: h.text}, model["parameters"]); diff != "" {
		h.t.Errorf("parameters (-want +got):\n%s", diff)
	}
}

// isFound searches by every field with the text.
func (h hostile) isFound() {
	h.t.Helper()
	value := toJSON(h.t, h.text)
	for _, condition := range []string{
		leaf("engine", "is", value, ""), leaf("provider_type", "in", "["+value+"]", ""),
		leaf("tags", "contains", value, ""), leaf("tags", "in", "["+value+"]", ""),
		leaf("metadata_keys", "contains", toJSON(h.t, "m"+h.text), ""), leaf("metadata_keys", "contains", toJSON(h.t, "nested."+h.text), ""),
		leaf("metadata", "key_equals", value, "m"+h.text), leaf("metadata", "key_equals", value, "nested."+h.text),
		leaf("metadata", "is_not_empty", "", "m"+h.text), leaf("output_keys", "contains", toJSON(h.t, "key"+h.text), ""),
		leaf("output", "key_equals", value, "key"+h.text), leaf("output", "in", "[1]", "o."+h.text),
		leaf("input_variables", "key_equals", value, "city"),
	} {
		if got := h.w.searchIDs(h.t, "home", filtered(condition)); !slices.Equal(got, []int64{h.id}) {
			h.t.Errorf("%s finds %v, want %d", condition, got, h.id)
		}
	}
	for _, condition := range []string{
		leaf("input_text", "contains", value, ""), leaf("input_text", "contains", toJSON(h.t, "before "+h.text), ""),
		leaf("input_text", "ends_with", toJSON(h.t, h.text+" after"), ""), leaf("metadata", "key_contains", value, "m"+h.text),
	} {
		if got := h.w.searchIDs(h.t, "home", filtered(condition, leaf("engine", "is", value, ""))); !slices.Equal(got, []int64{h.id}) {
			h.t.Errorf("%s finds %v, want %d", condition, got, h.id)
		}
	}
}

// isSuggested asks for suggestions that start with the text.
func (h hostile) isSuggested() {
	h.t.Helper()
	for field, want := range map[string]string{
		"engine": h.text, "provider_type": h.text, "tags": h.text, "metadata_keys": "m" + h.text, "output_keys": "key" + h.text,
		"metadata_values&metadata_key=" + url.QueryEscape("m"+h.text): h.text,
		"output_values&metadata_key=" + url.QueryEscape("key"+h.text): h.text,
		"input_variable_values&metadata_key=city":                     h.text,
	} {
		if strings.Contains(h.text, "\x00") {
			// Parameters must not contain this character, but the filter in a
			// parameter may.
			filter := url.QueryEscape(`{"filters":[` + leaf("engine", "is", toJSON(h.t, h.text), "") + `]}`)
			if strings.Contains(field, "%00") {
				continue
			}
			field += "&filter_group=" + filter
		} else {
			field += "&prefix=" + url.QueryEscape(want)
		}
		answer := h.w.must(h.t, http.StatusOK, "home", http.MethodGet, suggestPath+"?field="+field, "")
		if !slices.Contains(answer["values"].([]any), any(want)) {
			h.t.Errorf("suggestions of %s are %q, want %q among them", field, answer["values"], want)
		}
	}
}

// isCounted checks analytics and charts for the text.
func (h hostile) isCounted() {
	h.t.Helper()
	only := `"filters":[` + leaf("engine", "is", toJSON(h.t, h.text), "") + `]`
	answer := h.w.post(h.t, http.StatusOK, analyticsPath, `{`+only+`,"metadata_cost_breakdown_key":`+toJSON(h.t, strings.ReplaceAll("m"+h.text, "\x00", ""))+`}`)
	if diff := cmp.Diff([]any{[]any{h.text, 1.0}}, answer["mostUsedModels"]); diff != "" {
		h.t.Errorf("mostUsedModels (-want +got):\n%s", diff)
	}
	values := answer["metadataValueBreakdown"].([]any)
	if !strings.Contains(h.text, "\x00") && (len(values) != 1 || values[0].(map[string]any)["value"] != h.text) {
		h.t.Errorf("metadataValueBreakdown = %v", values)
	}
	group := `"groupByField":"engine"`
	if len(h.text) < 100 { // a chart accepts keys of up to 120 characters
		group = `"groupByMetadataKey":` + toJSON(h.t, "m"+h.text)
	}
	chart := h.w.post(h.t, http.StatusOK, chartsPath, `{`+only+`,"customCharts":[{"id":"a","chartType":"pie","metric":"count",`+group+`},
		{"id":"b","chartType":"line","timeSeries":true,"metric":"count","groupByField":"tags"}]}`)
	charts := chart["customCharts"].([]any)
	if diff := cmp.Diff([]any{map[string]any{"label": h.text, "value": 1.0}}, charts[0].(map[string]any)["data"]); diff != "" {
		h.t.Errorf("chart (-want +got):\n%s", diff)
	}
	row := charts[1].(map[string]any)["data"].([]any)[0].(map[string]any)
	if row[h.text] != 1.0 || row["t"+h.text] != 1.0 {
		h.t.Errorf("the row of the chart over time is %v", row)
	}
}
