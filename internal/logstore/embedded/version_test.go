package embedded

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/textindex"
	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// writeEarlier fills a folder as a program did whose texts had roles in them.
// Its records have no version.
func writeEarlier(t *testing.T, dir string, logs []*reqlog.Log) {
	t.Helper()
	j, err := journal.Open(filepath.Join(dir, journalFolder), journal.Options{WellFormed: wellFormed})
	if err != nil {
		t.Fatal(err)
	}
	text, err := textindex.Open(textPath(dir), textindex.Options{Version: reqlog.IndexVersion - 1})
	if err != nil {
		t.Fatal(err)
	}
	for chunk := range slices.Chunk(logs, 50) {
		var records [][]byte
		for _, l := range chunk {
			l.Index.InputText, l.Index.ToolCallCount = "[user]: "+l.Index.InputText, 77
			r, err := appendLog(nil, l)
			if err != nil {
				t.Fatal(err)
			}
			records = append(records, r[:len(r)-len(appendPart(nil, indexVersion))])
			if err := text.Add(textindex.Doc{ID: l.ID, Owner: l.Workspace, Time: int64(l.Start)}, []string{l.Index.InputText, l.Index.OutputText}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := j.Append(records); err != nil {
			t.Fatal(err)
		}
	}
	if err := text.Close(); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestDerivesAgain opens a folder whose logs were derived by other rules. All
// answers must be those of logs that are written now, at every later start, too.
func TestDerivesAgain(t *testing.T) {
	t.Parallel()
	s := openAt(t, t.TempDir())
	if err := s.Write(t.Context(), reqlog.Batch{Logs: logstoretest.Corpus()}); err != nil {
		t.Fatal(err)
	}
	want := logstoretest.Answers(t, s)
	closeStore(t, s)

	dir := t.TempDir()
	writeEarlier(t, dir, logstoretest.Corpus())
	if report := verify(t, dir); !report.Sound() {
		t.Errorf("before the first start: %+v", report)
	}
	for _, start := range []string{"first", "second"} {
		s := openAt(t, dir)
		if diff := logstoretest.Diff(want, logstoretest.Answers(t, s)); diff != "" {
			t.Errorf("answers of the %s start (-new +derived again):\n%s", start, diff)
		}
		if n := count(t, s, query.Query{Text: "user"}); n > 0 {
			t.Errorf("%s start: %d logs are found by a role", start, n)
		}
		closeStore(t, s)
	}
	if report := verify(t, dir); !report.Sound() {
		t.Errorf("after the starts: %+v", report)
	}
}

// TestChecksTextsDerivedAgain covers conditions that need the text itself.
func TestChecksTextsDerivedAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	logs := logstoretest.Corpus()
	at := slices.IndexFunc(logs, func(l *reqlog.Log) bool {
		return l.Workspace == logstoretest.Home && len(strings.Fields(l.Index.InputText)) > 3
	})
	first := logs[at].Index.InputText
	writeEarlier(t, dir, logs)
	s := openAt(t, dir)
	defer closeStore(t, s)
	starts := func(text string) int64 {
		return count(t, s, query.Query{Filter: query.Cond{Field: query.FieldInputText, Op: query.OpStartsWith, Texts: []string{text}}})
	}
	if starts(first) == 0 || starts("[user]: ") > 0 {
		t.Errorf("%d logs start with %q, %d with a role", starts(first), first, starts("[user]: "))
	}
}

// count returns the number of logs of the home workspace that match.
func count(t *testing.T, s *Store, q query.Query) int64 {
	t.Helper()
	q.Workspace = logstoretest.Home
	found, err := s.Search(t.Context(), query.SearchQuery{Query: q, Page: 1, PerPage: 1})
	if err != nil {
		t.Fatal(err)
	}
	return found.Total
}
