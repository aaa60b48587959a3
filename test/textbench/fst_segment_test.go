package textbench

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"path/filepath"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/mmap-go"
	"github.com/blevesearch/vellum"
)

// fstSegment is a file with the bitmaps of all terms and the transducer, mapped into
// memory. The transducer maps a term to the place of its bitmap << 1, or, if there
// is only one, to its id << 1 | 1.
type fstSegment struct {
	path  string
	file  *os.File
	data  mmap.MMap
	terms *vellum.FST
	docs  int
}

// find returns the ids of the terms that a pattern selects.
func (s *fstSegment) find(p pattern) (*roaring.Bitmap, error) {
	search := s.terms.Iterator
	if p.automaton != nil {
		search = func(start, end []byte) (*vellum.FSTIterator, error) { return s.terms.Search(p.automaton, start, end) }
	}
	all, single := []*roaring.Bitmap{}, roaring.New()
	terms, err := search(p.start, p.end)
	for ; err == nil; err = terms.Next() {
		_, value := terms.Current()
		if value&1 != 0 {
			single.Add(uint32(value >> 1))
			continue
		}
		ids, err := s.bitmap(value)
		if err != nil {
			return nil, err
		}
		all = append(all, ids)
	}
	if !errors.Is(err, vellum.ErrIteratorDone) {
		return nil, err
	}
	return roaring.FastOr(append(all, single)...), nil
}

func (s *fstSegment) bitmap(value uint64) (*roaring.Bitmap, error) {
	if value&1 != 0 {
		return roaring.BitmapOf(uint32(value >> 1)), nil
	}
	ids := roaring.New()
	_, err := ids.FromBuffer(s.data[value>>1:])
	return ids, err
}

func (s *fstSegment) close() error { return errors.Join(s.data.Unmap(), s.file.Close()) }

// fstWriter writes a segment, term by term in rising order.
type fstWriter struct {
	file    *os.File
	w       *bufio.Writer
	size    uint64
	terms   bytes.Buffer
	builder *vellum.Builder
}

func newFSTWriter(path string) (*fstWriter, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	w := &fstWriter{file: file, w: bufio.NewWriterSize(file, 256<<10)}
	w.builder, err = vellum.New(&w.terms, nil)
	return w, err
}

func (w *fstWriter) add(term []byte, ids *roaring.Bitmap) error {
	if ids.GetCardinality() == 1 {
		return w.builder.Insert(term, uint64(ids.Minimum())<<1|1)
	}
	at := w.size
	ids.RunOptimize()
	n, err := ids.WriteTo(w.w)
	if err != nil {
		return err
	}
	w.size += uint64(n)
	return w.builder.Insert(term, at<<1)
}

// finish completes the file and opens it.
func (w *fstWriter) finish(docs int, durable bool) (*fstSegment, error) {
	if err := w.builder.Close(); err != nil {
		return nil, err
	}
	if _, err := w.w.Write(w.terms.Bytes()); err != nil {
		return nil, err
	}
	if err := w.w.Flush(); err != nil {
		return nil, err
	}
	if durable {
		if err := syncWithFolder(w.file); err != nil {
			return nil, err
		}
	}
	data, err := mmap.Map(w.file, mmap.RDONLY, 0)
	if err != nil {
		return nil, err
	}
	terms, err := vellum.Load(data[w.size:])
	return &fstSegment{path: w.file.Name(), file: w.file, data: data, terms: terms, docs: docs}, err
}

func syncWithFolder(file *os.File) error {
	folder, err := os.Open(filepath.Dir(file.Name()))
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), folder.Sync(), folder.Close())
}
