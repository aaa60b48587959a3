package embedded

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// TestPagesOfFreeText walks through more matches than are ever listed by their
// ids: exact ones first, each part from the newest to the oldest, also on the
// page where one part ends and the other begins. It does so with the workspace
// alone in the store and with another one beside it.
func TestPagesOfFreeText(t *testing.T) {
	t.Parallel()
	const count, perPage = 2*table.MaxListedIDs + 110, 25
	s := openAt(t, t.TempDir())
	t.Cleanup(func() { closeStore(t, s) })
	var logs []*reqlog.Log
	for i := range count {
		l := *logstoretest.Corpus()[0]
		l.ID, l.Workspace = int64(i+1), logstoretest.Home
		// Times that do not follow the ids.
		l.Start = reqlog.Micros((i * 7919) % count * 1_000_000)
		l.End = l.Start + 1000
		l.Index.InputText, l.Index.OutputText = "a refund was asked for", ""
		if i%3 == 0 {
			l.Index.InputText, l.Tags = "many refunds were asked for", []string{"inexact"}
		}
		logs = append(logs, &l)
	}
	if err := s.Write(t.Context(), reqlog.Batch{Logs: logs}); err != nil {
		t.Fatal(err)
	}
	inexact := func(l *reqlog.Log) int { return strings.Count(l.Index.InputText, "refunds") }
	want := slices.SortedFunc(slices.Values(logs), func(a, b *reqlog.Log) int {
		return cmp.Or(cmp.Compare(inexact(a), inexact(b)), cmp.Compare(b.Start, a.Start), cmp.Compare(b.ID, a.ID))
	})
	walk := func(what string) {
		t.Helper()
		for page := 1; (page-1)*perPage < count; page++ {
			found, err := s.Search(t.Context(), query.SearchQuery{
				Query: query.Query{Workspace: logstoretest.Home, Text: "refund"}, Page: page, PerPage: perPage,
			})
			if err != nil {
				t.Fatal(err)
			}
			part := want[(page-1)*perPage : min(page*perPage, count)]
			var got, wanted []int64
			for _, item := range found.Items {
				got = append(got, item.ID)
			}
			for _, l := range part {
				wanted = append(wanted, l.ID)
			}
			if found.Total != count || !slices.Equal(got, wanted) {
				t.Fatalf("%s, page %d: %d in all, ids %v; want %d and %v", what, page, found.Total, got, count, wanted)
			}
		}
	}
	walk("alone")
	// A filter that no exact match passes: their pages are not full then.
	tagged := query.Cond{Field: query.FieldTags, Op: query.OpContains, Texts: []string{"inexact"}}
	found, err := s.Search(t.Context(), query.SearchQuery{
		Query: query.Query{Workspace: logstoretest.Home, Text: "refund", Filter: tagged}, Page: 1, PerPage: perPage,
	})
	if err != nil || len(found.Items) != perPage || found.Items[0].ID != want[slices.IndexFunc(want, func(l *reqlog.Log) bool { return inexact(l) > 0 })].ID {
		t.Errorf("only inexact matches: %d of %d, %v", len(found.Items), found.Total, err)
	}
	other := *logs[0]
	other.ID, other.Workspace = count+1, logstoretest.Away
	if err := s.Write(t.Context(), reqlog.Batch{Logs: []*reqlog.Log{&other}}); err != nil {
		t.Fatal(err)
	}
	walk("beside another workspace")
}
