package embedded

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
)

// scrubPause is the time between two passes of the background check.
const scrubPause = 24 * time.Hour

// scrubRows is how many ids of the table are checked at a time.
const scrubRows = 10_000

// scrubStats counts the work of the background check.
type scrubStats struct{ bytes, passes atomic.Int64 }

// scrubLoop reads everything that is stored, slowly, so that damage is found
// before a user needs the data. Whatever finds damage reports it.
func (s *Store) scrubLoop() {
	for {
		if err := s.scrub(context.Background()); err != nil {
			s.log.Error("the background check of stored logs failed", "error", err)
		} else {
			s.scrubbed.passes.Add(1)
		}
		select {
		case <-s.stopping:
			return
		case <-time.After(scrubPause):
		}
	}
}

// scrub checks the journal, the text index and the table once.
func (s *Store) scrub(ctx context.Context) error {
	for block, err := range s.journal.Check(0) {
		if err != nil {
			return err
		}
		if !s.pace(int(min(block.Next-block.Position, journal.Position(maxPendingBytes)))) {
			return nil
		}
	}
	if text := s.text.Load(); text.CheckFiles(s.pace) != nil {
		signal(s.textDamage)
	}
	size, err := s.table.Size()
	if err != nil {
		return err
	}
	last := s.LastID()
	for first := int64(0); first <= last; first += scrubRows {
		if !s.pace(int(size * scrubRows / (last + scrubRows))) {
			return nil
		}
		if err := s.tableError(s.table.Check(ctx, first, first+scrubRows-1)); err != nil {
			return err
		}
	}
	return s.scrubSpans(ctx)
}

// spanBytes is about the size of a span in the table.
const spanBytes = 200

func (s *Store) scrubSpans(ctx context.Context) error {
	for first := int64(0); s.pace(scrubRows * spanBytes); first += scrubRows {
		if more, err := s.table.CheckSpans(ctx, first, scrubRows); err != nil || !more {
			return s.tableError(err)
		}
	}
	return nil
}

// pace waits as long as reading so many bytes may take, and reports whether to
// go on.
func (s *Store) pace(bytes int) bool {
	s.scrubbed.bytes.Add(int64(bytes))
	wait := time.Duration(float64(bytes) / float64(s.opts.ScrubRate) * float64(time.Second))
	select {
	case <-s.stopping:
		return false
	case <-time.After(wait):
		return true
	}
}
