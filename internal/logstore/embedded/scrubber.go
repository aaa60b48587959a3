package embedded

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
)

// scrubPause is the time between two passes of the background check.
const scrubPause = 24 * time.Hour

// scrubRows is how many ids of the table are checked at a time.
const scrubRows = 10_000

// scrubber reads everything that is stored again and again, slowly, in a goroutine of
// its own, so that damage is found before a user needs the data. It changes nothing:
// whatever finds damage reports it.
type scrubber struct {
	journal *journal.Journal
	table   *table.Table
	texts   *texts
	index   *index
	alarms  *alarms
	log     *slog.Logger

	rate     int64 // bytes per second
	stopping <-chan struct{}
	running  sync.WaitGroup

	bytes, passes atomic.Int64 // read until now
}

// start starts the goroutine, unless checks are turned off.
func (s *scrubber) start() {
	if s.rate > 0 {
		s.running.Go(guard.Loop("check of stored logs", s.stopping, s.loop))
	}
}

// loop checks everything, waits, and begins again.
func (s *scrubber) loop() {
	for {
		if err := s.scrub(context.Background()); err != nil {
			s.log.Error("the background check of stored logs failed", "error", err)
		} else {
			s.passes.Add(1)
		}
		select {
		case <-s.stopping:
			return
		case <-time.After(scrubPause):
		}
	}
}

// scrub checks the journal, the text index and the table once.
func (s *scrubber) scrub(ctx context.Context) error {
	for block, err := range s.journal.Check(0) {
		if err != nil {
			return err
		}
		if !s.pace(int(min(block.Next-block.Position, journal.Position(maxPendingBytes)))) {
			return nil
		}
	}
	if text := s.texts.current(); text.CheckFiles(s.pace) != nil {
		signal(s.alarms.text)
	}
	size, err := s.table.Size()
	if err != nil {
		return err
	}
	last := s.index.lastID()
	for first := int64(0); first <= last; first += scrubRows {
		if !s.pace(int(size * scrubRows / (last + scrubRows))) {
			return nil
		}
		if err := s.alarms.tableError(s.table.Check(ctx, first, first+scrubRows-1)); err != nil {
			return err
		}
	}
	return s.spans(ctx)
}

// spanBytes is about the size of a span in the table.
const spanBytes = 200

func (s *scrubber) spans(ctx context.Context) error {
	for first := int64(0); s.pace(scrubRows * spanBytes); first += scrubRows {
		if more, err := s.table.CheckSpans(ctx, first, scrubRows); err != nil || !more {
			return s.alarms.tableError(err)
		}
	}
	return nil
}

// pace waits as long as reading so many bytes may take, and reports whether to
// go on.
func (s *scrubber) pace(bytes int) bool {
	s.bytes.Add(int64(bytes))
	wait := time.Duration(float64(bytes) / float64(s.rate) * float64(time.Second))
	select {
	case <-s.stopping:
		return false
	case <-time.After(wait):
		return true
	}
}
