package rest_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/rest"
)

type streamed struct {
	Text string `json:"text" required:"true" description:"A long text."`
}

// streamOp responds with the number of bytes that read returns.
func streamOp(read func(body io.Reader) (int64, error)) rest.Op {
	return rest.Op{
		Method: http.MethodPost, Path: "/stream", ID: "stream", Summary: "Stream", Tag: "Streams", MaxBody: 1000, Stream: true,
		Handler: rest.Raw(streamed{}, nil, func(w http.ResponseWriter, r *rest.Request) error {
			n, err := read(r.Stream)
			if err != nil {
				return err
			}
			return rest.WriteJSON(w, http.StatusOK, map[string]any{"read": n, "bytes": len(r.Bytes), "tree": r.Body.Kind().String()})
		}),
	}
}

func TestStream(t *testing.T) {
	t.Parallel()
	zipped := func(text string) string {
		var buffer bytes.Buffer
		writer := gzip.NewWriter(&buffer)
		_, _ = io.WriteString(writer, text)
		_ = writer.Close()
		return buffer.String()
	}
	tests := map[string]struct {
		body, encoding, media, key string
		unknownLength              bool
		status                     int
		answer                     string
	}{
		"whole":                    {body: strings.Repeat("x", 1000), status: 200, answer: `{"bytes":0,"read":1000,"tree":"absent"}`},
		"too long":                 {body: strings.Repeat("x", 1001), status: 413},
		"too long, unknown length": {body: strings.Repeat("x", 5000), unknownLength: true, status: 413},
		"packed":                   {body: zipped(strings.Repeat("x", 1000)), encoding: "gzip", status: 200, answer: `{"bytes":0,"read":1000,"tree":"absent"}`},
		"packed and too long":      {body: zipped(strings.Repeat("x", 1001)), encoding: "gzip", status: 413},
		"not gzip":                 {body: "xx", encoding: "gzip", status: 400},
		"packed and truncated":     {body: zipped(strings.Repeat("x", 1000))[:20], encoding: "gzip", status: 400},
		"of another type":          {body: "x", media: "text/plain", status: 415},
		"by a stranger":            {body: strings.Repeat("x", 1001), key: "wrong", status: 401},
	}
	router, err := rest.New([]rest.Op{streamOp(func(body io.Reader) (int64, error) { return io.Copy(io.Discard, body) })}, rest.Options{
		Logger: slog.New(slog.DiscardHandler),
		Authenticate: func(ctx context.Context, _ *http.Request, key string) (context.Context, string, error) {
			if key != "" {
				return ctx, "", fault.New(fault.Unauthorized, "nobody")
			}
			return ctx, "", nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(router)
	t.Cleanup(server.Close)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var body io.Reader = strings.NewReader(test.body)
			if test.unknownLength {
				body = io.MultiReader(body)
			}
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/stream", body)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Content-Encoding", test.encoding)
			request.Header.Set("Content-Type", test.media)
			if test.key != "" {
				request.Header.Set("X-API-KEY", test.key)
			}
			got, err := server.Client().Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = got.Body.Close() }()
			text, err := io.ReadAll(got.Body)
			if err != nil || got.StatusCode != test.status || test.answer != "" && string(text) != test.answer {
				t.Errorf("got %d %s %v, want %d %s", got.StatusCode, text, err, test.status, test.answer)
			}
		})
	}
}

func TestStreamNeedsARawHandler(t *testing.T) {
	t.Parallel()
	op := streamOp(nil)
	op.Handler = rest.Handle(func(context.Context, *streamed) (*streamed, error) { return nil, nil })
	if err := rest.CheckOps([]rest.Op{op}); err == nil {
		t.Error("a typed handler may stream")
	}
	op = streamOp(nil)
	op.Auth = rest.AuthKeyOrBody
	if err := rest.CheckOps([]rest.Op{op}); err == nil {
		t.Error("a key may be in a body that is not read")
	}
}

func TestParseStream(t *testing.T) {
	t.Parallel()
	op := streamOp(nil)
	op.MaxBody = 4 << 20
	op.Handler = rest.Raw(streamed{}, nil, func(w http.ResponseWriter, r *rest.Request) error {
		size := int64(0)
		body, err := r.ParseStream("text", func(text io.Reader) (err error) {
			size, err = io.Copy(io.Discard, text)
			return err
		})
		if err != nil {
			return err
		}
		return rest.WriteJSON(w, http.StatusOK, map[string]any{"size": size, "name": body.Get("name").Str()})
	})
	router, err := rest.New([]rest.Op{op}, rest.Options{
		Logger: slog.New(slog.DiscardHandler),
		Authenticate: func(ctx context.Context, _ *http.Request, _ string) (context.Context, string, error) {
			return ctx, "", nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 2<<20)
	for body, want := range map[string]string{
		`{"text":"` + long + `","name":"n"}`: `{"name":"n","size":2097152}`,
		"\xef\xbb\xbf{\"text\":\"\"}":        `{"name":"","size":0}`,
		`{"name":"` + long + `"}`:            `{"success":false,"message":"The request body without text is larger than 1048576 bytes","error":"payload_too_large"}`,
		`{"text":"a\q"}`:                     `{"success":false,"message":"The request body is not valid JSON: invalid escape sequence in string at byte 10","error":"bad_request"}`,
		`["text"]`:                           `{"success":false,"message":"The request body must be a JSON object, not an array","error":"bad_request"}`,
		`{"text":"` + long + long + `"}`:     `{"success":false,"message":"The request body is larger than 4194304 bytes","error":"payload_too_large"}`,
	} {
		answer := httptest.NewRecorder()
		request := httptest.NewRequest(http.MethodPost, "/stream", io.MultiReader(strings.NewReader(body)))
		router.ServeHTTP(answer, request)
		if got := answer.Body.String(); got != want {
			t.Errorf("%.20q: got %.200s, want %s", body, got, want)
		}
	}
}
