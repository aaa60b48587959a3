// Package script runs code that users wrote, with limits. Such code must not
// be able to stop the server, to slow it down, or to see anything but what it
// was given.
//
// JavaScript runs in an interpreter that has no files, no network and no
// clock to wait on. The interpreter cannot bound its memory, and some of its
// functions cannot be interrupted; therefore it runs in worker processes. A
// worker is this very program, started again with a hidden argument, with an
// empty environment and nothing open but its pipes. Workers take one program
// at a time, each in a fresh interpreter, and are kept for the next; one that
// breaks a limit ends, and only its own run fails.
//
// Python runs only when the operator names an interpreter, because it cannot
// be contained as well. Each run is a fresh process with limits on memory,
// time, files and processes, without site packages, and with nothing in its
// environment but what it is given. On Linux three means contain it, as far as
// the kernel offers them to ordinary users: a filter of system calls, without
// which code could use the network and start processes; Landlock, without
// which it could read what the server's user can; and namespaces of its own,
// which stand behind the two. What is not offered is gone without, and
// Runner.PythonIsolation tells what code is kept from.
//
// The main function, and TestMain of packages that run scripts, must call
// WorkerMain first thing when IsWorker reports true.
package script

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// Language is what a program is written in.
type Language string

// The languages that can be run.
const (
	JavaScript Language = "javascript"
	Python     Language = "python"
)

// Program is code with its input.
type Program struct {
	// Workspace is the workspace that the program runs for.
	Workspace int64
	Language  Language
	// Code is a body of statements. It ends with return, or with an
	// expression, which then is its value. It finds its input as data.
	Code string
	// Entry, when given, makes Code the body of a function of this name with
	// one parameter, args, which holds the input. Its value is what it returns.
	Entry string
	// Data is the input, a JSON value. None is an empty object.
	Data json.RawMessage
	// Env are the variables that the code can read, in JavaScript as
	// process.env. When it is nil, JavaScript has no process.
	Env map[string]string
	// Limits that are zero are those of the runner.
	Limits Limits
}

// Limits bound one run.
type Limits struct {
	// Time is how long a run may take, 6 minutes by default.
	Time time.Duration
	// Memory is how many bytes of memory the code may hold, 128 MiB by default.
	Memory int64
	// Output is how many bytes the value may have, 1 MiB by default.
	Output int64
}

// The bounds that hold unless a runner or a program sets others, and those
// that always hold.
const (
	DefaultTime   = 6 * time.Minute
	DefaultMemory = 128 << 20
	DefaultOutput = 1 << 20
	// MaxCode is how many bytes of code a program may have.
	MaxCode = 1 << 20
	// MaxPrinted is how much of what a program prints is kept, per stream.
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

// Result is what a run left behind.
type Result struct {
	// Value is what the code returned, a JSON value. A failed run has none.
	Value json.RawMessage
	// Stdout and Stderr are what it printed, cut where it was too much. They
	// are also there when the code failed by itself.
	Stdout, Stderr string
}

// Options say how programs are run. Zero values mean the defaults.
type Options struct {
	// Limits of programs that set none.
	Limits Limits
	// Concurrency is the number of programs of one workspace that run at the
	// same time, by default the number of processors. All workspaces together
	// can run four times as many, so that the endless loops of up to three
	// workspaces do not delay the others.
	Concurrency int
	// Idle is how long a worker waits for its next program before it ends, a
	// minute by default.
	Idle time.Duration
	// Python is the interpreter for Python. Without it such programs fail
	// with ErrPythonOff.
	Python string
	// Logger gets a message about the isolation of each language when it is
	// first used. Nil discards it.
	Logger *slog.Logger
}

// ErrPythonOff is the failure of Python programs when no interpreter is set.
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

// jobOf checks a program and fills in what it leaves open.
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
