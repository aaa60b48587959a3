package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	demoregistry "github.com/promptuary/promptuary/internal/demo/registry"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/skill"
	"github.com/promptuary/promptuary/internal/tool"
	"github.com/promptuary/promptuary/internal/view"
	workflowrun "github.com/promptuary/promptuary/internal/workflow/run"
)

// checkVersions checks the number of versions of every entity.
func (o opened) checkVersions(t *testing.T) {
	t.Helper()
	got := map[string]int64{}
	all := entity.Page{}
	for name := range demoregistry.Links() {
		_, count, err := o.Services.Prompts.ListVersions(o.ctx, o.Workspace(), name, all)
		got[name] = must[int64](t)(count, err)
	}
	for _, name := range []string{"order_status", "shipping_cost", "business_days"} {
		_, count, err := o.Tools.ListVersions(o.ctx, o.Workspace(), name, all)
		got[name] = must[int64](t)(count, err)
	}
	for _, name := range []string{"refund-desk", "release-notes"} {
		_, count, err := o.Skills.ListVersions(o.ctx, o.Workspace(), name, all)
		got[name] = must[int64](t)(count, err)
	}
	for _, name := range []string{"ticket-routing", "reply-draft", "order-numbers"} {
		_, count, err := o.Workflows.ListVersions(o.ctx, o.Workspace(), name, all)
		got[name] = must[int64](t)(count, err)
	}
	want := map[string]int64{
		"support-reply": 5, "refund-helper": 3, "ticket-summary": 3, "classify-ticket": 3, "order-agent": 3, "lead-scoring": 2,
		"translate-german": 2, "code-review": 3, "order_status": 3, "shipping_cost": 2, "business_days": 2,
		"refund-desk": 3, "release-notes": 3, "ticket-routing": 3, "reply-draft": 2, "order-numbers": 1,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("versions (-want +got):\n%s", diff)
	}
}

// checkPrompts renders the versions in production and checks that each version
// has logs.
func (o opened) checkPrompts(t *testing.T) {
	t.Helper()
	variables := must[jsontree.Value](t)(jsontree.Parse([]byte(
		`{"customer":"Ada","question":"Why?","order":"7","ticket":"Broken","language":"German","company":"Acme","text":"Hello","diff":"+x"}`)))
	for name, link := range demoregistry.Links() {
		ready := must[*prompt.Run](t)(o.Services.Prompts.Prepare(o.ctx, o.Workspace(), name, prompt.Request{
			Version: registry.Selector{Label: "prod"}, Variables: variables,
		}))
		if ready.Warning != "" || len(ready.Arguments) == 0 || strings.Contains(string(ready.Filled), "@@@") {
			t.Errorf("%s: warning %q, template %s", name, ready.Warning, ready.Filled)
		}
		for number := 1; number <= link.Versions; number++ {
			filters := fmt.Sprintf(`[{"field":"prompt_id","operator":"is","value":%q},{"field":"prompt_version_number","operator":"eq","value":%d}]`, name, number)
			if o.logs(t, filters) == 0 {
				t.Errorf("no log refers to version %d of %s", number, name)
			}
		}
	}
	agent := must[*prompt.Template](t)(o.Services.Prompts.Get(o.ctx, o.Workspace(), "order-agent", registry.Selector{Label: "prod"}))
	if len(agent.Tools) != 2 {
		t.Errorf("the agent has %d tools, want 2", len(agent.Tools))
	}
}

func (o opened) checkTools(t *testing.T) {
	t.Helper()
	tests := map[string]struct{ name, inputs, want string }{
		"an order":       {"order_status", `{"order_id":"10442","language":"de"}`, `{"order_id":"10442","status":"versandt"}`},
		"a parcel":       {"shipping_cost", `{"grams":2500,"country":"DE"}`, `{"euros":7.5}`},
		"over a weekend": {"business_days", `{"from":"2026-01-02","to":"2026-01-06"}`, `{"days":2}`},
	}
	for name, tt := range tests {
		outcome := must[*tool.Outcome](t)(o.Tools.Try(o.ctx, o.Workspace(), tt.name, tool.Trial{Version: registry.Selector{Label: "prod"}, Inputs: []byte(tt.inputs)}))
		if outcome.Failure != nil || string(outcome.Value) != tt.want {
			t.Errorf("%s: result = %s (%v), want %s", name, outcome.Value, outcome.Failure, tt.want)
		}
	}
}

