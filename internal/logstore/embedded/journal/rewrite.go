package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/promptuary/promptuary/internal/durable"
)

// Keep returns what stays of the records of a block, and whether that differs
// from what there is. It keeps the number and the order of the records: one that
// goes is empty. A block without any other record is left out.
type Keep func(at Position, records [][]byte) (kept [][]byte, changed bool)

// Rewritten is what writing a segment again has changed.
type Rewritten struct {
	// Blocks is the number of blocks that were changed or left out, 0 if the file
	// stays as it was.
	Blocks int64
	// Before and After are the sizes of the file.
	Before, After int64
	// Damaged is the number of damaged bytes, which were copied as they are.
	Damaged int64
}

// Segments returns the numbers of the segments, the one that is written to last.
func (j *Journal) Segments() []int64 {
	j.mu.RLock()
	defer j.mu.RUnlock()
	numbers := make([]int64, 0, len(j.segments))
	for n := range j.segments {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	return numbers
}

// Has reports whether a block that was written at a position is still there.
func (j *Journal) Has(at Position) bool {
	j.mu.RLock()
	defer j.mu.RUnlock()
	s, ok := j.segments[at.segment()]
	if !ok || s.places == nil {
		return ok
	}
	_, ok = s.places.find(at.offset())
	return ok
}

// DiskBytes returns the size of the files.
func (j *Journal) DiskBytes() (sum int64, err error) {
	for _, number := range j.Segments() {
		s, _, ok := j.acquire(number)
		if !ok {
			continue
		}
		info, statErr := s.file.Stat()
		s.release()
		if statErr != nil {
			return 0, statErr
		}
		sum += info.Size()
	}
	return sum, nil
}

// Rotate begins a new segment, so that the last one can be rewritten. It must
// not be called concurrently with Append.
func (j *Journal) Rotate() error {
	if err := j.moveTail(); err != nil {
		return err
	}
	if err := j.cutOff(); err != nil {
		return err
	}
	if j.End().offset() == 0 {
		return nil
	}
	return j.begin(j.last + 1)
}

// Changes reports whether keep changes anything in a segment.
func (j *Journal) Changes(number int64, keep Keep) (bool, error) {
	for block, err := range j.walkSegment(number) {
		if err != nil {
			return false, err
		}
		if _, changed := keep(block.Position, block.Records); changed {
			return true, nil
		}
	}
	return false, nil
}

// walkSegment ranges over the blocks of a segment.
func (j *Journal) walkSegment(number int64) func(yield func(Block, error) bool) {
	return func(yield func(Block, error) bool) {
		for block, err := range j.Scan(position(number, 0)) {
			if err == nil && block.Position.segment() > number {
				return
			}
			if !yield(block, err) {
				return
			}
		}
	}
}

// Rewrite replaces the file of a segment, which is not the one that is written to,
// by one with what keep leaves of it. Readers go on in the meantime, and blocks keep their
// positions. After a crash the segment is as before, or as after. The caller calls
// it for one segment at a time.
func (j *Journal) Rewrite(number int64, keep Keep) (r Rewritten, err error) {
	j.mu.RLock()
	old, ok := j.segments[number]
	last := j.last
	j.mu.RUnlock()
	if !ok || number >= last {
		return r, fmt.Errorf("cannot rewrite journal segment %d", number)
	}
	if changes, err := j.Changes(number, keep); err != nil || !changes {
		return r, err
	}
	name := segmentName(number, old.generation+1)
	w, err := newRewriter(filepath.Join(j.dir, name), uint32(old.size))
	if err != nil {
		return r, fmt.Errorf("write journal segment %d again: %w", number, err)
	}
	if r, err = j.copyTo(w, number, keep); err == nil {
		err = w.finish()
	}
	if err != nil {
		return Rewritten{}, errors.Join(fmt.Errorf("write journal segment %d again: %w", number, err), w.discard())
	}
	if err := durable.SyncFolder(j.dir); err != nil {
		return Rewritten{}, fmt.Errorf("write journal segment %d again: %w", number, err)
	}
	info, err := old.file.Stat()
	if err != nil {
		return Rewritten{}, fmt.Errorf("write journal segment %d again: %w", number, err)
	}
	r.Before, r.After = info.Size(), w.at
	return r, j.swap(number, old, name)
}

// copyTo copies the blocks of a segment.
func (j *Journal) copyTo(w *rewriter, number int64, keep Keep) (r Rewritten, err error) {
	for block, err := range j.walkSegment(number) {
		if err != nil {
			return r, err
		}
		if block.Damaged {
			bytes, err := j.copyDamage(w, block)
			r.Damaged += bytes
			if err != nil {
				return r, err
			}
			continue
		}
		kept, changed := keep(block.Position, block.Records)
		if changed {
			r.Blocks++
		}
		if changed && empty(kept) {
			continue
		}
		if err := j.copyBlock(w, block, kept, changed); err != nil {
			return r, err
		}
	}
	return r, nil
}

func empty(records [][]byte) bool {
	return !slices.ContainsFunc(records, func(r []byte) bool { return len(r) > 0 })
}

// copyBlock writes a block with the records that are kept. One that did not change
// is not compressed again.
func (j *Journal) copyBlock(w *rewriter, block Block, kept [][]byte, changed bool) error {
	f, sum, err := j.stored(block.Position)
	if err != nil {
		return err
	}
	o, described := originOf(f.packed)
	if !described {
		o = origin{uint32(block.Position.offset()), w.places.size, sum}
	}
	frame := make([]byte, headerBytes, headerBytes+originBytes+len(f.packed))
	switch {
	case changed:
		frame = o.append(frame)
		raw := joinRecords(kept)
		if frame, err = appendPacked(frame, raw); err != nil {
			return err
		}
		f.raw = len(raw)
	case described:
		frame = append(frame, f.packed...)
	default:
		frame = append(o.append(frame), f.packed...)
	}
	header{packed: uint32(len(frame) - headerBytes), raw: uint32(f.raw)}.seal(frame)
	w.places.add(o.offset, uint32(w.at))
	return w.write(frame)
}

func joinRecords(records [][]byte) []byte {
	var raw []byte
	for _, r := range records {
		raw = append(binary.AppendUvarint(raw, uint64(len(r))), r...)
	}
	return raw
}

// stored returns the frame of a block as it is in the file, and its checksum.
func (j *Journal) stored(at Position) (frame, uint32, error) {
	s, end, ok := j.acquire(at.segment())
	if !ok {
		return frame{}, 0, ErrDamaged
	}
	defer s.release()
	offset, end, _ := s.inFile(at.offset(), end)
	f, err := readFrame(s.file, offset, end)
	if err != nil {
		return f, 0, err
	}
	return f, header{packed: uint32(len(f.packed)), raw: uint32(f.raw)}.checksum(f.packed), nil
}

// copyDamage copies damaged bytes as they are: nobody can tell what is in them, and
// a repair may set them aside. It returns their number.
func (j *Journal) copyDamage(w *rewriter, block Block) (int64, error) {
	s, end, ok := j.acquire(block.Position.segment())
	if !ok {
		return 0, nil
	}
	defer s.release()
	from, to := block.Position.offset(), block.Next.offset()
	if block.Next.segment() != block.Position.segment() {
		to = end
	}
	if s.places != nil {
		var found bool
		if from, found = s.places.find(from); !found {
			return 0, nil
		}
		to = s.places.room(from)
	}
	damaged := make([]byte, to-from)
	if _, err := s.file.ReadAt(damaged, from); err != nil {
		clear(damaged) // the device cannot read them; they stay damage
	}
	w.places.add(uint32(block.Position.offset()), uint32(w.at))
	return int64(len(damaged)), w.write(damaged)
}

// swap makes the new file the one of the segment, and removes the old one when
// nobody reads it any more.
func (j *Journal) swap(number int64, old *segment, name string) error {
	fresh, err := j.openSegment(number, name)
	if err != nil {
		return err
	}
	j.mu.Lock()
	j.segments[number] = fresh
	j.mu.Unlock()
	if err := os.Remove(filepath.Join(j.dir, old.name)); err != nil {
		return fmt.Errorf("remove the old file of journal segment %d: %w", number, err)
	}
	old.using.Lock()
	defer old.using.Unlock()
	return errors.Join(old.file.Close(), durable.SyncFolder(j.dir))
}

// segmentName returns the name of the file of a segment that was rewritten so
// many times.
func segmentName(number, generation int64) string {
	if generation == 0 {
		return fmt.Sprintf("%08d%s", number, segmentSuffix)
	}
	return fmt.Sprintf("%08d-g%d%s", number, generation, segmentSuffix)
}

var segmentPattern = regexp.MustCompile(`^([0-9]{8,10})(?:-g([1-9][0-9]{0,8}))?\` + segmentSuffix + `$`)

// parseName undoes segmentName.
func parseName(name string) (number, generation int64, ok bool) {
	parts := segmentPattern.FindStringSubmatch(name)
	if parts == nil {
		return 0, 0, false
	}
	number, err := strconv.ParseInt(parts[1], 10, 32)
	if err != nil {
		return 0, 0, false
	}
	if parts[2] != "" {
		if generation, err = strconv.ParseInt(parts[2], 10, 32); err != nil {
			return 0, 0, false
		}
	}
	return number, generation, true
}

// IsLast reports whether a segment is the one that is written to.
func (j *Journal) IsLast(number int64) bool {
	j.mu.RLock()
	defer j.mu.RUnlock()
	return number >= j.last
}
