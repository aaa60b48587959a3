// Package journal is an append-only, durable list of records in segment files.
// Acknowledged data is safe once it is in the journal; everything else that is
// stored about the records is derived from it and can be rebuilt.
//
// Records are written in blocks. A block is compressed as a whole, because
// neighbouring records resemble each other, and has a checksum. Append writes
// its blocks and flushes them to the disk once, however many records it is
// given, so callers should batch.
//
// # Damage
//
// A block whose checksum does not hold is damage, and the journal continues with
// the next intact block. Only bytes at the very end of the journal, with no
// intact block behind them, can be a write that a crash interrupted before it
// was acknowledged. They are moved to a side file when the next record is
// appended. Opening a journal changes nothing, but makes what it finds durable.
package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/promptuary/promptuary/internal/durable"
)

// Position is where a block begins. Positions rise in the order of writing; 0
// is the beginning of the journal.
type Position int64

func position(segment, offset int64) Position { return Position(segment<<32 | offset) }

func (p Position) segment() int64 { return int64(p) >> 32 }
func (p Position) offset() int64  { return int64(p) & (1<<32 - 1) }

// Options configure a journal. The zero value is a good default.
type Options struct {
	// SegmentBytes is the size at which a new segment file is begun.
	SegmentBytes int64
	// BlockBytes is how many bytes of records are compressed together: more
	// compress better, fewer are faster to read one by one.
	BlockBytes int
	// ReadOnly opens the files for reading, and creates none.
	ReadOnly bool
	// WellFormed, if set, reports whether records can be what was written. It
	// keeps a search for the next block after damage from being misled.
	WellFormed func(records [][]byte) bool
	// OnDamage, if set, is called once for each damage found, from any goroutine.
	OnDamage func(Damage)
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
	dir  string
	opts Options

	mu       sync.RWMutex // guards segments, end, tail and damage
	segments map[int64]*segment
	end      Position
	tail     int64 // bytes of an interrupted write after end
	damage   []Damage

	last   int64 // the segment that is written to
	active *segment
	broken bool // the last segment may hold bytes of a failed write after end
	buffer []byte
	blocks []byte
}

// segment is one file of the journal. The size of the last one is not used: it
// ends where the journal does.
type segment struct {
	file *os.File
	name string
	// size is that of the segment in the journal. Its file is smaller if it was
	// rewritten.
	size int64
	// generation counts how often the segment was rewritten, and places says
	// where its blocks are since, nil if it was not.
	generation int64
	places     *places
	// using is held shared by readers, and exclusively to close a file that was
	// replaced.
	using sync.RWMutex
}

func (s *segment) path(dir string) string { return filepath.Join(dir, s.name) }

// release ends a reading that acquire has begun.
func (s *segment) release() { s.using.RUnlock() }

// inFile returns where the block at an offset is in the file, and where the part
// of the file ends that it is in. It reports whether the block is there at all.
func (s *segment) inFile(offset, end int64) (at, limit int64, ok bool) {
	if s.places == nil {
		return offset, end, true
	}
	at, ok = s.places.find(offset)
	return at, int64(s.places.end), ok
}

// reader is a segment file.
type reader = io.ReaderAt

// Open opens the journal in dir, creating both when missing.
func Open(dir string, opts Options) (*Journal, error) {
	if !opts.ReadOnly {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, fmt.Errorf("create journal folder: %w", err)
		}
	}
	j := &Journal{dir: dir, opts: opts.withDefaults(), segments: map[int64]*segment{}}
	if err := j.openSegments(); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

const segmentSuffix = ".journal"

// path returns the path of the file of a segment, which may be missing.
func (j *Journal) path(segment int64) string {
	j.mu.RLock()
	defer j.mu.RUnlock()
	return j.pathOf(segment)
}

// pathOf is path for callers that hold mu.
func (j *Journal) pathOf(segment int64) string {
	if s, ok := j.segments[segment]; ok {
		return s.path(j.dir)
	}
	return filepath.Join(j.dir, segmentName(segment, 0))
}

func (j *Journal) openSegments() error {
	var err error
	for range openAttempts {
		// Another process can replace a file between listing and opening.
		if err = j.openNewest(); !errors.Is(err, fs.ErrNotExist) || !j.opts.ReadOnly {
			break
		}
	}
	if err != nil {
		return err
	}
	if len(j.segments) == 0 {
		if j.opts.ReadOnly {
			return nil
		}
		return j.begin(0)
	}
	for number := range j.segments {
		j.last = max(j.last, number)
	}
	j.active = j.segments[j.last]
	if err := j.flushLast(); err != nil {
		return err
	}
	return j.findEnd()
}

