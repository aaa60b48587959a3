package script

import (
	"errors"
	"unsafe"

	"golang.org/x/sys/unix"
)

// deniedCalls are what the kernel refuses to Python code, whatever it may try:
// starting processes, reaching others over sockets, memory or signals, memory
// that no limit counts, and changes to the system. Calls that only some
// processors have are in oldCalls.
var deniedCalls = append([]uint32{
	unix.SYS_CLONE,
	unix.SYS_SOCKET, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_ACCEPT, unix.SYS_ACCEPT4,
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_GETFD,
	unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_TGKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO, unix.SYS_PIDFD_SEND_SIGNAL,
	unix.SYS_SETRLIMIT, unix.SYS_SETPRIORITY, unix.SYS_IOPRIO_SET, unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR,
	unix.SYS_SHMGET, unix.SYS_MSGGET, unix.SYS_SEMGET, unix.SYS_MQ_OPEN, unix.SYS_MEMFD_CREATE, unix.SYS_USERFAULTFD,
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_OPEN_BY_HANDLE_AT,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_REBOOT, unix.SYS_SWAPON, unix.SYS_ACCT,
}, oldCalls...)

// Where the kernel puts what a filter looks at.
const (
	callNumber    = 0
	callArch      = 4
	callArguments = 16 // of 8 bytes each

	otherNumbers = 0x40000000 // calls of another numbering begin here
)

// callFilter is the program with which the kernel judges each call.
func callFilter() []unix.SockFilter {
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	answer := func(with uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: with} }
	refuse := func(with unix.Errno) unix.SockFilter { return answer(unix.SECCOMP_RET_ERRNO | uint32(with)) }
	// unless skips the next instruction when a comparison is false.
	unless := func(compare uint16, value uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | compare | unix.BPF_K, Jf: 1, K: value}
	}
	program := []unix.SockFilter{
		load(callArch),
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 1, K: auditArch},
		answer(unix.SECCOMP_RET_KILL_PROCESS),
		load(callNumber),
		unless(unix.BPF_JGE, otherNumbers), refuse(unix.EPERM),
		// A C library that does not find this call uses clone.
		unless(unix.BPF_JEQ, unix.SYS_CLONE3), refuse(unix.ENOSYS),
	}
	for _, call := range deniedCalls {
		program = append(program, unless(unix.BPF_JEQ, call), refuse(unix.EPERM))
	}
	// One's own limits can be asked for: no other process, and no new limit.
	program = append(program,
		unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 1, K: unix.SYS_PRLIMIT64},
		answer(unix.SECCOMP_RET_ALLOW))
	for _, half := range []uint32{callArguments, callArguments + 2*8, callArguments + 2*8 + 4} {
		program = append(program, load(half),
			unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 1}, refuse(unix.EPERM))
	}
	return append(program, answer(unix.SECCOMP_RET_ALLOW))
}

// denyCalls puts the filter in force for this thread and what it becomes. It
// does nothing where the kernel has no filters.
func denyCalls() error {
	filter := callFilter()
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	_, _, code := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program)))
	if code != 0 && !errors.Is(code, unix.ENOSYS) && !errors.Is(code, unix.EINVAL) {
		return code
	}
	return nil
}

// canDenyCalls reports whether the kernel has filters.
func canDenyCalls() bool {
	action := uint32(unix.SECCOMP_RET_ERRNO)
	_, _, code := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	return code == 0
}
