package script

import (
	"slices"

	"golang.org/x/sys/unix"
)

// writing are the flags of open that change files.
const writing = unix.O_ACCMODE | unix.O_CREAT | unix.O_TRUNC

// commonRules are the calls of a process that computes: memory, time, its own
// signals, and the descriptors it has. fcntl cannot make the kernel send
// signals to other processes.
func commonRules() []rule {
	return append(allow(
		unix.SYS_FUTEX, unix.SYS_READ, unix.SYS_WRITE, unix.SYS_MMAP, unix.SYS_MUNMAP, unix.SYS_MADVISE,
		unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_GETRES, unix.SYS_GETTIMEOFDAY,
		unix.SYS_EPOLL_PWAIT, unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EVENTFD2, unix.SYS_PIPE2, unix.SYS_PPOLL,
		unix.SYS_READV, unix.SYS_WRITEV, unix.SYS_CLOSE,
		unix.SYS_MPROTECT, unix.SYS_MREMAP, unix.SYS_BRK, unix.SYS_MEMBARRIER,
		unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK, unix.SYS_RESTART_SYSCALL,
		unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_GETCPU, unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ,
		unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_GETRANDOM, unix.SYS_UNAME, unix.SYS_SYSINFO,
		unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
	),
		rule{unix.SYS_FCNTL, []condition{oneOf(1, unix.F_DUPFD, unix.F_DUPFD_CLOEXEC, unix.F_GETFD, unix.F_SETFD, unix.F_GETFL, unix.F_SETFL)}},
		rule{unix.SYS_PRCTL, []condition{oneOf(0, unix.PR_SET_NAME, unix.PR_GET_NAME, unix.PR_SET_VMA)}},
	)
}

// namespaceFlags are the flags of clone that create namespaces.
const namespaceFlags = unix.CLONE_NEWNS | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID |
	unix.CLONE_NEWNET | unix.CLONE_NEWCGROUP

// workerRules are the calls of a JavaScript worker that has started. Go's
// runtime creates threads and interrupts them with signals. Files cannot be
// opened.
func workerRules(pid int) []rule {
	thread := condition{argument: 0, mask: unix.CLONE_THREAD | namespaceFlags, oneOf: []uint32{unix.CLONE_THREAD}}
	return append(commonRules(),
		rule{unix.SYS_CLONE, []condition{thread}},
		rule{unix.SYS_TGKILL, []condition{oneOf(0, uint32(pid))}},
		rule{unix.SYS_PRLIMIT64, []condition{oneOf(0, 0), oneOf(1, unix.RLIMIT_DATA, unix.RLIMIT_STACK)}},
	)
}

// pythonRules are the calls of an interpreter and its library. Files can only
// be read. The only sockets are connected pairs, which event loops need.
// Limits of the process can be read.
func pythonRules() []rule {
	return slices.Concat(commonRules(), allow(
		unix.SYS_FSTAT, unix.SYS_NEWFSTATAT, unix.SYS_STATX, unix.SYS_FACCESSAT, unix.SYS_FACCESSAT2, unix.SYS_READLINKAT, unix.SYS_GETDENTS64,
		unix.SYS_GETCWD, unix.SYS_LSEEK, unix.SYS_PREAD64, unix.SYS_DUP, unix.SYS_DUP3, unix.SYS_CLOSE_RANGE,
		unix.SYS_PSELECT6, unix.SYS_EPOLL_PWAIT2, unix.SYS_RECVFROM, unix.SYS_GETSOCKNAME, unix.SYS_GETPEERNAME, unix.SYS_GETSOCKOPT,
		unix.SYS_GETPPID, unix.SYS_GETPGID, unix.SYS_GETSID, unix.SYS_GETUID, unix.SYS_GETEUID, unix.SYS_GETGID, unix.SYS_GETEGID,
		unix.SYS_GETRESUID, unix.SYS_GETRESGID, unix.SYS_GETGROUPS, unix.SYS_GETRUSAGE, unix.SYS_TIMES, unix.SYS_GETRLIMIT,
		unix.SYS_SET_TID_ADDRESS, unix.SYS_GET_ROBUST_LIST, unix.SYS_SETITIMER, unix.SYS_GETITIMER,
		unix.SYS_RT_SIGPENDING, unix.SYS_RT_SIGSUSPEND, unix.SYS_RT_SIGTIMEDWAIT,
	), []rule{
		{unix.SYS_OPENAT, []condition{without(2, writing)}},
		{unix.SYS_IOCTL, []condition{oneOf(1, unix.TCGETS, unix.TIOCGWINSZ, fionread, fionbio, fioclex, fionclex)}},
		{unix.SYS_SOCKETPAIR, []condition{oneOf(0, unix.AF_UNIX), {argument: 1, mask: socketType, oneOf: []uint32{unix.SOCK_STREAM}}}},
		{unix.SYS_SENDTO, null(4)},
		{unix.SYS_PRLIMIT64, append(null(2), oneOf(0, 0))},
	}, legacyRules())
}

const (
	socketType = 0xf // the bits of a socket's type that are not flags

	// Requests of ioctl that package unix does not have.
	fionread = 0x541b
	fionbio  = 0x5421
	fionclex = 0x5450
	fioclex  = 0x5451
)