// openNewest opens the newest file of each segment, and removes what interrupted
// rewritings have left.
func (j *Journal) openNewest() error {
	newest, old, err := listSegments(j.dir)
	if err != nil {
		return err
	}
	for number, name := range newest {
		if j.segments[number] != nil && j.segments[number].name == name {
			continue // from an attempt before
		}
		s, err := j.openSegment(number, name)
		if err != nil {
			return err
		}
		if before := j.segments[number]; before != nil {
			_ = before.file.Close() // it was only read
		}
		j.segments[number] = s
	}
	if j.opts.ReadOnly {
		return nil
	}
	for _, name := range old {
		if err := os.Remove(filepath.Join(j.dir, name)); err != nil {
			return fmt.Errorf("remove what an interrupted rewriting of the journal has left: %w", err)
		}
	}
	return nil
}

// openSegment opens a file of a segment.
func (j *Journal) openSegment(number int64, name string) (s *segment, err error) {
	mode := os.O_RDWR
	if j.opts.ReadOnly {
		mode = os.O_RDONLY
	}
	file, err := os.OpenFile(filepath.Join(j.dir, name), mode, 0)
	if err != nil {
		return nil, fmt.Errorf("open journal segment: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("open journal segment %d: %w", number, err), file.Close())
		}
	}()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	_, generation, _ := parseName(name)
	s = &segment{file: file, name: name, size: info.Size(), generation: generation}
	if generation > 0 {
		if s.places, err = j.finder().readPlaces(file, info.Size()); err != nil {
			return nil, err
		}
		s.size = int64(s.places.size)
	}
	return s, nil
}

// flushLast makes blocks durable that a process wrote but did not flush before it
// was killed: they are about to be served, and the next block may go to another
// file.
func (j *Journal) flushLast() error {
	if j.opts.ReadOnly {
		return nil
	}
	if err := j.active.file.Sync(); err != nil {
		return fmt.Errorf("flush journal: %w", err)
	}
	return nil
}

// begin creates a segment and makes it the one that is written to.
func (j *Journal) begin(number int64) error {
	name := segmentName(number, 0)
	file, err := os.OpenFile(filepath.Join(j.dir, name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("begin journal segment: %w", err)
	}
	if err := durable.SyncFolder(j.dir); err != nil {
		return errors.Join(err, file.Close(), os.Remove(file.Name()))
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.active != nil {
		j.active.size = j.end.offset()
	}
	j.active = &segment{file: file, name: name}
	j.segments[number] = j.active
	j.last, j.end = number, position(number, 0)
	return nil
}

// findEnd reads the last segment. Damage with an intact block behind it, or
// which could not be searched completely, is part of the journal; what follows
// the last intact block otherwise is a write that was interrupted.
func (j *Journal) findEnd() error {
	file, size := j.active.file, j.active.size
	if j.active.places != nil { // nothing is appended to it
		j.end = position(j.last, size)
		return nil
	}
	for at := int64(0); at < size; {
		f, err := readFrame(file, at, size)
		if err == nil {
			at += f.length()
			j.end = position(j.last, at)
			continue
		}
		if !errors.Is(err, ErrDamaged) {
			return fmt.Errorf("read journal %s at byte %d: %w", j.path(j.last), at, err)
		}
		next, complete, err := j.finder().resync(file, at, size)
		if err != nil {
			return fmt.Errorf("read journal %s at byte %d: %w", j.path(j.last), at, err)
		}
		if next == size && complete {
			j.end, j.tail = position(j.last, at), size-at
			return nil
		}
		j.note(position(j.last, at), position(j.last, next))
		at = next
	}
	j.end = position(j.last, size)
	return nil
}

// Tail returns the number of bytes after the end of the journal that are not an
// intact block. They were never acknowledged, unless derived data knows them.
func (j *Journal) Tail() int64 {
	j.mu.RLock()
	defer j.mu.RUnlock()
	return j.tail
}

// KeepTail makes the bytes after the end part of the journal, as damage. The
// caller knows that they were acknowledged.
func (j *Journal) KeepTail() {
	j.mu.Lock()
	from := j.end
	j.end += Position(j.tail)
	j.tail = 0
	to := j.end
	j.mu.Unlock()
	if from < to {
		j.note(from, to)
	}
}

// End returns the position after the last block.
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
	return err
}
