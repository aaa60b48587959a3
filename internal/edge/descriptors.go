package edge

import (
	"fmt"

	"golang.org/x/sys/unix"
)

const (
	// maxReserved limits how many file descriptors are kept for the stores,
	// outgoing connections and worker processes.
	maxReserved = 2048
	// maxDefault limits the default number of connections, because each takes
	// memory as well.
	maxDefault = 8192
)

// Descriptors returns how many file descriptors the process may open. The Go
// runtime raises the soft limit to the hard one at start.
func Descriptors() (int, error) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return 0, fmt.Errorf("read the limit of open files: %w", err)
	}
	return int(min(limit.Cur, 1<<30)), nil
}

// Available returns how many of the descriptors connections may take. The rest
// is reserved.
func Available(descriptors int) int {
	return descriptors - min(descriptors/2, maxReserved)
}

// DefaultTotal returns the default limit of connections.
func DefaultTotal(descriptors int) int { return min(Available(descriptors), maxDefault) }
