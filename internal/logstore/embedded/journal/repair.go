package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/promptuary/promptuary/internal/durable"
)

// skippable begins a part of compressed data that decoders skip.
const skippable = 0x184d2a50

// SetAside copies damage to a side file and puts an empty block in its place, so
// that it is no longer reported. It returns the side file, "" for a missing
// segment, which becomes an empty one. The journal must not be in use otherwise.
func (j *Journal) SetAside(d Damage) (path string, err error) {
	s, end, ok := j.acquire(d.From.segment())
	if !ok {
		return "", j.replaceMissing(d)
	}
	defer s.release()
	path, err = j.copyAside(fmt.Sprintf("%s.damaged-at-%d", d.Path, d.Offset), s.file, d.Offset, d.Bytes)
	if err != nil {
		return "", err
	}
	void := voidFrame(d.Bytes)
	switch {
	case void != nil:
		_, err = s.file.WriteAt(void, d.Offset)
	case d.Offset+d.Bytes == end && s.places == nil: // too short for a block
		err = s.file.Truncate(d.Offset)
	default:
		err = errors.New("there is no room for an empty block")
	}
	if err = errors.Join(err, s.file.Sync()); err != nil {
		return path, fmt.Errorf("replace the damage at byte %d of %s: %w", d.Offset, d.Path, err)
	}
	return path, nil
}

// replaceMissing creates empty files for missing segments.
func (j *Journal) replaceMissing(d Damage) error {
	for n := d.From.segment(); n < d.To.segment(); n++ {
		file, err := os.OpenFile(filepath.Join(j.dir, segmentName(n, 0)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return fmt.Errorf("replace missing segment: %w", err)
		}
		if err := errors.Join(file.Sync(), file.Close()); err != nil {
			return fmt.Errorf("replace missing segment: %w", err)
		}
	}
	return durable.SyncFolder(j.dir)
}

// voidFrame returns a frame without records that has the given length, nil if
// that is too short.
func voidFrame(length int64) []byte {
	if length < headerBytes+8 {
		return nil
	}
	void := make([]byte, length)
	packed := void[headerBytes:]
	binary.LittleEndian.PutUint32(packed, skippable)
	binary.LittleEndian.PutUint32(packed[4:], uint32(len(packed)-8))
	header{packed: uint32(len(packed))}.seal(void)
	return void
}
