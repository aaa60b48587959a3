package embedded

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/embedded/textindex"
	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// openSmall opens a store whose journal has small files.
func openSmall(t *testing.T, dir string) *Store {
	t.Helper()
	return check.Must(Open(context.Background(), dir, Options{MemoryMB: 128, Threads: 1, MinFreeMB: -1, JournalFileBytes: 4 << 10}))(t)
}

// secretOf is a word that only the log with this id has.
func secretOf(id int64) string { return fmt.Sprintf("secret%dz", id*7919) }

// confidential returns a log with a word of its own in all its parts.
func confidential(id int64) *reqlog.Log {
	secret := secretOf(id)
	l := &reqlog.Log{
		ID: id, Workspace: logstoretest.Home, Provider: "openai", Engine: "gpt", Status: reqlog.StatusSuccess, Tags: []string{"tag-" + secret},
		Input:  fmt.Appendf(nil, `{"type":"chat","messages":[{"role":"user","content":[{"type":"text","text":"hello %s"}]}]}`, secret),
		Output: fmt.Appendf(nil, `{"type":"chat","messages":[{"role":"assistant","content":[{"type":"text","text":"{\"answer\":\"%s\"}"}]}]}`, secret),
		Start:  reqlog.Micros(1_700_000_000_000_000 + id), End: reqlog.Micros(1_700_000_001_000_000 + id),
	}
	l.Metadata = []reqlog.Member{{Key: "user_id", Value: fmt.Appendf(nil, "%q", secret)}}
	l.CreatedAt = l.Start
	reqlog.Derive(l)
	return l
}

// fill writes confidential logs, with annotations, in several commits.
func fillConfidential(t *testing.T, s *Store, first, last int64) {
	t.Helper()
	for id := first; id <= last; id += 5 {
		var batch reqlog.Batch
		for one := id; one < id+5 && one <= last; one++ {
			batch.Logs = append(batch.Logs, confidential(one))
		}
		check.OK(t, s.Write(t.Context(), batch))
		check.OK(t, s.Write(t.Context(), logstoretest.Annotating(logstoretest.Home, id, reqlog.Annotation{
			Metadata: []reqlog.Member{{Key: "note", Value: fmt.Appendf(nil, "%q", "late "+secretOf(id))}},
		})))
	}
}

// filesWith returns the files of a folder that contain a text. The files of the
// journal are compressed, so that they are read by block.
func filesWith(t *testing.T, s *Store, text string) (found []string) {
	t.Helper()
	check.OK(t, filepath.WalkDir(s.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if content := check.Must(os.ReadFile(path))(t); bytes.Contains(content, []byte(text)) {
			found = append(found, filepath.Base(path))
		}
		return nil
	}))
	for block, err := range s.journal.Scan(0) {
		check.OK(t, err)
		for _, r := range block.Records {
			if bytes.Contains(r, []byte(text)) {
				found = append(found, fmt.Sprintf("block %d", block.Position))
			}
		}
	}
	return found
}

func homeQuery(text string) query.SearchQuery {
	return query.SearchQuery{Query: query.Query{Workspace: logstoretest.Home, Text: text}, Page: 1, PerPage: 5}
}

// checkConfidential compares the store with the ids that it must have.
func checkConfidential(t *testing.T, s *Store, last int64, gone func(id int64) bool) {
	t.Helper()
	left := int64(0)
	for id := int64(1); id <= last; id++ {
		l, err := s.Get(t.Context(), logstoretest.Home, id)
		found := check.Must(s.Search(t.Context(), homeQuery(secretOf(id))))(t)
		if gone(id) {
			if !fault.Is(err, fault.NotFound) || found.Total != 0 || len(found.Damaged) > 0 {
				t.Errorf("log %d is still there: %v, found %d", id, err, found.Total)
			}
			continue
		}
		left++
		if err != nil || !bytes.Equal(l.Input, confidential(id).Input) || found.Total != 1 {
			t.Errorf("log %d: %v, found %d", id, err, found.Total)
		}
	}
	if all := check.Must(s.Search(t.Context(), homeQuery("hello")))(t); all.Total != left || len(all.Damaged) > 0 {
		t.Errorf("%d logs are found, want %d; damaged %v", all.Total, left, all.Damaged)
	}
}

