package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
)

// Append writes the records and flushes them to the disk. It returns for each
// record the position of its block. On an error nothing is kept, and the next
// call starts from the same place.
func (j *Journal) Append(records [][]byte) ([]Position, error) {
	if err := j.prepare(); err != nil {
		return nil, err
	}
	start := j.End()
	positions := j.encode(start, records)
	file := j.segments[j.last].file
	if err := write(file, j.blocks, start.offset()); err != nil {
		j.broken = true
		// At once, because whole blocks of it would count after a crash. If
		// it fails the next call tries again.
		return nil, errors.Join(fmt.Errorf("write journal: %w", err), j.cutOff())
	}
	j.mu.Lock()
	j.end = start + Position(len(j.blocks))
	j.mu.Unlock()
	return positions, nil
}

// prepare sees to it that nothing of a failed write is left, and begins a new
// segment when the last is full.
func (j *Journal) prepare() error {
	if err := j.cutOff(); err != nil {
		return err
	}
	end := j.End()
	if end.offset() < j.opts.SegmentBytes {
		return nil
	}
	return j.begin(j.last + 1)
}

// cutOff removes what a failed write has left.
func (j *Journal) cutOff() error {
	if !j.broken {
		return nil
	}
	if err := j.segments[j.last].file.Truncate(j.End().offset()); err != nil {
		return fmt.Errorf("cut failed write off the journal: %w", err)
	}
	j.broken = false
	return nil
}

func write(file *os.File, data []byte, at int64) error {
	if _, err := file.WriteAt(data, at); err != nil {
		return err
	}
	return flush(file)
}

// encode fills j.blocks with the frames of the records.
func (j *Journal) encode(start Position, records [][]byte) []Position {
	positions := make([]Position, len(records))
	j.blocks, j.buffer = j.blocks[:0], j.buffer[:0]
	for i, record := range records {
		positions[i] = start + Position(len(j.blocks))
		j.buffer = slices.Grow(j.buffer, binary.MaxVarintLen64+len(record))
		j.buffer = binary.AppendUvarint(j.buffer, uint64(len(record)))
		j.buffer = append(j.buffer, record...)
		if len(j.buffer) >= j.opts.BlockBytes || i == len(records)-1 {
			j.blocks = appendFrame(j.blocks, j.buffer, j.encoder)
			j.buffer = j.buffer[:0]
		}
	}
	if cap(j.buffer) > maxKeptBuffer {
		j.buffer = nil
	}
	return positions
}

// maxKeptBuffer is the largest buffer that is kept for the next call.
const maxKeptBuffer = 8 << 20
