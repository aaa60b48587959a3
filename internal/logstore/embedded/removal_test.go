package embedded

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// mailOf is a word that only the metadata of the log with this id has.
func mailOf(id int64) string { return fmt.Sprintf("mail%dz", id*7919) }

// fillMails writes logs with a word in their metadata, and annotates some of them with
// the word and a score.
func fillMails(t *testing.T, s *Store, first, last int64) {
	t.Helper()
	for id := first; id <= last; id++ {
		l := confidential(id)
		l.Metadata = []reqlog.Member{{Key: "user", Value: fmt.Appendf(nil, `{"mail":%q,"plan":"free"}`, mailOf(id))}, {Key: "env", Value: []byte(`"prod"`)}}
		reqlog.Derive(l)
		check.OK(t, s.Write(t.Context(), reqlog.Batch{Logs: []*reqlog.Log{l}}))
		if id%5 > 1 {
			continue
		}
		check.OK(t, s.Write(t.Context(), logstoretest.Annotating(logstoretest.Home, id, reqlog.Annotation{
			Metadata: []reqlog.Member{{Key: "user", Value: fmt.Appendf(nil, `{"mail":%q,"plan":"paid"}`, "late "+mailOf(id))}, {Key: "n", Value: []byte("1")}},
		})))
		check.OK(t, s.Write(t.Context(), logstoretest.Annotating(logstoretest.Home, id, reqlog.Annotation{Score: &reqlog.Score{Name: "tone", Value: id % 100}})))
	}
}

// checkMails compares the metadata of logs with what must be left of it.
func checkMails(t *testing.T, s *Store, last int64, gone func(id int64) bool) {
	t.Helper()
	for id := int64(1); id <= last; id++ {
		l := check.Must(s.Get(t.Context(), logstoretest.Home, id))(t)
		var text strings.Builder
		for _, m := range l.Metadata {
			fmt.Fprintf(&text, "%s=%s ", m.Key, m.Value)
		}
		mail, plan, more := fmt.Sprintf(`"mail":%q,`, mailOf(id)), "free", ""
		if id%5 <= 1 {
			mail, plan, more = fmt.Sprintf(`"mail":%q,`, "late "+mailOf(id)), "paid", "n=1 "
		}
		if gone(id) {
			mail = ""
		}
		check.Equal(t, fmt.Sprint("metadata of log ", id), text.String(), fmt.Sprintf(`user={%s"plan":%q} env="prod" %s`, mail, plan, more))
	}
}

// scoresIn returns the ids of the logs with a score in the journal.
func scoresIn(t *testing.T, s *Store, name string) (ids []int64) {
	t.Helper()
	for block, err := range s.journal.Scan(0) {
		check.OK(t, err)
		for _, raw := range block.Records {
			if r := record(raw); r.valid() && r.kind() == recordAnnotation {
				if a := check.Must(document.DecodeAnnotation(r[recordHeader:]))(t); a.Score != nil && a.Score.Name == name {
					ids = append(ids, r.id())
				}
			}
		}
	}
	return ids
}

func isEven(id int64) bool { return id%2 == 0 }

// TestRemovedIsGone removes metadata and scores, and looks for them in every file, also
// after the derived data was built again from the journal.
func TestRemovedIsGone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openSmall(t, dir)
	fillMails(t, s, 1, 102)
	check.Must(s.queue.await(t.Context()))(t)
	check.OK(t, s.table.Checkpoint(t.Context())) // the rows are in the file
	check.OK(t, s.Write(t.Context(), logstoretest.Removing(logstoretest.Home, "user.mail", ids(2, 102, 2)...)))
	check.OK(t, s.Write(t.Context(), logstoretest.RemovingScore(logstoretest.Home, "tone", ids(10, 102, 1)...)))
	check.OK(t, s.Write(t.Context(), logstoretest.Annotating(logstoretest.Home, 102, reqlog.Annotation{Metadata: []reqlog.Member{{Key: "user", Value: []byte(`{"mail":"returned"}`)}}})))
	checkMails(t, s, 100, isEven)
	check.Equal(t, "files with a removed value, before they are written again", len(filesWith(t, s, mailOf(10))) > 0, true)
	done := check.Must(s.Reclaim(t.Context(), nil))(t)
	if done.Files < 3 || done.DamagedBytes != 0 {
		t.Errorf("reclaimed %+v", done)
	}
	checkGone := func() {
		t.Helper()
		checkMails(t, s, 100, isEven)
		check.Equal(t, "files with a value that is there", len(filesWith(t, s, mailOf(11))) > 0, true)
		l := check.Must(s.Get(t.Context(), logstoretest.Home, 102))(t)
		check.Equal(t, "what was set later", string(l.Metadata[0].Value), `{"mail":"returned"}`)
		for _, id := range []int64{2, 10, 96, 100, 102} {
			check.Equal(t, fmt.Sprint("files with the removed value of log ", id), filesWith(t, s, mailOf(id)), nil)
		}
		check.Equal(t, "logs whose score is in the journal", scoresIn(t, s, "tone"), []int64{1, 5, 6})
	}
	checkGone()
	again := check.Must(s.Reclaim(t.Context(), nil))(t)
	check.Equal(t, "files that are written once more", again.Files, 0)
	closeStore(t, s)
	sound(t, dir)
	check.OK(t, os.RemoveAll(textPath(dir)))
	check.OK(t, os.Remove(tablePath(dir)))
	s = openSmall(t, dir)
	checkGone()
	check.Must(s.Reclaim(t.Context(), nil))(t)
	checkGone()
	closeStore(t, s)
	sound(t, dir)
}