func sound(t *testing.T, dir string) {
	t.Helper()
	report := check.Must(Verify(t.Context(), dir, Options{MemoryMB: 128, Threads: 1}))(t)
	if !report.Sound() {
		t.Errorf("the store is not sound: %+v", report)
	}
}

func ids(first, last, step int64) (list []int64) {
	for id := first; id <= last; id += step {
		list = append(list, id)
	}
	return list
}

// TestDeletedIsGone deletes logs and looks for them in every file, also after the
// derived data was built again from the journal.
func TestDeletedIsGone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openSmall(t, dir)
	fillConfidential(t, s, 1, 200)
	deleted := ids(3, 200, 3)
	gone := func(id int64) bool { return id%3 == 0 }
	check.OK(t, s.Write(t.Context(), logstoretest.Deleting(logstoretest.Home, deleted...)))
	checkConfidential(t, s, 200, gone)
	before := check.Must(s.journal.DiskBytes())(t)
	done := check.Must(s.Reclaim(t.Context(), nil))(t)
	if done.Files < 3 || done.BytesAfter >= done.BytesBefore || check.Must(s.journal.DiskBytes())(t) >= before {
		t.Errorf("reclaimed %+v", done)
	}
	checkConfidential(t, s, 200, gone)
	check.Equal(t, "files with a log that is there", len(filesWith(t, s, secretOf(1))) > 0, true)
	for _, id := range []int64{3, 6, 99, 198} {
		if found := filesWith(t, s, secretOf(id)); len(found) > 0 {
			t.Errorf("log %d is still in %v", id, found)
		}
	}
	closeStore(t, s)
	sound(t, dir)
	check.OK(t, os.RemoveAll(textPath(dir)))
	check.OK(t, os.Remove(tablePath(dir)))
	s = openSmall(t, dir)
	checkConfidential(t, s, 200, gone)
	fillConfidential(t, s, 201, 220)
	check.OK(t, s.Write(t.Context(), logstoretest.Deleting(logstoretest.Home, ids(1, 220, 1)...)))
	check.Must(s.Reclaim(t.Context(), nil))(t)
	checkConfidential(t, s, 220, func(int64) bool { return true })
	closeStore(t, s)
	sound(t, dir)
	s = openSmall(t, dir)
	checkConfidential(t, s, 220, func(int64) bool { return true })
	closeStore(t, s)
}

// TestReclaimWithoutRoom makes writing a file again fail. Nothing is lost, and it
// works once the cause is gone.
func TestReclaimWithoutRoom(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openSmall(t, dir)
	fillConfidential(t, s, 1, 60)
	check.OK(t, s.Write(t.Context(), logstoretest.Deleting(logstoretest.Home, ids(2, 60, 2)...)))
	gone := func(id int64) bool { return id%2 == 0 }
	blocker := filepath.Join(dir, journalFolder, "00000001-g1.journal.unfinished")
	check.OK(t, os.Mkdir(blocker, 0o700))
	if _, err := s.Reclaim(t.Context(), nil); !fault.Is(err, fault.Unavailable) {
		t.Errorf("reclaiming gives %v", err)
	}
	checkConfidential(t, s, 60, gone)
	fillConfidential(t, s, 61, 70)
	check.OK(t, os.Remove(blocker))
	check.Must(s.Reclaim(t.Context(), nil))(t)
	if found := filesWith(t, s, secretOf(4)); len(found) > 0 {
		t.Errorf("a deleted log is in %v", found)
	}
	closeStore(t, s)
	sound(t, dir)
}

