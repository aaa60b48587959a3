//go:build !unix

package textindex

import "os"

// mapFile returns the contents of a file, read into memory.
func mapFile(path string) (data []byte, unmap func() error, err error) {
	data, err = os.ReadFile(path)
	return data, func() error { return nil }, err
}
