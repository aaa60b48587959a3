package textindex

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/promptuary/promptuary/internal/durable"
)

// A segment file is, one after the other:
//
//	magic
//	postings    the posting lists in the order of their keys
//	dictionary  blocks of blockTerms keys
//	index       per block, and once more for the end: two 64-bit numbers
//	            that say where its keys start in the dictionary and its lists
//	            in the postings, and its signature
//	documents   see docTable
//	footer      see footer.go
//
// A dictionary entry is: one byte with the number of bytes that the key
// shares with the one before (0 at the start of a block), one byte with the
// number of bytes that follow, those bytes, and a varint of the length of the
// posting list << 1 | 1 if it is dense.
const (
	magic      = "PMTXIDX3"
	blockTerms = 32

	segmentSuffix = ".seg"
	tempSuffix    = ".tmp"
)

var checksumTable = crc32.MakeTable(crc32.Castagnoli)

// section is a part of the file under construction.
type section struct {
	file *os.File
	w    *bufio.Writer
	size uint64
	sum  uint32
}

func createSection(path string) (*section, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &section{file: file, w: bufio.NewWriterSize(file, 256<<10)}, nil
}

func (s *section) write(b []byte) error {
	s.size += uint64(len(b))
	s.sum = crc32.Update(s.sum, checksumTable, b)
	_, err := s.w.Write(b)
	return err
}

// segmentWriter writes one segment file, key by key in rising order.
type segmentWriter struct {
	dir  string
	name string
	foot footer
	// The postings go straight to their place. The dictionary, which may be
	// larger than one wants to hold in memory, waits in a file of its own.
	postings, dict *section
	index          []byte
	table          docTable
	block          signature // of the block at work
	prev           []byte    // key before
	entry          []byte    // scratch
}

// newSegmentWriter starts a file for the documents that about describes.
func newSegmentWriter(dir string, about footer) (*segmentWriter, error) {
	name, err := freeName(dir, about.span)
	if err != nil {
		return nil, fmt.Errorf("create segment: %w", err)
	}
	w := &segmentWriter{dir: dir, name: name, foot: about}
	if w.postings, err = createSection(w.path() + tempSuffix); err != nil {
		return nil, fmt.Errorf("create segment: %w", err)
	}
	if w.dict, err = createSection(w.path() + ".dict" + tempSuffix); err != nil {
		w.discard()
		return nil, fmt.Errorf("create segment: %w", err)
	}
	if _, err = w.postings.w.WriteString(magic); err != nil {
		w.discard()
		return nil, fmt.Errorf("write segment: %w", err)
	}
	return w, nil
}

// path returns the path of the file.
func (w *segmentWriter) path() string { return filepath.Join(w.dir, w.name) }

// freeName returns a name for a segment that no file has.
func freeName(dir string, s span) (string, error) {
	name := fmt.Sprintf("%013d-%013d", s.first, s.last)
	for n, free := 1, name; ; n++ {
		_, err := os.Lstat(filepath.Join(dir, free+segmentSuffix))
		if errors.Is(err, fs.ErrNotExist) {
			return free + segmentSuffix, nil
		}
		if err != nil {
			return "", err
		}
		free = fmt.Sprintf("%s-g%d", name, n)
	}
}

// termsPerPause is the number of terms that are written in about a millisecond.
const termsPerPause = 512

// add writes a key, which must be above all before it, and its list.
func (w *segmentWriter) add(key, list []byte, dense bool) error {
	shared := 0
	if w.foot.terms%blockTerms == 0 {
		w.addBlock()
	} else {
		shared = sharedPrefix(w.prev, key)
	}
	if w.foot.terms++; w.foot.terms%termsPerPause == 0 {
		runtime.Gosched() // so that commits and short requests are not delayed
	}
	w.block.addKey(key)
	size := uint64(len(list)) << 1
	if dense {
		size |= 1
	}
	w.entry = append(w.entry[:0], uint8(shared), uint8(len(key)-shared))
	w.entry = append(w.entry, key[shared:]...)
	w.entry = binary.AppendUvarint(w.entry, size)
	w.prev = append(w.prev[:0], key...)
	if err := w.dict.write(w.entry); err != nil {
		return fmt.Errorf("write dictionary: %w", err)
	}
	if err := w.postings.write(list); err != nil {
		return fmt.Errorf("write postings: %w", err)
	}
	return nil
}

// addBlock completes the index entry of the block before, if there is one,
// and starts the next.
func (w *segmentWriter) addBlock() {
	if len(w.index) > 0 {
		w.index = append(w.index, w.block[:]...)
	}
	w.block = signature{}
	w.index = binary.LittleEndian.AppendUint64(w.index, w.dict.size)
	w.index = binary.LittleEndian.AppendUint64(w.index, w.postings.size)
}

// finish makes the segment durable and returns its path. After an error
// nothing is left of it.
func (w *segmentWriter) finish() (string, error) {
	defer w.discard()
	if err := w.assemble(); err != nil {
		return "", fmt.Errorf("write segment: %w", err)
	}
	path := w.path()
	if err := os.Rename(path+tempSuffix, path); err != nil {
		return "", fmt.Errorf("publish segment: %w", err)
	}
	if err := durable.SyncFolder(w.dir); err != nil {
		return "", fmt.Errorf("publish segment: %w", err)
	}
	return path, nil
}

// assemble puts all parts into one file and on the disk.
func (w *segmentWriter) assemble() error {
	w.addBlock()
	w.index = append(w.index, make([]byte, signatureSize)...)
	w.foot.postingsSize, w.foot.postingsSum = w.postings.size, w.postings.sum
	w.foot.dictSize, w.foot.dictSum = w.dict.size, w.dict.sum
	w.foot.indexSum = crc32.Checksum(w.index, checksumTable)
	w.foot.docPages, w.foot.ownerPages = uint64(w.table.count()), uint64(w.table.ownerPages())
	rest := slices.Concat(w.index, w.table.pages, w.table.times, w.table.owners)
	w.foot.tableSum = crc32.Checksum(rest[len(w.index):], checksumTable)
	if err := w.dict.w.Flush(); err != nil {
		return err
	}
	if _, err := w.dict.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	out := w.postings
	if err := out.w.Flush(); err != nil {
		return err
	}
	if _, err := io.Copy(out.file, w.dict.file); err != nil {
		return err
	}
	if _, err := out.file.Write(w.foot.append(rest)); err != nil {
		return err
	}
	return errors.Join(out.file.Sync(), out.file.Close())
}

// discard removes what is left of the temporary files.
func (w *segmentWriter) discard() {
	for _, s := range []*section{w.postings, w.dict} {
		if s != nil {
			// Nothing depends on them any more, and Open removes leftovers.
			_ = s.file.Close()
			_ = os.Remove(s.file.Name())
		}
	}
}