// TestFollowDeletions follows a journal of which a part was rewritten.
func TestFollowDeletions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openSmall(t, dir)
	fillConfidential(t, s, 1, 40)
	copied := map[int64]bool{}
	var mark Mark
	follow := func() {
		f := check.Must(Follow(dir, false))(t)
		check.OK(t, f.Parts(t.Context(), mark, func(p Part) error {
			for _, l := range p.Batch.Logs {
				copied[l.ID] = true
			}
			for _, d := range p.Batch.Deletions {
				for _, id := range d.Logs {
					delete(copied, id)
				}
			}
			mark = p.End
			return nil
		}))
		check.OK(t, f.Close())
	}
	follow()
	check.Equal(t, "logs", len(copied), 40)
	check.OK(t, s.Write(t.Context(), logstoretest.Deleting(logstoretest.Home, ids(1, 40, 1)[20:]...)))
	check.Must(s.Reclaim(t.Context(), nil))(t)
	fillConfidential(t, s, 41, 45)
	follow()
	check.Equal(t, "logs after a deletion", len(copied), 25)
	copied, mark = map[int64]bool{}, Mark{}
	follow()
	check.Equal(t, "logs of the rewritten journal", len(copied), 25)
	check.OK(t, s.Write(t.Context(), logstoretest.Deleting(logstoretest.Home, ids(1, 45, 1)...)))
	check.Must(s.Reclaim(t.Context(), nil))(t)
	follow()
	check.Equal(t, "logs after deleting all", len(copied), 0)
	closeStore(t, s)
}

// TestCutRewrittenJournal cuts a journal in a file that was rewritten.
func TestCutRewrittenJournal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openSmall(t, dir)
	fillConfidential(t, s, 1, 60)
	check.OK(t, s.Write(t.Context(), logstoretest.Deleting(logstoretest.Home, ids(2, 60, 2)...)))
	check.Must(s.Reclaim(t.Context(), nil))(t)
	at, _ := s.index.block(41)
	closeStore(t, s)
	check.OK(t, os.RemoveAll(textPath(dir)))
	check.OK(t, os.Remove(tablePath(dir)))
	check.OK(t, CutJournal(dir, at))
	s = openSmall(t, dir)
	checkConfidential(t, s, 40, func(id int64) bool { return id%2 == 0 })
	_, err := s.Get(t.Context(), logstoretest.Home, 41)
	check.Equal(t, "a log behind the cut is gone", fault.Is(err, fault.NotFound), true)
	check.OK(t, s.Write(t.Context(), reqlog.Batch{Logs: []*reqlog.Log{confidential(61)}}))
	closeStore(t, s)
	sound(t, dir)
}

// TestCrashBeforeTheTableIsReplaced ends a reclaiming when the journal and the text
// index have been rewritten, and the file of the table has not.
func TestCrashBeforeTheTableIsReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openSmall(t, dir)
	fillConfidential(t, s, 1, 20)
	check.Must(s.queue.await(t.Context()))(t)
	check.OK(t, s.table.Checkpoint(t.Context())) // the rows are in the file
	check.OK(t, s.Write(t.Context(), logstoretest.Deleting(logstoretest.Home, 3)))
	upTo := s.journal.End()
	check.Must(s.queue.await(t.Context()))(t)
	gone, _, err := s.reclaimer.newGone(check.Must(s.table.Deleted(t.Context()))(t))
	check.OK(t, err)
	check.OK(t, s.reclaimer.reclaimJournal(t.Context(), gone, &reqlog.Reclaimed{}, func(float64, reqlog.Reclaimed) {}))
	check.Must(s.texts.current().Remove(&gone.logs, &gone.texts, func(textindex.Removed) {}, func() bool { return false }))(t)
	check.OK(t, s.applier.do(t.Context(), func() error { return s.upkeep.forgetRows(t.Context(), upTo) }))
	closeStore(t, s)

	s = openSmall(t, dir)
	check.Must(s.Reclaim(t.Context(), nil))(t)
	check.Equal(t, "files with the deleted log", filesWith(t, s, secretOf(3)), nil)
	check.Equal(t, "nothing is left to remove", check.Must(s.table.Deleted(t.Context()))(t).Empty(), true)
	closeStore(t, s)
	sound(t, dir)
}

// childDir is the environment variable by which TestDeletingChild is told to run.
const childDir = "PROMPTUARY_TEST_DELETING"

