package blob_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/blob"
	"github.com/promptuary/promptuary/internal/blob/blobtest"
	"github.com/promptuary/promptuary/internal/check"
)

func bucketOptions(endpoint string) blob.BucketOptions {
	return blob.BucketOptions{
		Endpoint: endpoint, Bucket: "shelf", Prefix: "of/us/", PartSize: 64 << 10, Tries: 1,
		Credentials: blob.Credentials{AccessKey: blobtest.AccessKey, SecretKey: blobtest.SecretKey},
	}
}

// onBoth runs a test with a folder and with a bucket.
func onBoth(t *testing.T, test func(t *testing.T, store blob.Store)) {
	t.Parallel()
	t.Run("folder", func(t *testing.T) { t.Parallel(); test(t, blob.NewFolder(t.TempDir())) })
	t.Run("bucket", func(t *testing.T) {
		t.Parallel()
		test(t, check.Must(blob.NewBucket(bucketOptions(blobtest.Serve(t, "shelf").URL)))(t))
	})
}

func put(t *testing.T, store blob.Store, name string, content []byte) {
	t.Helper()
	check.OK(t, store.Put(t.Context(), name, func(w io.Writer) error {
		for part := range bytes.SplitSeq(content, []byte("\n")) {
			if _, err := w.Write(append(part, '\n')); err != nil {
				return err
			}
		}
		return nil
	}))
}

func get(t *testing.T, store blob.Store, name string, offset int64) string {
	t.Helper()
	r := check.Must(store.Get(t.Context(), name, offset))(t)
	content := check.Must(io.ReadAll(r))(t)
	check.OK(t, r.Close())
	return string(content)
}

func names(t *testing.T, store blob.Store, prefix string) string {
	t.Helper()
	var list []string
	for info, err := range store.List(t.Context(), prefix) {
		check.OK(t, err)
		list = append(list, fmt.Sprintf("%s:%d", info.Name, info.Size))
	}
	return strings.Join(list, " ")
}

// random returns lines that do not compress, of about n bytes.
func random(n int) []byte {
	content := make([]byte, n)
	for i := range content {
		content[i] = byte('a' + rand.N(26))
	}
	for i := 100; i < n; i += 100 {
		content[i] = '\n'
	}
	return content
}

func TestKeepsWhatIsPut(t *testing.T) {
	onBoth(t, func(t *testing.T, store blob.Store) {
		large := random(300<<10 + 17) // several parts
		put(t, store, "a/large.txt", large)
		put(t, store, "a/small", []byte("one"))
		put(t, store, "a/small", []byte("two")) // replaces it
		put(t, store, "ab", nil)
		put(t, store, "b/c/d/e", []byte("deep"))
		check.Equal(t, "large", get(t, store, "a/large.txt", 0), string(large)+"\n")
		check.Equal(t, "end of large", get(t, store, "a/large.txt", 200<<10), string(large[200<<10:])+"\n")
		check.Equal(t, "small", get(t, store, "a/small", 0), "two\n")
		check.Equal(t, "size", check.Must(store.Stat(t.Context(), "a/large.txt"))(t).Size, int64(len(large)+1))
		check.Equal(t, "all", names(t, store, ""), fmt.Sprintf("a/large.txt:%d a/small:4 ab:1 b/c/d/e:5", len(large)+1))
		check.Equal(t, "below a", names(t, store, "a/s"), "a/small:4")
		check.Equal(t, "none", names(t, store, "nothing/here"), "")
		check.OK(t, store.Delete(t.Context(), "a/small"))
		check.OK(t, store.Delete(t.Context(), "a/small"))
		check.Equal(t, "after deleting", names(t, store, "a"), fmt.Sprintf("a/large.txt:%d ab:1", len(large)+1))
	})
}

