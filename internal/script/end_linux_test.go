package script

import (
	"errors"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// endless returns a job that does not end by itself.
func endless(code string) job {
	return job{Code: code, Data: []byte("{}"), Limits: Limits{Time: time.Hour, Memory: DefaultMemory, Output: DefaultOutput}}
}

// TestWorkersEndWithTheServer closes the input of a busy worker, as happens when
// the server is killed.
func TestWorkersEndWithTheServer(t *testing.T) {
	t.Parallel()
	w, err := startWorker(t.Context(), separation{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.end()
	if err := writeFrame(w.in, endless("for (;;) {}")); err != nil {
		t.Fatal(err)
	}
	if err := w.in.Close(); err != nil {
		t.Fatal(err)
	}
	<-w.ended
	if !w.process.ProcessState.Success() {
		t.Errorf("got %s", w.process.ProcessState)
	}
}

// TestPythonEndsWithTheServer ends the thread that started the process: the
// kernel then kills the process.
func TestPythonEndsWithTheServer(t *testing.T) {
	t.Parallel()
	p := newPython(t, Options{}).python
	where, err := p.locate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	started := make(chan *pythonProcess)
	running := make(chan struct{})
	go onEndingThread(func() {
		c, err := startPython(t.TempDir(), separation{namespaces: true})
		if err != nil {
			t.Error(err)
		}
		started <- c
		<-running
	})
	c := <-started
	if c == nil {
		return
	}
	loop := endless("import os\nos.write(4, b'running!')\nwhile True: pass")
	if err := errors.Join(c.prepare(where, loop), writeFrame(c.in, pythonJobOf(loop))); err != nil {
		t.Fatal(err)
	}
	if _, err := c.out.Read(make([]byte, 8)); err != nil {
		t.Fatal(err)
	}
	close(running)
	if err := c.cmd.Wait(); err == nil || err.Error() != "signal: killed" {
		t.Errorf("got %v", err)
	}
	_, _ = c.in.Close(), c.out.Close()
}

// onEndingThread runs f on a thread that ends with it.
func onEndingThread(f func()) {
	runtime.LockOSThread() // and not unlocked, which ends the thread
	if unix.Gettid() == unix.Getpid() {
		defer runtime.UnlockOSThread() // the first thread never ends; another is taken while it is held
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			onEndingThread(f)
		}()
		<-ended
		return
	}
	f()
}
