package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/promptuary/promptuary/internal/durable"
)

// Append writes the records and flushes them to the disk. It returns the
// position of the block of each record. After an error nothing is kept, and the
// next call starts from the same place.
func (j *Journal) Append(records [][]byte) ([]Position, error) {
	if err := j.prepare(); err != nil {
		return nil, err
	}
	start := j.End()
	positions, err := j.encode(start, records)
	if err != nil {
		return nil, err
	}
	file := j.active.file
	if err := write(file, j.blocks, start.offset()); err != nil {
		j.broken = true
		// Whole blocks of it would count after a crash. If the cut fails, the
		// next call tries again.
		return nil, errors.Join(fmt.Errorf("write journal: %w", err), j.cutOff())
	}
	j.mu.Lock()
	j.end = start + Position(len(j.blocks))
	j.mu.Unlock()
	return positions, nil
}

// prepare removes what failed and interrupted writes have left, and begins a
// new segment when the last is full.
func (j *Journal) prepare() error {
	if err := j.moveTail(); err != nil {
		return err
	}
	if err := j.cutOff(); err != nil {
		return err
	}
	end := j.End()
	if end.offset() < j.opts.SegmentBytes && j.active.places == nil {
		return nil
	}
	return j.begin(j.last + 1)
}

// moveTail moves the bytes after the end of the journal to a side file.
func (j *Journal) moveTail() error {
	tail := j.Tail()
	if tail == 0 {
		return nil
	}
	at := j.End().offset()
	name := fmt.Sprintf("%s.interrupted-at-%d", j.active.path(j.dir), at)
	if _, err := j.copyAside(name, j.active.file, at, tail); err != nil {
		return err
	}
	if err := j.active.file.Truncate(at); err != nil {
		return fmt.Errorf("cut the interrupted write off the journal: %w", err)
	}
	j.mu.Lock()
	j.tail = 0
	j.mu.Unlock()
	return j.active.file.Sync()
}

// copyAside copies a part of a file to a new durable file, whose name begins
// with the one given. It never overwrites a file.
func (j *Journal) copyAside(name string, from io.ReaderAt, at, size int64) (path string, err error) {
	file, err := createUnique(name)
	if err != nil {
		return "", fmt.Errorf("set aside a part of the journal: %w", err)
	}
	_, err = io.Copy(file, io.NewSectionReader(from, at, size))
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		// Without the copy nothing is removed from the journal.
		return "", errors.Join(fmt.Errorf("set aside a part of the journal: %w", err), os.Remove(file.Name()))
	}
	return file.Name(), durable.SyncFolder(j.dir)
}

// createUnique creates the file, or one with a number appended if it exists.
func createUnique(name string) (*os.File, error) {
	for n, path := 2, name; ; n++ {
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
		path = fmt.Sprintf("%s-%d", name, n)
	}
}

// cutOff removes what a failed write has left.
func (j *Journal) cutOff() error {
	if !j.broken {
		return nil
	}
	if err := j.active.file.Truncate(j.End().offset()); err != nil {
		return fmt.Errorf("cut failed write off the journal: %w", err)
	}
	j.broken = false
	return nil
}

// write makes data durable. A file that was deleted in the meantime takes writes, but
// nobody will read them.
func write(file *os.File, data []byte, at int64) error {
	if _, err := file.WriteAt(data, at); err != nil {
		return err
	}
	if err := flush(file); err != nil {
		return err
	}
	var stat unix.Stat_t
	if err := unix.Fstat(int(file.Fd()), &stat); err != nil {
		return err
	}
	if stat.Nlink == 0 {
		return ErrDeleted
	}
	return nil
}

// ErrDeleted is returned when the file that is written to was deleted.
var ErrDeleted = errors.New("the journal file was deleted while in use")

// encode fills j.blocks with the frames of the records.
func (j *Journal) encode(start Position, records [][]byte) (positions []Position, err error) {
	positions = make([]Position, len(records))
	j.blocks, j.buffer = j.blocks[:0], j.buffer[:0]
	for i, record := range records {
		positions[i] = start + Position(len(j.blocks))
		j.buffer = slices.Grow(j.buffer, binary.MaxVarintLen64+len(record))
		j.buffer = binary.AppendUvarint(j.buffer, uint64(len(record)))
		j.buffer = append(j.buffer, record...)
		if len(j.buffer) >= j.opts.BlockBytes || i == len(records)-1 {
			if j.blocks, err = appendFrame(j.blocks, j.buffer); err != nil {
				return nil, err
			}
			j.buffer = j.buffer[:0]
		}
	}
	if cap(j.buffer) > maxKeptBuffer {
		j.buffer = nil
	}
	return positions, nil
}

// maxKeptBuffer is the largest buffer that is kept for the next call.
const maxKeptBuffer = 8 << 20
