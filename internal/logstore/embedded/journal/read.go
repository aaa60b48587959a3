package journal

import (
	"errors"
	"fmt"
	"iter"
)

// Block is a run of records that were written together.
type Block struct {
	Position Position
	// Next is the position after the block.
	Next    Position
	Records [][]byte
	// Damaged marks a part of the journal that cannot be read. It has no records.
	Damaged bool
}

// Read returns the block at a position that Append or Scan returned, or
// ErrDamaged.
func (j *Journal) Read(at Position) (Block, error) {
	block, err := j.read(at, true)
	if errors.Is(err, ErrDamaged) && !j.known(at) {
		if to, extentErr := j.extentOf(at); extentErr == nil {
			j.note(at, to)
		}
	}
	return block, err
}

// read reads a block; without decode it only checks it.
func (j *Journal) read(at Position, decode bool) (Block, error) {
	s, end, ok := j.extent(at.segment())
	if !ok {
		return Block{}, fmt.Errorf("journal %s is missing: %w", j.path(at.segment()), ErrDamaged)
	}
	f, err := readFrame(s.file, at.offset(), end)
	var records [][]byte
	if err == nil && decode {
		records, err = f.records(j.decoder)
	}
	if err != nil {
		return Block{}, fmt.Errorf("journal %s at byte %d: %w", j.path(at.segment()), at.offset(), err)
	}
	return Block{Position: at, Next: at + Position(f.length()), Records: records}, nil
}

// extent returns a segment and where it ends.
func (j *Journal) extent(number int64) (s segment, end int64, ok bool) {
	j.mu.RLock()
	defer j.mu.RUnlock()
	s, ok = j.segments[number]
	if number == j.end.segment() {
		return s, j.end.offset(), ok
	}
	return s, s.size, ok
}

// Scan ranges over the blocks from a position to the end that the journal had
// when the scan began. Damage is returned as a block that is marked as such. The
// scan stops after the first error.
func (j *Journal) Scan(from Position) iter.Seq2[Block, error] { return j.walk(from, true) }

// Check is Scan without the records, which are not decompressed.
func (j *Journal) Check(from Position) iter.Seq2[Block, error] { return j.walk(from, false) }

func (j *Journal) walk(from Position, decode bool) iter.Seq2[Block, error] {
	return func(yield func(Block, error) bool) {
		end := j.End()
		for at := from; at < end; {
			if next, ok := j.nextSegment(at); ok {
				at = next
				continue
			}
			block, err := j.read(at, decode)
			if errors.Is(err, ErrDamaged) {
				block, err = j.damaged(at)
			}
			if !yield(block, err) || err != nil {
				return
			}
			at = block.Next
		}
	}
}

// damaged returns the damage at a position as a block.
func (j *Journal) damaged(at Position) (Block, error) {
	to, err := j.extentOf(at)
	if err != nil {
		return Block{}, fmt.Errorf("journal %s at byte %d: %w", j.path(at.segment()), at.offset(), err)
	}
	j.note(at, to)
	return Block{Position: at, Next: to, Damaged: true}, nil
}

// nextSegment returns where to go on if at is the end of a finished segment.
func (j *Journal) nextSegment(at Position) (Position, bool) {
	_, end, ok := j.extent(at.segment())
	if !ok || at.segment() >= j.End().segment() || at.offset() < end {
		return 0, false
	}
	return position(at.segment()+1, 0), true
}
