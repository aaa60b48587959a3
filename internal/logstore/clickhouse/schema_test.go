package clickhouse

import (
	"net/url"
	"strconv"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/test/clickhouse/clickhousetest"
)

// TestRowsOfTheSecondSchema opens tables that lack the columns of the third
// migration. Their logs are found by the source that their tags tell and by the
// version of their prompt, also if an annotation has set it.
func TestRowsOfTheSecondSchema(t *testing.T) {
	t.Parallel()
	address := clickhousetest.Start(t)
	s := openAt(t, address)
	old := func(id int64, prompt *reqlog.PromptLink, tags ...string) *reqlog.Log {
		l := &reqlog.Log{ID: id, Workspace: logstoretest.Home, Status: reqlog.StatusSuccess, Tags: tags}
		l.Prompt = prompt
		return l
	}
	check.OK(t, s.Write(t.Context(), reqlog.Batch{Logs: []*reqlog.Log{
		old(1, nil), old(2, &reqlog.PromptLink{ID: 7, Version: 2}, "eu", "evaluate"), old(3, nil, "workflow"), old(4, nil, "playground", "workflow"),
	}}))
	for _, sql := range []string{
		"ALTER TABLE log DROP COLUMN source, DROP COLUMN api_key_id, DROP COLUMN prompt_ref",
		"TRUNCATE TABLE schema_version",
		"INSERT INTO schema_version VALUES (1), (2)",
		"UPDATE log SET prompt_id = 8, prompt_version = 3 WHERE id = 3",
	} {
		check.OK(t, s.exec(t.Context(), statement{sql: sql, settings: url.Values{"enable_lightweight_update": {"1"}}}))
	}
	closeStore(t, s)
	s = openAt(t, address)
	defer closeStore(t, s)
	for id, want := range map[int64]struct {
		source reqlog.Source
		prompt string
	}{1: {reqlog.SourceAPI, ""}, 2: {reqlog.SourceEvaluation, "7:2"}, 3: {reqlog.SourceWorkflow, "8:3"}, 4: {reqlog.SourcePlayground, ""}} {
		check.Equal(t, "source of log "+strconv.FormatInt(id, 10), groupsOf(t, s, id, query.FieldSource), []string{string(want.source)})
		var prompts []string
		if want.prompt != "" {
			prompts = []string{want.prompt}
		}
		check.Equal(t, "prompt of log "+strconv.FormatInt(id, 10), groupsOf(t, s, id, query.FieldPromptRef), prompts)
		check.Equal(t, "key of log "+strconv.FormatInt(id, 10), groupsOf(t, s, id, query.FieldAPIKeyID), nil)
	}
}

// groupsOf returns the values of a field that group the log.
func groupsOf(t *testing.T, s *Store, id int64, field query.Field) []string {
	t.Helper()
	rows := check.Must(s.Aggregate(t.Context(), chart.AggregateQuery{
		Query: query.Query{Workspace: logstoretest.Home, Filter: query.Cond{Field: query.FieldID, Op: query.OpIs, IDs: []int64{id}}},
		By:    []chart.Dimension{{Field: field}}, Measures: []chart.Measure{{Metric: chart.MetricCount}},
	}))(t)
	var groups []string
	for _, row := range rows {
		groups = append(groups, row.Keys...)
	}
	return groups
}
