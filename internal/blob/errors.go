package blob

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// Reason is the reason of a failure.
type Reason uint8

// The reasons of failures.
const (
	// Failed is any failure without a reason of its own.
	Failed Reason = iota
	// Missing means that the blob does not exist.
	Missing
	// NoStore means that the folder or the bucket does not exist.
	NoStore
	// Denied means that the credentials or the permissions of a folder do not
	// allow it.
	Denied
	// Away means that the service cannot be reached, or that it fails.
	Away
	// Full means that there is no room left.
	Full
)

// Error is a failure. Its message contains no credentials and may be shown to
// anyone who chose the store; the cause is for the log.
type Error struct {
	Reason  Reason
	Message string
	cause   error
}

// Error returns the message without the cause.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause, or nil.
func (e *Error) Unwrap() error { return e.cause }

func failed(reason Reason, cause error, format string, args ...any) *Error {
	return &Error{Reason: reason, Message: fmt.Sprintf(format, args...), cause: cause}
}

// Is reports whether err is a failure for the reason.
func Is(err error, reason Reason) bool {
	var own *Error
	return errors.As(err, &own) && own.Reason == reason
}

// explainFile converts an error of the file system.
func explainFile(what string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return failed(Missing, err, "%s does not exist", what)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return failed(Denied, err, "%s: the server has no permission", what)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return failed(Full, err, "%s: the disk is full", what)
	}
	return failed(Failed, err, "%s cannot be read or written", what)
}
