package script

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/promptuary/promptuary/internal/guard"
)

// worker is a process that runs JavaScript, from the server's point of view.
type worker struct {
	process *exec.Cmd
	in, out *os.File
	errors  head
	ended   chan struct{}
	retire  *time.Timer
}

const (
	workerArgument = "__script-worker"
	// startTime limits the time until a process is ready.
	startTime = 30 * time.Second
	// grace is the time that a worker has to interrupt its program itself.
	grace = 500 * time.Millisecond

	// longRun is the time after which a program gets a lower priority, so that
	// endless loops do not slow down short programs and the server.
	longRun = 2 * time.Second

	// longRunNice is the priority of programs after longRun.
	longRunNice = 5

	exitMemory = 97 // the exit code of a worker whose program exceeded its memory
)

// errGone means that a worker ended before it accepted a job.
var errGone = errors.New("the worker has ended")

// startWorker returns a worker that is ready for a job.
func startWorker(ctx context.Context, how separation) (*worker, error) {
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, childIn.Close(), in.Close())
	}
	w := &worker{process: selfCommand(workerArgument), in: in, out: out, ended: make(chan struct{})}
	how.apply(w.process.SysProcAttr)
	w.process.Stdin, w.process.Stdout, w.process.Stderr = childIn, childOut, &w.errors
	err = w.process.Start()
	_, _ = childIn.Close(), childOut.Close() // the process has its own
	if err != nil {
		return nil, errors.Join(err, in.Close(), out.Close())
	}
	guard.Go("code worker", func() {
		defer close(w.ended)
		_ = w.process.Wait() // how it ended is in its state
	})
	return w, w.awaitReady(ctx)
}

// selfCommand returns a command that starts this program with an empty
// environment, and in its own process group, so that Ctrl-C in a terminal does
// not reach it.
func selfCommand(args ...string) *exec.Cmd {
	path := "/proc/self/exe" // this program, even if its file was replaced
	if runtime.GOOS != "linux" {
		path, _ = os.Executable() // if it is unknown, starting the process fails
	}
	return &exec.Cmd{
		Path: path, Args: append([]string{"promptuary"}, args...), Env: []string{}, Dir: "/",
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true},
	}
}

// awaitReady waits for the empty message that a worker sends first.
func (w *worker) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	defer context.AfterFunc(ctx, w.kill)()
	var hello outcome
	if err := readFrame(w.out, maxText, &hello); err != nil {
		w.end()
		return errors.Join(err, ctx.Err(), errors.New(w.errors.String()))
	}
	return nil
}

// run runs a job. alive reports whether the worker can run another: a worker
// whose priority was lowered cannot raise it again.
func (w *worker) run(ctx context.Context, j job) (answer outcome, alive bool, err error) {
	late := overTime(j.Limits.Time)
	limited, cancel := context.WithTimeoutCause(ctx, j.Limits.Time+grace, late)
	defer cancel()
	stop := context.AfterFunc(limited, w.kill)
	slow := lowerPriorityLater(w.process.Process.Pid)
	defer slow.Stop()
	sent := writeFrame(w.in, j)
	if sent == nil {
		err = readFrame(w.out, answerLimit(j.Limits), &answer)
	}
	switch done := stop() && sent == nil && err == nil; {
	case done:
		return answer, slow.Stop(), nil
	case ctx.Err() != nil:
		return outcome{}, false, context.Cause(ctx)
	case limited.Err() != nil:
		return outcome{}, false, late
	case sent != nil:
		return outcome{}, false, errGone
	}
	w.end()
	return outcome{}, false, w.verdict(j.Limits)
}

// lowerPriorityLater lowers the priority of a process group unless it is stopped
// within longRun. Without the permission to do that, the priority stays.
func lowerPriorityLater(group int) *time.Timer {
	return time.AfterFunc(longRun, func() { _ = unix.Setpriority(unix.PRIO_PGRP, group, longRunNice) })
}

// noMemory matches the messages of a Go process that ends because the kernel
// refused memory. The last alternative is for refusals that the runtime does not
// check. Bugs of the interpreter are panics, which do not end a worker.
var noMemory = regexp.MustCompile(`out of memory|cannot allocate memory|cannot map pages|failed to create new OS thread|SIGSEGV: segmentation violation`)

// verdict returns why a worker ended.
func (w *worker) verdict(l Limits) *Error {
	text := w.errors.text
	switch {
	case bytes.Contains(text, []byte("stack overflow")), bytes.Contains(text, []byte("stack exceeds")):
		return overStack()
	case w.process.ProcessState.ExitCode() == exitMemory, noMemory.Match(text):
		return overMemory(l.Memory)
	}
	first, _, _ := bytes.Cut(text, []byte("\n"))
	return crashed(w.process.ProcessState.String() + " " + string(first))
}

func (w *worker) kill() { _ = w.process.Process.Kill() } // fails only if it has ended

// end kills the process and waits until it has ended.
func (w *worker) end() {
	w.kill()
	<-w.ended
	_, _ = w.in.Close(), w.out.Close() // closing twice does no harm
}

// head keeps the beginning of the standard error of a process, where a Go
// program says why it crashed.
type head struct{ text []byte }

// Write keeps as much as there is room for.
func (t *head) Write(text []byte) (int, error) {
	t.text = append(t.text, text[:min(len(text), maxText-len(t.text))]...)
	return len(text), nil
}

// String returns the text.
func (t *head) String() string { return string(t.text) }

var _ io.Writer = (*head)(nil)
