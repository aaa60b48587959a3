package view

import (
	"encoding/json"
	"regexp"
	"slices"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
)

// Limits of the parts of a view: characters of texts, bytes of JSON.
const (
	maxName   = 255
	maxState  = 64 << 10
	maxCharts = 50
	maxLayout = 256 << 10
	maxTitle  = 200
)

// chartID matches the ids that custom analytics accept, because saved charts
// are sent there.
var chartID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// check records problems with the parts of a patch.
func (p *Patch) check(kind Kind, problems *fault.Problems) {
	if p.Name != nil {
		checkName(*p.Name, problems)
	}
	if p.Page != nil && kind != KindView {
		problems.Add(fault.In("page"), "enum", "Only views have a page")
	} else if p.Page != nil && !slices.Contains(Pages, *p.Page) {
		problems.Report(fault.In("page"), fault.OneOf(Pages...))
	}
	if p.State != nil {
		checkState(p.State, problems)
	}
	if p.Charts != nil {
		checkCharts(kind, p.Charts, problems)
	}
}

func checkName(name string, problems *fault.Problems) {
	r := shape.New(fault.In("name"), problems)
	r.Storable(name, 1, maxName)
}

func checkState(state json.RawMessage, problems *fault.Problems) {
	r := shape.New(fault.In("state"), problems)
	if len(state) > maxState {
		r.Report(fault.MaxBytes(maxState))
		return
	}
	if tree, err := jsontree.Parse(state); err != nil || tree.Kind() != jsontree.Object {
		r.Report(fault.ObjectType)
	}
}

func checkCharts(kind Kind, charts json.RawMessage, problems *fault.Problems) {
	r := shape.New(fault.In("charts"), problems)
	if kind != KindDashboard {
		r.Report(fault.Rulef("extra_forbidden", "Only dashboards have charts"))
		return
	}
	if len(charts) > maxLayout {
		r.Report(fault.MaxBytes(maxLayout))
		return
	}
	list, err := jsontree.Parse(charts)
	if err != nil {
		r.Report(fault.ListType)
		return
	}
	if !r.Array(list, 0, maxCharts) {
		return
	}
	seen := map[string]bool{}
	for chart := range r.Objects(list) {
		checkChart(chart.Required(), seen)
	}
}

// checkChart checks what every chart has. The rest is checked when charts are
// drawn: a dashboard can be saved while one of its charts is incomplete.
func checkChart(chart shape.Object, seen map[string]bool) {
	id := chart.String("id")
	switch {
	case chart.Value.Get("id").Kind() != jsontree.String:
	case !chartID.MatchString(id):
		chart.ReportAt("id", fault.Pattern(chartID))
	case seen[id]:
		chart.ReportAt("id", fault.Rulef("value_error", "Another chart has this id"))
	}
	seen[id] = true
	chart.Text("title", 0, maxTitle)
}
