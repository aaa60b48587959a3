// Package blobtest serves an S3-compatible service to tests.
package blobtest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/promptuary/promptuary/internal/check"
)

// The credentials that the service accepts, and its region.
const (
	AccessKey = "AKIATESTTESTTEST"
	SecretKey = "secret/of+the+service"
	Region    = "us-east-1"
)

// Serve serves the service with empty buckets until the test ends, and returns
// its address. It accepts only requests that are signed with the credentials.
func Serve(t testing.TB, buckets ...string) *httptest.Server {
	t.Helper()
	backend := s3mem.New()
	for _, name := range buckets {
		check.OK(t, backend.CreateBucket(name))
	}
	service := gofakes3.New(backend, gofakes3.WithTimeSkewLimit(0)).Server()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !signed(r) {
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, `<Error><Code>SignatureDoesNotMatch</Code><Message>wrong signature</Message></Error>`)
			return
		}
		service.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server
}

// signed reports whether a request has the signature of the credentials.
func signed(r *http.Request) bool {
	given := r.Header.Get("Authorization")
	_, list, ok := strings.Cut(given, "SignedHeaders=")
	if !ok {
		return false
	}
	list, _, _ = strings.Cut(list, ",")
	again := r.Clone(r.Context())
	again.Header, again.URL.Host, again.URL.Scheme = http.Header{}, r.Host, "http"
	for name := range strings.SplitSeq(list, ";") {
		again.Header[http.CanonicalHeaderKey(name)] = r.Header.Values(name)
	}
	if !strings.Contains(list, "content-length") {
		again.ContentLength = 0
	}
	at, err := time.Parse("20060102T150405Z", r.Header.Get("X-Amz-Date"))
	if err != nil {
		return false
	}
	credentials := aws.Credentials{AccessKeyID: AccessKey, SecretAccessKey: SecretKey}
	err = v4.NewSigner(func(o *v4.SignerOptions) { o.DisableURIPathEscaping = true }).
		SignHTTP(r.Context(), credentials, again, r.Header.Get("X-Amz-Content-Sha256"), "s3", Region, at)
	return err == nil && again.Header.Get("Authorization") == given
}
