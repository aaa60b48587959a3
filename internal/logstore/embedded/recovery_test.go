package embedded

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// TestRecovery damages derived data and expects every answer to stay the same.
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

// writable checks that a store accepts and finds a new log.
func writable(t *testing.T, s *Store) {
	t.Helper()
	l := logstoretest.Corpus()[0]
	l.ID, l.Tags = s.LastID()+1, []string{"newest"}
	if err := s.Write(t.Context(), reqlog.Batch{Logs: []*reqlog.Log{l}}); err != nil {
		t.Fatal(err)
	}
	newest := query.Cond{Field: query.FieldTags, Op: query.OpContains, Texts: []string{"newest"}}
	found, err := s.Search(t.Context(), query.SearchQuery{Query: query.Query{Workspace: l.Workspace, Filter: newest}, Page: 1, PerPage: 1})
	if err != nil || len(found.Items) != 1 || found.Items[0].ID != l.ID {
		t.Errorf("a new log is not found: %d items, %v", len(found.Items), err)
	}
}

// TestDamageFoundByQuery damages the table where opening it does not look. A
// query may be rejected, but its result is never wrong, and retrying succeeds.
func TestDamageFoundByQuery(t *testing.T) {
	t.Parallel()
	whole := t.TempDir()
	s := openAt(t, whole)
	// Tags that do not compress take blocks of their own.
	tags := rand.New(rand.NewPCG(1, 2))
	const count = 3000
	var logs []*reqlog.Log
	for i := range count {
		l := *logstoretest.Corpus()[0]
		l.ID, l.Workspace = int64(i+1), logstoretest.Home
		l.Tags = []string{fmt.Sprintf("tag %x", tags.Perm(40)), "common"}
		logs = append(logs, &l)
	}
	if err := s.Write(t.Context(), reqlog.Batch{Logs: logs}); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	tagged := query.Cond{Field: query.FieldTags, Op: query.OpContains, Texts: []string{"common"}}
	query := query.SearchQuery{Query: query.Query{Workspace: logstoretest.Home, Filter: tagged}, Page: 1, PerPage: 1}
	size := len(read(t, tablePath(whole)))
	refused := 0
	const block = 256 << 10
	for at := block / 2; at < size; at += block {
		dir := clone(t, whole)
		rewrite(t, tablePath(dir), func(data []byte) []byte { data[at] ^= 0xff; return data })
		s := openAt(t, dir)
		found, err := s.Search(t.Context(), query)
		for ; fault.Is(err, fault.Unavailable); refused++ {
			found, err = s.Search(t.Context(), query)
		}
		if err != nil || found.Total != count {
			t.Fatalf("damage at byte %d of the table: %+v, %v", at, found, err)
		}
		writable(t, s)
		closeStore(t, s)
	}
	if refused == 0 {
		t.Error("no query came across damage")
	}
}

