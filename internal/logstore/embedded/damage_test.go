package embedded

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
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
			if err := s.Write(t.Context(), logstoretest.Annotating(l.Workspace, l.ID, change)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, l := range logs {
		l.ID += 5_000
	}
	if err := s.Write(t.Context(), reqlog.Batch{Logs: logs}); err != nil {
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

func tablePath(dir string) string { return filepath.Join(dir, table.FileName) }
func textPath(dir string) string  { return filepath.Join(dir, textFolder) }

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
