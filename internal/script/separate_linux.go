package script

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	// sandboxUser is the user and group of code if the server is root. No
	// distribution uses it.
	sandboxUser = 65530
	// nobody is the user of code in its own user namespace.
	nobody = 65534
)

// separations returns the possible separations, the strongest first.
func separations() []separation {
	if os.Geteuid() == 0 {
		return []separation{{user: true, namespaces: true}, {user: true}, {namespaces: true}, {}}
	}
	return []separation{{namespaces: true}, {}}
}

// apply makes a process start separated.
func (s separation) apply(attr *syscall.SysProcAttr) {
	if s.user {
		attr.Credential = &syscall.Credential{Uid: sandboxUser, Gid: sandboxUser}
	}
	if !s.namespaces {
		return
	}
	user, group := os.Geteuid(), os.Getegid()
	if s.user {
		user, group = sandboxUser, sandboxUser
		attr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody} // within its namespace
		attr.GidMappingsEnableSetgroups = true                          // to give up the server's groups
	}
	attr.Cloneflags = unix.CLONE_NEWUSER | unix.CLONE_NEWNET | unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: nobody, HostID: user, Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: nobody, HostID: group, Size: 1}}
}
