package textindex

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"sort"
	"sync/atomic"
)

// segment is an immutable file, mapped into memory. It is kept open as long
// as somebody holds a reference; the index itself holds one.
type segment struct {
	footer
	path     string
	data     []byte
	unmap    func() error
	postings []byte
	dict     []byte
	index    []byte
	table    docTable

	refs atomic.Int64
	// obsolete says that the file is to be removed with the last reference.
	obsolete atomic.Bool
}

// list is where the postings of a term are: in a segment file the place of
// the bytes, in memory the number of the entry.
type list struct {
	at    uint64
	size  uint32
	dense bool
}

// openVersion is openSegment for a file of the given version; any other gives
// errOutdated.
func openVersion(path string, version uint64) (*segment, error) {
	s, err := openSegment(path)
	if err == nil && s.version != version {
		s.release()
		return nil, fmt.Errorf("open segment %s: %w", path, errOutdated)
	}
	return s, err
}

// openSegment opens a file and checks everything but the postings and the table
// of documents. A file
// that is not a whole segment gives errCorrupt.
func openSegment(path string) (*segment, error) {
	data, unmap, err := mapFile(path)
	if err != nil {
		return nil, fmt.Errorf("open segment: %w", err)
	}
	s := &segment{path: path, data: data, unmap: unmap}
	s.refs.Store(1)
	if err := s.parse(); err != nil {
		s.release()
		return nil, fmt.Errorf("open segment %s: %w", path, err)
	}
	return s, nil
}

func (s *segment) parse() (err error) {
	if fault := guarded(func() { s.footer, err = parseFooter(s.data) }); fault != nil || err != nil {
		return cmp.Or(fault, err)
	}
	rest := s.data[len(magic):]
	s.postings, rest = rest[:s.postingsSize], rest[s.postingsSize:]
	s.dict, rest = rest[:s.dictSize], rest[s.dictSize:]
	s.index, rest = rest[:s.indexSize()], rest[s.indexSize():]
	s.table = parseDocTable(rest[:s.tableSize()], s.docPages)
	return s.check()
}

// check compares the checksums of everything but the postings and the table of
// documents.
func (s *segment) check() error {
	return cmp.Or(s.checkPart(s.dict, s.dictSum), s.checkPart(s.index, s.indexSum))
}

// checkPostings reads all posting lists and the table of documents, and compares
// their checksums.
func (s *segment) checkPostings() error {
	end := len(s.data) - footerSize
	return cmp.Or(s.checkPart(s.postings, s.postingsSum), s.checkPart(s.data[end-int(s.tableSize()):end], s.tableSum))
}

func (s *segment) checkPart(part []byte, sum uint32) (err error) {
	same := false
	err = guarded(func() { same = crc32.Checksum(part, checksumTable) == sum })
	if err == nil && !same {
		err = errCorrupt
	}
	if err != nil {
		return fmt.Errorf("check segment %s: %w", s.path, err)
	}
	return nil
}

// acquire takes a reference. The caller must know that there is one already.
func (s *segment) acquire() {
	s.refs.Add(1)
}

// release gives a reference back. The last one closes the file.
func (s *segment) release() {
	if s.refs.Add(-1) > 0 {
		return
	}
	// Neither failure harms anybody: the mapping is private to the process,
	// and Open removes a file that a later one covers.
	_ = s.unmap()
	if s.obsolete.Load() {
		_ = os.Remove(s.path)
	}
}

// block returns where block b starts in the dictionary and in the postings.
func (s *segment) block(b int) (dict, postings uint64) {
	e := s.index[b*blockEntrySize:]
	return binary.LittleEndian.Uint64(e), binary.LittleEndian.Uint64(e[8:])
}

// signature returns the signature of block b.
func (s *segment) signature(b int) *signature {
	return (*signature)(s.index[b*blockEntrySize+16:])
}

// firstKey returns the first key of block b.
func (s *segment) firstKey(b int) []byte {
	at, _ := s.block(b)
	return s.dict[at+2 : at+2+uint64(s.dict[at+1])]
}

// seek returns the block in which key would be.
func (s *segment) seek(key []byte) int {
	after := sort.Search(int(s.blocks()), func(b int) bool {
		return bytes.Compare(s.firstKey(b), key) > 0
	})
	return max(after-1, 0)
}

// or adds the documents of l that have a field of mask to dst.
func (s *segment) or(dst *Set, l list, mask uint8) {
	b := s.bytes(l)
	if l.dense {
		orDense(dst, b, s.span, mask)
	} else {
		orSparse(dst, b, s.span, mask)
	}
}

func (s *segment) bytes(l list) []byte {
	return s.postings[l.at : l.at+uint64(l.size)]
}

// count returns the number of documents.
func (s *segment) count() int {
	return int(s.docs)
}

// ids returns the range of the documents' ids.
func (s *segment) ids() span {
	return s.span
}
