package embedded

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// TestApplyingSurvivesPanics makes applying panic. Nobody waits for it, writes are
// refused, and all is well once it works again.
func TestApplyingSurvivesPanics(t *testing.T) {
	t.Parallel()
	s := check.Must(openWritable(t.Context(), t.TempDir(), Options{MemoryMB: 256, Threads: 2}.withDefaults()))(t)
	text := s.texts.opened.Swap(nil) // adding a text panics
	guard.Go("test", s.applier.loop)
	l := logstoretest.Corpus()[0]
	if err := s.Write(t.Context(), reqlog.Batch{Logs: []*reqlog.Log{l}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.queue.await(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.Healthy() == nil {
		t.Error("the store is healthy although it cannot apply anything")
	}
	s.texts.opened.Store(text)
	check.Eventually(t, "the store is healthy", func() bool { return s.Healthy() == nil })
	writable(t, s)
	if _, err := s.Get(t.Context(), l.Workspace, l.ID); err != nil {
		t.Error(err)
	}
	closeStore(t, s)
}