// TestKeepsTableThatCannotBeOpened expects a table to stay where it is if the
// system is the reason that it cannot be opened.
func TestKeepsTableThatCannotBeOpened(t *testing.T) {
	t.Parallel()
	closed, _, _ := snapshots(t)
	dir := clone(t, closed.dir)
	whole := read(t, tablePath(dir))
	remove(t, tablePath(dir))
	if err := os.Mkdir(tablePath(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	if s, err := Open(t.Context(), dir, Options{}); err == nil {
		t.Error("a folder was opened as a table")
		closeStore(t, s)
	}
	remove(t, tablePath(dir))
	if err := os.WriteFile(tablePath(dir), whole, 0o644); err != nil {
		t.Fatal(err)
	}
	closeStore(t, openAt(t, dir))
	if aside, err := filepath.Glob(tablePath(dir) + ".damaged-*"); err != nil || len(aside) > 0 {
		t.Errorf("set aside: %v, %v", aside, err)
	}
}

// TestWriteWhileClosing checks that a late write is rejected or stored, and
// always returns.
func TestWriteWhileClosing(t *testing.T) {
	t.Parallel()
	logs := logstoretest.Corpus()[:1]
	for range 5 {
		dir := t.TempDir()
		s := openAt(t, dir)
		if err := s.Write(t.Context(), reqlog.Batch{Logs: logs}); err != nil {
			t.Fatal(err)
		}
		outcomes := make(chan int64)
		for n := range 8 {
			go func() {
				kept := int64(0)
				change := reqlog.Annotation{Score: &reqlog.Score{Name: "score " + strconv.Itoa(n), Value: 1}}
				err := s.Write(context.Background(), logstoretest.Annotating(logs[0].Workspace, logs[0].ID, change))
				switch {
				case err == nil:
					kept = 1
				case !fault.Is(err, fault.Unavailable):
					t.Errorf("a late write fails with %v", err)
				}
				outcomes <- kept
			}()
		}
		closeStore(t, s)
		kept := int64(0)
		for range 8 {
			kept += <-outcomes
		}
		s = openAt(t, dir)
		l, err := s.Get(t.Context(), logs[0].Workspace, logs[0].ID)
		if err != nil || int64(len(l.Scores)) != kept+int64(len(logs[0].Scores)) {
			t.Errorf("%d writes were acknowledged, %d scores are there (%v)", kept, len(l.Scores), err)
		}
		closeStore(t, s)
	}
}

// TestFullDisk checks that writes are rejected before the disk is full, that
// nothing of them is stored, and that reads go on.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openAt(t, dir)
	logs := logstoretest.Corpus()[:2]
	if err := s.Write(t.Context(), reqlog.Batch{Logs: logs[:1]}); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	s, err := Open(t.Context(), dir, Options{MinFreeMB: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	score := reqlog.Annotation{Score: &reqlog.Score{Name: "late", Value: 1}}
	for _, err := range []error{s.Write(t.Context(), reqlog.Batch{Logs: logs[1:]}), s.Write(t.Context(), logstoretest.Annotating(logs[0].Workspace, logs[0].ID, score)), s.Healthy()} {
		if !fault.Is(err, fault.Unavailable) {
			t.Errorf("a full disk gives %v", err)
		}
	}
	found, err := s.Search(t.Context(), query.SearchQuery{Query: query.Query{Workspace: logstoretest.Home}, Page: 1, PerPage: 10})
	if err != nil || found.Total != 1 || slices.ContainsFunc(found.Items[0].Scores, func(s reqlog.Score) bool { return s.Name == "late" }) {
		t.Errorf("after refused writes: %+v, %v", found, err)
	}
	closeStore(t, s)
	s = openAt(t, dir)
	writable(t, s)
	closeStore(t, s)
}

// TestNoCheckpointOnFullDisk expects the table to stay in memory until there is
// room for it in the file.
func TestNoCheckpointOnFullDisk(t *testing.T) {
	t.Parallel()
	s := check.Must(openWritable(t.Context(), t.TempDir(), Options{}.withDefaults()))(t)
	logs := logstoretest.Corpus()[:3]
	if err := s.Write(t.Context(), reqlog.Batch{Logs: logs}); err != nil {
		t.Fatal(err)
	}
	s.applier.applyPending()
	s.upkeep.disk.minFreeMB = 1 << 40
	if s.upkeep.save(t.Context(), 1) || s.table.Unsaved() != len(logs) {
		t.Error("the table was written to a full disk")
	}
	s.upkeep.disk.minFreeMB = 1
	if !s.upkeep.save(t.Context(), 1) || s.table.Unsaved() != 0 {
		t.Error("the table was not written")
	}
	if err := s.release(); err != nil {
		t.Error(err)
	}
}

// TestJournalOfAnOlderBackup expects a journal that lacks records of the table or
// the text index to be rejected: new records would be taken for the missing ones.
func TestJournalOfAnOlderBackup(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openAt(t, dir)
	journal := only(t, filepath.Join(dir, "journal", "*.journal"))
	var sizes []int
	for _, l := range logstoretest.Corpus()[:3] {
		if err := s.Write(t.Context(), reqlog.Batch{Logs: []*reqlog.Log{l}}); err != nil {
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
