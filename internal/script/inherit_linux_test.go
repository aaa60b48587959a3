package script

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// inherit makes a file one that new processes get, as a careless library does.
func inherit(t *testing.T, file *os.File) {
	t.Helper()
	if _, err := unix.FcntlInt(file.Fd(), unix.F_SETFD, 0); err != nil {
		t.Fatal(err)
	}
}
