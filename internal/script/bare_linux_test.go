package script

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestWorkersInheritNothing inspects a worker from outside.
func TestWorkersInheritNothing(t *testing.T) {
	t.Setenv("PROMPTUARY_HUSH", "hush")
	leaky, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = leaky.Close() }()
	inherit(t, leaky)
	r := newRunner(t, Options{})
	value(t, r, js("1"))
	w := r.take()
	defer r.keep(w)
	proc := fmt.Sprintf("/proc/%d/", w.process.Process.Pid)
	if environment, err := os.ReadFile(proc + "environ"); err != nil || len(environment) != 0 {
		t.Errorf("environment %q: %v", environment, err)
	}
	files, err := os.ReadDir(proc + "fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		to, err := os.Readlink(filepath.Join(proc+"fd", file.Name()))
		if err != nil || !strings.HasPrefix(to, "pipe:") && !strings.HasPrefix(to, "anon_inode:") {
			t.Errorf("%s is %s: %v", file.Name(), to, err)
		}
	}
}

// inherit lets new processes inherit a file, as a careless library does.
func inherit(t *testing.T, file *os.File) {
	t.Helper()
	if _, err := unix.FcntlInt(file.Fd(), unix.F_SETFD, 0); err != nil {
		t.Fatal(err)
	}
}
