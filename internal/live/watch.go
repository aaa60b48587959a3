package live

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/guard"
)

// watch looks up topics until the server is closed.
func (s *Server) watch() {
	defer close(s.watched)
	guard.Loop("live", s.life.Done(), s.watchTopics)()
}

// watchTopics looks up topics that ended here immediately, and periodically all topics
// that clients wait for, because runs may end in other processes. It is idle
// while no client waits.
func (s *Server) watchTopics() {
	var round <-chan time.Time // nil while no client waits
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
		// The interval between rounds starts at the end of the previous round.
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

// lookAtAll looks up every topic that clients wait for. Topics that become due
// in the meantime come first. A failure does not end the round, because it may affect
// one topic only, but only the first is logged, because the store may fail for
// all of them.
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

// lookAt delivers the available messages of a topic. A failed lookup does not
// hold back the others.
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

// logLook logs the failure of a lookup, unless the server is closing.
func (s *Server) logLook(t topic, err error) {
	if s.life.Err() == nil {
		s.log.Warn("cannot look up the run that clients wait for", "workspace", t.workspace, "channel", t.channel, "error", err)
	}
}
