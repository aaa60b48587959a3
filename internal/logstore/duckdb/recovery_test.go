package duckdb

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// TestRecovery damages what is derived and expects every answer to be the same.
func TestRecovery(t *testing.T) {
	t.Parallel()
	closed, crashed, early := snapshots(t)
	table := func(change func([]byte) []byte) func(*testing.T, string) {
		return func(t *testing.T, dir string) { rewrite(t, tablePath(dir), change) }
	}
	segment := func(change func([]byte) []byte) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			segments, err := filepath.Glob(filepath.Join(textPath(dir), "*.seg"))
			if err != nil || len(segments) == 0 {
				t.Fatalf("no segments: %v", err)
			}
			rewrite(t, segments[0], change)
		}
	}
	journal := func(change func([]byte) []byte) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			rewrite(t, only(t, filepath.Join(dir, "journal", "*.journal")), change)
		}
	}
	for _, test := range []struct {
		name   string
		from   snapshot
		damage func(t *testing.T, dir string)
	}{
		{"closed", closed, func(*testing.T, string) {}},
		{"crashed", crashed, func(*testing.T, string) {}},
		{"no text index", closed, func(t *testing.T, dir string) { remove(t, textPath(dir)) }},
		{"no text index after a crash", crashed, func(t *testing.T, dir string) { remove(t, textPath(dir)) }},
		{"a text segment cut", closed, segment(cutTo(0.5))},
		{"an empty text segment", closed, segment(cutTo(0))},
		{"a text segment damaged at its start", closed, segment(flip(0))},
		{"a text segment damaged in the middle", closed, segment(flip(0.4))},
		{"a text segment damaged at its end", closed, segment(flip(1))},
		{"no table", closed, func(t *testing.T, dir string) { remove(t, tablePath(dir)) }},
		{"an empty table", closed, table(cutTo(0))},
		{"a table cut", closed, table(cutTo(0.4))},
		{"a table damaged at its start", closed, table(flip(0))},
		{"another file in place of the table", closed, table(func([]byte) []byte { return []byte(strings.Repeat("no table ", 10_000)) })},
		{"a foreign log beside the table", closed, func(t *testing.T, dir string) {
			if err := os.WriteFile(tablePath(dir)+".wal", []byte(strings.Repeat("no log ", 1000)), 0o644); err != nil {
				t.Fatal(err)
			}
		}},
		{"only the journal", crashed, func(t *testing.T, dir string) {
			remove(t, tablePath(dir))
			remove(t, textPath(dir))
		}},
		{"an older table", closed, func(t *testing.T, dir string) {
			rewrite(t, tablePath(dir), func([]byte) []byte { return read(t, tablePath(early.dir)) })
		}},
		{"an older text index", closed, func(t *testing.T, dir string) {
			remove(t, textPath(dir))
			if err := os.CopyFS(textPath(dir), os.DirFS(textPath(early.dir))); err != nil {
				t.Fatal(err)
			}
		}},
		{"an interrupted write", crashed, journal(func(data []byte) []byte { return append(data, data[:len(data)/3]...)[:len(data)+100] })},
		{"an interrupted write after a clean end", closed, journal(func(data []byte) []byte { return append(data, "PTJ1 and then the power went"...) })},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := clone(t, test.from.dir)
			test.damage(t, dir)
			for _, life := range []string{"first", "second"} {
				s := openAt(t, dir)
				if life == "first" {
					if diff := logstoretest.Diff(test.from.answers, logstoretest.Answers(t, s)); diff != "" {
						t.Errorf("answers (-before +after):\n%s", diff)
					}
				}
				writable(t, s)
				closeStore(t, s)
			}
		})
	}
}

// writable checks that a store takes and finds a new log.
func writable(t *testing.T, s *Store) {
	t.Helper()
	l := logstoretest.Corpus()[0]
	l.ID, l.Tags = s.LastID()+1, []string{"newest"}
	if err := s.Append(t.Context(), []*reqlog.Log{l}); err != nil {
		t.Fatal(err)
	}
	newest := reqlog.Cond{Field: reqlog.FieldTags, Op: reqlog.OpContains, Texts: []string{"newest"}}
	found, err := s.Search(t.Context(), reqlog.SearchQuery{Query: reqlog.Query{Workspace: l.Workspace, Filter: newest}, Page: 1, PerPage: 1})
	if err != nil || len(found.Items) != 1 || found.Items[0].ID != l.ID {
		t.Errorf("a new log is not found: %d items, %v", len(found.Items), err)
	}
}

