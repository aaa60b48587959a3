package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/promptuary/promptuary/internal/blob"
)

// Source is what a point is made of.
type Source struct {
	Program, Installation, CatalogEngine string
	// Catalog is the path of a SQLite file with the catalog.
	Catalog string
	// Key is the encrypted secret key, nil if it is left out.
	Key []byte
	// Elsewhere and End are those of the point.
	Elsewhere, End string
	Journal        []Segment
}

// Segment is a file of the journal that is being backed up.
type Segment struct {
	Name, Stamp string
	Size        int64
	Content     io.ReaderAt
	// Check returns what is damaged behind an offset.
	Check func(from int64) ([]string, error)
}

// Options say how to write a point.
type Options struct {
	Now func() time.Time
	// Keep is the number of points to keep, 0 for all.
	Keep int
	// Progress is called with the bytes read and the bytes to read, unless it is nil.
	Progress func(done, total int64)
}

// Result is what Create did.
type Result struct {
	Point *Point
	// Read and Written are the bytes that were read of the journal and the catalog,
	// and the bytes that were written to the target.
	Read, Written int64
	// Reused is the number of files of the journal of which nothing had to be copied.
	Reused int
	// Pruned are the points that were deleted.
	Pruned []string
	// Unpruned says why old points or files could not be deleted, if they could not.
	Unpruned error
	// Problems are other points that cannot be read. Nothing was deleted then.
	Problems []error
}

// maxParts is the number of parts at which a file is copied again as a whole.
const maxParts = 64

// Create writes a point to the target, and reads everything it has written back.
func Create(ctx context.Context, store blob.Store, src Source, opts Options) (*Result, error) {
	w := &writer{store: store, source: src, opts: opts, result: &Result{}}
	if err := w.begin(ctx); err != nil {
		return nil, err
	}
	if err := w.write(ctx); err != nil {
		return nil, fmt.Errorf("write the backup to %s: %w", store, err)
	}
	w.result.Unpruned = w.prune(ctx)
	return w.result, nil
}

// writer writes one point.
type writer struct {
	store  blob.Store
	source Source
	opts   Options
	result *Result
	point  *Point
	points []*Point             // that exist, oldest first; only the last one if all are kept
	sizes  map[string]blob.Info // of what the target has
	done   int64
}

// begin reads what the target has.
func (w *writer) begin(ctx context.Context) (err error) {
	if w.points, w.result.Problems, err = points(ctx, w.store, w.opts.Keep == 0); err != nil {
		return err
	}
	now := w.opts.Now().UTC().Truncate(time.Millisecond)
	if n := len(w.points); n > 0 {
		last := w.points[n-1]
		if last.Installation != w.source.Installation {
			return fmt.Errorf("%s has backups of installation %s, and this is installation %s: choose another place", w.store, last.Installation, w.source.Installation)
		}
		if !now.After(last.Time) { // the clock was set back
			now = last.Time.Add(time.Millisecond)
		}
	}
	w.point = &Point{
		Format: format, ID: now.Format(idLayout), Time: now, Program: w.source.Program, Installation: w.source.Installation,
		CatalogEngine: w.source.CatalogEngine, Elsewhere: w.source.Elsewhere, End: w.source.End, Journal: []File{},
	}
	w.result.Point = w.point
	return w.list(ctx)
}

func (w *writer) list(ctx context.Context) error {
	w.sizes = map[string]blob.Info{}
	for _, folder := range []string{catalogFolder, keyFolder, journalFolder} {
		for info, err := range w.store.List(ctx, folder) {
			if err != nil {
				return fmt.Errorf("list the files of %s: %w", w.store, err)
			}
			w.sizes[info.Name] = info
		}
	}
	return nil
}

func (w *writer) write(ctx context.Context) (err error) {
	for _, segment := range w.source.Journal {
		if err := w.addFile(ctx, segment); err != nil {
			return fmt.Errorf("%s: %w", segment.Name, err)
		}
	}
	if w.point.Catalog, err = w.putCatalog(ctx); err != nil {
		return fmt.Errorf("catalog: %w", err)
	}
	if w.source.Key != nil {
		object, err := w.put(ctx, keyFolder+w.point.ID+".age", func(to io.Writer) error {
			_, err := to.Write(w.source.Key)
			return err
		})
		if err != nil {
			return fmt.Errorf("secret key: %w", err)
		}
		w.point.Key = &object
	}
	return w.putManifest(ctx)
}

func (w *writer) putCatalog(ctx context.Context) (Object, error) {
	file, err := os.Open(w.source.Catalog)
	if err != nil {
		return Object{}, err
	}
	defer func() { _ = file.Close() }() // it was only read
	return w.put(ctx, catalogFolder+w.point.ID+".db.zst", func(to io.Writer) error { return w.pack(to, file) })
}

