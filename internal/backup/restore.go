package backup

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/promptuary/promptuary/internal/blob"
	"github.com/promptuary/promptuary/internal/durable"
)

// Restore writes the catalog of a point to a file, and the files of its journal
// to a folder, which must be empty. Everything is compared with its checksum; the
// caller uses nothing of it unless Restore succeeds.
func Restore(ctx context.Context, store blob.Store, point *Point, catalog, journal string, progress func(done, total int64)) error {
	r := &reader{store: store, total: point.Bytes(), progress: progress}
	if err := r.catalog(ctx, point.Catalog, catalog); err != nil {
		return fmt.Errorf("restore the catalog: %w", err)
	}
	if err := os.MkdirAll(journal, 0o700); err != nil {
		return err
	}
	for _, file := range point.Journal {
		if err := r.file(ctx, file, filepath.Join(journal, file.Name)); err != nil {
			return fmt.Errorf("restore %s: %w", file.Name, err)
		}
	}
	return durable.SyncFolder(journal)
}

// Key returns the encrypted secret key of a point that has one.
func Key(ctx context.Context, store blob.Store, point *Point) ([]byte, error) {
	return bytesOf(ctx, store, *point.Key)
}

// reader restores one point.
type reader struct {
	store       blob.Store
	done, total int64
	progress    func(done, total int64)
}

func (r *reader) catalog(ctx context.Context, object Object, path string) error {
	return create(path, func(file *os.File) error { return unpack(ctx, r.store, object, file) })
}

func (r *reader) file(ctx context.Context, file File, path string) error {
	return create(path, func(to *os.File) error {
		sum := &counter{Hash: sha256.New()}
		content := &sparse{file: to}
		for _, part := range file.Parts {
			if err := unpack(ctx, r.store, part, io.MultiWriter(content, sum, r)); err != nil {
				return err
			}
		}
		if sum.bytes != file.Size || sum.text() != file.SHA256 {
			return damaged("the parts of %s do not make up the file", file.Name)
		}
		return to.Truncate(file.Size) // the end may be a hole
	})
}

// Write counts bytes for the progress.
func (r *reader) Write(b []byte) (int, error) {
	r.done += int64(len(b))
	r.progress(r.done, r.total)
	return len(b), nil
}

// create creates a durable file, which must not exist.
func create(path string, write func(*os.File) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Sync(), file.Close())
}

// hole is the size of runs of zeros that are not written.
const hole = 4 << 10

// sparse writes a file, and leaves out runs of zeros.
type sparse struct {
	file *os.File
	at   int64
}

var zeros [hole]byte

// Write writes bytes at the end.
func (s *sparse) Write(b []byte) (int, error) {
	for rest := b; len(rest) > 0; {
		n := int(min(int64(len(rest)), hole-s.at%hole))
		if !isZero(rest[:n]) {
			if _, err := s.file.WriteAt(rest[:n], s.at); err != nil {
				return len(b) - len(rest), err
			}
		}
		s.at += int64(n)
		rest = rest[n:]
	}
	return len(b), nil
}

func isZero(b []byte) bool { return string(b) == string(zeros[:len(b)]) }
