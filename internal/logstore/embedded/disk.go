package embedded

import (
	"errors"

	"golang.org/x/sys/unix"

	"github.com/promptuary/promptuary/internal/fault"
)

// disk tells how much room there is in the folder of the store.
type disk struct {
	dir string
	// minFreeMB is what must stay free, -1 for nothing.
	minFreeMB int
}

// check returns why there is no room for further logs, nil if there is.
func (d *disk) check() error {
	if d.minFreeMB < 0 {
		return nil
	}
	free, err := d.freeMB()
	if err != nil {
		return fault.Busy(retryAfter, err, "Cannot write to the data folder: %s", reason(err))
	}
	if free < uint64(d.minFreeMB) {
		return fault.Busy(retryAfter, nil, "The disk of the data folder is full: %d MB are free, %d MB must stay free", free, d.minFreeMB)
	}
	return nil
}

// minSaveMB is the free space without which no checkpoint is tried, even if
// writes are not rejected on a full disk.
const minSaveMB = 4

// roomToSave reports whether there is room for a checkpoint, for which a part of
// the disk is kept free. Trying without room would make the table unusable, fail
// reads, and keep a server from starting on a full disk.
func (d *disk) roomToSave() bool {
	free, err := d.freeMB()
	return err == nil && free >= uint64(max(d.minFreeMB/4, minSaveMB))
}

// roomToCopy reports whether a table of this size fits on the disk once more.
func (d *disk) roomToCopy(bytes int64) bool {
	free, err := d.freeMB()
	return err == nil && free >= uint64(bytes>>20)+uint64(max(d.minFreeMB/4, minSaveMB))
}

func (d *disk) freeMB() (uint64, error) {
	var stat unix.Statfs_t
	err := unix.Statfs(d.dir, &stat)
	return stat.Bavail * uint64(stat.Bsize) >> 20, err
}

// reason returns the cause if an operator can fix it, and no internal details.
func reason(err error) string {
	for _, known := range []error{unix.ENOSPC, unix.EDQUOT, unix.EROFS, unix.EACCES, unix.EPERM, unix.EIO, unix.EMFILE, unix.EFBIG} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return "the storage engine refuses writes"
}
