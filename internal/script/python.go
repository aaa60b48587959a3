package script

import (
	"context"
	_ "embed" // for the code below
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// bootstrap is the Python code that runs the code of users.
//
//go:embed bootstrap.py
var bootstrap string

// python runs Python code with the configured interpreter.
type python struct {
	interpreter string
	separator

	finding sync.Mutex
	found   installation
}

// installation is the location of an interpreter and its library. The path that
// the operator configured may be a link or a script.
type installation struct {
	Executable string   `json:"executable"`
	Read       []string `json:"read"`
}

// PythonIsolation returns the protections that hold for Python code on this
// machine. It runs a program to find out, and fails as Run does.
func (r *Runner) PythonIsolation(ctx context.Context) (Isolation, error) {
	if _, err := r.Run(ctx, Program{Language: Python, Code: "return None"}); err != nil {
		return Isolation{}, err
	}
	return r.python.isolation(), nil
}

// locate makes an interpreter print its installation. It runs with the
// environment of the server, because no code of users is involved.
const locate = `import json, sys, sysconfig
print(json.dumps({"executable": sys.executable, "read": sorted({sys.executable, sysconfig.get_path("stdlib"),
    sysconfig.get_path("platstdlib"), sys.base_prefix + "/lib", sys.base_exec_prefix + "/lib"})}))`

// locateTime limits the time for that.
const locateTime = 30 * time.Second

// locate finds the installation once. A failure is not remembered: a missing
// interpreter can be installed while the server runs.
func (p *python) locate(ctx context.Context) (installation, error) {
	p.finding.Lock()
	defer p.finding.Unlock()
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
	dir, err := emptyFolder()
	if err != nil {
		return Result{}, startFault(ctx, err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // an empty folder at worst
	// The process ends together with the thread that started it, so that it does
	// not outlive the server. Therefore the thread must exist until then.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	how, err := p.settle(ctx, func(how separation) error { return probe(ctx, dir, how, where, j) })
	if err != nil {
		return Result{}, startFault(ctx, err)
	}
	c, err := startPython(dir, how)
	if err != nil {
		return Result{}, startFault(ctx, err)
	}
	return c.finish(ctx, where, j)
}

// emptyFolder creates the working folder of a program, which it may not write.
func emptyFolder() (string, error) {
	dir, err := os.MkdirTemp("", "promptuary-script-")
	if err != nil {
		return "", err
	}
	return dir, os.Chmod(dir, 0o711) // so that another user can be in it
}

// probe starts an interpreter until it is ready for a program. Another user,
// for instance, may not be allowed to read it.
func probe(ctx context.Context, dir string, how separation, where installation, j job) error {
	c, err := startPython(dir, how)
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	defer context.AfterFunc(limited, c.kill)()
	err = c.prepare(where, j)
	c.end()
	if err != nil {
		return errors.Join(err, errors.New(c.stderr.String()))
	}
	return nil
}

// pythonProcess is a process that runs one Python program.
type pythonProcess struct {
	cmd            *exec.Cmd
	in, out        *os.File
	stdout, stderr printed
}

func startPython(dir string, how separation) (*pythonProcess, error) {
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, childIn.Close(), in.Close())
	}
	c := &pythonProcess{cmd: selfCommand(launchArgument), in: in, out: out}
	c.cmd.Dir, c.cmd.Env, c.cmd.ExtraFiles = dir, launchEnvironment, []*os.File{childIn, childOut}
	c.cmd.Stdout, c.cmd.Stderr = &c.stdout, &c.stderr
	c.cmd.WaitDelay = time.Second // if a descendant keeps its streams open
	how.apply(c.cmd.SysProcAttr)
	err = c.cmd.Start()
	_, _ = childIn.Close(), childOut.Close() // the process has its own
	if err != nil {
		return nil, errors.Join(err, in.Close(), out.Close())
	}
	return c, nil
}

// pythonJob is the input of bootstrap.py.
type pythonJob struct {
	Code          string          `json:"code"`
	Entry         string          `json:"entry"`
	Data          json.RawMessage `json:"data"`
	Output        int64           `json:"output"`
	OutputMessage string          `json:"output_message"`
	MemoryText    string          `json:"memory_text"`
}

// finish sends the program, waits for its answer and ends the process.
func (c *pythonProcess) finish(ctx context.Context, where installation, j job) (Result, error) {
	late := overTime(j.Limits.Time)
	limited, cancel := context.WithTimeoutCause(ctx, startTime+j.Limits.Time, late)
	defer cancel()
	stop := context.AfterFunc(limited, c.kill)
	defer stop()
	var answer outcome
	unready := c.prepare(where, j)
	failed := unready
	if unready == nil {
		timer := time.AfterFunc(j.Limits.Time, cancel)
		defer lowerPriorityLater(c.cmd.Process.Pid).Stop()
		failed = errors.Join(writeFrame(c.in, pythonJobOf(j)), readFrame(c.out, answerLimit(j.Limits), &answer))
		timer.Stop()
	}
	c.end()
	answer.Stdout, answer.Stderr = c.stdout.String(), c.stderr.String()
	answer.Failure = answer.Failure.bounded()
	switch {
	case failed == nil:
		return resultOf(checked(answer))
	case ctx.Err() != nil:
		return Result{}, context.Cause(ctx)
	case unready != nil:
		return Result{}, startFault(ctx, errors.Join(unready, errors.New(answer.Stderr)))
	case limited.Err() != nil:
		return Result{Stdout: answer.Stdout, Stderr: answer.Stderr}, late
	}
	return Result{Stdout: answer.Stdout, Stderr: answer.Stderr}, crashed(howEnded(failed, c.cmd.ProcessState))
}

// prepare waits until the interpreter is ready for its program.
func (c *pythonProcess) prepare(where installation, j job) error {
	if err := writeFrame(c.in, launchSpecOf(where, j)); err != nil {
		return err
	}
	return readFrame(c.out, maxText, &outcome{})
}

// end kills the process group before it waits for the process, while the
// process ID is still its own.
func (c *pythonProcess) end() {
	c.kill()
	_ = c.cmd.Wait() // how it ended is in its state
	_, _ = c.in.Close(), c.out.Close()
}

// checked checks an answer, which the code of the user may have written itself.
func checked(answer outcome) outcome {
	if answer.Failure != nil {
		answer.Value = nil
		return answer
	}
	_, err := jsontree.Parse(answer.Value)
	switch {
	case errors.Is(err, jsontree.ErrTooDeep):
		answer.Failure = tooDeep()
	case err != nil:
		answer.Failure = crashed(malformed)
	default:
		return answer
	}
	answer.Value = nil
	return answer
}

const malformed = "its answer is malformed"

func howEnded(failed error, state *os.ProcessState) string {
	if errors.Is(failed, io.EOF) || errors.Is(failed, io.ErrUnexpectedEOF) {
		return state.String()
	}
	return malformed
}

func launchSpecOf(where installation, j job) launchSpec {
	spec := launchSpec{
		Path: where.Executable, Args: []string{"python", "-I", "-S", "-B", "-X", "utf8", "-c", bootstrap}, Env: []string{},
		Read: where.Read, Time: j.Limits.Time, Memory: j.Limits.Memory,
	}
	for name, value := range j.Env {
		if name != "" && !strings.ContainsAny(name, "=\x00") && !strings.Contains(value, "\x00") {
			spec.Env = append(spec.Env, name+"="+value)
		}
	}
	return spec
}

func pythonJobOf(j job) pythonJob {
	return pythonJob{
		Code: j.Code, Entry: j.Entry, Data: j.Data, Output: j.Limits.Output,
		OutputMessage: overOutput(j.Limits.Output).Message, MemoryText: sizeText(j.Limits.Memory),
	}
}

// kill kills the process group.
func (c *pythonProcess) kill() { _ = syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL) } // it may have ended
