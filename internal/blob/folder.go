package blob

import (
	"bufio"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/durable"
)

// Folder is a Store in a folder of the file system. Symbolic links that lead out
// of it are not followed.
type Folder struct{ path string }

// NewFolder returns the store in the folder at a path, which has to exist when
// it is used.
func NewFolder(path string) *Folder { return &Folder{path} }

// String returns the path.
func (f *Folder) String() string { return f.path }

func (f *Folder) open() (*os.Root, error) {
	root, err := os.OpenRoot(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, failed(NoStore, err, "the folder %s does not exist", f.path)
	}
	return root, explainFile("the folder "+f.path, err)
}

// Put implements Store: it writes another file, makes it durable, and renames it.
func (f *Folder) Put(ctx context.Context, name string, write func(io.Writer) error) (err error) {
	if err := CheckName(name); err != nil {
		return err
	}
	root, err := f.open()
	if err != nil {
		return err
	}
	defer closing(root, &err)
	if err := root.MkdirAll(path.Dir(name), 0o750); err != nil {
		return explainFile(name, err)
	}
	other := path.Join(path.Dir(name), unfinished+rand.Text())
	if err := writeFile(ctx, root, other, write); err != nil {
		return also(err, gone(root.Remove(other)))
	}
	if err := root.Rename(other, name); err != nil {
		return also(explainFile(name, err), gone(root.Remove(other)))
	}
	return explainFile(name, f.syncFolders(name))
}

// syncFolders makes the entries of a file and of all folders above it durable.
func (f *Folder) syncFolders(name string) error {
	for folder := path.Dir(name); ; folder = path.Dir(folder) {
		if err := durable.SyncFolder(filepath.Join(f.path, filepath.FromSlash(folder))); err != nil {
			return err
		}
		if folder == "." {
			return nil
		}
	}
}

func writeFile(ctx context.Context, root *os.Root, name string, write func(io.Writer) error) error {
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o640)
	if err != nil {
		return explainFile(name, err)
	}
	into := &fileWriter{ctx: ctx, file: file}
	buffer := bufio.NewWriterSize(into, 1<<20)
	if err = write(buffer); err == nil {
		err = buffer.Flush()
	}
	if err != nil {
		return also(err, gone(file.Close()))
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return explainFile(name, err)
	}
	return ctx.Err()
}

// fileWriter writes until its context ends, and explains errors.
type fileWriter struct {
	ctx  context.Context
	file *os.File
}

// Write implements io.Writer.
func (w *fileWriter) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.file.Write(p)
	return n, explainFile("the file", err)
}

// gone drops the error of cleaning up after another error, unless it matters to
// anyone who cleans up later.
func gone(err error) error {
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return failed(Failed, err, "an unfinished file may be left")
}

// also adds the error of cleaning up to an error, which stays the same without it.
func also(err, other error) error {
	if err == nil || other == nil {
		return cmp.Or(err, other)
	}
	return errors.Join(err, other)
}

func closing(c io.Closer, err *error) { *err = also(*err, c.Close()) }

// Get implements Store.
func (f *Folder) Get(_ context.Context, name string, offset int64) (_ io.ReadCloser, err error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	root, err := f.open()
	if err != nil {
		return nil, err
	}
	defer closing(root, &err)
	file, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, explainFile(name, err)
	}
	if _, err := file.Seek(offset, io.SeekStart); err != nil {
		return nil, errors.Join(explainFile(name, err), file.Close())
	}
	return file, nil
}

// Stat implements Store.
func (f *Folder) Stat(_ context.Context, name string) (_ Info, err error) {
	if err := CheckName(name); err != nil {
		return Info{}, err
	}
	root, err := f.open()
	if err != nil {
		return Info{}, err
	}
	defer closing(root, &err)
	info, err := root.Stat(filepath.FromSlash(name))
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a file: %w", name, fs.ErrNotExist)
	}
	if err != nil {
		return Info{}, explainFile(name, err)
	}
	return Info{Name: name, Size: info.Size(), Time: info.ModTime()}, nil
}

// Delete implements Store.
func (f *Folder) Delete(_ context.Context, name string) (err error) {
	if err := CheckName(name); err != nil {
		return err
	}
	root, err := f.open()
	if err != nil {
		return err
	}
	defer closing(root, &err)
	if err := root.Remove(filepath.FromSlash(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return explainFile(name, err)
	}
	return nil
}

// List implements Store.
func (f *Folder) List(ctx context.Context, prefix string) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		list, err := f.files(ctx, prefix, func(base string) bool { return base[0] != '.' })
		for _, info := range list {
			if !yield(info, nil) {
				return
			}
		}
		if err != nil {
			yield(Info{}, err)
		}
	}
}

// Sweep implements Store.
func (f *Folder) Sweep(ctx context.Context, prefix string, before time.Time) (err error) {
	list, err := f.files(ctx, prefix, func(base string) bool { return strings.HasPrefix(base, unfinished) })
	if err != nil || len(list) == 0 {
		return err
	}
	root, err := f.open()
	if err != nil {
		return err
	}
	defer closing(root, &err)
	for _, info := range list {
		if info.Time.Before(before) {
			err = errors.Join(err, gone(root.Remove(filepath.FromSlash(info.Name))))
		}
	}
	return err
}

// files returns the files below the folder of a prefix whose last part is
// wanted, ordered by name. Unfinished files match if their folder does.
func (f *Folder) files(ctx context.Context, prefix string, wanted func(base string) bool) (list []Info, err error) {
	root, err := f.open()
	if err != nil {
		return nil, err
	}
	defer closing(root, &err)
	top := path.Dir(prefix + "x")
	err = fs.WalkDir(root.FS(), top, func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // there is none, or it was deleted in the meantime
		}
		if err = errors.Join(err, ctx.Err()); err != nil || !entry.Type().IsRegular() || !wanted(entry.Name()) {
			return err
		}
		if entry.Name()[0] != '.' && !strings.HasPrefix(name, prefix) {
			return nil
		}
		info, err := entry.Info()
		if err == nil {
			list = append(list, Info{Name: name, Size: info.Size(), Time: info.ModTime()})
		}
		return ignoreMissing(err)
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	slices.SortFunc(list, func(a, b Info) int { return strings.Compare(a.Name, b.Name) })
	return list, explainFile(f.path, err)
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
