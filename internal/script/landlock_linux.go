package script

import (
	"errors"
	"unsafe"

	"golang.org/x/sys/unix"
)

// systemFiles are what an interpreter reads in addition to its own library.
var systemFiles = []string{
	"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo",
	"/dev/null", "/dev/zero", "/dev/urandom", "/dev/random",
}

const (
	readFiles = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE
	readAll   = readFiles | unix.LANDLOCK_ACCESS_FS_READ_DIR
)

// landlockVersion returns the version of Landlock in the kernel, 0 for none.
func landlockVersion() int {
	version, _, code := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if code != 0 {
		return 0
	}
	return int(version)
}

// canHideFiles reports whether the kernel has Landlock.
func canHideFiles() bool { return landlockVersion() > 0 }

// landlockRules returns what is forbidden unless a rule allows it: every access
// to files and, with newer versions, TCP connections and signals.
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

// hideFiles lets this thread access only the files in except and below, and
// systemFiles. It does nothing on kernels without Landlock.
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

// allowReading adds a rule for a path. Paths that do not exist or that this
// user cannot access need none.
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
