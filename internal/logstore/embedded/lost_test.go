package embedded

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// writeBlocks writes two logs to each block, the last block among them, and
// returns the logs.
func writeBlocks(t *testing.T, dir string) []*reqlog.Log {
	t.Helper()
	s := openAt(t, dir)
	defer closeStore(t, s)
	logs := logstoretest.Corpus()[:12]
	for pair := range slices.Chunk(logs, 2) {
		for _, l := range pair {
			l.Workspace = logstoretest.Home
		}
		if err := s.Write(t.Context(), reqlog.Batch{Logs: pair}); err != nil {
			t.Fatal(err)
		}
	}
	return logs
}

func journalPath(t *testing.T, dir string) string {
	t.Helper()
	return only(t, filepath.Join(dir, journalFolder, "*.journal"))
}

// readable returns the ids of the logs that can be read, and of those that a
// search names as damaged.
func readable(t *testing.T, s *Store, logs []*reqlog.Log) (ids, damaged []int64) {
	t.Helper()
	for _, l := range logs {
		switch got, err := s.Get(t.Context(), l.Workspace, l.ID); {
		case err == nil && got.ID == l.ID:
			ids = append(ids, l.ID)
		case !fault.Is(err, fault.Damaged) && !fault.Is(err, fault.NotFound):
			t.Fatalf("log %d: %v", l.ID, err)
		}
	}
	for page := 1; page <= 4; page++ {
		found, err := s.Search(t.Context(), query.SearchQuery{Query: query.Query{Workspace: logstoretest.Home}, Page: page, PerPage: 4})
		if err != nil {
			t.Fatal(err)
		}
		damaged = append(damaged, found.Damaged...)
	}
	slices.Sort(damaged)
	return ids, damaged
}

// TestDamagedBlocks flips bits all over the journal. At most the logs of the
// block that was hit are lost; they are named, also after a restart; and a store
// that has nothing but the journal is rebuilt without them.
func TestDamagedBlocks(t *testing.T) {
	t.Parallel()
	whole := t.TempDir()
	logs := writeBlocks(t, whole)
	size := len(read(t, journalPath(t, whole)))
	random := rand.New(rand.NewPCG(1, 2))
	lostAny := false
	for at := 0; at < size; at += 1 + size/24 {
		dir := clone(t, whole)
		rewrite(t, journalPath(t, dir), func(data []byte) []byte { data[at] ^= 1 << random.IntN(8); return data })
		s := openAt(t, dir)
		ids, damaged := readable(t, s, logs)
		if len(ids)+len(damaged) != len(logs) || len(damaged) > 2 {
			t.Errorf("byte %d: %d logs are readable, %v damaged", at, len(ids), damaged)
		}
		stats := s.Stats()
		if len(damaged) > 0 && (stats.DamagedBlocks != 1 || stats.DamagedLogs != 2 || !s.Damage()[0].Exact) {
			t.Errorf("byte %d: damage %+v", at, s.Damage())
		}
		writable(t, s)
		closeStore(t, s)
		remove(t, tablePath(dir))
		if at%2 == 0 {
			remove(t, textPath(dir))
		}
		s = openAt(t, dir)
		if again, _ := readable(t, s, logs); !slices.Equal(again, ids) {
			t.Errorf("byte %d: %v are readable after a rebuild, %v before", at, again, ids)
		}
		if stats := s.Stats(); len(damaged) > 0 && (stats.DamagedBlocks != 1 || stats.DamagedLogs < 2) {
			t.Errorf("byte %d: after a rebuild: damage %+v", at, s.Damage())
		}
		lostAny = lostAny || len(damaged) > 0
		writable(t, s)
		closeStore(t, s)
	}
	if !lostAny {
		t.Error("nothing was damaged: the test proves nothing")
	}
}

// TestReadsOfDamagedLogs checks what readers of a damaged log get while the
// server runs: its owner an error that says so, everybody else a log that does
// not exist; annotations of it are rejected and never stop the store.
func TestReadsOfDamagedLogs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	logs := writeBlocks(t, dir)
	s := openAt(t, dir)
	path := journalPath(t, dir)
	hit := logs[4]
	rewrite(t, path, func(data []byte) []byte {
		at, ok := s.index.block(hit.ID)
		if !ok {
			t.Fatal("no block")
		}
		data[int64(at)+40] ^= 0xff
		return data
	})
	for workspace, kind := range map[int64]fault.Kind{hit.Workspace: fault.Damaged, hit.Workspace + 1: fault.NotFound} {
		if _, err := s.Get(t.Context(), workspace, hit.ID); !fault.Is(err, kind) {
			t.Errorf("workspace %d gets %v", workspace, err)
		}
		if err := s.Exists(t.Context(), workspace, hit.ID); !fault.Is(err, kind) {
			t.Errorf("workspace %d: exists: %v", workspace, err)
		}
	}
	score := reqlog.Annotation{Score: &reqlog.Score{Name: "late", Value: 1}}
	if err := s.Write(t.Context(), logstoretest.Annotating(hit.Workspace, hit.ID, score)); err != nil {
		t.Fatal(err)
	}
	text := query.Cond{Field: query.FieldInputText, Op: query.OpStartsWith, Texts: []string{hit.Index.InputText}}
	found, err := s.Search(t.Context(), query.SearchQuery{Query: query.Query{Workspace: hit.Workspace, Filter: text}, Page: 1, PerPage: 10})
	if err != nil || !slices.Contains(found.Damaged, hit.ID) {
		t.Errorf("a text condition finds %+v, %v", found, err)
	}
	writable(t, s)
	if err := s.Healthy(); err != nil {
		t.Errorf("the store is not healthy: %v", err)
	}
	closeStore(t, s)
}

// TestDamagedBeforeApplied damages the block of a log that is acknowledged and not
// yet in the table. Its owner is told so, also after the table had to be rebuilt
// without the block.
func TestDamagedBeforeApplied(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := check.Must(openWritable(t.Context(), dir, Options{MemoryMB: 256, Threads: 2}.withDefaults()))(t) // nothing applies
	logs := logstoretest.Corpus()[:3]
	for _, l := range logs {
		l.Workspace = logstoretest.Home
		if err := s.Write(t.Context(), reqlog.Batch{Logs: []*reqlog.Log{l}}); err != nil {
			t.Fatal(err)
		}
	}
	hit := logs[1]
	rewrite(t, journalPath(t, dir), func(data []byte) []byte {
		at, _ := s.index.block(hit.ID)
		data[int64(at)+40] ^= 0xff
		return data
	})
	checkOwner := func(when string) {
		for workspace, kind := range map[int64]fault.Kind{logstoretest.Home: fault.Damaged, logstoretest.Home + 1: fault.NotFound} {
			if err := s.Exists(t.Context(), workspace, hit.ID); !fault.Is(err, kind) {
				t.Errorf("%s, workspace %d gets %v", when, workspace, err)
			}
		}
	}
	checkOwner("while it is pending")
	if err := s.upkeep.rebuild(t.Context(), unix.EIO); err != nil {
		t.Fatal(err)
	}
	s.upkeep.settle(nil)
	if len(s.queue.pending) != 0 {
		t.Errorf("%d operations are pending", len(s.queue.pending))
	}
	checkOwner("after a rebuild")
	if ids, damaged := readable(t, s, logs); len(ids) != 2 || !slices.Equal(damaged, []int64{hit.ID}) {
		t.Errorf("%v are readable, %v damaged", ids, damaged)
	}
	if err := s.release(); err != nil {
		t.Error(err)
	}
}