// TestDamageIsNeverAWrongAnswer damages the table where only a query can see
// it. The store may refuse to answer, but must not make anything up.
func TestDamageIsNeverAWrongAnswer(t *testing.T) {
	t.Parallel()
	closed, _, _ := snapshots(t)
	all := reqlog.AnalyzeQuery{Query: reqlog.Query{Workspace: logstoretest.Home}, Bucket: reqlog.BucketDay}
	analyze := func(dir string) (*reqlog.Analytics, error) {
		s, err := Open(context.Background(), dir, Options{MemoryMB: 256, Threads: 2})
		if err != nil {
			return nil, err
		}
		defer closeStore(t, s)
		return s.Analyze(context.Background(), all)
	}
	want, err := analyze(clone(t, closed.dir))
	if err != nil {
		t.Fatal(err)
	}
	for part := 0.05; part < 1; part += 0.13 {
		dir := clone(t, closed.dir)
		rewrite(t, tablePath(dir), flip(part))
		got, err := analyze(dir)
		if err != nil {
			continue
		}
		if diff := logstoretest.Diff([]logstoretest.Answer{{Reply: want}}, []logstoretest.Answer{{Reply: got}}); diff != "" {
			t.Errorf("damage at %.2f of the table: (-before +after):\n%s", part, diff)
		}
	}
}

// TestFullDisk checks that writes are refused in time, that nothing of them is
// kept, and that reads go on.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openAt(t, dir)
	logs := logstoretest.Corpus()[:2]
	if err := s.Append(t.Context(), logs[:1]); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	s, err := Open(t.Context(), dir, Options{MinFreeMB: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	score := reqlog.Annotation{Score: &reqlog.Score{Name: "late", Value: 1}}
	for _, err := range []error{s.Append(t.Context(), logs[1:]), s.Annotate(t.Context(), logs[0].Workspace, logs[0].ID, score), s.Healthy()} {
		if !fault.Is(err, fault.Unavailable) {
			t.Errorf("a full disk gives %v", err)
		}
	}
	found, err := s.Search(t.Context(), reqlog.SearchQuery{Query: reqlog.Query{Workspace: logstoretest.Home}, Page: 1, PerPage: 10})
	if err != nil || found.Total != 1 || slices.ContainsFunc(found.Items[0].Scores, func(s reqlog.Score) bool { return s.Name == "late" }) {
		t.Errorf("after refused writes: %+v, %v", found, err)
	}
	closeStore(t, s)
	s = openAt(t, dir)
	writable(t, s)
	closeStore(t, s)
}

// TestJournalOfAnOlderBackup makes sure that a journal which lacks what the
// table or the text index has is not written on: its new records would be taken
// for those that are known already.
func TestJournalOfAnOlderBackup(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openAt(t, dir)
	journal := only(t, filepath.Join(dir, "journal", "*.journal"))
	var sizes []int
	for _, l := range logstoretest.Corpus()[:3] {
		if err := s.Append(t.Context(), []*reqlog.Log{l}); err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, len(read(t, journal)))
	}
	closeStore(t, s)
	for _, size := range []int{sizes[1], sizes[0], 0} {
		dir := clone(t, dir)
		rewrite(t, only(t, filepath.Join(dir, "journal", "*.journal")), func(data []byte) []byte { return data[:size] })
		for _, derived := range []string{tablePath(dir), textPath(dir)} {
			if s, err := Open(t.Context(), dir, Options{}); err == nil {
				t.Errorf("opened with %d of %d bytes of the journal beside %s", size, sizes[2], derived)
				closeStore(t, s)
			}
			remove(t, derived)
		}
		s := openAt(t, dir)
		writable(t, s)
		closeStore(t, s)
	}
}
