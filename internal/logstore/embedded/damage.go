package embedded

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/logstore/embedded/textindex"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// tableError turns an error of a query into what the caller returns. If the
// table is damaged it is rebuilt in the background; reads fail or wait until
// then.
func (s *Store) tableError(err error) error {
	if errors.Is(err, table.ErrClosed) {
		return fault.Busy(retryAfter, err, "The log table is not available at the moment")
	}
	if !table.Damaged(err) {
		return err
	}
	select {
	case s.damage <- err:
	default: // another reader has reported it
	}
	return fault.Busy(retryAfter, err, "The log table is damaged and is being rebuilt")
}

// mend rebuilds the table after a reader found damage.
func (s *Store) mend(ctx context.Context, cause error) {
	err := s.rebuild(ctx, cause)
	select {
	case <-s.damage: // reported before it was rebuilt
	default:
	}
	s.settle(err)
	if err != nil {
		s.log.Error("cannot rebuild the log table", "error", err)
	}
}

// openText opens the text index and checks as many bytes of its posting lists,
// 0 for the usual number.
func (s *Store) openText(dir string, verify int64) error {
	text, err := textindex.Open(filepath.Join(dir, textFolder), textindex.Options{Version: reqlog.IndexVersion, VerifyBytes: verify, OnError: func(err error) {
		s.log.Error("the text index failed in the background", "error", err)
		signal(s.textDamage)
	}})
	if err == nil {
		s.text.Store(text)
	}
	return err
}

// textError returns the fault for an answer of a text index that is damaged. It
// is rebuilt in the background.
func (s *Store) textError(text *textindex.Index) error {
	err := text.Damaged()
	if err == nil {
		return nil
	}
	signal(s.textDamage)
	return fault.Busy(retryAfter, err, "The text index is damaged and is being rebuilt")
}

// mendText rebuilds the damaged part of the text index from the journal, if
// there is any. It tries again until it succeeds, because nothing can be applied
// without the index.
func (s *Store) mendText(ctx context.Context) {
	cause := s.text.Load().Damaged()
	if cause == nil {
		return
	}
	s.log.Error("the text index is damaged; it is rebuilt from the journal", "error", cause)
	s.setRebuilding(true)
	defer s.setRebuilding(false)
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		err := s.rebuildText(ctx)
		if err == nil {
			s.log.Info("the text index is rebuilt")
			return
		}
		s.log.Error("cannot rebuild the text index", "error", err)
		select {
		case <-s.stopping:
			return // the next start goes on
		case <-time.After(pause):
		}
	}
}

// rebuildText opens the index again, which removes the damaged files, and adds
// the logs that it then lacks.
func (s *Store) rebuildText(ctx context.Context) error {
	s.texting.Lock()
	defer s.texting.Unlock()
	if err := s.text.Load().Close(); err != nil && !errors.Is(err, textindex.ErrClosed) {
		s.log.Warn("cannot close the damaged text index properly", "error", err)
	}
	if err := s.openText(s.dir, math.MaxInt64); err != nil {
		return err
	}
	s.mu.Lock()
	lastID := s.blocks.lastID
	s.mu.Unlock()
	return s.recoverText(ctx, lastID)
}