func (w *writer) putManifest(ctx context.Context) error {
	manifest, err := w.point.encode()
	if err != nil {
		return err
	}
	_, err = w.put(ctx, manifestName(w.point.ID), func(to io.Writer) error {
		_, err := to.Write(manifest)
		return err
	})
	return err
}

// addFile adds a file of the journal to the point. What the point before has of
// it is not copied again.
func (w *writer) addFile(ctx context.Context, segment Segment) error {
	old := w.old(segment.Name)
	if old != nil && old.Stamp == segment.Stamp && old.Size == segment.Size {
		w.result.Reused++
		w.point.Journal = append(w.point.Journal, *old)
		w.progress(segment.Size)
		return nil
	}
	file := File{Name: segment.Name, Size: segment.Size, Stamp: segment.Stamp, Parts: []Object{}}
	sum, from, err := w.prefix(segment, old)
	if err != nil {
		return err
	}
	if from > 0 {
		file.Parts = slices.Clone(old.Parts)
	}
	if from == segment.Size {
		w.result.Reused++
	} else if err := w.addPart(ctx, &file, segment, from, sum); err != nil {
		return err
	}
	file.SHA256 = hex.EncodeToString(sum.Sum(nil))
	w.point.Journal = append(w.point.Journal, file)
	return nil
}

// addPart copies what follows an offset of a file.
func (w *writer) addPart(ctx context.Context, file *File, segment Segment, from int64, sum hash.Hash) error {
	damage, err := segment.Check(from)
	if err != nil {
		return err
	}
	w.point.Damage = append(w.point.Damage, damage...)
	name := fmt.Sprintf("%s%s/%010d-%s.zst", journalFolder, segment.Name, from, w.point.ID)
	part, err := w.put(ctx, name, func(to io.Writer) error {
		return w.pack(to, io.TeeReader(io.NewSectionReader(segment.Content, from, segment.Size-from), sum))
	})
	file.Parts = append(file.Parts, part)
	return err
}

// old returns a file of the last point, if the target still has all of it.
func (w *writer) old(name string) *File {
	if len(w.points) == 0 {
		return nil
	}
	last := w.points[len(w.points)-1]
	at := slices.IndexFunc(last.Journal, func(f File) bool { return f.Name == name })
	if at < 0 {
		return nil
	}
	for _, part := range last.Journal[at].Parts {
		if info, ok := w.sizes[part.Name]; !ok || info.Size != part.Size {
			return nil
		}
	}
	return &last.Journal[at]
}

// prefix returns how much of a file the target has, and the checksum of that.
func (w *writer) prefix(segment Segment, old *File) (hash.Hash, int64, error) {
	sum := sha256.New()
	if old == nil || old.Size > segment.Size || len(old.Parts) >= maxParts {
		return sum, 0, nil
	}
	n, err := io.Copy(sum, io.NewSectionReader(segment.Content, 0, old.Size))
	w.result.Read += n
	if err != nil {
		return nil, 0, err
	}
	if n != old.Size || hex.EncodeToString(sum.Sum(nil)) != old.SHA256 {
		return sha256.New(), 0, nil
	}
	w.progress(n)
	return sum, n, nil
}

// pack compresses what it reads.
func (w *writer) pack(to io.Writer, from io.Reader) error {
	encoder, err := zstd.NewWriter(to, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	n, err := io.Copy(encoder, io.TeeReader(from, progressWriter{w}))
	w.result.Read += n
	if err != nil {
		_ = encoder.Close() // the first error is returned
		return err
	}
	return encoder.Close()
}

type progressWriter struct{ *writer }

func (p progressWriter) Write(b []byte) (int, error) {
	p.progress(int64(len(b)))
	return len(b), nil
}

func (w *writer) progress(n int64) {
	w.done += n
	if w.opts.Progress != nil {
		w.opts.Progress(w.done, w.source.total())
	}
}

func (s *Source) total() (sum int64) {
	for _, segment := range s.Journal {
		sum += segment.Size
	}
	return sum
}

// put writes a file, and reads it back.
func (w *writer) put(ctx context.Context, name string, write func(io.Writer) error) (Object, error) {
	sum := &counter{Hash: sha256.New()}
	if err := w.store.Put(ctx, name, func(to io.Writer) error {
		*sum = counter{Hash: sha256.New()}
		return write(io.MultiWriter(to, sum))
	}); err != nil {
		return Object{}, err
	}
	object := Object{Name: name, Size: sum.bytes, SHA256: sum.text()}
	w.result.Written += object.Size
	if err := check(ctx, w.store, object); err != nil {
		return object, fmt.Errorf("read back: %w", err)
	}
	return object, nil
}
