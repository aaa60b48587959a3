package journal

import (
	"os"

	"golang.org/x/sys/unix"
)

// flush makes what was written durable. The file's times need not be, which
// saves the file system a write.
func flush(file *os.File) error { return unix.Fdatasync(int(file.Fd())) }
