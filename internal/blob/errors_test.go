package blob_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/promptuary/promptuary/internal/blob"
	"github.com/promptuary/promptuary/internal/blob/blobtest"
	"github.com/promptuary/promptuary/internal/check"
)

// refuse expects every operation to fail for a reason.
func refuse(t *testing.T, store blob.Store, reason blob.Reason, message string) {
	t.Helper()
	errs := map[string]error{
		"put":   store.Put(t.Context(), "a", func(w io.Writer) error { _, err := w.Write(random(200 << 10)); return err }),
		"small": store.Put(t.Context(), "a", func(io.Writer) error { return nil }),
		"get":   check.Failure(store.Get(t.Context(), "a", 0)),
	}
	for _, err := range store.List(t.Context(), "") {
		errs["list"] = err
	}
	check.Equal(t, "operations", len(errs), 4)
	for what, err := range errs {
		if !blob.Is(err, reason) || !strings.Contains(err.Error(), message) || strings.Contains(err.Error(), blobtest.SecretKey) {
			t.Errorf("%s: got %v, want %q", what, err, message)
		}
	}
}

func TestErrorsOfBuckets(t *testing.T) {
	t.Parallel()
	server := blobtest.Serve(t, "shelf")
	with := func(change func(o *blob.BucketOptions)) blob.Store {
		o := bucketOptions(server.URL)
		change(&o)
		return check.Must(blob.NewBucket(o))(t)
	}
	refuse(t, with(func(o *blob.BucketOptions) { o.Bucket = "another" }), blob.NoStore, "the bucket another does not exist")
	refuse(t, with(func(o *blob.BucketOptions) { o.Credentials.SecretKey = "wrong" }), blob.Denied, "the credentials do not give access to the bucket shelf")
	refuse(t, with(func(o *blob.BucketOptions) { o.Credentials.AccessKey = "wrong" }), blob.Denied, "the credentials")
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInsufficientStorage) }))
	t.Cleanup(broken.Close)
	refuse(t, with(func(o *blob.BucketOptions) { o.Endpoint = broken.URL }), blob.Full, "is full")
	server.Close()
	refuse(t, with(func(*blob.BucketOptions) {}), blob.Away, "cannot be reached")
}

// TestBucketThatGoesAway breaks the connection while a blob is written.
func TestBucketThatGoesAway(t *testing.T) {
	t.Parallel()
	server := blobtest.Serve(t, "shelf")
	store := check.Must(blob.NewBucket(bucketOptions(server.URL)))(t)
	err := store.Put(t.Context(), "a", func(w io.Writer) error {
		_, err := w.Write(random(100 << 10))
		check.OK(t, err)
		server.Close()
		_, err = w.Write(random(100 << 10))
		return err
	})
	check.Equal(t, "is away", blob.Is(err, blob.Away), true)
}

func TestErrorsOfFolders(t *testing.T) {
	t.Parallel()
	refuse(t, blob.NewFolder(filepath.Join(t.TempDir(), "none")), blob.NoStore, "does not exist")
	full := blob.NewFolder(t.TempDir())
	err := full.Put(t.Context(), "a", func(io.Writer) error { return syscall.ENOSPC })
	check.Equal(t, "errors of the source stay", errors.Is(err, syscall.ENOSPC) && !blob.Is(err, blob.Full), true)
}

func TestCredentialsAreNeverPrinted(t *testing.T) {
	t.Parallel()
	o := bucketOptions("http://127.0.0.1:1")
	for _, text := range []string{fmt.Sprint(o), fmt.Sprintf("%+v %#v", o, o), fmt.Sprintf("%v", o.Credentials)} {
		check.Equal(t, text+" has the secret", strings.Contains(text, blobtest.SecretKey) || strings.Contains(text, blobtest.AccessKey), false)
	}
	_, err := blob.NewBucket(blob.BucketOptions{Bucket: "shelf"})
	check.Equal(t, "needs credentials", blob.Is(err, blob.Denied), true)
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	env := map[string]string{"AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret"}
	for address, want := range map[string]string{
		"/var/exports": "/var/exports", "s3://shelf": "s3://shelf/", "s3://shelf/": "s3://shelf/", "s3://shelf/a/b": "s3://shelf/a/b/",
	} {
		store, err := blob.Open(address, func(name string) string { return env[name] }, nil)
		check.OK(t, err)
		check.Equal(t, address, fmt.Sprint(store), want)
	}
	for _, address := range []string{"s3://", "s3:///a", "s3://id:secret@shelf/a", "s3://shelf/../a", "s3://shelf/a?b=c", "s3://shelf/%zz"} {
		_, err := blob.Open(address, func(string) string { return "x" }, nil)
		if err == nil || strings.Contains(err.Error(), "secret@") {
			t.Errorf("%s: got %v", address, err)
		}
	}
}
