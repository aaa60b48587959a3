package journal

import "errors"

// ErrDropped says that everything in a block was deleted, and the block with it.
var ErrDropped = errors.New("everything in this journal block was deleted")

// Sum returns the checksum that the block at a position was first written with. It
// tells whether the block is still the one that was read there. The error is
// ErrDropped if the block was deleted.
func (j *Journal) Sum(at Position) (uint32, error) {
	s, end, ok := j.acquire(at.segment())
	if !ok {
		return 0, ErrDamaged
	}
	defer s.release()
	offset, end, ok := s.inFile(at.offset(), end)
	if !ok {
		return 0, ErrDropped
	}
	if s.places == nil {
		h, err := readHeader(s.file, offset, end)
		return h.sum, err
	}
	f, err := readFrame(s.file, offset, end)
	if err != nil {
		return 0, err
	}
	o, ok := originOf(f.packed)
	if !ok {
		return 0, ErrDamaged
	}
	return o.sum, nil
}

// InLastFile reports whether a position is in the file that is written to.
func (j *Journal) InLastFile(at Position) bool {
	j.mu.RLock()
	defer j.mu.RUnlock()
	return at.segment() >= j.last
}

// BytesFrom returns the number of bytes between a position and the end.
func (j *Journal) BytesFrom(at Position) int64 {
	j.mu.RLock()
	defer j.mu.RUnlock()
	sum := int64(0)
	for number, s := range j.segments {
		size := s.size
		if number == j.end.segment() {
			size = j.end.offset()
		}
		switch {
		case number > at.segment():
			sum += size
		case number == at.segment():
			sum += max(0, size-at.offset())
		}
	}
	return sum
}
