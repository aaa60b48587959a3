package script

import (
	"errors"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// canSeparate says that processes may get namespaces of their own.
const canSeparate = true

// nobody is who code is within its own user namespace: a user without any
// right there.
const nobody = 65534

// separateProcess gives a process its own users, processes and network, all
// of them empty.
func separateProcess(attr *syscall.SysProcAttr) {
	attr.Cloneflags = unix.CLONE_NEWUSER | unix.CLONE_NEWNET | unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: nobody, HostID: os.Getuid(), Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: nobody, HostID: os.Getgid(), Size: 1}}
}

// confine takes from this process what its program must not have.
func confine(spec launchSpec) error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
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
		{unix.RLIMIT_CORE, 0}, {unix.RLIMIT_FSIZE, 0}, {unix.RLIMIT_CPU, seconds}, {unix.RLIMIT_NPROC, 1},
		{unix.RLIMIT_NOFILE, 32},
	} {
		setLimit(limit.resource, limit.value)
	}
	return denyCalls()
}

// limitMemory bounds the memory of another process of ours. What it shares with
// others counts in the second limit only; an interpreter without a program
// has less than what is added.
func limitMemory(pid int, limit int64) error {
	for resource, value := range map[int]uint64{unix.RLIMIT_DATA: uint64(limit) + 16<<20, unix.RLIMIT_AS: uint64(limit) + 256<<20} {
		if err := unix.Prlimit(pid, resource, &unix.Rlimit{Cur: value, Max: value}, nil); err != nil {
			return err
		}
	}
	return nil
}

// systemFiles are what an interpreter reads besides its own library.
var systemFiles = []string{
	"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo",
	"/dev/null", "/dev/zero", "/dev/urandom", "/dev/random",
}

const (
	readFiles = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE
	readAll   = readFiles | unix.LANDLOCK_ACCESS_FS_READ_DIR
)

// landlockVersion returns what the kernel knows of Landlock, 0 for nothing.
func landlockVersion() int {
	version, _, code := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if code != 0 {
		return 0
	}
	return int(version)
}

func canHideFiles() bool { return landlockVersion() > 0 }

// landlockRules says what is forbidden unless a rule allows it: every access
// to files, and, where the kernel knows it, connections and signals.
func landlockRules(version int) (rules unix.LandlockRulesetAttr) {
	rules.Handled_access_fs = unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1
	if version >= 2 {
		rules.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		rules.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if version >= 4 {
		rules.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if version >= 5 {
		rules.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if version >= 6 {
		rules.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	return rules
}

// hideFiles leaves only the named files to this process, and those below them.
// It does nothing where the kernel cannot.
func hideFiles(except []string) error {
	version := landlockVersion()
	if version == 0 {
		return nil
	}
	rules := landlockRules(version)
	set, _, code := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&rules)), unsafe.Sizeof(rules), 0)
	if code != 0 {
		return code
	}
	for _, path := range append(except, systemFiles...) {
		if err := allowReading(set, path); err != nil {
			return err
		}
	}
	if _, _, code := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, set, 0, 0); code != 0 {
		return code
	}
	return unix.Close(int(set))
}

// allowReading adds a rule for what is at a path; what is not there, or is
// closed to this user, needs none.
func allowReading(set uintptr, path string) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.EACCES) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }() // it was only a name
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return err
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: readFiles, Parent_fd: int32(fd)}
	if stat.Mode&unix.S_IFMT == unix.S_IFDIR {
		rule.Allowed_access = readAll
	}
	_, _, code := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, set, unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if code != 0 {
		return code
	}
	return nil
}
