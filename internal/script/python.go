package script

import (
	"context"
	_ "embed" // for the code below
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// bootstrap is the Python code that runs the code of users.
//
//go:embed bootstrap.py
var bootstrap string

// python runs Python code with an interpreter of the operator.
type python struct {
	interpreter string

	mu    sync.Mutex
	found installation
	// alone says whether processes can have namespaces of their own; it is
	// true until the kernel refuses.
	refused bool
}

// installation is where an interpreter and its library really are: what the
// operator names may be a link or a script.
type installation struct {
	Executable string   `json:"executable"`
	Read       []string `json:"read"`
}

// Isolation says what Python code is kept from.
type Isolation struct {
	// Network is true when the code cannot reach any host, nor see or signal
	// other processes.
	Network bool
	// Files is true when the code can read nothing but Python's own library.
	Files bool
}

// PythonIsolation finds out, by running a program, what Python code is kept
// from on this machine. It fails as Run does.
func (r *Runner) PythonIsolation(ctx context.Context) (Isolation, error) {
	if _, err := r.Run(ctx, Program{Language: Python, Code: "return None"}); err != nil {
		return Isolation{}, err
	}
	r.python.mu.Lock()
	defer r.python.mu.Unlock()
	return Isolation{Network: canSeparate && !r.python.refused, Files: canHideFiles()}, nil
}

// locate is what an interpreter is asked about itself. Its own environment is
// the operator's here, since no user's code takes part.
const locate = `import json, sys, sysconfig
print(json.dumps({"executable": sys.executable, "read": sorted({sys.executable, sysconfig.get_path("stdlib"),
    sysconfig.get_path("platstdlib"), sys.base_prefix + "/lib", sys.base_exec_prefix + "/lib"})}))`

// locateTime bounds how long an interpreter may take to answer.
const locateTime = 30 * time.Second

// locate finds the installation once. A failure is not kept: what is missing
// can be installed while the server runs.
func (p *python) locate(ctx context.Context) (installation, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.found.Executable != "" {
		return p.found, nil
	}
	ctx, cancel := context.WithTimeout(ctx, locateTime)
	defer cancel()
	out, err := exec.CommandContext(ctx, p.interpreter, "-I", "-S", "-c", locate).Output()
	if err != nil {
		return installation{}, err
	}
	if err := json.Unmarshal(out, &p.found); err != nil || p.found.Executable == "" {
		p.found = installation{}
		return installation{}, errors.New("the interpreter does not say where it is")
	}
	return p.found, nil
}

// run runs a job in a process of its own.
func (p *python) run(ctx context.Context, j job) (Result, error) {
	where, err := p.locate(ctx)
	if err != nil {
		return Result{}, startFault(ctx, err)
	}
	dir, err := os.MkdirTemp("", "promptuary-script-")
	if err != nil {
		return Result{}, startFault(ctx, err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // an empty folder at worst
	c, err := p.start(dir)
	if err != nil {
		return Result{}, startFault(ctx, err)
	}
	return c.finish(ctx, where, j)
}

// start starts a process, alone in its namespaces if the kernel lets it.
func (p *python) start(dir string) (*pythonProcess, error) {
	p.mu.Lock()
	separate := canSeparate && !p.refused
	p.mu.Unlock()
	c, err := startPython(dir, separate)
	if err == nil || !separate || !isRefusal(err) {
		return c, err
	}
	p.mu.Lock()
	p.refused = true
	p.mu.Unlock()
	return startPython(dir, false)
}

func isRefusal(err error) bool {
	for _, code := range []syscall.Errno{syscall.EPERM, syscall.EACCES, syscall.EINVAL, syscall.ENOSPC, syscall.ENOSYS, syscall.EUSERS} {
		if errors.Is(err, code) {
			return true
		}
	}
	return false
}

// pythonProcess is a process that runs one Python program.
type pythonProcess struct {
	cmd            *exec.Cmd
	in, out        *os.File
	stdout, stderr printed
}

func startPython(dir string, separate bool) (*pythonProcess, error) {
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, childIn.Close(), in.Close())
	}
	c := &pythonProcess{cmd: selfCommand(launchArgument), in: in, out: out}
	c.cmd.Dir, c.cmd.ExtraFiles = dir, []*os.File{childIn, childOut}
	c.cmd.Stdout, c.cmd.Stderr = &c.stdout, &c.stderr
	c.cmd.WaitDelay = time.Second // for processes of it that hold its streams open
	if separate {
		separateProcess(c.cmd.SysProcAttr)
	}
	err = c.cmd.Start()
	_, _ = childIn.Close(), childOut.Close() // the process has its own
	if err != nil {
		return nil, errors.Join(err, in.Close(), out.Close())
	}
	return c, nil
}

// pythonJob is what bootstrap.py reads.
type pythonJob struct {
	Code          string          `json:"code"`
	Entry         string          `json:"entry"`
	Data          json.RawMessage `json:"data"`
	Output        int64           `json:"output"`
	OutputMessage string          `json:"output_message"`
	MemoryText    string          `json:"memory_text"`
}

// finish sends the program, awaits its answer, and leaves no process behind.
func (c *pythonProcess) finish(ctx context.Context, where installation, j job) (Result, error) {
	late := overTime(j.Limits.Time)
	limited, cancel := context.WithTimeoutCause(ctx, j.Limits.Time, late)
	defer cancel()
	stop := context.AfterFunc(limited, c.kill)
	defer stop()
	sent := make(chan error, 1)
	go func() {
		sent <- errors.Join(c.send(where, j), c.in.Close())
	}()
	var answer outcome
	failed := readFrame(c.out, answerLimit(j.Limits), &answer)
	stop()
	c.kill() // before it is waited for, while its number is still its own
	ended := c.cmd.Wait()
	_ = c.out.Close()
	unsent := <-sent
	answer.Stdout, answer.Stderr = c.stdout.String(), c.stderr.String()
	answer.Failure = answer.Failure.bounded()
	switch {
	case failed == nil:
		return resultOf(answer)
	case ctx.Err() != nil:
		return Result{}, context.Cause(ctx)
	case limited.Err() != nil:
		return Result{Stdout: answer.Stdout, Stderr: answer.Stderr}, late
	case unsent != nil && c.cmd.ProcessState.ExitCode() == exitLaunch:
		return Result{}, fault.Wrap(fault.Unavailable, errors.Join(ended, errors.New(answer.Stderr)), "code cannot be run at the moment")
	}
	return Result{Stdout: answer.Stdout, Stderr: answer.Stderr}, crashed(howEnded(failed, c.cmd.ProcessState))
}

func howEnded(failed error, state *os.ProcessState) string {
	if errors.Is(failed, io.EOF) || errors.Is(failed, io.ErrUnexpectedEOF) {
		return state.String()
	}
	return "its answer is malformed"
}

func (c *pythonProcess) send(where installation, j job) error {
	spec := launchSpec{
		Path: where.Executable, Args: []string{"python", "-I", "-S", "-B", "-X", "utf8", "-c", bootstrap}, Env: []string{},
		Read: where.Read, Memory: j.Limits.Memory, Time: j.Limits.Time,
	}
	for name, value := range j.Env {
		if name != "" && !strings.ContainsAny(name, "=\x00") && !strings.Contains(value, "\x00") {
			spec.Env = append(spec.Env, name+"="+value)
		}
	}
	if err := writeFrame(c.in, spec); err != nil {
		return err
	}
	return writeFrame(c.in, pythonJob{
		Code: j.Code, Entry: j.Entry, Data: j.Data, Output: j.Limits.Output,
		OutputMessage: overOutput(j.Limits.Output).Message, MemoryText: sizeText(j.Limits.Memory),
	})
}

// kill ends the process and all that it started in its group.
func (c *pythonProcess) kill() { _ = syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL) } // it may have ended
