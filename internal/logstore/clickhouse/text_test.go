package clickhouse

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/logstore/words"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/test/clickhouse/clickhousetest"
)

// TestFreeTextWithIndexAndUpdates finds the same logs without the index of words,
// which merges build, with it, and with it when rows were updated and deleted.
func TestFreeTextWithIndexAndUpdates(t *testing.T) {
	t.Parallel()
	address := clickhousetest.Start(t)
	s := openAt(t, address)
	defer closeStore(t, s)
	logs := someLogs(100)
	check.OK(t, s.Write(t.Context(), reqlog.Batch{Logs: logs}))
	word, want := frequentWord(logs)
	finds := func(when string, want int) (newest int64) {
		t.Helper()
		q := query.Query{Workspace: logstoretest.Home, Text: word}
		found := check.Must(s.Search(t.Context(), query.SearchQuery{Query: q, Page: 1, PerPage: 100}))(t)
		check.Equal(t, when, len(found.Items), want)
		page := check.Must(s.Search(t.Context(), query.SearchQuery{Query: q, Page: 1, PerPage: 2}))(t)
		check.Equal(t, when+", logs in all", page.Total, int64(want))
		check.Equal(t, when+", logs on a short page", len(page.Items), 2)
		for i, l := range page.Items {
			check.Equal(t, when+", log on a short page", l.ID, found.Items[i].ID)
		}
		return found.Items[0].ID
	}
	finds("without the index", len(want))
	check.Must(clickhousetest.Query(address, "OPTIMIZE TABLE log FINAL"))(t)
	finds("with the index", len(want))
	for _, l := range want[:2] {
		check.OK(t, s.Write(t.Context(), logstoretest.Annotating(l.Workspace, l.ID, reqlog.Annotation{Score: &reqlog.Score{Name: "tone", Value: 5}})))
	}
	newest := finds("with updates", len(want))
	c := &commit{Store: s}
	check.OK(t, c.delete(t.Context(), []int64{logstoretest.Home}, []int64{newest}))
	finds("with a deletion", len(want)-1)
}

// frequentWord returns the word that most of the logs have, and these logs.
func frequentWord(logs []*reqlog.Log) (word string, with []*reqlog.Log) {
	having := map[string][]*reqlog.Log{}
	for _, l := range logs {
		for _, term := range words.Terms(l.Index.InputText, l.Index.OutputText) {
			if having[term] = append(having[term], l); len(having[term]) > len(with) && len(term) > 3 {
				word, with = term, having[term]
			}
		}
	}
	return word, with
}
