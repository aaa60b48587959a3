package script

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/debug"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A launcher may execute one program, and that program none. The filter asks a
// listener about each execve. The listener is a second thread of the launcher,
// without a filter: it allows the first call, which ends it together with the
// launcher, and the kernel refuses calls that nobody listens to.

// listenForExec starts the listening thread. It waits for the descriptor of the
// filter's listener, one byte written to hand.
//
// The thread calls the kernel without Go's scheduler, and there are no garbage
// collections: the launcher's thread waits in execve and cannot be stopped.
func listenForExec() (hand int, err error) {
	debug.SetGCPercent(-1)
	runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0)))
	var pipe [2]int
	if err := unix.Pipe2(pipe[:], unix.O_CLOEXEC); err != nil {
		return 0, fmt.Errorf("open a pipe: %w", err)
	}
	listening := make(chan struct{})
	go func() {
		runtime.LockOSThread()
		close(listening)
		allowExec(pipe[0])
	}()
	<-listening
	return pipe[1], nil
}

// notification and response are struct seccomp_notif and seccomp_notif_resp.
type (
	notification struct {
		id         uint64
		pid, flags uint32
		data       [64]byte
	}
	response struct {
		id           uint64
		value        int64
		error, flags uint32
	}
)

// allowExec allows the first call. A signal can interrupt the call, which then
// asks again.
func allowExec(from int) {
	var listener [1]byte
	for {
		_, _, code := unix.RawSyscall(unix.SYS_READ, uintptr(from), uintptr(unsafe.Pointer(&listener)), 1)
		if code == 0 {
			break
		}
	}
	for {
		var asked notification
		_, _, code := unix.RawSyscall(unix.SYS_IOCTL, uintptr(listener[0]), unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&asked)))
		if code != 0 {
			continue
		}
		allowed := response{id: asked.id, flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
		_, _, _ = unix.RawSyscall(unix.SYS_IOCTL, uintptr(listener[0]), unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&allowed)))
	}
}

// pythonFilter is the filter of a launcher and its program.
type pythonFilter struct {
	hand int
	// once lets a listener decide about execve. On kernels that cannot do that,
	// the program can execute what it can read.
	once, plain []unix.SockFilter
}

// newPythonFilter prepares the filter, which is empty on kernels without.
func newPythonFilter(hand int) pythonFilter {
	f := pythonFilter{hand: hand}
	if canFilterCalls() {
		f.plain = filterOf(pythonRules(), unix.SECCOMP_RET_ALLOW)
	}
	if f.plain != nil && canContinue() {
		f.once = filterOf(pythonRules(), unix.SECCOMP_RET_USER_NOTIF)
	}
	return f
}

// install puts the filter in force for this thread. It does not allocate
// memory, and cannot be preempted.
//
//go:nosplit
func (f pythonFilter) install() unix.Errno {
	if f.once != nil {
		listener, code := install(f.once, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER)
		if code == 0 {
			return pass(f.hand, byte(listener))
		}
	}
	if f.plain == nil {
		return 0
	}
	_, code := install(f.plain, 0)
	return code
}

// pass hands the listener's descriptor to the thread that listens.
//
//go:nosplit
func pass(hand int, listener byte) unix.Errno {
	message := [1]byte{listener}
	_, _, code := unix.RawSyscall(unix.SYS_WRITE, uintptr(hand), uintptr(unsafe.Pointer(&message)), 1)
	return code
}

// canContinue reports whether a listener can let a call continue, as it can
// since Linux 5.5.
func canContinue() bool {
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		return false
	}
	var major, minor int
	_, err := fmt.Fscanf(bytes.NewReader(name.Release[:]), "%d.%d", &major, &minor)
	return err == nil && (major > 5 || major == 5 && minor >= 5)
}
