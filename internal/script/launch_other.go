//go:build !linux

package script

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// Other systems have no filters of system calls, no namespaces and no Landlock.

func separations() []separation               { return []separation{{}} }
func (separation) apply(*syscall.SysProcAttr) {}
func canHideFiles() bool                      { return false }
func canFilterCalls() bool                    { return false }
func confineWorker() error                    { return nil }

// become sets the limits that every Unix has and executes the program.
func become(spec launchSpec) error {
	for resource, value := range map[int]uint64{
		unix.RLIMIT_CORE: 0, unix.RLIMIT_FSIZE: 0, unix.RLIMIT_CPU: uint64(spec.Time.Seconds()) + 2, unix.RLIMIT_NOFILE: 32,
	} {
		_ = syscall.Setrlimit(resource, &syscall.Rlimit{Cur: value, Max: value}) // fails only if the limit is lower already
	}
	return syscall.Exec(spec.Path, spec.Args, spec.Env)
}
