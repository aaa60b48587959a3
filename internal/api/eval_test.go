package api_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/step"
)

// newEvaluations returns the evaluation service, with columns that need
// neither models nor code nor other servers.
func newEvaluations(jobs job.Queue, c *catalog.Catalog, sets *dataset.Service, logs eval.Logs, now *check.Clock) *eval.Service {
	return eval.NewService(eval.Options{
		Jobs:     jobs,
		Entities: c.Entities, Store: c.Evaluations, Datasets: sets, Logs: logs, Clock: now.Now, Env: func(eval.Scope) step.Env { return step.Env{} },
		Vault: testVault,
	})
}

// evaluated is an evaluation of a dataset with a completed run.
type evaluated struct{ group, dataset, report, column, run int64 }

const columnBodies = `{"column_type": "COMPARE", "name": "same", "configuration": {"sources": ["q", "a"], "x": {"y": [1]}}, "position": 1, "is_part_of_score": true},
	{"column_type": "COUNT", "name": "words", "configuration": {"source": "q", "type": "words"}, "position": null}`

// evaluate creates an evaluation and runs it.
func (w *world) evaluate(t *testing.T) evaluated {
	t.Helper()
	number := func(v any) int64 { return int64(v.(float64)) }
	var e evaluated
	made := w.post(t, http.StatusCreated, "/api/public/v2/dataset-groups", `{"name": "questions"}`)
	e.group = number(made["dataset_group"].(map[string]any)["id"])
	file := base64.StdEncoding.EncodeToString([]byte("q,a\na b,a\nc,c\n"))
	e.dataset = number(w.post(t, http.StatusCreated, "/api/public/v2/dataset-versions/from-file",
		fmt.Sprintf(`{"dataset_group_id": %d, "file_name": "q.csv", "file_content_base64": %q}`, e.group, file))["dataset_id"])
	report := w.post(t, http.StatusCreated, "/reports", fmt.Sprintf(`{"dataset_group_id": %d, "name": "e", "columns": [%s]}`, e.group, columnBodies))
	e.report = number(report["report_id"])
	e.column = number(report["report_columns"].([]any)[0].(map[string]any)["id"])
	e.run = number(w.post(t, http.StatusCreated, fmt.Sprintf("/reports/%d/run", e.report), `{"name": "r"}`)["report_id"])
	for ended := false; !ended; {
		ended = w.must(t, http.StatusOK, "home", http.MethodGet, fmt.Sprintf("/reports/%d", e.run), "")["status"] == "COMPLETED"
	}
	return e
}

// fill replaces the names in a text by ids.
func (e evaluated) fill(text string) string {
	for name, id := range map[string]int64{"$group": e.group, "$dataset": e.dataset, "$report": e.report, "$column": e.column, "$run": e.run} {
		text = strings.ReplaceAll(text, name, strconv.FormatInt(id, 10))
	}
	return text
}

// TestListSaysHowManyRunsItLeavesOut starts more runs than a list of evaluations
// includes, and reads the others page by page.
func TestListSaysHowManyRunsItLeavesOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	e := w.evaluate(t)
	short := int64(w.post(t, http.StatusCreated, "/reports", e.fill(`{"dataset_group_id": $group, "name": "empty"}`))["report_id"].(float64))
	for i := range 102 {
		w.post(t, http.StatusCreated, fmt.Sprintf("/reports/%d/run", short), fmt.Sprintf(`{"name": "run %d"}`, i))
	}
	found := w.must(t, http.StatusOK, "home", http.MethodGet, "/api/public/v2/evaluations?include_runs=true&sort_by=id&sort_order=asc", "")["evaluations"].([]any)
	for i, want := range [][2]int{{1, 1}, {100, 102}} {
		one := found[i].(map[string]any)
		check.Equal(t, one["name"].(string), [2]int{len(one["runs"].([]any)), int(one["run_count"].(float64))}, want)
	}
	rest := w.must(t, http.StatusOK, "home", http.MethodGet, fmt.Sprintf("/api/public/v2/evaluations/%d/runs?per_page=100&page=2", short), "")
	check.Equal(t, "the total", rest["total"].(float64), 102)
	var names []any
	for _, run := range rest["items"].([]any) {
		names = append(names, run.(map[string]any)["name"])
	}
	check.Equal(t, "the other runs", fmt.Sprint(names), "[run 1 run 0]")
}