// TestDeletingChild is the process that TestKilledDeletions kills. It deletes logs
// and reclaims their storage, and says what was acknowledged.
func TestDeletingChild(t *testing.T) {
	dir := os.Getenv(childDir)
	if dir == "" {
		return // it is run by TestKilledDeletions only
	}
	s := openSmall(t, dir)
	next := s.LastID() + 1
	for first := next; ; first += 20 {
		fillConfidential(t, s, first, first+19)
		fmt.Println("wrote", first+19)
		doomed := ids(first, first+19, 2)
		check.OK(t, s.Write(context.Background(), logstoretest.Deleting(logstoretest.Home, doomed...)))
		fmt.Println("deleted", first)
		check.OK(t, s.Write(context.Background(), logstoretest.Removing(logstoretest.Home, "user_id", ids(first+1, first+19, 2)...)))
		fmt.Println("removed", first)
		check.Must(s.Reclaim(context.Background(), nil))(t)
	}
}

// TestKilledDeletions kills a process that deletes, again and again. Nothing that was
// acknowledged comes back or is lost.
func TestKilledDeletions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for round := range 6 {
		child := exec.Command(os.Args[0], "-test.run=^TestDeletingChild$", "-test.v")
		child.Env = append(os.Environ(), childDir+"="+dir)
		output := check.Must(child.StdoutPipe())(t)
		check.OK(t, child.Start())
		wrote, deleted, removed := int64(0), []int64{}, []int64{}
		lines := bufio.NewScanner(output)
		var kill *time.Timer
		for lines.Scan() {
			if n, ok := numberAfter(lines.Text(), "wrote "); ok {
				wrote = n
				if kill == nil {
					kill = time.AfterFunc(time.Duration(100+97*round)*time.Millisecond, func() { _ = child.Process.Kill() })
				}
			}
			if n, ok := numberAfter(lines.Text(), "deleted "); ok {
				deleted = append(deleted, n)
			}
			if n, ok := numberAfter(lines.Text(), "removed "); ok {
				removed = append(removed, n)
			}
		}
		_ = child.Wait() // it was killed
		s := openSmall(t, dir)
		for _, first := range deleted {
			for _, id := range ids(first, first+19, 2) {
				if _, err := s.Get(t.Context(), logstoretest.Home, id); !fault.Is(err, fault.NotFound) {
					t.Fatalf("round %d: log %d came back: %v", round, id, err)
				}
			}
			for _, id := range ids(first+1, first+19, 2) {
				if l, err := s.Get(t.Context(), logstoretest.Home, id); err != nil || !bytes.Equal(l.Input, confidential(id).Input) {
					t.Fatalf("round %d: log %d was lost: %v", round, id, err)
				}
			}
		}
		for _, first := range removed {
			for _, id := range ids(first+1, first+19, 2) {
				if l, err := s.Get(t.Context(), logstoretest.Home, id); err != nil || slices.ContainsFunc(l.Metadata, func(m reqlog.Member) bool { return m.Key == "user_id" }) {
					t.Fatalf("round %d: the key of log %d came back: %v", round, id, err)
				}
			}
		}
		if wrote > 0 {
			if _, err := s.Get(t.Context(), logstoretest.Home, wrote); err != nil { // it has an even distance from the first
				t.Fatalf("round %d: log %d was lost: %v", round, wrote, err)
			}
		}
		check.Must(s.Reclaim(t.Context(), nil))(t)
		if n := len(deleted); n > 0 {
			if found := filesWith(t, s, secretOf(deleted[n-1])); len(found) > 0 {
				t.Errorf("round %d: a deleted log is in %v", round, found)
			}
		}
		closeStore(t, s)
		sound(t, dir)
	}
}

func numberAfter(line, prefix string) (int64, bool) {
	at := bytes.Index([]byte(line), []byte(prefix))
	if at < 0 {
		return 0, false
	}
	n, err := strconv.ParseInt(line[at+len(prefix):], 10, 64)
	return n, err == nil
}
