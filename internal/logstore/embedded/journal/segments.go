package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// SegmentFile is an open file of a journal, which another process may be writing
// to.
type SegmentFile struct {
	*os.File
	// Name is that of the file in its folder, and Info what it was when it was opened.
	Name string
	Info os.FileInfo
	// Number counts the segments.
	Number int64
}

// OpenSegments opens the segment files in dir for reading, in their order. The
// caller closes them.
func OpenSegments(dir string) (files []SegmentFile, err error) {
	for range openAttempts {
		// A rewriting can replace a file between listing and opening.
		if files, err = openSegments(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return files, err
}

// openAttempts is far more often than rewritings can get in between.
const openAttempts = 100

func openSegments(dir string) (files []SegmentFile, err error) {
	newest, _, err := listSegments(dir)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			CloseSegments(files)
			files = nil
		}
	}()
	for _, number := range slices.Sorted(maps.Keys(newest)) {
		file, err := os.Open(filepath.Join(dir, newest[number]))
		if err != nil {
			return files, fmt.Errorf("open journal segment: %w", err)
		}
		files = append(files, SegmentFile{File: file, Name: newest[number], Number: number})
		if files[len(files)-1].Info, err = file.Stat(); err != nil {
			return files, fmt.Errorf("open journal segment: %w", err)
		}
	}
	return files, nil
}

// CloseSegments closes the files.
func CloseSegments(files []SegmentFile) {
	for _, file := range files {
		_ = file.Close() // it was only read
	}
}

// Spoilt is a part of a segment file that cannot be read.
type Spoilt struct{ Offset, Bytes int64 }

// CheckSegment checks the blocks between two offsets of a segment file, of which
// the first is the beginning of a block. It returns where the last intact block
// ends, and what is damaged before that. What follows is damage, too, or a write
// in progress if it is the last segment.
func CheckSegment(file io.ReaderAt, from, to int64, wellFormed func([][]byte) bool) (end int64, spoilt []Spoilt, err error) {
	frames := finder{wellFormed: wellFormed}
	end = from
	for at := from; at < to; {
		f, err := readFrame(file, at, to)
		if err == nil {
			at += f.length()
			end = at
			continue
		}
		if !errors.Is(err, ErrDamaged) {
			return 0, nil, fmt.Errorf("read journal at byte %d: %w", at, err)
		}
		next, complete, err := frames.resync(file, at, to)
		if err != nil {
			return 0, nil, fmt.Errorf("read journal at byte %d: %w", at, err)
		}
		if next == to && complete {
			return end, spoilt, nil
		}
		spoilt = append(spoilt, Spoilt{Offset: at, Bytes: next - at})
		at, end = next, next
	}
	return end, spoilt, nil
}

// At returns the position of an offset of a segment, and Split undoes it.
func At(segment, offset int64) Position { return position(segment, offset) }

// Split returns the segment of a position and the offset in it.
func (p Position) Split() (segment, offset int64) { return p.segment(), p.offset() }

// listSegments returns the name of the newest file of each segment, and the names of
// files that an interrupted rewriting has left.
func listSegments(dir string) (newest map[int64]string, old []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("list journal: %w", err)
	}
	newest = map[int64]string{}
	generations := map[int64]int64{}
	for _, entry := range entries {
		name := entry.Name()
		if rewritten, ok := strings.CutSuffix(name, unfinishedSuffix); ok {
			if _, _, ok := parseName(rewritten); ok {
				old = append(old, name)
			}
			continue
		}
		number, generation, ok := parseName(name)
		if !ok {
			continue
		}
		if before, found := newest[number]; found {
			if generations[number] > generation {
				old = append(old, name)
				continue
			}
			old = append(old, before)
		}
		newest[number], generations[number] = name, generation
	}
	return newest, old, nil
}
