package clickhouse

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/test/clickhouse/clickhousetest"
)

// columnsWith returns the columns of the tables of logs that have a text.
func columnsWith(t *testing.T, s *Store, text string) (found []string) {
	t.Helper()
	for _, column := range []struct{ table, value string }{
		{"log", "head"}, {"log", "notes"}, {"log", "arrayStringConcat(metadata_pairs)"}, {"log", "arrayStringConcat(metadata_keys)"}, {"change", "document"},
	} {
		q := newQuery("SELECT toInt64(countIf(position(", column.value, ", ")
		q.write(q.bind(text), ") > 0)) FROM ", column.table)
		var count int64
		check.Must(s.readRow(t.Context(), q, &count))(t)
		if count > 0 {
			found = append(found, column.table+"."+column.value)
		}
	}
	return found
}

// TestRemovedIsGone removes metadata of several logs by a deletion, and of one by an
// annotation, and looks for it in every column. A reclaiming that is interrupted
// after the heads is completed by the next one.
func TestRemovedIsGone(t *testing.T) {
	t.Parallel()
	s := openAt(t, clickhousetest.Start(t))
	defer closeStore(t, s)
	keyed := func(id int64, value string) *reqlog.Log {
		l := &reqlog.Log{ID: id, Workspace: logstoretest.Home, Status: reqlog.StatusSuccess, CreatedAt: 1_700_000_000_000_000, Notes: reqlog.Notes{Metadata: []reqlog.Member{
			{Key: "user", Value: []byte(`{"mail":"` + value + `","plan":"free"}`)},
		}}}
		reqlog.Derive(l)
		return l
	}
	set := func(id int64, value string) {
		check.OK(t, s.Write(t.Context(), logstoretest.Annotating(logstoretest.Home, id, reqlog.Annotation{Metadata: []reqlog.Member{{Key: "user", Value: []byte(`{"mail":"` + value + `"}`)}}})))
	}
	check.OK(t, s.Write(t.Context(), reqlog.Batch{Logs: []*reqlog.Log{keyed(1, "secretA"), keyed(2, "secretB"), keyed(3, "secretC"), keyed(4, "secretD")}}))
	set(1, "secretE")
	set(3, "secretF")
	check.OK(t, s.Write(t.Context(), logstoretest.Removing(logstoretest.Home, "user.mail", 1, 2)))
	check.OK(t, s.Write(t.Context(), logstoretest.Annotating(logstoretest.Home, 3, reqlog.Annotation{RemovedKeys: []string{"user"}})))
	set(1, "later")
	check.Equal(t, "a removed value is hidden, and still there", columnsWith(t, s, "secretB"), []string{"log.head"})

	page := check.Must(s.pendingRemovals(t.Context()))(t)
	check.OK(t, (&commit{Store: s}).dropFromHeads(t.Context(), page))
	check.Equal(t, "after the heads", columnsWith(t, s, "secretE"), []string{"change.document"})
	check.Must(s.Reclaim(t.Context(), nil))(t)
	for _, gone := range []string{"secretA", "secretB", "secretC", "secretE", "secretF"} {
		check.Equal(t, gone, columnsWith(t, s, gone), nil)
	}
	check.Equal(t, "a value that was not removed", len(columnsWith(t, s, "secretD")) > 0, true)
	check.Equal(t, "a value that was set later", len(columnsWith(t, s, "later")) > 0, true)
	check.Equal(t, "logs that are left", len(check.Must(s.pendingRemovals(t.Context()))(t).ids), 0)
	for id, want := range map[int64]string{1: `{"mail":"later"}`, 2: `{"plan":"free"}`, 3: "", 4: `{"mail":"secretD","plan":"free"}`} {
		l := check.Must(s.Get(t.Context(), logstoretest.Home, id))(t)
		got := ""
		for _, m := range l.Metadata {
			got += string(m.Value)
		}
		check.Equal(t, "metadata", got, want)
	}
	// Texts and removals of the same logs.
	check.OK(t, s.Write(t.Context(), logstoretest.Removing(logstoretest.Home, "user.mail", 4)))
	check.OK(t, s.Write(t.Context(), logstoretest.DeletingTexts(logstoretest.Home, 4)))
	check.Equal(t, "the head without texts", columnsWith(t, s, "secretD"), nil)
}
