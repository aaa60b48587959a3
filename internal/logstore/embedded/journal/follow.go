package journal

// Sum returns the checksum that the block at a position was written with. It tells
// whether the block is still the one that was read there.
func (j *Journal) Sum(at Position) (uint32, error) {
	s, end, ok := j.extent(at.segment())
	if !ok {
		return 0, ErrDamaged
	}
	h, err := readHeader(s.file, at.offset(), end)
	return h.sum, err
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
