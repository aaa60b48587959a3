package journal

import (
	"bytes"
	"errors"
	"slices"
)

// Damage is a part of the journal that does not hold what was written to it:
// one damaged block, or several next to each other. All other blocks can be
// read.
type Damage struct {
	From, To Position
	// Path is the segment file, and Offset and Bytes the part of it. A missing
	// file has no bytes.
	Path          string
	Offset, Bytes int64
}

// Damage returns the damage found until now, in the order of the journal.
func (j *Journal) Damage() []Damage {
	j.mu.RLock()
	defer j.mu.RUnlock()
	return slices.Clone(j.damage)
}

// known reports whether a position is in damage that was found.
func (j *Journal) known(at Position) bool {
	return slices.ContainsFunc(j.Damage(), func(d Damage) bool { return d.From <= at && at < d.To })
}

// note records damage and reports it, unless it is known.
func (j *Journal) note(from, to Position) {
	d := Damage{From: from, To: to, Offset: from.offset()}
	if from.segment() == to.segment() {
		d.Bytes = int64(to - from)
	}
	j.mu.Lock()
	d.Path = j.pathOf(from.segment())
	if s := j.segments[from.segment()]; s != nil && s.places != nil {
		if at, ok := s.places.find(from.offset()); ok {
			d.Offset, d.Bytes = at, s.places.room(at)-at
		}
	}
	at, known := slices.BinarySearchFunc(j.damage, from, func(d Damage, from Position) int { return int(d.From - from) })
	if !known {
		j.damage = slices.Insert(j.damage, at, d)
	}
	j.mu.Unlock()
	if !known && j.opts.OnDamage != nil {
		j.opts.OnDamage(d)
	}
}

// extentOf returns where the damage at a position ends: at the next intact
// block, or at the end of the segment.
func (j *Journal) extentOf(at Position) (Position, error) {
	s, end, ok := j.acquire(at.segment())
	if !ok {
		return j.following(at.segment()), nil
	}
	defer s.release()
	if s.places != nil {
		return position(at.segment(), s.places.from(at.offset()+1)), nil
	}
	next, _, err := j.finder().resync(s.file, at.offset(), end)
	return position(at.segment(), next), err
}

// following returns the beginning of the first segment after one that is
// missing. The caller knows that there is one.
func (j *Journal) following(number int64) Position {
	j.mu.RLock()
	defer j.mu.RUnlock()
	for number++; number < j.last; number++ {
		if _, ok := j.segments[number]; ok {
			break
		}
	}
	return position(number, 0)
}

// finder finds frames in a file without knowing where they begin.
type finder struct {
	// wellFormed is that of Options.
	wellFormed func(records [][]byte) bool
}

func (j *Journal) finder() finder { return finder{wellFormed: j.opts.WellFormed} }

// resync returns the offset of the first intact frame after a damaged one, or
// end if there is none. It reports false if there may be one nevertheless,
// because a part of the segment could not be searched.
//
// If the header of the damaged frame survived, it says where the next frame
// begins. Otherwise the segment is searched for the magic of a frame whose
// checksum holds and whose records are well-formed.
func (f finder) resync(file reader, at, end int64) (next int64, complete bool, err error) {
	h, err := readHeader(file, at, end)
	if err == nil && h.plausible(end-at) {
		if claimed := at + h.length(); f.intact(file, claimed, end) {
			return claimed, true, nil
		}
	}
	if err != nil && !errors.Is(err, ErrDamaged) {
		return end, false, err
	}
	return f.search(file, at+1, end)
}

const (
	// searchChunk is how much of a segment is searched at once.
	searchChunk = 1 << 20
	// maxSearched bounds the bytes of candidates that one search reads. Frames
	// of version 0.1 can contain many headers that a client made up.
	maxSearched = 4 << 30
)

// search looks for an intact frame between two offsets.
func (f finder) search(file reader, from, end int64) (next int64, complete bool, err error) {
	chunk := make([]byte, searchChunk)
	budget := int64(maxSearched)
	complete = true
	for at := from; at+headerBytes <= end; at += searchChunk - headerBytes {
		part := chunk[:min(searchChunk, end-at)]
		if _, err := file.ReadAt(part, at); err != nil {
			if err = orDamaged(err); !errors.Is(err, ErrDamaged) {
				return end, false, err
			}
			complete = false // unreadable; frames behind it can still be found
			continue
		}
		for offset := 0; ; offset++ {
			hit := bytes.Index(part[offset:], magicBytes)
			if hit < 0 || offset+hit+headerBytes > len(part) {
				break
			}
			offset += hit
			h := parseHeader(part[offset:])
			if !h.plausible(end - at - int64(offset)) {
				continue
			}
			if budget -= h.length(); budget < 0 {
				return end, false, nil
			}
			if f.intact(file, at+int64(offset), end) {
				return at + int64(offset), true, nil
			}
		}
	}
	return end, complete, nil
}

// intact reports whether there is a frame at an offset whose checksum holds and
// whose records are well-formed.
func (f finder) intact(file reader, at, end int64) bool {
	found, err := readIntact(file, at, end)
	if err != nil {
		return false
	}
	records, err := found.records()
	return err == nil && (f.wellFormed == nil || f.wellFormed(records))
}
