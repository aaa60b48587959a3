package live

import (
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
		due, any := s.waiting.takeDue()
		if !any {
			return
		}
		s.lookAt(due)
	}
}

// lookAtAll looks at every topic that somebody waits for. What became due in
// the meantime comes first. A round ends at the first failure, because it is
// most likely the store that fails; the order differs from round to round, so
// that no topic keeps others from being looked at.
func (s *Server) lookAtAll() {
	for _, t := range s.waiting.all() {
		s.lookAtDue()
		if !s.lookAt(t) {
			return
		}
	}
}

// lookAt hands out the message of a topic if it has ended. It reports whether
// that could be found out.
func (s *Server) lookAt(t topic) bool {
	message, ended, err := s.look(t)
	switch {
	case s.life.Err() != nil:
		return false
	case fault.Is(err, fault.NotFound):
		s.waiting.dismiss(t) // it was deleted
	case err != nil:
		s.log.Warn("cannot see whether what a client waits for has ended", "channel", t.channel, "error", err)
		return false
	case ended:
		s.waiting.settle(t, message)
	}
	return true
}
