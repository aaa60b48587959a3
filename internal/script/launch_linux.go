package script

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// become restricts this thread to what the program of the spec may do, and
// executes the program.
func become(spec launchSpec) error {
	closeInherited(launchOutput)
	image, err := newImage(spec)
	if err != nil {
		return err
	}
	hand, err := listenForExec()
	if err != nil {
		return err
	}
	filter := newPythonFilter(hand)
	if err := confine(spec); err != nil {
		return err
	}
	// Memory shared with other processes only counts for the last limit. An
	// interpreter without a program needs less than what is added.
	limits := [...]limit{
		{unix.RLIMIT_NPROC, both(1)},
		{unix.RLIMIT_DATA, both(uint64(spec.Memory) + 16<<20)},
		{unix.RLIMIT_AS, both(uint64(spec.Memory) + 256<<20)},
	}
	return leave(limits[:], filter, image)
}

// limit is a limit of this process.
type limit struct {
	resource uintptr
	value    unix.Rlimit
}

// both is a limit that cannot be raised again.
func both(value uint64) unix.Rlimit { return unix.Rlimit{Cur: value, Max: value} }

// leave sets the last limits and the filter, and executes the image. The limits are
// far too small for this program: nothing may be allocated, and Go may not start a
// thread. It would do so if this goroutine was preempted, or in a call to the kernel
// that the scheduler knows about. Hence the raw calls, launchEnvironment, and the
// functions without a check of the stack, where goroutines are preempted, too.
//
//go:nosplit
func leave(limits []limit, filter pythonFilter, image image) unix.Errno {
	for i := range limits {
		_, _, code := unix.RawSyscall6(unix.SYS_PRLIMIT64, 0, limits[i].resource, uintptr(unsafe.Pointer(&limits[i].value)), 0, 0, 0)
		if code != 0 {
			return code
		}
	}
	if code := filter.install(); code != 0 {
		return code
	}
	return image.execute()
}

// image holds the arguments of execve.
type image struct {
	path      *byte
	args, env []*byte
}

func newImage(spec launchSpec) (i image, err error) {
	if i.path, err = unix.BytePtrFromString(spec.Path); err != nil {
		return i, err
	}
	if i.args, err = syscall.SlicePtrFromStrings(spec.Args); err != nil {
		return i, err
	}
	i.env, err = syscall.SlicePtrFromStrings(spec.Env)
	return i, err
}

//go:nosplit
func (i image) execute() unix.Errno {
	_, _, code := unix.RawSyscall(unix.SYS_EXECVE,
		uintptr(unsafe.Pointer(i.path)), uintptr(unsafe.Pointer(&i.args[0])), uintptr(unsafe.Pointer(&i.env[0])))
	return code
}

// confine sets all restrictions but the limits of memory and threads, and the filter.
func confine(spec launchSpec) error {
	if err := giveUpPrivileges(); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return err
	}
	if err := hideFiles(spec.Read); err != nil {
		return err
	}
	seconds := uint64(spec.Time.Seconds()) + 2
	for _, limit := range [...]struct {
		resource int
		value    uint64
	}{
		{unix.RLIMIT_CORE, 0}, {unix.RLIMIT_FSIZE, 0}, {unix.RLIMIT_CPU, seconds}, {unix.RLIMIT_NOFILE, 32},
	} {
		setLimit(limit.resource, limit.value)
	}
	return nil
}

// confineWorker restricts all threads of a JavaScript worker.
func confineWorker() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := giveUpPrivileges(); err != nil || !canFilterCalls() {
		return err
	}
	thread, code := install(filterOf(workerRules(os.Getpid()), 0), unix.SECCOMP_FILTER_FLAG_TSYNC)
	switch {
	case code != 0:
		return code
	case thread != 0:
		return fmt.Errorf("thread %d has a filter of its own", thread)
	}
	return nil
}

// giveUpPrivileges keeps this thread from gaining privileges by executing
// programs.
func giveUpPrivileges() error {
	return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
}
