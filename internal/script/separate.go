package script

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"syscall"
)

// Isolation says which protections hold for the code of a language. See
// docs/security.md.
type Isolation struct {
	// Calls is true if the kernel allows only the system calls that code needs:
	// none that open connections, start or signal processes, or change files.
	Calls bool
	// Files is true if code can read at most the library of its interpreter.
	Files bool
	// User is true if code runs as another user than the server.
	User bool
	// Namespaces is true if code has its own users, processes, network, IPC
	// objects and host name.
	Namespaces bool
}

// separation is how a process is separated from the server's: see Isolation.
type separation struct{ user, namespaces bool }

// separator finds and remembers the strongest separation that the machine
// allows.
type separator struct {
	language Language
	log      *slog.Logger

	mu      sync.Mutex
	settled bool
	chosen  separation
}

// settle returns the separation to start processes with. The first time, it
// tries each, from the strongest to none, until one succeeds.
func (s *separator) settle(ctx context.Context, try func(separation) error) (separation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.settled {
		return s.chosen, nil
	}
	var err error
	for _, candidate := range separations() {
		if err = try(candidate); err == nil {
			s.settled, s.chosen = true, candidate
			s.report()
			return candidate, nil
		}
		if ctx.Err() != nil || isShortage(err) {
			break // not the fault of the separation
		}
	}
	return separation{}, err
}

// isShortage reports whether a process could not start for want of resources.
func isShortage(err error) bool {
	for _, code := range []syscall.Errno{syscall.EAGAIN, syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE} {
		if errors.Is(err, code) {
			return true
		}
	}
	return false
}

// isolation returns the protections that hold. It must be settled.
func (s *separator) isolation() Isolation {
	calls := canFilterCalls()
	files := canHideFiles()
	if s.language == JavaScript {
		files = calls // no call that opens files is allowed
	}
	return Isolation{Calls: calls, Files: files, User: s.chosen.user, Namespaces: s.chosen.namespaces}
}

// report logs the protections, as a warning if code can do harm. The JavaScript
// interpreter has no functions that could, whatever the kernel allows.
func (s *separator) report() {
	i := s.isolation()
	level, message := slog.LevelInfo, "isolation of code"
	if s.language == Python && (!i.Calls || !i.Files) {
		level, message = slog.LevelWarn, "the kernel does not fully isolate Python steps: enable them only for trusted users"
	}
	s.log.Log(context.Background(), level, message, "language", string(s.language),
		"system_calls_filtered", i.Calls, "files_hidden", i.Files, "other_user", i.User, "namespaces", i.Namespaces)
}
