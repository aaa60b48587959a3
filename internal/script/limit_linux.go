package script

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// dataAtStart is the writable memory that the process had mapped before its
// first program.
var dataAtStart int64

// prepareProcess closes inherited files of a worker and sets its fixed limits.
func prepareProcess() {
	closeInherited(2)
	dataAtStart = mappedData()
	setLimit(unix.RLIMIT_CORE, 0)
	setLimit(unix.RLIMIT_FSIZE, 0)
}

// limitData makes the kernel refuse memory far above a limit, which ends the
// process. The kernel counts mapped memory, not used memory, and Go maps large
// pieces; hence the distance.
func limitData(limit int64) {
	if dataAtStart == 0 || raceEnabled { // the race detector maps many times more
		return
	}
	soft := dataAtStart + 2*limit + 256<<20
	_ = syscall.Setrlimit(unix.RLIMIT_DATA, &syscall.Rlimit{Cur: uint64(soft), Max: unix.RLIM_INFINITY}) // the watchdog remains
}

// setLimit sets a limit that cannot be raised again. It fails only if the limit
// is lower already.
func setLimit(resource int, value uint64) {
	_ = syscall.Setrlimit(resource, &syscall.Rlimit{Cur: value, Max: value})
}

// mappedData returns the size of the mapped writable memory, 0 if unknown.
func mappedData() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(status) {
		if fields := strings.Fields(string(line)); len(fields) == 3 && fields[0] == "VmData:" {
			n, _ := strconv.ParseInt(fields[1], 10, 64)
			return n << 10
		}
	}
	return 0
}

// closeInherited closes the descriptors above last, which a library in the
// server opened without O_CLOEXEC. Those of Go's runtime stay.
func closeInherited(last int) {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return
	}
	for _, entry := range entries {
		fd, err := strconv.Atoi(entry.Name())
		if err != nil || fd <= last {
			continue
		}
		if to, err := os.Readlink("/proc/self/fd/" + entry.Name()); err == nil && !strings.HasPrefix(to, "anon_inode:") {
			_ = unix.Close(fd)
		}
	}
}
