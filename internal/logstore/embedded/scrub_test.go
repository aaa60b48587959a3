package embedded

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// TestScrub damages a block that nobody reads.
func TestScrub(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	logs := writeBlocks(t, dir)
	s := openAt(t, dir)
	hit, _ := s.index.block(logs[4].ID)
	closeStore(t, s)
	said := &check.Buffer{}
	s, err := Open(context.Background(), dir, Options{MemoryMB: 256, ScrubRate: 100 << 20, Logger: slog.New(slog.NewTextHandler(said, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer closeStore(t, s)
	waitFor(t, func() bool { return s.Stats().ScrubPasses == 1 })
	if stats := s.Stats(); stats.DamagedBlocks > 0 || stats.ScrubbedBytes == 0 {
		t.Errorf("a sound store: %+v", stats)
	}
	rewrite(t, journalPath(t, dir), func(data []byte) []byte { data[int64(hit)+40] ^= 0xff; return data })
	if err := s.scrubber.scrub(t.Context()); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { stats := s.Stats(); return stats.DamagedBlocks == 1 && stats.DamagedLogs == 2 })
	if text := said.String(); !strings.Contains(text, "level=ERROR msg=\"a part of the journal is damaged") || strings.Count(text, "level=ERROR") != 1 {
		t.Errorf("the log says:\n%s", text)
	}
}

// waitFor waits until a condition holds.
func waitFor(t *testing.T, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the condition never held")
		}
	}
}

// TestTextFilesChangeWhileOpen truncates and overwrites files of the text index
// that the process has mapped. Queries are refused until the index is rebuilt,
// and then find what they should.
func TestTextFilesChangeWhileOpen(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(t *testing.T, path string){
		"truncated": func(t *testing.T, path string) {
			if err := os.Truncate(path, 10); err != nil {
				t.Fatal(err)
			}
		},
		"overwritten": func(t *testing.T, path string) {
			data := read(t, path)
			for i := range data {
				data[i] = 0xff
			}
			file, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := file.WriteAt(data, 0); err != nil {
				t.Fatal(err)
			}
			if err := file.Close(); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := openAt(t, dir)
			logstoretest.Fill(t, s)
			want := wordMatches(t, s)
			closeStore(t, s)
			s = openAt(t, dir)
			defer closeStore(t, s)
			change(t, only(t, filepath.Join(textPath(dir), "*.seg")))
			if got := wordMatches(t, s); !slices.Equal(got, want) {
				t.Errorf("found %v, want %v", got, want)
			}
			writable(t, s)
		})
	}
}

// wordMatches returns what free text finds, trying again while it is refused.
func wordMatches(t *testing.T, s *Store) []int64 {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		found, err := s.Search(t.Context(), query.SearchQuery{Query: query.Query{Workspace: logstoretest.Home, Text: "a"}, Page: 1, PerPage: 25})
		if fault.Is(err, fault.Unavailable) && time.Now().Before(end) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		ids := []int64{found.Total}
		for _, l := range found.Items {
			ids = append(ids, l.ID)
		}
		return ids
	}
}
