package script

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// attackPrelude defines attack, which records how the kernel answers an attempt.
const attackPrelude = `import ctypes, errno, os, socket
libc = ctypes.CDLL(None, use_errno=True)
answers = {}

def attack(name, attempt):
    try:
        attempt()
        answers[name] = "allowed"
    except OSError as error:
        answers[name] = errno.errorcode.get(error.errno, str(error))

def call(number, *arguments):
    if libc.syscall(number, *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]) < 0:
        raise OSError(ctypes.get_errno(), "refused")

def forks():
    for i in range(1000):
        try:
            os.fork()
        except OSError as error:
            last = error
        else:
            return
    raise last
`

// attacksOnFiles are attempts on the data folder and its key.
const attacksOnFiles = `
attack("chmod folder", lambda: os.chmod(folder, 0o777))
attack("chmod key", lambda: os.chmod(key, 0o666))
attack("fchmod", lambda: os.fchmod(os.open(os.__file__, os.O_RDONLY), 0o644))
attack("fchmodat2", lambda: call(452, -100, key.encode(), 0o666, 0))
attack("chown", lambda: os.chown(key, 1, 1))
attack("lchown", lambda: os.lchown(key, 1, 1))
attack("utime", lambda: os.utime(key, (1, 1)))
attack("rename", lambda: os.rename(key, key + ".old"))
attack("replace", lambda: os.replace(key + ".new", key))
attack("unlink", lambda: os.unlink(key))
attack("rmdir", lambda: os.rmdir(folder))
attack("link", lambda: os.link(key, key + ".link"))
attack("symlink", lambda: os.symlink(key, key + ".link"))
attack("mkdir", lambda: os.mkdir(folder + "/new"))
attack("mknod", lambda: os.mknod(folder + "/node"))
attack("mkfifo", lambda: os.mkfifo(folder + "/fifo"))
attack("truncate", lambda: os.truncate(key, 0))
attack("setxattr", lambda: os.setxattr(key, "user.x", b"x"))
attack("removexattr", lambda: os.removexattr(key, "user.x"))
attack("listxattr", lambda: os.listxattr(key))
attack("read key", lambda: open(key).read())
attack("write key", lambda: open(key, "w"))
attack("append to key", lambda: open(key, "a"))
attack("create", lambda: os.open(folder + "/new", os.O_RDONLY | os.O_CREAT))
attack("truncate by open", lambda: os.open(key, os.O_RDONLY | os.O_TRUNC))
attack("openat2", lambda: call(437, -100, key.encode(), (ctypes.c_uint64 * 3)(), 24))
attack("list folder", lambda: os.listdir(folder))
attack("chdir", lambda: os.chdir(folder))
attack("chroot", lambda: os.chroot(folder))
`

// attacksOnOthers are attempts on other processes and on the network. They use
// arguments that do no harm if they are allowed.
const attacksOnOthers = `
attack("read environ of the server", lambda: open("/proc/%d/environ" % server).read())
attack("read memory of the server", lambda: open("/proc/%d/mem" % server, "rb").read(1))
attack("read own environ", lambda: open("/proc/self/environ").read())
attack("kill the server", lambda: os.kill(server, 0))
attack("kill all", lambda: os.kill(-1, 0))
attack("kill init", lambda: os.kill(1, 0))
attack("signal by descriptor", lambda: os.pidfd_open(server))
attack("owner of signals", lambda: __import__("fcntl").fcntl(4, 8, server))
attack("signal of a descriptor", lambda: __import__("fcntl").fcntl(4, 10, 9))
attack("priority", lambda: os.setpriority(os.PRIO_PROCESS, 0, 0))
attack("limits of the server", lambda: __import__("resource").prlimit(server, 7))
attack("fork", os.fork)
attack("fork bomb", forks)
attack("execute", lambda: os.execv("/bin/true", ["true"]))
attack("execute itself", lambda: os.execv(python, ["python", "-c", "1"]))
attack("execute by descriptor", lambda: os.execve(os.open(os.__file__, os.O_RDONLY), ["x"], {}))
for family in ("AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK", "AF_PACKET", "AF_VSOCK", "AF_ALG"):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
        attack("%s %d" % (family, kind), lambda: socket.socket(getattr(socket, family), kind))
attack("datagram pair", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
attack("sequential pair", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET))
attack("send to an address", lambda: socket.socketpair()[0].sendto(b"x", "/dev/log"))
attack("terminal input", lambda: __import__("fcntl").ioctl(1, 0x5412, b"x"))
attack("setuid", lambda: os.setuid(0))
attack("setgroups", lambda: os.setgroups([]))
`

