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
)

// worker is a process that runs JavaScript, seen from the server.
type worker struct {
	process *exec.Cmd
	in, out *os.File
	errors  head
	ended   chan struct{}
	retire  *time.Timer
}

const (
	workerArgument = "__script-worker"
	// startTime is how long a process may take until it can work.
	startTime = 30 * time.Second
	// grace is how long a worker has to interrupt its program by itself.
	grace = 500 * time.Millisecond

	exitMemory = 97 // how a worker says that its program held too much memory
)

// errGone means that a worker ended before it took a job.
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
	go func() {
		_ = w.process.Wait() // how it ended is in its state
		close(w.ended)
	}()
	return w, w.awaitReady(ctx)
}

// selfCommand starts this program again, with nothing of its environment, and
// out of reach of the keys that stop the server in a terminal.
func selfCommand(args ...string) *exec.Cmd {
	path := "/proc/self/exe" // still there when the file was replaced by a newer one
	if runtime.GOOS != "linux" {
		path, _ = os.Executable() // without it, starting fails and says so
	}
	return &exec.Cmd{
		Path: path, Args: append([]string{"promptuary"}, args...), Env: []string{}, Dir: "/",
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true},
	}
}

// awaitReady reads the empty message with which a worker begins.
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

// run has a job done. alive says whether the worker can take another.
func (w *worker) run(ctx context.Context, j job) (answer outcome, alive bool, err error) {
	late := overTime(j.Limits.Time)
	limited, cancel := context.WithTimeoutCause(ctx, j.Limits.Time+grace, late)
	defer cancel()
	stop := context.AfterFunc(limited, w.kill)
	sent := writeFrame(w.in, j)
	if sent == nil {
		err = readFrame(w.out, answerLimit(j.Limits), &answer)
	}
	alive = stop() && sent == nil && err == nil
	switch {
	case alive:
		return answer, true, nil
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

// noMemory are the words with which Go ends a process that the kernel refused
// memory. The last is for refusals that its runtime does not look for; faults
// of the interpreter are panics, with other words, and do not end a worker.
var noMemory = regexp.MustCompile(`out of memory|cannot allocate memory|cannot map pages|failed to create new OS thread|SIGSEGV: segmentation violation`)

// verdict says why a worker ended by itself.
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

func (w *worker) kill() { _ = w.process.Process.Kill() } // it has ended already, or does now

// end kills the process if it runs still, and waits until nothing of it is left.
func (w *worker) end() {
	w.kill()
	<-w.ended
	_, _ = w.in.Close(), w.out.Close() // a second time does no harm
}

// head keeps the first bytes that a process writes to its standard error: a Go
// program that ends by a fault of its own says first which.
type head struct{ text []byte }

// Write keeps what there is room for.
func (t *head) Write(text []byte) (int, error) {
	t.text = append(t.text, text[:min(len(text), maxText-len(t.text))]...)
	return len(text), nil
}

// String returns what was kept.
func (t *head) String() string { return string(t.text) }

var _ io.Writer = (*head)(nil)
