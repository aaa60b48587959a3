//go:build !linux

package script

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// Other systems have neither namespaces nor Landlock, and no way to bound the
// memory of another process.
const canSeparate = false

func separateProcess(*syscall.SysProcAttr) {}
func canHideFiles() bool                   { return false }
func limitMemory(int, int64) error         { return nil }
func canDenyCalls() bool                   { return false }

// confine sets the limits that every Unix knows.
func confine(spec launchSpec) error {
	for resource, value := range map[int]uint64{
		unix.RLIMIT_CORE: 0, unix.RLIMIT_FSIZE: 0, unix.RLIMIT_CPU: uint64(spec.Time.Seconds()) + 2, unix.RLIMIT_NOFILE: 32,
	} {
		_ = syscall.Setrlimit(resource, &syscall.Rlimit{Cur: value, Max: value}) // fails only where it is lower already
	}
	return nil
}