// rawAttacks are system calls that Python has no functions for. Every argument
// is 0, with which none does harm if it is allowed.
var rawAttacks = map[string]uintptr{
	"ptrace": unix.SYS_PTRACE, "process_vm_readv": unix.SYS_PROCESS_VM_READV, "process_vm_writev": unix.SYS_PROCESS_VM_WRITEV,
	"pidfd_getfd": unix.SYS_PIDFD_GETFD, "kcmp": unix.SYS_KCMP, "tgkill": unix.SYS_TGKILL, "rt_sigqueueinfo": unix.SYS_RT_SIGQUEUEINFO,
	"mount": unix.SYS_MOUNT, "umount2": unix.SYS_UMOUNT2, "move_mount": unix.SYS_MOVE_MOUNT, "open_tree": unix.SYS_OPEN_TREE,
	"fsopen": unix.SYS_FSOPEN, "pivot_root": unix.SYS_PIVOT_ROOT, "unshare": unix.SYS_UNSHARE, "setns": unix.SYS_SETNS,
	"bpf": unix.SYS_BPF, "perf_event_open": unix.SYS_PERF_EVENT_OPEN, "userfaultfd": unix.SYS_USERFAULTFD,
	"keyctl": unix.SYS_KEYCTL, "add_key": unix.SYS_ADD_KEY, "request_key": unix.SYS_REQUEST_KEY,
	"io_uring_setup": unix.SYS_IO_URING_SETUP, "io_uring_enter": unix.SYS_IO_URING_ENTER, "io_uring_register": unix.SYS_IO_URING_REGISTER,
	"io_setup": unix.SYS_IO_SETUP, "fanotify_init": unix.SYS_FANOTIFY_INIT, "inotify_init1": unix.SYS_INOTIFY_INIT1,
	"name_to_handle_at": unix.SYS_NAME_TO_HANDLE_AT, "open_by_handle_at": unix.SYS_OPEN_BY_HANDLE_AT,
	"memfd_create": unix.SYS_MEMFD_CREATE, "memfd_secret": unix.SYS_MEMFD_SECRET, "shmget": unix.SYS_SHMGET, "msgget": unix.SYS_MSGGET,
	"semget": unix.SYS_SEMGET, "mq_open": unix.SYS_MQ_OPEN, "seccomp": unix.SYS_SECCOMP, "capset": unix.SYS_CAPSET,
	"setrlimit": unix.SYS_SETRLIMIT, "sched_setaffinity": unix.SYS_SCHED_SETAFFINITY, "sched_setscheduler": unix.SYS_SCHED_SETSCHEDULER,
	"ioprio_set": unix.SYS_IOPRIO_SET, "personality": unix.SYS_PERSONALITY, "prctl": unix.SYS_PRCTL, "clone3": unix.SYS_CLONE3,
	"execveat": unix.SYS_EXECVEAT, "connect": unix.SYS_CONNECT, "bind": unix.SYS_BIND, "listen": unix.SYS_LISTEN, "accept4": unix.SYS_ACCEPT4,
	"sendmsg": unix.SYS_SENDMSG, "recvmsg": unix.SYS_RECVMSG, "sendmmsg": unix.SYS_SENDMMSG, "splice": unix.SYS_SPLICE, "tee": unix.SYS_TEE,
	"vmsplice": unix.SYS_VMSPLICE, "copy_file_range": unix.SYS_COPY_FILE_RANGE, "init_module": unix.SYS_INIT_MODULE,
	"kexec_load": unix.SYS_KEXEC_LOAD, "reboot": unix.SYS_REBOOT, "swapon": unix.SYS_SWAPON, "acct": unix.SYS_ACCT, "syslog": unix.SYS_SYSLOG,
	"quotactl": unix.SYS_QUOTACTL, "settimeofday": unix.SYS_SETTIMEOFDAY, "adjtimex": unix.SYS_ADJTIMEX, "timer_create": unix.SYS_TIMER_CREATE,
	"landlock_restrict_self": unix.SYS_LANDLOCK_RESTRICT_SELF, "process_madvise": unix.SYS_PROCESS_MADVISE, "a future call": 1000,
}

// isRefused reports whether an answer shows that the kernel did not even look
// at the arguments, or that Landlock denied access.
func isRefused(answer string) bool {
	return slices.Contains([]string{"EPERM", "EACCES", "ENOSYS"}, answer)
}

// dataFolder creates a data folder with a key, both open to everybody, so that
// only the sandbox protects them.
func dataFolder(t *testing.T) (folder, key string) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "data")
	key = filepath.Join(folder, "secret.key")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{key, key + ".new"} {
		if err := os.WriteFile(name, []byte("hush"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folder, key
}

// stateOf describes a folder and its files in full.
func stateOf(t *testing.T, folder string) (state []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, _ os.DirEntry, err error) error {
		var stat unix.Stat_t
		if err != nil {
			return err
		}
		if err := unix.Lstat(path, &stat); err != nil {
			return err
		}
		stat.Atim = unix.Timespec{} // reading is no change
		content, _ := os.ReadFile(path)
		names := make([]byte, 1024)
		size, err := unix.Llistxattr(path, names)
		state = append(state, fmt.Sprintf("%s %+v %q %q", path, stat, content, names[:max(size, 0)]))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// TestPythonCannotAttack lets one program try everything, with each separation.
func TestPythonCannotAttack(t *testing.T) {
	t.Parallel()
	for _, how := range separations() {
		t.Run(fmt.Sprintf("%+v", how), func(t *testing.T) {
			t.Parallel()
			folder, key := dataFolder(t)
			before := stateOf(t, folder)
			code := attackPrelude + fmt.Sprintf("folder, key, server, python = %q, %q, %d, %q\n", folder, key, os.Getpid(), systemPython) + attacksOnFiles + attacksOnOthers
			for name, number := range rawAttacks {
				code += fmt.Sprintf("attack(%q, lambda: call(%d, 0, 0, 0, 0, 0, 0))\n", name, number)
			}
			var answers map[string]string
			if err := json.Unmarshal([]byte(value(t, separated(t, how), py(code+"return answers"))), &answers); err != nil {
				t.Fatal(err)
			}
			if want := strings.Count(code, "\nattack(") + 21; len(answers) != want {
				t.Errorf("%d answers, want %d", len(answers), want)
			}
			for name, answer := range answers {
				if !isRefused(answer) {
					t.Errorf("%s: %s", name, answer)
				}
			}
			if diff := cmp.Diff(before, stateOf(t, folder)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
