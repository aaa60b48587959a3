package view

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// What the parts of a view can be: characters of texts, bytes of JSON.
const (
	maxName   = 255
	maxState  = 64 << 10
	maxCharts = 50
	maxLayout = 256 << 10
	maxTitle  = 200
)

// chartID is what a request for charts takes as an id: a saved chart is sent
// in one.
var chartID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func loc(parts ...any) []any { return fault.At([]any{"body"}, parts...) }

// check records what is wrong with the parts that a patch has.
func (p *Patch) check(kind Kind, problems *fault.Problems) {
	if p.Name != nil {
		checkName(*p.Name, problems)
	}
	if p.Page != nil && (kind != KindView || *p.Page != PageRequests && *p.Page != PageAnalytics) {
		problems.Add(loc("page"), "enum", "Input should be '%s' or '%s', and only views have one", PageRequests, PageAnalytics)
	}
	if p.State != nil {
		checkState(p.State, problems)
	}
	if p.Charts != nil {
		checkCharts(kind, p.Charts, problems)
	}
}

func checkName(name string, problems *fault.Problems) {
	switch {
	case name == "":
		problems.Add(loc("name"), "string_too_short", "String should have at least 1 character")
	case utf8.RuneCountInString(name) > maxName:
		problems.Add(loc("name"), "string_too_long", "String should have at most %d characters", maxName)
	case !utf8.ValidString(name):
		problems.Add(loc("name"), "value_error", "Input must be valid UTF-8")
	case strings.ContainsRune(name, 0):
		problems.Add(loc("name"), "value_error", "Input must not contain the NUL character")
	}
}

func checkState(state json.RawMessage, problems *fault.Problems) {
	if len(state) > maxState {
		problems.Add(loc("state"), "too_long", "Input should have at most %d bytes", maxState)
		return
	}
	if tree, err := jsontree.Parse(state); err != nil || tree.Kind() != jsontree.Object {
		problems.Add(loc("state"), "dict_type", "Input should be a valid object")
	}
}

func checkCharts(kind Kind, charts json.RawMessage, problems *fault.Problems) {
	at := loc("charts")
	if kind != KindDashboard {
		problems.Add(at, "extra_forbidden", "Only dashboards have charts")
		return
	}
	if len(charts) > maxLayout {
		problems.Add(at, "too_long", "Input should have at most %d bytes", maxLayout)
		return
	}
	list, err := jsontree.Parse(charts)
	switch {
	case err != nil || list.Kind() != jsontree.Array:
		problems.Add(at, "list_type", "Input should be a valid list")
		return
	case list.Len() > maxCharts:
		problems.Add(at, "too_long", "List should have at most %d items after validation, not %d", maxCharts, list.Len())
		return
	}
	seen := map[string]bool{}
	for i, chart := range list.Elems() {
		checkChart(chart, i, seen, problems)
	}
}

// checkChart looks at what every chart has. The rest is checked where charts
// are drawn: a dashboard can be saved while one of its charts is half done.
func checkChart(chart jsontree.Value, i int, seen map[string]bool, problems *fault.Problems) {
	if chart.Kind() != jsontree.Object {
		problems.Add(loc("charts", i), "dict_type", "Input should be a valid object")
		return
	}
	if id, ok := member(chart, i, "id", problems); ok {
		switch {
		case !chartID.MatchString(id):
			problems.Add(loc("charts", i, "id"), "string_pattern_mismatch", "String should match pattern '%s'", chartID)
		case seen[id]:
			problems.Add(loc("charts", i, "id"), "value_error", "Another chart has this id")
		}
		seen[id] = true
	}
	if title, ok := member(chart, i, "title", problems); ok && utf8.RuneCountInString(title) > maxTitle {
		problems.Add(loc("charts", i, "title"), "string_too_long", "String should have at most %d characters", maxTitle)
	}
}

// member returns a text that a chart must have.
func member(chart jsontree.Value, i int, key string, problems *fault.Problems) (text string, ok bool) {
	v := chart.Get(key)
	switch v.Kind() {
	case jsontree.String:
		return v.Str(), true
	case jsontree.Absent:
		problems.Add(loc("charts", i, key), "missing", "Field required")
	default:
		problems.Add(loc("charts", i, key), "string_type", "Input should be a valid string")
	}
	return "", false
}
