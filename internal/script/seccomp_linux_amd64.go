package script

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

var oldCalls = []uint32{unix.SYS_FORK, unix.SYS_VFORK}
