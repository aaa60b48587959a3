package backup_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/backup"
	"github.com/promptuary/promptuary/internal/blob"
	"github.com/promptuary/promptuary/internal/blob/blobtest"
	"github.com/promptuary/promptuary/internal/check"
)

func TestMain(m *testing.M) {
	backup.SetWorkFactor(2)
	os.Exit(m.Run())
}

// fixture is an installation and a target for its backups.
type fixture struct {
	t     *testing.T
	store blob.Store
	src   backup.Source
	// files are the contents of the journal.
	files map[string][]byte
	now   time.Time
	keep  int
}

func newFixture(t *testing.T, store blob.Store) *fixture {
	t.Helper()
	catalog := filepath.Join(t.TempDir(), "catalog.db")
	check.OK(t, os.WriteFile(catalog, []byte("the catalog"), 0o600))
	return &fixture{
		t: t, store: store, now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), files: map[string][]byte{},
		src: backup.Source{Program: "v1", Installation: "one", CatalogEngine: "SQLite", Catalog: catalog, Key: []byte("sealed"), End: "1:5"},
	}
}

// onBoth runs a test with a folder and with a bucket.
func onBoth(t *testing.T, test func(t *testing.T, store blob.Store)) {
	t.Helper()
	t.Run("folder", func(t *testing.T) { t.Parallel(); test(t, blob.NewFolder(t.TempDir())) })
	t.Run("bucket", func(t *testing.T) {
		t.Parallel()
		test(t, check.Must(blob.NewBucket(blob.BucketOptions{
			Endpoint: blobtest.Serve(t, "shelf").URL, Bucket: "shelf", Prefix: "of/us/", Region: blobtest.Region,
			Credentials: blob.Credentials{AccessKey: blobtest.AccessKey, SecretKey: blobtest.SecretKey},
		}))(t))
	})
}

// random returns bytes that do not compress.
func random(n int) []byte {
	content := make([]byte, n)
	for i := range content {
		content[i] = byte(rand.Uint32())
	}
	return content
}

// source returns the installation as it is now. The stamp of a file follows from
// its content.
func (f *fixture) source() backup.Source {
	src := f.src
	for _, name := range []string{"00000000.journal", "00000001.journal", "00000001-g2.journal"} {
		content, ok := f.files[name]
		if !ok {
			continue
		}
		src.Journal = append(src.Journal, backup.Segment{
			Name: name, Size: int64(len(content)), Stamp: fmt.Sprintf("%x", sha256.Sum256(content)), Content: bytes.NewReader(content),
			Check: func(int64) ([]string, error) { return nil, nil },
		})
	}
	return src
}

func (f *fixture) tryCreate(store blob.Store) (*backup.Result, error) {
	f.now = f.now.Add(time.Hour)
	return backup.Create(f.t.Context(), store, f.source(), backup.Options{Now: func() time.Time { return f.now }, Keep: f.keep})
}

func (f *fixture) create() *backup.Result {
	f.t.Helper()
	result := check.Must(f.tryCreate(f.store))(f.t)
	check.OK(f.t, result.Unpruned)
	return result
}

// restore returns the files of a point, and what they should be.
func (f *fixture) restore(point *backup.Point) (folder string, err error) {
	folder = f.t.TempDir()
	return folder, backup.Restore(f.t.Context(), f.store, point, filepath.Join(folder, "catalog.db"), filepath.Join(folder, "journal"), func(_, _ int64) {})
}

// same checks that a point has the content of the fixture.
func (f *fixture) same(point *backup.Point) {
	f.t.Helper()
	folder := check.Must(f.restore(point))(f.t)
	check.Equal(f.t, "catalog", string(check.Must(os.ReadFile(filepath.Join(folder, "catalog.db")))(f.t)), "the catalog")
	entries := check.Must(os.ReadDir(filepath.Join(folder, "journal")))(f.t)
	check.Equal(f.t, "files", len(entries), len(f.files))
	for name, content := range f.files {
		check.Equal(f.t, name+" is the same", bytes.Equal(check.Must(os.ReadFile(filepath.Join(folder, "journal", name)))(f.t), content), true)
	}
}

func (f *fixture) verify() *backup.Checked {
	f.t.Helper()
	return check.Must(backup.Verify(f.t.Context(), f.store, func(_, _ int64) {}))(f.t)
}

// names lists the files of the target.
func (f *fixture) names() (names []string) {
	f.t.Helper()
	for info, err := range f.store.List(f.t.Context(), "") {
		check.OK(f.t, err)
		names = append(names, info.Name)
	}
	return names
}

// failing is a store whose writes fail, or whose process ends, after a number of
// operations.
type failing struct {
	blob.Store
	left int
}

func (s *failing) next() error {
	if s.left--; s.left < 0 {
		return &blob.Error{Reason: blob.Away, Message: "the bucket is away"}
	}
	return nil
}

func (s *failing) Put(ctx context.Context, name string, write func(io.Writer) error) error {
	if err := s.next(); err != nil {
		return err
	}
	return s.Store.Put(ctx, name, write)
}

func (s *failing) Get(ctx context.Context, name string, offset int64) (io.ReadCloser, error) {
	if err := s.next(); err != nil {
		return nil, err
	}
	return s.Store.Get(ctx, name, offset)
}

func (s *failing) Delete(ctx context.Context, name string) error {
	if err := s.next(); err != nil {
		return err
	}
	return s.Store.Delete(ctx, name)
}