// TestMutatedEvaluationBodies replaces each member of valid bodies with
// values of every type. Each response must be documented, and rejected
// requests must change nothing.
func TestMutatedEvaluationBodies(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, request, body string }{
		{"create", "POST /reports", `{"dataset_group_id": $group, "name": "n", "comment": "c", "folder_id": 910010, "dataset_version_number": 1, "columns": [` + columnBodies + `],
			"score_configuration": {"code": "c", "code_language": "JAVASCRIPT"}}`},
		{"add a column", "POST /report-columns", `{"report_id": $report, "column_type": "COUNT", "name": "new", "configuration": {"source": "q", "type": "chars"}, "position": 3, "is_part_of_score": true}`},
		{"change a column", "PATCH /report-columns/$column", `{"report_id": $report, "column_type": "COUNT", "name": "same", "configuration": {"source": "q", "type": "chars"}, "position": 3}`},
		{"run", "POST /reports/$report/run", `{"name": "r", "comment": "c", "dataset_id": $dataset, "refresh_dataset": false}`},
		{"rename", "PATCH /reports/$report/rename", `{"name": "n", "tags": ["a", "b"], "comment": "c"}`},
		{"rename a run", "PATCH /reports/$run/rename", `{"name": "n", "tags": ["a", "b"], "comment": "c"}`},
		{"score card", "PATCH /reports/$report/score-card", `{"column_names": ["same"], "code": "c", "code_language": "PYTHON"}`},
		{"score card of a run", "PATCH /reports/$run/score-card", `{"column_names": ["same"], "code": "c", "code_language": "PYTHON"}`},
		{"attach", "POST /reports/$report/external-ids", `{"source": "s", "external_id": "i"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, settings{})
			e := w.evaluate(t)
			method, path, _ := strings.Cut(e.fill(tt.request), " ")
			m := promptMutation{t: t, world: w, document: newDocument(t, w), method: method, path: path}
			var body any
			check.OK(t, json.Unmarshal([]byte(e.fill(tt.body)), &body))
			if tt.name == "add a column" { // the first that succeeds takes the name
				w.must(t, http.StatusCreated, "home", method, path, toJSON(t, body))
			} else {
				m.send(body, "unchanged")
			}
			if m.refused > 0 {
				t.Fatal("the unchanged body is refused")
			}
			everyChange(body, func(changed any) any { return changed }, "body", m.send)
			if m.refused == 0 {
				t.Error("nothing was refused")
			}
		})
	}
}

// TestHostileEvaluations sends evaluations of the largest possible size. Each
// is answered in time, and rejected beyond a limit.
func TestHostileEvaluations(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	e := w.evaluate(t)
	columns := func(n int, configuration string) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf(`{"column_type": "VARIABLE", "name": "v%d", "configuration": %s}`, i, configuration)
		}
		return e.fill(`{"dataset_group_id": $group, "columns": [` + strings.Join(list, ",") + `]}`)
	}
	deep := strings.Repeat(`{"k":`, 190) + `1` + strings.Repeat(`}`, 190)
	tests := map[string]struct {
		path, body string
		status     int
	}{
		"as many columns as there can be": {"/reports", columns(200, `{"value": 1}`), http.StatusCreated},
		"one more":                        {"/reports", columns(201, `{"value": 1}`), http.StatusBadRequest},
		"far too many":                    {"/reports", columns(1001, `{"value": 1}`), http.StatusUnprocessableEntity},
		"a large configuration":           {"/reports", columns(1, `{"value": "`+strings.Repeat("x", 4_000_000)+`"}`), http.StatusCreated},
		"a larger one":                    {"/reports", columns(1, `{"value": "`+strings.Repeat("x", 4_200_000)+`"}`), http.StatusBadRequest},
		"a deep one":                      {"/reports", columns(1, `{"value": `+deep+`}`), http.StatusCreated},
		"odd letters in a name":           {e.fill("/reports/$report/run"), `{"name": "\u0000"}`, http.StatusUnprocessableEntity},
		"odd letters in a tag":            {e.fill("/reports/$report/rename"), `{"tags": ["\u0000"]}`, http.StatusUnprocessableEntity},
		"large code":                      {e.fill("/reports/$run/score-card"), `{"column_names": [], "code": "` + strings.Repeat("x", 1_000_001) + `"}`, http.StatusUnprocessableEntity},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			method := http.MethodPost
			if strings.HasSuffix(tt.path, "rename") || strings.HasSuffix(tt.path, "score-card") {
				method = http.MethodPatch
			}
			got, err := w.send("home", method, tt.path, []byte(tt.body))
			check.OK(t, err)
			if got.status != tt.status {
				t.Errorf("status = %d %s, want %d", got.status, clip(string(got.body)), tt.status)
			}
		})
	}
}
