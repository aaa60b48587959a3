package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// textLogs are logs by name: input messages as role, text, …, then the
// output.
var textLogs = []struct {
	name   string
	input  []string
	output string
}{
	{"refund", []string{"system", "Be kind", "user", "I want a refund for order 12345"}, "The hippopotamus is on its way"},
	{"fund", []string{"user", "Fund the project; don't wait"}, "It’s done: {\"price\": 42}"},
	{"history", []string{"user", "Hi", "assistant", "An earlier remark", "user", "Go on"}, "A final statement"},
	{"json", []string{"user", "As JSON"}, `{"verdict": "yes", "list": [1, 2]}`},
	{"accents", []string{"user", "Größe der Äpfel, naïve café"}, "日本語 text und ελληνικά"},
	{"empty", []string{"user", ""}, ""},
	{"signs", []string{"user", "a{}b 100% C++ SELECT * FROM log WHERE 1=1 OR \"x\" AND NOT (y) NEAR/2 z*"}, "\\ ' ; --"},
}

func textWorld(t *testing.T) (*world, map[int64]string) {
	t.Helper()
	w := newWorld(t, settings{})
	byID := map[int64]string{}
	for _, l := range textLogs {
		id := w.log(t, "home", map[string]any{"input": chat(l.input...), "output": chat("assistant", l.output)})
		byID[id] = l.name
		w.log(t, "away", map[string]any{"input": chat(l.input...), "output": chat("assistant", l.output)})
	}
	return w, byID
}

func TestFreeText(t *testing.T) {
	t.Parallel()
	w, byID := textWorld(t)
	all := []string{"accents", "empty", "fund", "history", "json", "refund", "signs"}
	tests := []struct {
		q    string
		want []string
	}{
		{"refund", []string{"refund"}}, {"refu", []string{"refund"}}, {"ref", []string{"refund"}}, {"REFUND", []string{"refund"}},
		{"refnud", []string{"refund"}},                                             // one transposition
		{"refumd", []string{"refund"}},                                             // one replacement
		{"rofumd", []string{"refund"}},                                             // two, for six letters
		{"xefund", nil},                                                            // another first letter
		{"fnud", []string{"fund"}},                                                 // one, for four letters
		{"fonb", nil},                                                              // two, for four letters
		{"hj", nil},                                                                // none for two letters
		{"hipopot", []string{"refund"}},                                            // a prefix with a typo
		{"hipopatamus", []string{"refund"}},                                        // two typos
		{"hippopotamusses", nil},                                                   // longer than the word
		{"12345", []string{"refund"}}, {"123", []string{"refund"}}, {"12346", nil}, // no typos in numbers
		{"refund order", []string{"refund"}}, {"order refund", []string{"refund"}}, {"refund project", nil},
		{"refund hippopotamus", []string{"refund"}}, // input and output together
		{"[system]", nil}, {"assistant", nil}, {"user", nil}, {"used", nil}, // roles are no words of a text
		{"earlier remark", []string{"history"}}, {"final statement", []string{"history"}},
		{"", all}, {"   ", all}, {"\t\n", all},
		{"dont", []string{"fund"}}, {"don't", []string{"fund"}}, {"don’t", []string{"fund"}}, {"its", []string{"fund", "refund"}},
		{"verdict: yes", []string{"json"}}, {"verdict", []string{"json"}}, {"list: 1", []string{"json"}},
		{"grösse", []string{"accents"}}, {"größe", []string{"accents"}}, {"GRÖSSE", []string{"accents"}}, {"GRÖß", []string{"accents"}}, {"äpf", []string{"accents"}},
		{"日本", []string{"accents"}}, {"ΕΛΛΗΝΙΚΆ", []string{"accents"}}, {"cafe", []string{"accents"}}, // é is a typo of e
		{"{}", []string{"signs"}}, {"%", []string{"signs"}}, {"++", []string{"signs"}}, {"*", []string{"signs"}}, {"\\", []string{"signs"}},
		{"'", []string{"fund", "signs"}}, {"--", []string{"signs"}}, {"_", nil}, {"?", nil}, {"[]", nil},
		{"price: 42", []string{"fund"}},
		// Keywords of query languages are plain words.
		{"OR", []string{"refund", "signs"}}, {"NOT near", []string{"signs"}}, {"select from where", []string{"signs"}},
		{"refund OR fund", nil}, {"refund*", []string{"refund"}}, {"\"refund\"", []string{"refund"}}, {"-refund", []string{"refund"}},
		{"input:refund", nil}, {"refund)", []string{"refund"}}, {"(refund", []string{"refund"}}, {"^refund", []string{"refund"}},
		{"refund.*", []string{"refund"}}, {"r.fund", nil}, {"refund'; DROP TABLE log; --", nil},
		{strings.Repeat("refund ", 1400), []string{"refund"}}, {strings.Repeat("a", 10_000), nil},
	}
	for _, tt := range tests {
		var got []string
		for _, id := range w.searchIDs(t, "home", `{"q":`+toJSON(t, tt.q)+`}`) {
			got = append(got, byID[id])
		}
		slices.Sort(got)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("q %.40q (-want +got):\n%s", tt.q, diff)
		}
	}
	for _, q := range []string{strings.Repeat("a", 10_001), "a\x00"} {
		w.post(t, http.StatusUnprocessableEntity, searchPath, `{"q":`+toJSON(t, q)+`}`)
	}
}

func TestFreeTextAndFilters(t *testing.T) {
	t.Parallel()
	w, byID := textWorld(t)
	body := func(filter string) string { return `{"q":"fund","filters":[` + filter + `]}` }
	refund := leaf("input_text", "contains", `"refund"`, "")
	for filter, want := range map[string]string{
		"":     "fund",
		refund: "",
		leaf("input_text", "contains", `"project"`, ""): "fund",
	} {
		var got string
		for _, id := range w.searchIDs(t, "home", body(filter)) {
			got += byID[id]
		}
		if got != want {
			t.Errorf("filter %s with q finds %q, want %q", filter, got, want)
		}
	}
}

// TestExactMatchesComeFirst covers the order of free-text results.
func TestExactMatchesComeFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	var ids []int64
	for i, text := range []string{"the plan", "planning ahead", "a plant", "plan B", "plane", "PLAN!"} {
		ids = append(ids, w.log(t, "home", map[string]any{
			"input": chat("user", text), "request_start_time": fmt.Sprintf("2026-03-1%dT00:00:00Z", i), "price": i,
		}))
	}
	pick := func(order ...int) []int64 {
		var list []int64
		for _, i := range order {
			list = append(list, ids[i])
		}
		return list
	}
	tests := []struct {
		name, body string
		want       []int64
	}{
		{"by itself", `{"q":"plan"}`, pick(5, 3, 0, 4, 2, 1)},
		{"in pages", `{"q":"plan","per_page":2,"page":2}`, pick(0, 4)},
		{"sorted", `{"q":"plan","sort_by":"request_start_time"}`, pick(5, 4, 3, 2, 1, 0)},
		{"sorted up", `{"q":"plan","sort_by":"cost","sort_order":"asc"}`, pick(0, 1, 2, 3, 4, 5)},
		{"without text", `{}`, pick(5, 4, 3, 2, 1, 0)},
		{"nothing exact", `{"q":"pla"}`, pick(5, 4, 3, 2, 1, 0)},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, w.searchIDs(t, "home", tt.body)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
