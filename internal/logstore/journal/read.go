package journal

import (
	"fmt"
	"iter"
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
	file := j.segments[at.segment()]
	j.mu.RUnlock()
	if file == nil {
		return Block{}, fmt.Errorf("journal segment %d is missing", at.segment())
	}
	f, err := readFrame(file, at.offset(), nil)
	if err != nil {
		return Block{}, fmt.Errorf("journal %s at byte %d: %w", j.path(at.segment()), at.offset(), err)
	}
	records, err := f.records(j.decoder)
	if err != nil {
		return Block{}, fmt.Errorf("journal %s at byte %d: %w", j.path(at.segment()), at.offset(), err)
	}
	return Block{Position: at, Next: at + Position(f.length()), Records: records}, nil
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
	file := j.segments[at.segment()]
	if at.segment() >= j.end.segment() || file == nil {
		return 0, false
	}
	info, err := file.Stat()
	if err != nil || at.offset() < info.Size() {
		return 0, false // Read reports what is wrong
	}
	return position(at.segment()+1, 0), true
}