func TestMissingBlobs(t *testing.T) {
	onBoth(t, func(t *testing.T, store blob.Store) {
		put(t, store, "folder/file", nil)
		for _, name := range []string{"nothing", "folder/nothing", "folder"} {
			_, err := store.Stat(t.Context(), name)
			check.Equal(t, "stat of "+name+" is missing", blob.Is(err, blob.Missing), true)
		}
		_, err := store.Get(t.Context(), "nothing", 0)
		check.Equal(t, "get is missing", blob.Is(err, blob.Missing), true)
	})
}

func TestFailedWritesChangeNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, store blob.Store) {
		put(t, store, "kept", []byte("old"))
		wrong := errors.New("the source broke")
		for _, size := range []int{10, 200 << 10} { // in memory, and after parts were sent
			err := store.Put(t.Context(), "kept", func(w io.Writer) error {
				_, err := w.Write(random(size))
				return errors.Join(err, wrong)
			})
			check.Equal(t, "returns the error", errors.Is(err, wrong), true)
			ctx, cancel := context.WithCancel(t.Context())
			err = store.Put(ctx, "kept", func(w io.Writer) error {
				_, err := w.Write(random(size))
				cancel()
				return err
			})
			check.Equal(t, "returns the end of the context", errors.Is(err, context.Canceled), true)
		}
		check.Equal(t, "content", get(t, store, "kept", 0), "old\n")
		check.Equal(t, "files", names(t, store, ""), "kept:4")
		check.OK(t, store.Sweep(t.Context(), "", time.Now().Add(time.Hour)))
	})
}

func TestNamesStayInside(t *testing.T) {
	onBoth(t, func(t *testing.T, store blob.Store) {
		for _, name := range []string{"", "/etc/passwd", "../a", "a/../b", "a//b", "a/", ".hidden", "a/.b", `a\b`, "a\nb", "é", strings.Repeat("a", 513)} {
			err := store.Put(t.Context(), name, func(io.Writer) error { t.Errorf("%q is written", name); return nil })
			_, statErr := store.Stat(t.Context(), name)
			_, getErr := store.Get(t.Context(), name, 0)
			if err == nil || statErr == nil || getErr == nil || store.Delete(t.Context(), name) == nil {
				t.Errorf("%q is accepted", name)
			}
		}
	})
}

// TestSweepRemovesTheRest leaves a write in the middle, as a crash does.
func TestSweepRemovesTheRest(t *testing.T) {
	onBoth(t, func(t *testing.T, store blob.Store) {
		check.OK(t, store.Put(t.Context(), "a/whole", func(w io.Writer) error {
			_, err := w.Write(random(200 << 10))
			check.OK(t, err)
			check.Equal(t, "visible", names(t, store, ""), "")
			check.OK(t, store.Sweep(t.Context(), "a/", time.Now().Add(-time.Hour))) // it is younger
			check.OK(t, store.Sweep(t.Context(), "b/", time.Now().Add(time.Hour)))  // it is elsewhere
			return nil
		}))
		err := store.Put(t.Context(), "a/broken", func(w io.Writer) error {
			_, err := w.Write(random(200 << 10))
			check.OK(t, err)
			check.OK(t, store.Sweep(t.Context(), "a/", time.Now().Add(time.Hour)))
			return nil
		})
		check.Equal(t, "a swept write fails", err != nil, true)
		check.Equal(t, "visible", names(t, store, ""), "a/whole:204800")
	})
}

func TestFolderRefusesLinksThatLeadOut(t *testing.T) {
	t.Parallel()
	outside, inside := t.TempDir(), t.TempDir()
	check.OK(t, os.WriteFile(filepath.Join(outside, "secret"), []byte("x"), 0o600))
	check.OK(t, os.Symlink(outside, filepath.Join(inside, "way")))
	store := blob.NewFolder(inside)
	if _, err := store.Get(t.Context(), "way/secret", 0); err == nil {
		t.Error("a file outside was read")
	}
	if err := store.Put(t.Context(), "way/new", func(io.Writer) error { return nil }); err == nil {
		t.Error("a file outside was written")
	}
}