func (o opened) checkSkills(t *testing.T) {
	t.Helper()
	for name, want := range map[string][]string{
		"refund-desk":   {"SKILL.md", "references/policy.md", "scripts/deadline.py"},
		"release-notes": {"SKILL.md", "references/style.md", "scripts/changes.py"},
	} {
		record := must[*skill.Record](t)(o.Skills.Get(o.ctx, o.Workspace(), name, registry.Selector{Label: "prod"}))
		var got []string
		for _, file := range record.Version.Files {
			got = append(got, file.Path)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("files of %s (-want +got):\n%s", name, diff)
		}
	}
}

// checkScores checks that all runs of an evaluation have different scores.
func (o opened) checkScores(t *testing.T) {
	t.Helper()
	for _, e := range o.evaluations(t) {
		seen := map[string]bool{}
		for i := range e.Runs {
			r := &e.Runs[i]
			score := must[jsontree.Value](t)(jsontree.Parse([]byte(r.Result.Score))).Get("overall_score")
			if r.EndedAt == nil || r.Counts.Failed > 0 || r.Result.Failure != "" || seen[string(score.Raw())] || score.Kind() != jsontree.Number {
				t.Errorf("%s: score %s with %d failures (%s)", r.Name, score.Raw(), r.Counts.Failed, r.Result.Failure)
			}
			seen[string(score.Raw())] = true
		}
	}
}

// checkComparison checks that the two runs over the same questions differ in
// both directions.
func (o opened) checkComparison(t *testing.T) {
	t.Helper()
	runs := map[string]int64{}
	for _, e := range o.evaluations(t) {
		for i := range e.Runs {
			runs[e.Runs[i].Name] = e.Runs[i].ID
		}
	}
	difference := must[*eval.Difference](t)(o.Evaluations.Compare(
		o.ctx, o.Workspace(), runs["support-reply version 4"], runs["support-reply version 5"], entity.Page{}))
	if got := difference.Result; got.RowsCompared != 40 || got.RowsDifferent != 0 {
		t.Errorf("compared %d rows and skipped %d, want 40 and 0", got.RowsCompared, got.RowsDifferent)
	}
	for _, column := range difference.Result.Columns {
		if column.Scored && (column.Counts.Improved == 0 || column.Counts.Worsened == 0) {
			t.Errorf("%s: %+v, want both improved and worsened cells", column.Name, column.Counts)
		}
	}
}

// views returns the saved views or dashboards.
func (o opened) views(t *testing.T, kind view.Kind) []view.View {
	t.Helper()
	return must[[]view.View](t)(o.Views.List(o.ctx, view.Scope{Workspace: o.Workspace(), Kind: kind}))
}

// checkCharts checks that every chart of a dashboard has data.
func (o opened) checkCharts(t *testing.T) {
	t.Helper()
	for _, dashboard := range o.views(t, view.KindDashboard) {
		var problems fault.Problems
		tree := must[jsontree.Value](t)(jsontree.Parse(dashboard.Charts))
		charts := must[[]chart.Chart](t)(chart.Parse(tree, &problems))
		if err := problems.Err(); err != nil {
			t.Fatalf("%s: %v", dashboard.Name, err)
		}
		results := must[[]chart.Result](t)(o.Logs().Charts(o.ctx, o.Workspace(), query.Input{}, charts))
		if len(results) != 6 {
			t.Errorf("%s has %d charts, want 6", dashboard.Name, len(results))
		}
		for _, chart := range results {
			if len(chart.Data) == 0 || len(chart.Series) == 0 {
				t.Errorf("chart %s of %s is empty", chart.ID, dashboard.Name)
			}
		}
	}
}

func (o opened) checkWorkflowRuns(t *testing.T) {
	t.Helper()
	runs, _, err := o.Runs.List(o.ctx, o.Workspace(), "ticket-routing", workflowrun.ListQuery{Status: workflowrun.Success})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range runs {
		got = append(got, string(must[*workflowrun.Result](t)(o.Runs.Result(o.ctx, o.Workspace(), runs[i].ID, nil, nil)).Output.Raw()))
	}
	want := []string{
		`{"route":"answer from the help centre","orders":[],"urgency":1}`,
		`{"route":"refund at once","orders":["10442"],"urgency":2}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("outputs (-want +got):\n%s", diff)
	}
}
