// Package journal is an append-only, durable list of records in segment files.
// It is where acknowledged data is safe: whatever else is stored about the
// records is derived from here and can be built again.
//
// Records are written in blocks. A block is compressed as a whole, because
// neighbouring records resemble each other, and carries a checksum. Append
// writes its blocks and flushes them to the disk once, however many records
// it was given, so callers batch.
package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Position says where a block begins. Positions rise with the order of
// writing; 0 is the beginning of the journal.
type Position int64

func position(segment, offset int64) Position { return Position(segment<<32 | offset) }

func (p Position) segment() int64 { return int64(p) >> 32 }
func (p Position) offset() int64  { return int64(p) & (1<<32 - 1) }

// Options tune a journal. The zero value is a good default.
type Options struct {
	// SegmentBytes is the size at which a new segment file is begun.
	SegmentBytes int64
	// BlockBytes is how many bytes of records are compressed together: more
	// compress better, fewer are read faster one by one.
	BlockBytes int
}

func (o Options) withDefaults() Options {
	if o.SegmentBytes == 0 {
		o.SegmentBytes = 256 << 20
	}
	if o.BlockBytes == 0 {
		o.BlockBytes = 32 << 10
	}
	return o
}

// Journal is an open journal. Reading is safe for concurrent use, also with
// one writer; Append must not be called concurrently with itself.
type Journal struct {
	dir     string
	opts    Options
	encoder *zstd.Encoder
	decoder *zstd.Decoder

	mu       sync.RWMutex // guards segments and end
	segments map[int64]segment
	end      Position

	last   int64 // the segment that is written to
	broken bool  // the last segment may hold bytes beyond end
	buffer []byte
	blocks []byte
}

// segment is one file of the journal. Its size does not count for the last
// one, which ends where the journal does.
type segment struct {
	file *os.File
	size int64
}

// Open opens the journal in dir, creating both when missing. Bytes at the end
// that are not a whole block, left by a crash in the middle of a write that
// was never acknowledged, are moved to a side file.
func Open(dir string, opts Options) (*Journal, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("create journal folder: %w", err)
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	if err != nil {
		return nil, err
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxBlockBytes))
	if err != nil {
		return nil, err
	}
	j := &Journal{dir: dir, opts: opts.withDefaults(), encoder: encoder, decoder: decoder, segments: map[int64]segment{}}
	if err := j.openSegments(); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

const segmentSuffix = ".journal"

func (j *Journal) path(segment int64) string {
	return filepath.Join(j.dir, fmt.Sprintf("%08d%s", segment, segmentSuffix))
}

func (j *Journal) openSegments() error {
	entries, err := os.ReadDir(j.dir)
	if err != nil {
		return fmt.Errorf("list journal: %w", err)
	}
	var numbers []int64
	for _, entry := range entries {
		name, ok := strings.CutSuffix(entry.Name(), segmentSuffix)
		if n, err := strconv.ParseInt(name, 10, 32); ok && err == nil {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		file, err := os.OpenFile(j.path(n), os.O_RDWR, 0)
		if err != nil {
			return fmt.Errorf("open journal segment: %w", err)
		}
		info, err := file.Stat()
		if err != nil {
			return errors.Join(fmt.Errorf("open journal segment: %w", err), file.Close())
		}
		j.segments[n] = segment{file, info.Size()}
	}
	if len(numbers) == 0 {
		return j.begin(0)
	}
	j.last = numbers[len(numbers)-1]
	return j.repair()
}

// begin creates a segment and makes it the one that is written to.
func (j *Journal) begin(number int64) error {
	file, err := os.OpenFile(j.path(number), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("begin journal segment: %w", err)
	}
	if err := syncDir(j.dir); err != nil {
		return errors.Join(err, file.Close(), os.Remove(j.path(number)))
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if finished, ok := j.segments[j.last]; ok {
		j.segments[j.last] = segment{finished.file, j.end.offset()}
	}
	j.segments[number] = segment{file: file}
	j.last, j.end = number, position(number, 0)
	return nil
}

// syncDir makes the creation of a file in dir durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// repair finds the end of the last whole block. What follows it was never
// acknowledged; it is kept in a side file all the same, so that a fault of the
// disk can be told from an interrupted write.
func (j *Journal) repair() error {
	file, size := j.segments[j.last].file, j.segments[j.last].size
	at := int64(0)
	for at < size {
		frame, err := readFrame(file, at, size)
		if errors.Is(err, errDamaged) {
			break
		}
		if err != nil {
			return err
		}
		at += frame.length()
	}
	if at < size {
		if err := j.setAside(file, at, size); err != nil {
			return err
		}
	}
	j.end = position(j.last, at)
	return nil
}

func (j *Journal) setAside(file *os.File, from, size int64) error {
	tail := make([]byte, size-from)
	if _, err := file.ReadAt(tail, from); err != nil {
		return fmt.Errorf("read the interrupted end of the journal: %w", err)
	}
	side := fmt.Sprintf("%s.interrupted-at-%d", j.path(j.last), from)
	if err := os.WriteFile(side, tail, 0o644); err != nil {
		return fmt.Errorf("keep the interrupted end of the journal: %w", err)
	}
	if err := file.Truncate(from); err != nil {
		return fmt.Errorf("cut the interrupted end of the journal: %w", err)
	}
	return file.Sync()
}

// End returns the position behind the last block.
func (j *Journal) End() Position {
	j.mu.RLock()
	defer j.mu.RUnlock()
	return j.end
}

// Close closes the segment files. Everything appended is durable already.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	var err error
	for _, s := range j.segments {
		err = errors.Join(err, s.file.Close())
	}
	j.segments = nil
	j.decoder.Close()
	return err
}
