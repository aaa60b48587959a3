package dataset_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// TestSameResultAsSearch compares datasets with searches by the same filters:
// they have the same logs in the same order.
func TestSameResultAsSearch(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	group := s.group("g")
	members := make([]string, 1100)
	for i := range members {
		members[i] = fmt.Sprintf(`,"tags":["t%d"],"price":%d,"input_tokens":%d,"metadata":{"user":"u%d"}`, i%3, i%7, i%11, i%5)
	}
	s.log(members...)
	for _, query := range []string{
		`{}`,
		`{"filter_group":{"filters":[{"field":"tags","operator":"contains","value":"t1"}]}}`,
		`{"filter_group":{"logic":"OR","filters":[{"field":"cost","operator":"gt","value":5},{"field":"metadata","operator":"key_equals","nested_key":"user","value":"u2"}]},"sort_by":"cost"}`,
		`{"q":"answer 1","sort_by":"input_tokens","sort_order":"asc"}`,
		`{"q":"question","limit":501}`,
		`{"filter_group":{"filters":[{"field":"engine","operator":"is","value":"none"}]}}`,
	} {
		got := s.column(s.fromLogs(group, query), "promptlayer_url")
		equal(t, got, s.searched(query))
	}
}

// searched returns the links of all logs that a search finds, page by page.
func (s *shelf) searched(text string) []string {
	s.t.Helper()
	body := check.Must(jsontree.Parse([]byte(text)))(s.t)
	var problems fault.Problems
	query := check.Must(query.Parse(body, &problems))(s.t)
	links := []string{}
	for page := 1; ; page++ {
		found := check.Must(s.logs.Search(s.ctx, s.workspace, requests.SearchInput{Input: query, Page: page, PerPage: 25}))(s.t)
		for _, l := range found.Items {
			links = append(links, fmt.Sprintf(`"/app/%d/requests?request=%d"`, s.workspace, l.ID))
		}
		if len(found.Items) == 0 {
			break
		}
	}
	if limit, ok := body.Get("limit").Int(); ok {
		links = links[:min(limit, int64(len(links)))]
	}
	return links
}

func TestManyIDs(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	group := s.group("g")
	ids := s.log(make([]string, 700)...)
	slices.Reverse(ids)
	texts := make([]string, len(ids))
	links := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = fmt.Sprint(id)
		links[i] = fmt.Sprintf(`"/app/%d/requests?request=%d"`, s.workspace, id)
	}
	body := `{"request_log_ids":[` + strings.Join(texts, ",") + `]`
	made := s.fromLogs(group, body+`}`)
	equal(t, s.column(made, "promptlayer_url"), links)
	equal(t, made.HasFilter, false)
	equal(t, s.column(s.fromLogs(group, body+`,"limit":3}`), "promptlayer_url"), links[:3])
	equal(t, s.fromLogs(group, `{"request_log_ids":[]}`).RowCount, int64(0))
}

// TestNotes checks that annotations of a log are in its row.
func TestNotes(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	s.prompt("p")
	id := s.log(`,"metadata":{"a":1},"prompt_name":"p","prompt_input_variables":{"x":{"deep":[1]},"y":"z"}`)[0]
	check.OK(t, s.logs.TrackMetadata(s.ctx, s.workspace, id, []reqlog.Member{{Key: "b", Value: []byte(`"2"`)}}))
	made := s.fromLogs(s.group("g"), `{}`)
	equal(t, made.Columns, []string{"variable.x", "variable.y", "metadata", "scores", "tags", "promptlayer_url", "prompt", "response"})
	equal(t, s.column(made, "metadata"), []string{`{"a":1,"b":"2"}`})
	equal(t, s.column(made, "variable.x"), []string{`{"deep":[1]}`})
	found, _, err := s.List(s.ctx, dataset.ListQuery{Filters: entity.Query{WorkspaceID: s.workspace}, PromptID: s.promptID("p")})
	check.OK(t, err)
	equal(t, len(found), 1)
}

func TestTooManyVariables(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	s.prompt("p")
	variables := make([]string, dataset.MaxColumns)
	for i := range variables {
		variables[i] = fmt.Sprintf(`"v%d":1`, i)
	}
	id := s.log(`,"prompt_name":"p","prompt_input_variables":{` + strings.Join(variables, ",") + `}`)[0]
	group := s.group("g")
	_, err := s.CreateFromLogs(s.ctx, s.workspace, group, s.selection(`{}`), nil)
	fails(t, err, fault.BadRequest, "too many input variables")
	_, err = s.AddRequestLog(s.ctx, s.workspace, group, id)
	fails(t, err, fault.BadRequest, "at most 2000 columns")
	equal(t, s.fromLogs(group, `{"variables_to_parse":["v7"]}`).Columns[:2], []string{"variable.v7", "metadata"})
}

