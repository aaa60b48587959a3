package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/promptuary/promptuary/internal/check"
)

// probeArgument starts the test program as a worker that attacks by itself:
// JavaScript has no way to call the kernel.
const probeArgument = "__script-probe"

// init is the main function of such a process. It prints the answers.
func init() {
	if len(os.Args) != 4 || os.Args[1] != probeArgument {
		return
	}
	if err := confineWorker(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	answers := map[string]string{}
	for name, attempt := range workerAttacks(os.Args[2], os.Args[3]) {
		answers[name] = "allowed"
		var code unix.Errno
		if err := attempt(); errors.As(err, &code) {
			answers[name] = unix.ErrnoName(code)
		} else if err != nil {
			answers[name] = err.Error()
		}
	}
	text, _ := json.Marshal(answers) // of strings
	fmt.Println(string(text))
	os.Exit(0)
}

// workerAttacks are attempts on a data folder with its key, on the network and
// on other processes.
func workerAttacks(folder, key string) map[string]func() error {
	attacks := map[string]func() error{
		"read":      func() error { _, err := os.ReadFile(key); return err },
		"read own":  func() error { _, err := os.ReadFile("/proc/self/environ"); return err },
		"list":      func() error { _, err := os.ReadDir(folder); return err },
		"stat":      func() error { _, err := os.Stat(key); return err },
		"write":     func() error { return os.WriteFile(key, nil, 0o600) },
		"chmod":     func() error { return os.Chmod(folder, 0o777) },
		"chown":     func() error { return os.Chown(key, 1, 1) },
		"rename":    func() error { return os.Rename(key, key+".old") },
		"remove":    func() error { return unix.Unlink(key) },
		"link":      func() error { return os.Link(key, key+".link") },
		"setxattr":  func() error { return unix.Setxattr(key, "user.x", []byte("x"), 0) },
		"utime":     func() error { return unix.Utimes(key, []unix.Timeval{{}, {}}) },
		"kill":      func() error { return unix.Kill(os.Getppid(), 0) },
		"kill all":  func() error { return unix.Kill(-1, 0) },
		"interrupt": func() error { return unix.Tgkill(os.Getpid()+1, 1, 0) },
		"execute":   func() error { return unix.Exec("/bin/true", []string{"true"}, nil) },
		"limits":    func() error { return unix.Prlimit(0, unix.RLIMIT_NOFILE, &unix.Rlimit{}, nil) },
		"others' limits": func() error {
			return unix.Prlimit(1, unix.RLIMIT_DATA, nil, &unix.Rlimit{})
		},
		"fork": func() error {
			if pid, _, code := unix.RawSyscall(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0); code != 0 {
				return code
			} else if pid == 0 {
				unix.Exit(0)
			}
			return nil
		},
	}
	for _, family := range []int{unix.AF_INET, unix.AF_INET6, unix.AF_UNIX, unix.AF_NETLINK} {
		attacks[fmt.Sprint("socket ", family)] = func() error { _, err := unix.Socket(family, unix.SOCK_STREAM, 0); return err }
	}
	for name, number := range rawAttacks {
		attacks["raw "+name] = func() error {
			if _, _, code := unix.Syscall6(number, 0, 0, 0, 0, 0, 0); code != 0 {
				return code
			}
			return nil
		}
	}
	return attacks
}

// TestWorkersCannotAttack lets the process of a worker try everything.
func TestWorkersCannotAttack(t *testing.T) {
	t.Parallel()
	for _, how := range separations() {
		t.Run(fmt.Sprintf("%+v", how), func(t *testing.T) {
			t.Parallel()
			folder, key := dataFolder(t)
			before := stateOf(t, folder)
			var out, wrong bytes.Buffer
			cmd := selfCommand(probeArgument, folder, key)
			cmd.Stdout, cmd.Stderr = &out, &wrong
			how.apply(cmd.SysProcAttr)
			if err := cmd.Run(); err != nil {
				t.Fatal(err, wrong.String())
			}
			var answers map[string]string
			if err := json.Unmarshal(out.Bytes(), &answers); err != nil {
				t.Fatal(err)
			}
			if got, want := len(answers), len(workerAttacks(folder, key)); got != want {
				t.Errorf("%d answers, want %d", got, want)
			}
			for name, answer := range answers {
				if answer != "EPERM" && answer != "ENOSYS" {
					t.Errorf("%s: %s", name, answer)
				}
			}
			if after := stateOf(t, folder); strings.Join(before, "\n") != strings.Join(after, "\n") {
				t.Errorf("changed from %s to %s", before, after)
			}
		})
	}
}

// TestWorkersAreConfined looks at every thread of a worker that has run code.
func TestWorkersAreConfined(t *testing.T) {
	t.Parallel()
	for _, how := range separations() {
		r := newRunner(t, Options{})
		r.workers.settled, r.workers.chosen = true, how
		value(t, r, js("let n = 0; for (let i = 0; i < 1e4; i++) n += ('' + i).length; n"))
		w := r.take()
		process := fmt.Sprintf("/proc/%d/", w.process.Process.Pid)
		threads, err := filepath.Glob(process + "task/*/status")
		if err != nil || len(threads) < 2 {
			t.Fatalf("threads %v: %v", threads, err)
		}
		want := []string{"Seccomp:\t2", "NoNewPrivs:\t1"}
		if how.user {
			want = append(want, fmt.Sprintf("Uid:\t%d\t%[1]d\t%[1]d\t%[1]d", sandboxUser), fmt.Sprintf("Gid:\t%d\t%[1]d\t%[1]d\t%[1]d", sandboxUser),
				"Groups:\t \n", "CapEff:\t0000000000000000")
		}
		for _, thread := range threads {
			status, err := os.ReadFile(thread)
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range want {
				if !strings.Contains(string(status), line) {
					t.Errorf("%+v: no %q in %s", how, line, status)
				}
			}
		}
		own, err1 := os.Readlink("/proc/self/ns/net")
		its, err2 := os.Readlink(process + "ns/net")
		if err1 != nil || err2 != nil || (own != its) != how.namespaces {
			t.Errorf("%+v: network %s, the server has %s: %v, %v", how, its, own, err1, err2)
		}
		r.keep(w)
	}
}

// TestIsolationIsLogged runs code of both languages.
func TestIsolationIsLogged(t *testing.T) {
	t.Parallel()
	var text check.Buffer
	r := newRunner(t, Options{Python: systemPython, Logger: plainLogger(&text)})
	value(t, r, js("1"))
	value(t, r, py("1"))
	value(t, r, js("2"))
	user := os.Geteuid() == 0
	want := ""
	for _, language := range []Language{JavaScript, Python} {
		want += fmt.Sprintf("level=INFO msg=\"isolation of code\" language=%s system_calls_filtered=true files_hidden=true other_user=%t namespaces=true\n", language, user)
	}
	if got := text.String(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestSeparationFallsBack has an interpreter that another user cannot read.
func TestSeparationFallsBack(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	r := newRunner(t, Options{Python: systemPython})
	where, err := r.python.locate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(where.Executable)
	if err != nil {
		t.Fatal(err)
	}
	private := filepath.Join(folder, "python3")
	if err := os.WriteFile(private, program, 0o755); err != nil {
		t.Fatal(err)
	}
	r.python.found.Executable = private
	r.python.found.Read = append(r.python.found.Read, private)
	isolation, err := r.PythonIsolation(t.Context())
	if want := (Isolation{Calls: true, Files: true, Namespaces: true}); isolation != want || err != nil {
		t.Errorf("got %+v, %v; want %+v", isolation, err, want)
	}
}

// TestSeparationThatFailsIsNotRemembered tries to settle twice.
func TestSeparationThatFailsIsNotRemembered(t *testing.T) {
	t.Parallel()
	var s separator
	s.log = plainLogger(io.Discard)
	tried := 0
	count := func(result error) func(separation) error {
		return func(separation) error { tried++; return result }
	}
	if _, err := s.settle(t.Context(), count(unix.EPERM)); !errors.Is(err, unix.EPERM) || tried != len(separations()) {
		t.Errorf("got %v after %d", err, tried)
	}
	tried = 0
	if _, err := s.settle(t.Context(), count(unix.EAGAIN)); !errors.Is(err, unix.EAGAIN) || tried != 1 {
		t.Errorf("got %v after %d: a shortage must not weaken the separation", err, tried)
	}
	got, err := s.settle(t.Context(), count(nil))
	if err != nil || got != separations()[0] {
		t.Errorf("got %+v, %v", got, err)
	}
	if again, err := s.settle(t.Context(), count(unix.EPERM)); again != got || err != nil {
		t.Errorf("got %+v, %v", again, err)
	}
}

// plainLogger returns a logger that writes messages without their time.
func plainLogger(out io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
}
