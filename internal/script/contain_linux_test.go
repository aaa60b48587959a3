package script

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// systemPython is an interpreter that every user can read.
const systemPython = "/usr/bin/python3"

// separated returns a runner for Python that uses one separation.
func separated(t *testing.T, how separation) *Runner {
	t.Helper()
	r := newRunner(t, Options{Python: systemPython})
	r.python.settled, r.python.chosen = true, how
	return r
}

// TestPythonIsContained needs a kernel that supports everything; CI has one.
func TestPythonIsContained(t *testing.T) {
	t.Parallel()
	isolation, err := newRunner(t, Options{Python: systemPython}).PythonIsolation(t.Context())
	want := Isolation{Calls: true, Files: true, User: os.Geteuid() == 0, Namespaces: true}
	if diff := cmp.Diff(want, isolation); diff != "" || err != nil {
		t.Fatal(diff, err)
	}
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("hush"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, how := range separations() {
		r := separated(t, how)
		for name, test := range containment(secret) {
			t.Run(fmt.Sprintf("%s %+v", name, how), func(t *testing.T) {
				t.Parallel()
				if got := fails(t, r, py(test.code), Thrown).Type; got != test.want {
					t.Errorf("got %s, want %s", got, test.want)
				}
			})
		}
	}
}

// attempt is code that must fail, and with which exception.
type attempt struct{ code, want string }

func containment(secret string) map[string]attempt {
	return map[string]attempt{
		"reading a file":    {fmt.Sprintf("open(%q).read()", secret), "PermissionError"},
		"reading passwords": {"open('/etc/passwd').read()", "PermissionError"},
		"listing":           {"import os\nos.listdir('/')", "PermissionError"},
		"reading processes": {"open('/proc/1/environ').read()", "PermissionError"},
		"reading itself":    {"open('/proc/self/environ').read()", "PermissionError"},
		"writing":           {"open('x', 'w').write('x')", "PermissionError"},
		"writing elsewhere": {"open('/tmp/promptuary-x', 'w').write('x')", "PermissionError"},
		"making a folder":   {"import os\nos.mkdir('x')", "PermissionError"},
		"connecting":        {"import socket\nsocket.create_connection(('127.0.0.1', 22), 1)", "PermissionError"},
		"listening":         {"import socket\nsocket.create_server(('127.0.0.1', 0))", "PermissionError"},
		"sending":           {"import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 53))", "PermissionError"},
		"a local socket":    {"import socket\nsocket.socket(socket.AF_UNIX)", "PermissionError"},
		"a process":         {"import os\nos.fork()", "PermissionError"},
		"a program":         {"import subprocess\nsubprocess.run(['/bin/true'])", "PermissionError"},
		"a thread":          {"import threading\nthreading.Thread(target=print).start()", "RuntimeError"},
		"shared memory":     {"import ctypes\nif ctypes.CDLL(None).shmget(0, 4096, 0o1600) < 0: raise PermissionError", "PermissionError"},
		"limits of others":  {"import os, resource\nresource.prlimit(os.getppid() or 1, resource.RLIMIT_CPU, (1, 1))", "PermissionError"},
		"looking up":        {"import socket\nsocket.getaddrinfo('example.com', 80)", "gaierror"},
		"signalling":        {fmt.Sprintf("import os\nos.kill(%d, 0)", os.Getpid()), "PermissionError"},
		"packages":          {"import pip", "ModuleNotFoundError"},
		"raising a limit":   {"import resource\nresource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))", "ValueError"},
		"lowering a limit":  {"import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))", "ValueError"},
	}
}
