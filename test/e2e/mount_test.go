package e2e

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// mountsEnv marks a test process with its own mount namespace.
const mountsEnv = "E2E_PRIVATE_MOUNTS"

// withPrivateMounts runs work in a process that can mount file systems, which
// disappear with it: it runs the same test again in its own namespace. Users
// other than root become root there.
func withPrivateMounts(t *testing.T, work func(t *testing.T)) {
	t.Helper()
	if os.Getenv(mountsEnv) != "" {
		// Later mounts are not visible outside.
		if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
			t.Fatalf("make mounts private: %v", err)
		}
		work(t)
		return
	}
	var failures error
	for _, namespace := range namespaces() {
		cmd := exec.Command("/proc/self/exe", "-test.v", "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), mountsEnv+"=1", programEnv+"="+programPath(t))
		cmd.SysProcAttr = namespace
		output := newOutput()
		cmd.Stdout, cmd.Stderr = output, output
		exited, err := startTied(cmd)
		if err != nil {
			failures = errors.Join(failures, err)
			continue
		}
		waitFor(t, cmd, exited)
		if !cmd.ProcessState.Success() || !strings.Contains(output.String(), "--- PASS: "+t.Name()) {
			t.Fatalf("in a separate namespace:\n%s", output)
		}
		return
	}
	t.Fatalf("this test mounts a small disk, which requires root or user namespaces: %v", failures)
}

// namespaces lists the ways to get a mount namespace, simplest first.
func namespaces() []*syscall.SysProcAttr {
	inUser := &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	if os.Getuid() != 0 {
		return []*syscall.SysProcAttr{inUser}
	}
	return []*syscall.SysProcAttr{{Cloneflags: syscall.CLONE_NEWNS}, inUser}
}

// waitFor waits for a command to end, with a timeout.
func waitFor(t *testing.T, cmd *exec.Cmd, exited <-chan struct{}) {
	t.Helper()
	select {
	case <-exited:
	case <-time.After(2 * patience):
		_ = cmd.Process.Kill()
		<-exited
		t.Error("the test did not end in its namespace")
	}
}

// disk is a small separate disk.
type disk struct {
	t    *testing.T
	path string
}

func mountDisk(t *testing.T, megabytes int) *disk {
	t.Helper()
	path := filepath.Join(t.TempDir(), "disk")
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", path, "tmpfs", 0, fmt.Sprintf("size=%dm", megabytes)); err != nil {
		t.Fatalf("mount a disk: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(path, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return &disk{t: t, path: path}
}

func (d *disk) data() string { return filepath.Join(d.path, "data") }

func (d *disk) ballast() string { return filepath.Join(d.path, "ballast") }

// fill fills the disk except for the given number of bytes.
func (d *disk) fill(spared int64) {
	d.t.Helper()
	file, err := os.OpenFile(d.ballast(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		d.t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	for chunk := make([]byte, 1<<20); len(chunk) >= 4<<10; {
		_, err := file.Write(chunk)
		if errors.Is(err, unix.ENOSPC) {
			chunk = chunk[:len(chunk)/2] // fill the rest in smaller steps
		} else if err != nil {
			d.t.Fatal(err)
		}
	}
	info, err := file.Stat()
	if err == nil {
		err = file.Truncate(max(0, info.Size()-spared))
	}
	if err != nil {
		d.t.Fatal(err)
	}
}

// free frees the space again.
func (d *disk) free() {
	d.t.Helper()
	if err := os.Remove(d.ballast()); err != nil {
		d.t.Fatal(err)
	}
}

// setReadOnly makes the whole disk read-only.
func (d *disk) setReadOnly() {
	d.t.Helper()
	if err := unix.Mount("", d.path, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		d.t.Fatal(err)
	}
}
