package rest_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/rest"
)

// discard is a ResponseWriter without a cost.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) WriteHeader(int)             {}
func (d *discard) Write(b []byte) (int, error) { return len(b), nil }

type nothing struct {
	Success bool `json:"success"`
}

func benchmarkRouter(b *testing.B) *rest.Router {
	b.Helper()
	ops := books()
	for i := range ops {
		if ops[i].ID == "CreateBook" {
			ops[i].Handler = rest.Handle(func(context.Context, *createBookRequest) (*nothing, error) { return &nothing{true}, nil })
		}
	}
	router, err := rest.New(ops, rest.Options{
		Authenticate: func(ctx context.Context, _ *http.Request, key string) (context.Context, string, error) {
			return ctx, key, nil
		},
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		b.Fatal(err)
	}
	return router
}

// benchmarkCall measures only the kernel: authentication, routing, parsing,
// binding and encoding.
func benchmarkCall(b *testing.B, method, target, body string) {
	router := benchmarkRouter(b)
	r := httptest.NewRequest(method, target, nil)
	r.Header.Set("X-API-KEY", "pl_reader")
	r.ContentLength = int64(len(body))
	reader := strings.NewReader(body)
	r.Body = io.NopCloser(reader)
	w := &discard{http.Header{}}
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		reader.Reset(body)
		clear(w.header)
		router.ServeHTTP(w, r)
	}
}

func BenchmarkTypedBody(b *testing.B) {
	benchmarkCall(b, "POST", "/books", `{"title":"x","year":1999,"price":3.5,"owner_id":"17","tags":["a","b"],`+
		`"chapters":[{"title":"one","pages":3},{"title":"two","pages":4}],"meta":{"user":"u","n":[1,2,3]},"note":"`+strings.Repeat("n", 500)+`"}`)
}

func BenchmarkRawBody(b *testing.B) {
	benchmarkCall(b, "POST", "/books/x", `{"lines":`+strings.Repeat("[", 50)+strings.Repeat("]", 50)+`}`)
}

func BenchmarkGreedyPath(b *testing.B) { benchmarkCall(b, "GET", "/books/a/b/labels", "") }

func BenchmarkQuery(b *testing.B) {
	benchmarkCall(b, "GET", "/books?page=2&per_page=50&sort_by=year&shelves=a,b", "")
}
