package script

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

// legacyRules are the calls that other processors do not have.
func legacyRules() []rule {
	return append(allow(
		unix.SYS_STAT, unix.SYS_LSTAT, unix.SYS_ACCESS, unix.SYS_READLINK, unix.SYS_GETDENTS,
		unix.SYS_POLL, unix.SYS_SELECT, unix.SYS_EPOLL_CREATE, unix.SYS_EPOLL_WAIT, unix.SYS_EVENTFD, unix.SYS_PIPE, unix.SYS_DUP2,
		unix.SYS_TIME, unix.SYS_ALARM, unix.SYS_PAUSE, unix.SYS_GETPGRP, unix.SYS_ARCH_PRCTL,
	), rule{unix.SYS_OPEN, []condition{without(1, writing)}})
}
