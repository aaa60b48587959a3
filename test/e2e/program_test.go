package e2e

import (
	"bytes"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience limits every wait for the server. It is much longer than needed
// unless the machine is overloaded.
const patience = 90 * time.Second

// testKey is the API key of started servers.
const testKey = "pl_end_to_end_test_key"

// ownLogs are the flags of servers that share a catalog without sharing logs.
var ownLogs = []string{"--logs", "duckdb-per-server"}

// setup describes how to start the program.
type setup struct {
	data string
	// catalog is the address of a PostgreSQL database, empty for SQLite.
	catalog string
	// args are additional flags of serve.
	args []string
	// env is added to an environment without options of the program except
	// testKey.
	env []string
	// noKey omits testKey.
	noKey bool
}

// stores returns the flags that select the stores.
func (s setup) stores() (flags []string) {
	if s.data != "" {
		flags = append(flags, "--data", s.data)
	}
	if s.catalog != "" {
		flags = append(flags, "--catalog", s.catalog)
	}
	return flags
}

// command returns a command of the program with its arguments. Search limits
// are disabled.
func (s setup) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(programPath(t), args...)
	cmd.Dir = t.TempDir()
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "PROMPTUARY_") {
			cmd.Env = append(cmd.Env, entry)
		}
	}
	if !s.noKey {
		cmd.Env = append(cmd.Env, "PROMPTUARY_API_KEY="+testKey)
	}
	cmd.Env = append(cmd.Env, s.env...)
	return cmd
}

// program is a running server.
type program struct {
	*client
	t      *testing.T
	cmd    *exec.Cmd
	stdout *output
	stderr *output
	exited <-chan struct{} // closed when the process has ended
}

// start starts the program on a data folder and waits until it is ready.
func start(t *testing.T, data string, args ...string) *program {
	t.Helper()
	return setup{data: data, args: args}.start(t)
}

func (s setup) start(t *testing.T) *program {
	t.Helper()
	p := s.launch(t)
	p.waitReady()
	return p
}

// launch starts the server without waiting for it.
func (s setup) launch(t *testing.T) *program {
	t.Helper()
	return s.launchBy(t, func(*exec.Cmd) {})
}

// launchBy launches the program with a changed command.
func (s setup) launchBy(t *testing.T, change func(*exec.Cmd)) *program {
	t.Helper()
	args := []string{"serve", "--addr", "127.0.0.1:0", "--metrics-addr", "127.0.0.1:0", "--search-limit", "0", "--suggest-limit", "0"}
	cmd := s.command(t, slices.Concat(args, s.stores(), s.args)...)
	change(cmd)
	p := &program{
		client: newClient(testKey), t: t, cmd: cmd, stdout: newOutput(), stderr: newOutput(),
	}
	cmd.Stdout, cmd.Stderr = p.stdout, p.stderr
	var err error
	if p.exited, err = startTied(cmd); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.cleanUp)
	return p
}

// startTied starts a command that is killed when this process ends, and returns
// a channel that is closed when the command has ended.
func startTied(cmd *exec.Cmd) (<-chan struct{}, error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	started, exited := make(chan error), make(chan struct{})
	go func() {
		// The kernel ties the death signal to the thread, not to the process.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // the state has the exit code
			close(exited)
		}
	}()
	return exited, <-started
}

// cleanUp ends the process and shows its output if the test failed.
func (p *program) cleanUp() {
	p.signal(syscall.SIGKILL)
	<-p.exited
	p.http.CloseIdleConnections()
	if said := p.stderr.String(); p.t.Failed() && said != "" {
		p.t.Logf("the program said:\n%s", lastLines(said, 12))
	}
}

func lastLines(text string, count int) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[max(0, len(lines)-count):], "")
}

var servingOn = regexp.MustCompile(`serving on (http://\S+)`)

// waitServing waits until the server prints its address.
func (p *program) waitServing() {
	p.t.Helper()
	eventually(p.t, func() error {
		if p.hasExited() {
			p.t.Fatalf("the program ended with %d:\n%s", p.code(), p.stderr)
		}
		match := servingOn.FindStringSubmatch(p.stdout.String())
		if match == nil {
			return errors.New("the server has not printed its address")
		}
		p.address = match[1]
		return nil
	})
}

// waitReady waits until the server is ready.
func (p *program) waitReady() {
	p.t.Helper()
	p.waitServing()
	eventually(p.t, func() error {
		a, err := p.call(http.MethodGet, "/readyz", nil)
		if err == nil && a.status != http.StatusOK {
			err = errors.New("not ready: " + string(a.body))
		}
		return err
	})
}

func (p *program) hasExited() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

func (p *program) signal(s syscall.Signal) {
	if !p.hasExited() {
		_ = p.cmd.Process.Signal(s) // it may be ending
	}
}

// wait waits for the process to end and returns its exit code, or -1 if a
// signal ended it.
func (p *program) wait() int {
	p.t.Helper()
	select {
	case <-p.exited:
		return p.code()
	case <-time.After(patience):
		p.signal(syscall.SIGABRT) // prints the stacks of all goroutines
		<-p.exited
		p.t.Fatalf("the program did not end:\n%s", p.stderr)
		return 0
	}
}

func (p *program) code() int { return p.cmd.ProcessState.ExitCode() }

// stop stops the server gracefully.
func (p *program) stop() {
	p.t.Helper()
	p.signal(syscall.SIGTERM)
	if code := p.wait(); code != 0 {
		p.t.Fatalf("stopped with exit code %d, want 0:\n%s", code, p.stderr)
	}
}

// kill kills the server.
func (p *program) kill() {
	p.t.Helper()
	p.signal(syscall.SIGKILL)
	p.wait()
}

// result is the result of a command.
type result struct {
	stdout, stderr string
	code           int
}

// run runs a command of the program.
func (s setup) run(t *testing.T, args ...string) result {
	t.Helper()
	return runCommand(t, s.command(t, slices.Concat(args, s.stores())...))
}

func runCommand(t *testing.T, cmd *exec.Cmd) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	err := cmd.Wait()
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		t.Fatal(err)
	}
	return result{stdout: stdout.String(), stderr: stderr.String(), code: cmd.ProcessState.ExitCode()}
}

// must fails the test unless the command succeeded, and returns its output.
func (r result) must(t *testing.T) string {
	t.Helper()
	if r.code != 0 {
		t.Fatalf("exit code %d, want 0:\n%s%s", r.code, r.stdout, r.stderr)
	}
	return r.stdout
}

// output collects the output of a process and can be read concurrently.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func newOutput() *output { return &output{} }

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

// eventually calls check until it returns no error.
func eventually(t *testing.T, check func() error) {
	t.Helper()
	deadline := time.After(patience)
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for {
		err := check()
		if err == nil {
			return
		}
		select {
		case <-again.C:
		case <-deadline:
			t.Fatalf("still after %s: %v", patience, err)
		}
	}
}
