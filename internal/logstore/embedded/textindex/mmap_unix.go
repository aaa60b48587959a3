//go:build unix

package textindex

import (
	"errors"
	"math"
	"os"
	"syscall"
)

// mapFile returns the contents of a file, mapped read-only, and the function
// that ends the mapping.
func mapFile(path string) (data []byte, unmap func() error, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	if info.Size() == 0 {
		return nil, func() error { return nil }, nil
	}
	if info.Size() > math.MaxInt {
		return nil, nil, syscall.EFBIG
	}
	data, err = syscall.Mmap(int(file.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, &os.PathError{Op: "mmap", Path: path, Err: err}
	}
	return data, func() error { return syscall.Munmap(data) }, nil
}
