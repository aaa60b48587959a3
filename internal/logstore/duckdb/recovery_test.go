package duckdb

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// snapshot is a data folder as it was at some moment, and what the store said.
type snapshot struct {
	dir     string
	answers []logstoretest.Answer
}

// clone copies a folder, so that it can be damaged.
func clone(t *testing.T, dir string) string {
	t.Helper()
	copied := filepath.Join(t.TempDir(), "data")
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return copied
}

// snapshots returns the folder of a store that was closed, of the same store
// while it was open, as a crash leaves it, and of an earlier moment.
func snapshots(t *testing.T) (closed, crashed, early snapshot) {
	t.Helper()
	dir := t.TempDir()
	s := openAt(t, dir)
	logstoretest.Fill(t, s)
	early.answers = logstoretest.Answers(t, s)
	closeStore(t, s)
	early.dir = clone(t, dir)

	s = openAt(t, dir)
	writeLate(t, s)
	crashed.dir = clone(t, dir)
	closed.answers = logstoretest.Answers(t, s)
	closeStore(t, s)
	closed.dir, crashed.answers = dir, closed.answers
	if logstoretest.Diff(early.answers, closed.answers) == "" {
		t.Fatal("what was written late changes no answer: the tests prove nothing")
	}
	return closed, crashed, early
}

// writeLate appends more logs and annotates old ones.
func writeLate(t *testing.T, s *Store) {
	t.Helper()
	logs := logstoretest.Corpus()[:80]
	for i, l := range logs {
		if i%3 == 0 {
			change := reqlog.Annotation{Metadata: []reqlog.Member{{Key: "env", Value: json.RawMessage(`"very late"`)}}}
			if err := s.Annotate(t.Context(), l.Workspace, l.ID, change); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, l := range logs {
		l.ID += 5_000
	}
	if err := s.Append(t.Context(), logs); err != nil {
		t.Fatal(err)
	}
}

// rewrite changes a file's bytes.
func rewrite(t *testing.T, path string, change func(data []byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

// only returns the one file that a pattern names.
func only(t *testing.T, pattern string) string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) != 1 {
		t.Fatalf("%s names %q: %v", pattern, paths, err)
	}
	return paths[0]
}

func cutTo(part float64) func([]byte) []byte {
	return func(data []byte) []byte { return data[:int(part*float64(len(data)))] }
}

// flip damages a few bytes at a part of the file.
func flip(part float64) func([]byte) []byte {
	return func(data []byte) []byte {
		at := int(part * float64(len(data)-1))
		for i := at; i < min(at+32, len(data)); i++ {
			data[i] ^= 0x5a
		}
		return data
	}
}

func tablePath(dir string) string { return filepath.Join(dir, fileName) }
func textPath(dir string) string  { return filepath.Join(dir, textFolder) }

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

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
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
