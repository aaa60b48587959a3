package fault

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// disk is an ext4 file system in an image file, mounted through a loop device.
type disk struct{ image, path string }

// diskBytes is the size of the image, which is sparse.
const diskBytes = 6 << 30

// mountDisk creates and mounts a disk. Only root can.
func mountDisk(t *testing.T) (*disk, error) {
	t.Helper()
	dir := t.TempDir()
	d := &disk{image: filepath.Join(dir, "image"), path: filepath.Join(dir, "disk")}
	// Later mounts are not visible outside of the namespace.
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return nil, fmt.Errorf("make mounts private: %w", err)
	}
	file, err := os.Create(d.image)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(file.Truncate(diskBytes), file.Close(), os.Mkdir(d.path, 0o755)); err != nil {
		return nil, err
	}
	if output, err := exec.Command("mkfs.ext4", "-q", "-E", "nodiscard", d.image).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("mkfs.ext4: %w: %s", err, output)
	}
	if err := d.mount(); err != nil {
		return nil, err
	}
	t.Cleanup(func() {
		if err := d.unmount(); err != nil {
			t.Error(err)
		}
	})
	return d, nil
}

func (d *disk) mount() error {
	// Nothing reaches the image but what the program flushes, for a long time.
	if output, err := exec.Command("mount", "-o", "loop,commit=3600", d.image, d.path).CombinedOutput(); err != nil {
		return fmt.Errorf("mount: %w: %s", err, output)
	}
	return nil
}

func (d *disk) unmount() error {
	if output, err := exec.Command("umount", d.path).CombinedOutput(); err != nil {
		return fmt.Errorf("umount: %w: %s", err, output)
	}
	return nil
}

const (
	ext4Shutdown = 0x8004587d // EXT4_IOC_SHUTDOWN
	noLogFlush   = 2          // EXT4_GOING_FLAGS_NOLOGFLUSH
)

// cutPower stops the file system without writing anything: what the program has
// not flushed is lost, and every further access fails with EIO.
func (d *disk) cutPower() error {
	folder, err := os.Open(d.path)
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	flags := uint32(noLogFlush)
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, folder.Fd(), ext4Shutdown, uintptr(unsafe.Pointer(&flags))); errno != 0 {
		return fmt.Errorf("shut down the file system: %w", errno)
	}
	return nil
}

// restorePower mounts the disk again. Nothing may use it.
func (d *disk) restorePower() error {
	if err := d.unmount(); err != nil {
		return err
	}
	return d.mount()
}

func (d *disk) ballast() string { return filepath.Join(d.path, "ballast") }

// fill fills the disk.
func (d *disk) fill() error {
	file, err := os.OpenFile(d.ballast(), os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	size := int64(0)
	for chunk := int64(1 << 30); chunk >= 4<<10; {
		err := unix.Fallocate(int(file.Fd()), 0, size, chunk)
		switch {
		case err == nil:
			size += chunk
		case errors.Is(err, unix.ENOSPC):
			chunk /= 2
		case !errors.Is(err, unix.EINTR):
			return fmt.Errorf("fill the disk: %w", err)
		}
	}
	return nil
}

// release frees a number of blocks of a full disk.
func (d *disk) release(blocks int64) error {
	file, err := os.OpenFile(d.ballast(), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if err := file.Truncate(info.Size() - blocks<<12); err != nil {
		return err
	}
	return unix.Syncfs(int(file.Fd())) // freed blocks can be used after that
}

// free frees the space again.
func (d *disk) free() error { return os.Remove(d.ballast()) }
