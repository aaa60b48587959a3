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
// ErrDamaged. A block that was deleted has no records.
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
	s, end, ok := j.acquire(at.segment())
	if !ok {
		return Block{}, fmt.Errorf("journal %s is missing: %w", j.path(at.segment()), ErrDamaged)
	}
	defer s.release()
	offset, limit, ok := s.inFile(at.offset(), end)
	if !ok {
		return Block{Position: at, Next: position(at.segment(), s.places.from(at.offset()))}, nil
	}
	f, err := readFrame(s.file, offset, limit)
	var records [][]byte
	if err == nil && decode {
		records, err = f.records()
	}
	if err != nil {
		return Block{}, fmt.Errorf("journal %s at byte %d: %w", s.name, offset, err)
	}
	next := at + Position(f.length())
	if s.places != nil {
		next = position(at.segment(), s.places.from(at.offset()+1))
	}
	return Block{Position: at, Next: next, Records: records}, nil
}

// acquire returns a segment, whose file stays open until the caller releases it,
// and where it ends in the journal.
func (j *Journal) acquire(number int64) (s *segment, end int64, ok bool) {
	j.mu.RLock()
	defer j.mu.RUnlock()
	s, ok = j.segments[number]
	if !ok {
		return nil, 0, false
	}
	s.using.RLock() // at once: only files that were replaced are locked otherwise
	if number == j.end.segment() {
		return s, j.end.offset(), true
	}
	return s, s.size, true
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
			if next, ok := j.skip(at); ok {
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

// skip returns where to go on if there is no block at a position: because it is the
// end of a finished segment, or the block was deleted.
func (j *Journal) skip(at Position) (Position, bool) {
	j.mu.RLock()
	defer j.mu.RUnlock()
	s, ok := j.segments[at.segment()]
	if !ok {
		return 0, false
	}
	if s.places != nil {
		if next := s.places.from(at.offset()); next > at.offset() {
			return position(at.segment(), next), true
		}
	}
	if at.segment() >= j.end.segment() || at.offset() < s.size {
		return 0, false
	}
	return position(at.segment()+1, 0), true
}