// TestRemovedByAnnotationIsGone removes a key of one log. The next reclaiming removes it
// from the files, and leaves what was set later.
func TestRemovedByAnnotationIsGone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openSmall(t, dir)
	fillMails(t, s, 1, 10)
	removal := reqlog.Annotation{RemovedKeys: []string{"user"}}
	later := reqlog.Annotation{Metadata: []reqlog.Member{{Key: "user", Value: []byte(`"returned"`)}}}
	check.OK(t, s.Write(t.Context(), reqlog.Batch{Changes: []reqlog.Change{
		{Workspace: logstoretest.Home, ID: 5, Annotation: removal}, {Workspace: logstoretest.Home, ID: 5, Annotation: later},
	}}))
	check.Must(s.Reclaim(t.Context(), nil))(t)
	check.Equal(t, "files with the removed value", filesWith(t, s, mailOf(5)), nil)
	check.Equal(t, "files with the value of another log", len(filesWith(t, s, mailOf(6))) > 0, true)
	check.Equal(t, "nothing is left to remove", check.Must(s.table.Deleted(t.Context()))(t).Empty(), true)
	closeStore(t, s)
	sound(t, dir)
	check.OK(t, os.Remove(tablePath(dir)))
	s = openSmall(t, dir)
	l := check.Must(s.Get(t.Context(), logstoretest.Home, 5))(t)
	check.Equal(t, "metadata", len(l.Metadata), 3)
	check.Equal(t, "the key that was set later", string(l.Metadata[2].Value), `"returned"`)
	closeStore(t, s)
}

// TestCrashAtEachFile ends a reclaiming after each file of the journal, with and
// without the table. The next one completes it.
func TestCrashAtEachFile(t *testing.T) {
	t.Parallel()
	for stop := 1; stop <= 4; stop++ {
		for _, withTable := range []bool{true, false} {
			dir := t.TempDir()
			s := openSmall(t, dir)
			fillMails(t, s, 1, 60)
			check.OK(t, s.Write(t.Context(), logstoretest.Removing(logstoretest.Home, "user.mail", ids(2, 60, 2)...)))
			check.Must(s.queue.await(t.Context()))(t)
			gone, _, err := s.reclaimer.newGone(check.Must(s.table.Deleted(t.Context()))(t))
			check.OK(t, err)
			rewritten := 0
			for _, number := range s.journal.Segments() {
				if rewritten == stop || s.journal.IsLast(number) {
					break
				}
				if r := check.Must(s.journal.Rewrite(number, gone.keep))(t); r.Blocks > 0 {
					rewritten++
				}
			}
			check.Equal(t, "files that were written again", rewritten, stop)
			crashed := clone(t, dir)
			closeStore(t, s)
			if !withTable {
				check.OK(t, os.Remove(tablePath(crashed)))
			}
			s = openSmall(t, crashed)
			checkMails(t, s, 60, isEven)
			check.Must(s.Reclaim(t.Context(), nil))(t)
			checkMails(t, s, 60, isEven)
			for _, id := range ids(2, 60, 2) {
				check.Equal(t, fmt.Sprint("files with the removed value of log ", id), filesWith(t, s, mailOf(id)), nil)
			}
			closeStore(t, s)
			sound(t, crashed)
		}
	}
}

// TestDamagedRemoval damages the record of a removal before its storage is reclaimed.
// Reclaiming says so, and removes the rest.
func TestDamagedRemoval(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openSmall(t, dir)
	fillMails(t, s, 1, 20)
	check.OK(t, s.Write(t.Context(), logstoretest.Removing(logstoretest.Home, "user.mail", 2)))
	check.OK(t, s.Write(t.Context(), logstoretest.Removing(logstoretest.Home, "user.mail", 4)))
	check.Must(s.queue.await(t.Context()))(t)
	blocks := check.Must(s.table.Deleted(t.Context()))(t).Removals
	check.Equal(t, "removals", len(blocks), 2)
	path := filepath.Join(dir, journalFolder, fmt.Sprintf("%08d.journal", int64(blocks[0])>>32))
	file := check.Must(os.OpenFile(path, os.O_RDWR, 0))(t)
	check.Must(file.WriteAt([]byte("damage"), int64(blocks[0])&(1<<32-1)+12))(t)
	check.OK(t, file.Close())
	done := check.Must(s.Reclaim(t.Context(), nil))(t)
	if done.DamagedBytes == 0 {
		t.Error("the certificate has no damage")
	}
	check.Equal(t, "files with what the readable removal has removed", filesWith(t, s, mailOf(4)), nil)
	closeStore(t, s)
}
