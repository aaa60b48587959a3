package journal

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// unfinishedSuffix ends the name of a file that is being rewritten.
const unfinishedSuffix = ".unfinished"

// rewriter writes the file of a segment again.
type rewriter struct {
	path   string
	file   *os.File
	out    *bufio.Writer
	places places
	at     int64
}

func newRewriter(path string, size uint32) (*rewriter, error) {
	file, err := os.OpenFile(path+unfinishedSuffix, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return nil, err
	}
	return &rewriter{path: path, file: file, out: bufio.NewWriterSize(file, 1<<20), places: places{size: size}}, nil
}

func (w *rewriter) write(b []byte) error {
	_, err := w.out.Write(b)
	w.at += int64(len(b))
	return err
}

// finish makes the file durable and gives it its name.
func (w *rewriter) finish() error {
	if err := w.write(w.places.frame()); err != nil {
		return err
	}
	if err := errors.Join(w.out.Flush(), w.file.Sync()); err != nil {
		return err
	}
	if err := w.file.Close(); err != nil {
		return err
	}
	return os.Rename(w.file.Name(), w.path)
}

// discard removes what was written.
func (w *rewriter) discard() error {
	_ = w.file.Close() // it may be closed already
	err := os.Remove(w.file.Name())
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// CutRewritten removes the blocks from an offset of a segment on, if the file is one
// that was rewritten, and reports whether it is. Nobody may have the journal
// open.
func CutRewritten(file SegmentFile, offset int64) (rewritten bool, err error) {
	number, generation, ok := parseName(file.Name)
	if !ok || generation == 0 {
		return false, nil
	}
	p, err := finder{}.readPlaces(file, file.Info.Size())
	if err != nil {
		return true, err
	}
	if offset > int64(p.size) {
		return true, fmt.Errorf("the journal has no block that begins at %d:%d", number, offset)
	}
	w, err := newRewriter(filepath.Join(filepath.Dir(file.File.Name()), segmentName(number, generation+1)), uint32(offset))
	if err != nil {
		return true, err
	}
	for i, at := range p.at {
		if int64(p.offsets[i]) >= offset {
			break
		}
		part := make([]byte, p.room(int64(at))-int64(at))
		if _, err := file.ReadAt(part, int64(at)); err != nil {
			return true, errors.Join(err, w.discard())
		}
		w.places.add(p.offsets[i], uint32(w.at))
		if err := w.write(part); err != nil {
			return true, errors.Join(err, w.discard())
		}
	}
	if err := w.finish(); err != nil {
		return true, errors.Join(err, w.discard())
	}
	return true, os.Remove(file.File.Name())
}
