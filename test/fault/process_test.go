package fault

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// patience limits every wait. It is much longer than needed unless the machine
// is overloaded.
const patience = 90 * time.Second

// testKey is the API key of started servers.
const testKey = "pl_fault_campaign_key"

// launch describes how to start the program.
type launch struct {
	program string
	data    string
	catalog string   // address of a PostgreSQL database, empty for SQLite
	tracer  []string // command that runs the program and injects faults
	options []string // further options of the program
	// skew, if set, is the difference of the program's clock, which can be
	// changed later.
	skew *time.Duration
}

// process is a running server.
type process struct {
	*client
	cmd            *exec.Cmd
	stdout, stderr *output
	exited         <-chan struct{} // closed when the process has ended
	clock          *clock          // nil: that of the machine
	took           time.Duration   // from the start until it was ready
}

// begin starts the program without waiting for it.
func (l launch) begin() (*process, error) {
	args := append(slices.Clone(l.tracer), l.program, "serve", "--addr", "127.0.0.1:0", "--metrics-addr", "127.0.0.1:0", "--search-limit", "0", "--suggest-limit", "0",
		"--min-free-disk", "-1", "--data", l.data)
	if l.catalog != "" {
		args = append(args, "--catalog", l.catalog)
	}
	cmd := command(append(args, l.options...)...)
	p := &process{client: newClient(testKey), cmd: cmd, stdout: &output{}, stderr: &output{}}
	cmd.Stdout, cmd.Stderr = p.stdout, p.stderr
	var err error
	if l.skew == nil {
		p.exited, err = startTied(cmd)
		return p, err
	}
	p.exited, err = startHeld(cmd, func(pid int) (err error) {
		p.clock, err = takeClock(pid, *l.skew)
		return err
	})
	return p, err
}

// command returns a command in an environment without options of the program,
// except testKey.
func command(args ...string) *exec.Cmd {
	cmd := exec.Command(args[0], args[1:]...)
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "PROMPTUARY_") {
			cmd.Env = append(cmd.Env, entry)
		}
	}
	cmd.Env = append(cmd.Env, "PROMPTUARY_API_KEY="+testKey)
	return cmd
}

// start starts the program and waits until it is ready. The error is an
// endedError if the program ended before.
func (l launch) start() (*process, error) {
	began := time.Now()
	p, err := l.begin()
	if err != nil {
		return nil, err
	}
	if err := p.waitReady(); err != nil {
		p.kill()
		return nil, err
	}
	p.took = time.Since(began)
	return p, nil
}

// startTied starts a command that is killed when this process ends, and returns
// a channel that is closed when the command has ended.
func startTied(cmd *exec.Cmd) (<-chan struct{}, error) { return startHeld(cmd, nil) }

// startHeld is startTied with a function that is called before the first
// instruction of the command, unless it is nil.
func startHeld(cmd *exec.Cmd, prepare func(pid int) error) (<-chan struct{}, error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	cmd.SysProcAttr.Ptrace = prepare != nil
	started, exited := make(chan error), make(chan struct{})
	go func() {
		// The kernel ties the death signal to the thread, not to the process.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		if err == nil && prepare != nil {
			if err = release(cmd.Process.Pid, prepare); err != nil {
				_ = cmd.Process.Kill() // it may have ended
			}
		}
		started <- err
		if cmd.Process != nil {
			_ = cmd.Wait() // the state has the exit code
			close(exited)
		}
	}()
	return exited, <-started
}

// release prepares a process that waits before its first instruction, and lets
// it run. Only the thread that started it can.
func release(pid int, prepare func(pid int) error) error {
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil {
		return fmt.Errorf("wait for the start: %w", err)
	}
	if !status.Stopped() {
		return fmt.Errorf("the process does not wait at its start: %v", status)
	}
	return errors.Join(prepare(pid), syscall.PtraceDetach(pid))
}

// endedError says that the program ended by itself.
type endedError struct {
	code int // -1 if a signal ended it
	said string
}

func (e *endedError) Error() string {
	return fmt.Sprintf("the program ended with %d:\n%s", e.code, lastLines(e.said, 12))
}

func lastLines(text string, count int) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[max(0, len(lines)-count):], "")
}

var servingOn = regexp.MustCompile(`serving on (http://\S+)`)

// waitServing waits until the server listens.
func (p *process) waitServing() error {
	return eventually(func() (done bool, err error) {
		if p.hasExited() {
			return true, p.ended()
		}
		match := servingOn.FindStringSubmatch(p.stdout.String())
		if match == nil {
			return false, errors.New("the server has not printed its address")
		}
		p.address = match[1]
		return true, nil
	})
}

// waitReady waits until the server is ready.
func (p *process) waitReady() error {
	if err := p.waitServing(); err != nil {
		return err
	}
	return eventually(func() (done bool, err error) {
		if p.hasExited() {
			return true, p.ended()
		}
		a, err := p.call(http.MethodGet, "/readyz", nil)
		if err == nil && a.status != http.StatusOK {
			err = errors.New("not ready: " + string(a.body))
		}
		return err == nil, err
	})
}

// eventually calls check until it is done, and returns its last error.
func eventually(check func() (done bool, err error)) error {
	for deadline := time.Now().Add(patience); ; {
		done, err := check()
		if done {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("still after %s: %w", patience, err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (p *process) hasExited() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// state says how the process has ended, if it has.
func (p *process) state() string {
	if !p.hasExited() {
		return "is running"
	}
	return "ended with " + p.cmd.ProcessState.String()
}

func (p *process) ended() error {
	return &endedError{p.cmd.ProcessState.ExitCode(), p.stderr.String()}
}

func (p *process) signal(s syscall.Signal) {
	if !p.hasExited() {
		_ = p.cmd.Process.Signal(s) // it may be ending
	}
}

// kill kills the server and waits for its end.
func (p *process) kill() {
	p.signal(syscall.SIGKILL)
	<-p.exited
	p.http.CloseIdleConnections()
}

// killAfter kills the server after a delay, or sooner if it ends before.
func (p *process) killAfter(delay time.Duration) {
	p.waitExit(delay)
	p.kill()
}

// waitExit waits until the server has ended and reports whether it has.
func (p *process) waitExit(limit time.Duration) bool {
	select {
	case <-p.exited:
		return true
	case <-time.After(limit):
		return false
	}
}

// stop stops the server gracefully.
func (p *process) stop() error {
	p.signal(syscall.SIGTERM)
	return p.awaitStop()
}

// awaitStop waits for the end of a server that was told to stop.
func (p *process) awaitStop() error {
	if !p.waitExit(patience) {
		p.kill()
		return errors.New("the server did not stop")
	}
	if p.cmd.ProcessState.ExitCode() != 0 {
		return p.ended()
	}
	return nil
}

// crash matches the output of a Go program that ended because of a bug, or caught
// one.
var crash = regexp.MustCompile(`(?m)^(panic: |fatal error: |unexpected fault address|SIG[A-Z]+: ).*|a panic was caught`)

// checkOutput returns an error if the program said that it crashed.
func (p *process) checkOutput() error {
	if found := crash.FindString(p.stderr.String()); found != "" {
		return fmt.Errorf("the program crashed: %s\n%s", found, p.stderr.String())
	}
	return nil
}

// output collects the output of a process and can be read concurrently.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}
