package logsql

import (
	"testing"

	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// named is a dialect whose functions return nothing.
type named struct{ Dialect }

func (named) Filter(string, string) string   { return "" }
func (named) CountIf(string) string          { return "" }
func (named) Distinct(string) string         { return "" }
func (named) First(string, ...string) string { return "" }
func (named) Bits(string, int64) string      { return "" }

// TestEveryFieldIsAColumn finds fields of traces and spans that no view has.
func TestEveryFieldIsAColumn(t *testing.T) {
	t.Parallel()
	language := New(named{})
	columns := map[query.Level]map[query.Field]viewColumn{query.LevelTrace: language.traces, query.LevelSpan: language.spans}
	for _, field := range query.TraceFields {
		if _, ok := columns[field.Level][field.Name]; !ok {
			t.Errorf("%s %s is not a column", field.Level, field.Name)
		}
		if field.Column != string(field.Name) {
			t.Errorf("%s is stored as %q: views name columns after fields", field.Name, field.Column)
		}
	}
}

// TestEverySortOfGroups finds orders of groups that are not computed.
func TestEverySortOfGroups(t *testing.T) {
	t.Parallel()
	for _, field := range query.TraceGroupSorts {
		if groupSorts[field].sql == "" {
			t.Errorf("groups are not sorted by %s", field)
		}
	}
}
