package live

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// watch looks at once at what ended here, and now and then at everything that
// somebody waits for: it may have ended elsewhere. It does nothing while
// nobody waits.
func (s *Server) watch() {
	defer close(s.watched)
	var round <-chan time.Time // nil while nobody waits
	for {
		select {
		case <-s.life.Done():
			return
		case <-s.waiting.changed:
			s.lookAtDue()
		case <-round:
			round = nil
			s.lookAtAll()
		}
		// A round begins a while after the one before has ended, however long
		// that took.
		if round == nil && s.waiting.anybody() {
			round = time.After(s.options.Poll)
		}
	}
}

func (s *Server) lookAtDue() {
	for {
		due, found := s.waiting.takeDue()
		if !found {
			return
		}
		if err := s.guardedLookAt(due); err != nil {
			s.logLook(due, err)
		}
	}
}

// lookAtAll looks at every topic that somebody waits for. What became due in
// the meantime comes first. A failure does not end the round, because it may
// be that of one topic, but only the first is logged: if it is the store that
// fails, it fails for all.
func (s *Server) lookAtAll() {
	failed := false
	for _, t := range s.waiting.all() {
		s.lookAtDue()
		err := s.guardedLookAt(t)
		if s.life.Err() != nil {
			return
		}
		if err != nil && !failed {
			failed = true
			s.logLook(t, err)
		}
	}
}

func (s *Server) guardedLookAt(t topic) error {
	return s.guarded(func(ctx context.Context) error { return s.lookAt(ctx, t) })
}

// lookAt hands out the messages of a topic that are there now. What failed does
// not keep back the rest.
func (s *Server) lookAt(ctx context.Context, t topic) (err error) {
	look := s.waiting.look(t)
	if look.more {
		if look.later, err = s.options.Messages.Later(ctx, t.workspace, t.channel, look.than); err != nil {
			return err
		}
	}
	for _, number := range slices.Concat(look.open, look.later) {
		message, ended, failed := s.options.Messages.Message(ctx, t.workspace, number)
		switch {
		case fault.Is(failed, fault.NotFound):
			look.found[number] = nil // it was deleted
		case failed != nil:
			err = errors.Join(err, failed)
		case ended:
			look.found[number] = message
		}
	}
	s.waiting.settle(t, look)
	return err
}

// logLook logs why a look failed, unless that is because the server closes.
func (s *Server) logLook(t topic, err error) {
	if s.life.Err() == nil {
		s.log.Warn("cannot see whether what clients wait for has ended", "workspace", t.workspace, "channel", t.channel, "error", err)
	}
}
