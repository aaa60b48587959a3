package journal

import (
	"fmt"
	"iter"
	"os"
)

// Block is a run of records that were written together.
type Block struct {
	Position Position
	// Next is the position behind the block.
	Next    Position
	Records [][]byte
}

// Read returns the block at a position that Append or Scan has named.
func (j *Journal) Read(at Position) (Block, error) {
	j.mu.RLock()
	file, end, ok := j.extent(at.segment())
	j.mu.RUnlock()
	if !ok {
		return Block{}, fmt.Errorf("journal segment %d is missing", at.segment())
	}
	f, err := readFrame(file, at.offset(), end)
	if err != nil {
		return Block{}, fmt.Errorf("journal %s at byte %d: %w", j.path(at.segment()), at.offset(), err)
	}
	records, err := f.records(j.decoder)
	if err != nil {
		return Block{}, fmt.Errorf("journal %s at byte %d: %w", j.path(at.segment()), at.offset(), err)
	}
	return Block{Position: at, Next: at + Position(f.length()), Records: records}, nil
}

// extent returns a segment's file and where it ends. The caller holds mu.
func (j *Journal) extent(number int64) (file *os.File, end int64, ok bool) {
	s, ok := j.segments[number]
	if number == j.end.segment() {
		return s.file, j.end.offset(), ok
	}
	return s.file, s.size, ok
}

// Scan ranges over the blocks from a position to the end that the journal had
// when the scan began. It stops after the first error.
func (j *Journal) Scan(from Position) iter.Seq2[Block, error] {
	return func(yield func(Block, error) bool) {
		end := j.End()
		for at := from; at < end; {
			if next, ok := j.nextSegment(at); ok {
				at = next
				continue
			}
			block, err := j.Read(at)
			if !yield(block, err) || err != nil {
				return
			}
			at = block.Next
		}
	}
}

// nextSegment returns where to go on when at is the end of a finished segment.
func (j *Journal) nextSegment(at Position) (Position, bool) {
	j.mu.RLock()
	defer j.mu.RUnlock()
	_, end, ok := j.extent(at.segment())
	if !ok || at.segment() >= j.end.segment() || at.offset() < end {
		return 0, false // Read reports what is wrong
	}
	return position(at.segment()+1, 0), true
}
