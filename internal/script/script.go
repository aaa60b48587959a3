// Package script runs code of users with limits. Such code must not be able to
// stop or slow down the server, nor see anything but its input.
//
// JavaScript runs in an interpreter without files, network and timers. The
// interpreter cannot limit its memory, and some of its functions cannot be
// interrupted; therefore it runs in worker processes. A worker is this program,
// started with a hidden argument, an empty environment and no open files except
// its pipes. A worker runs one program at a time, each in a fresh interpreter,
// and is then reused. A worker that exceeds a limit ends, and only its run fails.
//
// Python runs only if the operator configures an interpreter. Each run is a
// fresh process with limits on memory, time, files and processes, without site
// packages and with an empty environment.
//
// On Linux, the kernel isolates the processes of both languages with a filter of
// system calls, another user and namespaces, and those of Python with Landlock.
// What the kernel does not support is left out. See docs/security.md.
//
// The main function, and TestMain of packages that run scripts, must first call
// WorkerMain if IsWorker reports true.
package script

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// Language is a programming language.
type Language string

// The supported languages.
const (
	JavaScript Language = "javascript"
	Python     Language = "python"
)

// Program is code with its input.
type Program struct {
	// Workspace is the workspace that the program runs for.
	Workspace int64
	Language  Language
	// Code is a list of statements. Its value is what it returns, or the value
	// of its last expression. The variable data holds its input.
	Code string
	// Entry, if not empty, makes Code the body of a function of this name with
	// one parameter, args, which holds the input.
	Entry string
	// Data is the input, a JSON value. If it is empty, the input is an empty
	// object.
	Data json.RawMessage
	// Env contains the environment variables of the code, in JavaScript
	// process.env. If it is nil, JavaScript has no process object.
	Env map[string]string
	// Limits overrides the limits of the runner, except for zero values.
	Limits Limits
}

// Limits limits one run.
type Limits struct {
	// Time is the maximum duration, by default 6 minutes.
	Time time.Duration
	// Memory is the maximum memory of the code in bytes, by default 128 MiB.
	Memory int64
	// Output is the maximum size of the value in bytes, by default 1 MiB.
	Output int64
}

// The default limits, and the fixed ones.
const (
	DefaultTime   = 6 * time.Minute
	DefaultMemory = 128 << 20
	DefaultOutput = 1 << 20
	// MaxCode is the maximum size of the code in bytes.
	MaxCode = 1 << 20
	// MaxPrinted is the number of bytes that are kept of each output stream.
	MaxPrinted = 64 << 10
)

func (l Limits) or(other Limits) Limits {
	if l.Time <= 0 {
		l.Time = other.Time
	}
	if l.Memory <= 0 {
		l.Memory = other.Memory
	}
	if l.Output <= 0 {
		l.Output = other.Output
	}
	return l
}

// Result is the result of a run.
type Result struct {
	// Value is the value that the code returned, as JSON. It is empty if the
	// run failed.
	Value json.RawMessage
	// Stdout and Stderr contain the truncated output, also if the code failed.
	Stdout, Stderr string
}

// Options configures a Runner. Zero values mean the defaults.
type Options struct {
	// Limits are the default limits of programs.
	Limits Limits
	// Concurrency is the number of programs of one workspace that run at the
	// same time, by default the number of processors. All workspaces together
	// can run four times as many, so that the endless loops of up to three
	// workspaces do not delay the others.
	Concurrency int
	// Idle is the time after which an idle worker ends, by default a minute.
	Idle time.Duration
	// Python is the path of the Python interpreter. If it is empty, Python
	// programs fail with ErrPythonOff.
	Python string
	// Logger gets a message about the isolation of each language when it is
	// first used. Nil discards it.
	Logger *slog.Logger
}

// ErrPythonOff is the error of Python programs if no interpreter is configured.
var ErrPythonOff error = fault.New(fault.Unavailable, "Python steps are turned off")

// Run runs a program and waits until it ends. Failures of the code itself are
// of the type *Error. Faults mean that the code was not run: Unavailable, such
// as ErrPythonOff, or RateLimited if too many programs of the workspace are
// waiting. If ctx is done, the run ends with the cause of ctx.
func (r *Runner) Run(ctx context.Context, p Program) (Result, error) {
	if p.Language == Python && r.python == nil {
		return Result{}, ErrPythonOff
	}
	job, err := r.jobOf(p)
	if err != nil {
		return Result{}, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(r.closing, func() { cancel(errClosed) })()
	leave, err := r.enter(ctx, p.Workspace)
	if err != nil {
		return Result{}, err
	}
	defer leave()
	if p.Language == Python {
		return r.python.run(ctx, job)
	}
	return r.runInWorker(ctx, job)
}

// jobOf checks a program and adds the defaults.
func (r *Runner) jobOf(p Program) (job, error) {
	switch {
	case p.Language != JavaScript && p.Language != Python:
		return job{}, fault.BadRequestf("code in %q cannot be run", p.Language)
	case len(p.Code) > MaxCode:
		return job{}, &Error{Reason: CodeTooLarge, Type: "CodeTooLarge", Message: "the code is larger than " + sizeText(MaxCode)}
	case len(p.Data) == 0:
		p.Data = json.RawMessage("{}")
	case !json.Valid(p.Data):
		return job{}, fault.New(fault.Internal, "the input of a script is not JSON")
	}
	return job{Code: p.Code, Entry: p.Entry, Data: p.Data, Env: p.Env, Limits: p.Limits.or(r.limits)}, nil
}
