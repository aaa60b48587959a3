//go:build !linux

package journal

import "os"

// flush makes what was written durable.
func flush(file *os.File) error { return file.Sync() }