func TestChosenColumns(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	group := s.group("g")
	id := s.log(`,"status":"ERROR","error_type":"PROVIDER_TIMEOUT","error_message":"too slow","price":0.25,"input_tokens":3,"tags":["a"],"prompt_input_variables":{"city":"Oslo"}`)[0]
	made := s.fromLogs(group, `{"columns":["status","error_type","error_message","cost","input_tokens","model","provider","latency_ms","request_url","status"]}`)
	equal(t, made.Columns, []string{"variable.city", "status", "error_type", "error_message", "cost", "input_tokens", "model", "provider", "latency_ms", "request_url"})
	for column, want := range map[string]string{"status": `"ERROR"`, "error_type": `"PROVIDER_TIMEOUT"`, "error_message": `"too slow"`, "cost": `0.25`, "input_tokens": `3`} {
		equal(t, s.column(made, column), []string{want})
	}
	equal(t, s.column(made, "request_url"), []string{fmt.Sprintf(`"/app/%d/requests?request=%d"`, s.workspace, id)})
	check.Must(s.CreateDraft(s.ctx, s.workspace, group, nil, nil))(t)
	draft := check.Must(s.AddRequestLog(s.ctx, s.workspace, group, id, "model", "model", "tags"))(t)
	equal(t, draft.Columns, []string{"variable.city", "model", "tags"})
}

func TestEveryColumnHasAValue(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	s.log("")
	made := s.fromLogs(s.group("g"), `{"columns":["`+strings.Join(dataset.LogColumns, `","`)+`"]}`)
	equal(t, made.Columns, dataset.LogColumns)
	equal(t, len(s.rows(made)), 1)
}

func TestRefresh(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *shelf) {
		group := s.group("g")
		s.log(`,"tags":["a"]`)
		filter := `{"filter_group":{"filters":[{"field":"tags","operator":"contains","value":"a"}]},"sort_by":"cost","limit":2}`
		first := s.fromLogs(group, filter)
		draft := check.Must(s.CreateDraft(s.ctx, s.workspace, group, nil, nil))(t)
		s.log(`,"tags":["a"],"price":1`, `,"tags":["b"]`, `,"tags":["a"],"price":2`)
		second := check.Must(s.Refresh(s.ctx, s.workspace, first.ID))(t)
		equal(t, []int64{first.Number, second.Number, second.RowCount}, []int64{1, 2, 2})
		equal(t, s.column(second, "tags"), []string{`["a"]`, `["a"]`})
		equal(t, string(second.Filter), string(first.Filter))
		equal(t, check.Must(s.Get(s.ctx, s.workspace, draft.ID))(t).Number, int64(dataset.DraftNumber))
		equal(t, check.Must(s.Get(s.ctx, s.workspace, first.ID))(t).RowCount, int64(1))
		empty := s.fromLogs(s.group("empty"), `{"q":"nothingatall"}`)
		_, err := s.Refresh(s.ctx, s.workspace, empty.ID)
		fails(t, err, fault.BadRequest, "No requests found for the given criteria")
		_, err = s.Refresh(s.ctx, s.workspace, draft.ID)
		fails(t, err, fault.BadRequest, "not created from a filter")
		_, err = s.Refresh(s.ctx, s.workspace, 12345)
		fails(t, err, fault.NotFound, "Dataset not found")
	})
}

// TestChangedDraftHasNoFilter adds to a draft that was created from a filter.
func TestChangedDraftHasNoFilter(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	group := s.group("g")
	id := s.log("")[0]
	source := s.fromLogs(group, `{}`)
	equal(t, source.HasFilter, true)
	draft := check.Must(s.CreateDraft(s.ctx, s.workspace, group, &source.ID, nil))(t)
	equal(t, draft.HasFilter, false)
	equal(t, check.Must(s.AddRequestLog(s.ctx, s.workspace, group, id))(t).HasFilter, false)
}

func TestDatasetsOfReport(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	group := s.group("g")
	check.Must(s.imported(group, "a.csv", "a\n"))(t)
	second := check.Must(s.imported(group, "a.csv", "a\n"))(t)
	reports := reportDatasets(func(report int64) []int64 {
		if report != 7 {
			return nil
		}
		ids := []int64{second.ID, second.ID}
		for id := range int64(1500) { // more than a list can name
			ids = append(ids, -id)
		}
		return ids
	})
	datasets := dataset.NewService(dataset.Options{Entities: s.catalog.Entities, Store: s.catalog.Datasets, Logs: s.logs, Reports: reports})
	for report, want := range map[int64]int{7: 1, 8: 0} {
		found, total, err := datasets.List(s.ctx, dataset.ListQuery{Filters: entity.Query{WorkspaceID: s.workspace}, ReportID: &report})
		check.OK(t, err)
		equal(t, []int{len(found), int(total)}, []int{want, want})
	}
}

// reportDatasets returns the datasets of evaluations.
type reportDatasets func(report int64) []int64

func (f reportDatasets) ReportDatasets(_ context.Context, _, report int64) ([]int64, error) {
	return f(report), nil
}

func (s *shelf) promptID(name string) *int64 {
	s.t.Helper()
	return new(check.Must(s.catalog.Entities.FindEntityByName(s.ctx, s.workspace, entity.KindPrompt, name))(s.t).ID)
}
