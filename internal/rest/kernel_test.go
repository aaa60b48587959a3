package rest_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/rest"
)

const unauthorized = `{"success":false,"message":"Invalid or missing API key","error":"unauthorized"}`

func TestResponses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name           string
		method, target string
		body           string
		headers        []string
		status         int
		want           string
	}{
		{"success status of the operation", "POST", "/books", `{"title":"x"}`, nil, 201,
			`{"success":true,"title":"x","created_at":"2023-11-14T22:13:20.5Z","next_num":null,"parts":null}`},
		{"status chosen by the output, nothing HTML-escaped", "POST", "/books", `{"title":"partly <&>"}`, nil, 207,
			`{"success":true,"title":"partly <&>","created_at":"2023-11-14T22:13:20.5Z","next_num":null,"parts":null}`},
		{"no content", "DELETE", "/books/7/isbns/us/1/2", "", nil, 204, ``},
		{"no key needed", "GET", "/health", "", []string{"X-API-KEY", ""}, 200, `{"value":"ok"}`},
		{"key with spaces around it", "GET", "/books/x", "", []string{"X-API-KEY", "  pl_a "}, 200, `{"value":"x"}`},
		{"a body on GET is not looked at", "GET", "/books/x", "{", []string{"Content-Type", "text/xml"}, 200, `{"value":"x"}`},
		{"body of DELETE", "DELETE", "/shelves", `{"ids":[1,2]}`, nil, 200, `{"value":[1,2]}`},
		{"head is get", "HEAD", "/health", "", nil, 200, `{"value":"ok"}`},

		{"401 without a key", "POST", "/books", `{`, []string{"X-API-KEY", ""}, 401, unauthorized},
		{"401 with an empty key", "GET", "/books", ``, []string{"X-API-KEY", "  "}, 401, unauthorized},
		{"401 with an unknown key", "GET", "/books", ``, []string{"X-API-KEY", "x"}, 401,
			`{"success":false,"message":"Invalid API key","error":"unauthorized"}`},
		{"401 although the body has a key", "POST", "/books", `{"api_key":"pl_a"}`, []string{"X-API-KEY", ""}, 401, unauthorized},
		{"500 when keys cannot be looked up", "GET", "/books", ``, []string{"X-API-KEY", "broken"}, 500,
			`{"success":false,"message":"Internal server error","error":"internal_error"}`},
		{"key in the body", "POST", "/track", `{"event":"e","api_key":" pl_b "}`, []string{"X-API-KEY", ""}, 200, `{"value":"pl_b e"}`},
		{"the header wins over the body", "POST", "/track", `{"event":"e","api_key":"pl_b"}`, nil, 200, `{"value":"pl_reader e"}`},
		{"an empty header is not an absent one", "POST", "/track", `{"api_key":"pl_b"}`, []string{"X-API-KEY", " "}, 401, unauthorized},
		{"body key of another type", "POST", "/track", `{"api_key":5}`, []string{"X-API-KEY", ""}, 401, unauthorized},
		{"body key in a broken body", "POST", "/track", `{"api_key":"pl_b"`, []string{"X-API-KEY", ""}, 401, unauthorized},
		{"body key in a body of another type", "POST", "/track", `{"api_key":"pl_b"}`,
			[]string{"X-API-KEY", "", "Content-Type", "text/xml"}, 401, unauthorized},
		{"body key in a body too large", "POST", "/track", `{"api_key":"pl_b","x":"` + strings.Repeat("x", 5000) + `"}`,
			[]string{"X-API-KEY", ""}, 413, `{"success":false,"message":"The request body is larger than 4096 bytes","error":"payload_too_large"}`},

		{"415 before the path", "PATCH", "/shelves/abc", `<a/>`, []string{"Content-Type", "text/xml"}, 415,
			`{"success":false,"message":"Unsupported Content-Type: send application/json","error":"unsupported_media_type"}`},
		{"415 for a content type that is none", "POST", "/books", `{}`, []string{"Content-Type", "json"}, 415,
			`{"success":false,"message":"Unsupported Content-Type: send application/json","error":"unsupported_media_type"}`},
		{"415 for an encoding", "POST", "/books", `{}`, []string{"Content-Encoding", "br"}, 415,
			`{"success":false,"message":"Unsupported Content-Encoding: send the body plain or with gzip","error":"unsupported_media_type"}`},
		{"a content type without a body", "POST", "/books/x", ``, []string{"Content-Type", "text/xml"}, 200, `{"value":"x {}"}`},
		{"strict types: listed", "POST", "/v1/upload", "\x01", []string{"Content-Type", "application/x-protobuf; a=b"}, 200,
			`{"value":"application/x-protobuf ` + `\u0001` + ` absent"}`},
		{"strict types: JSON is parsed", "POST", "/v1/upload", `{}`, []string{"Content-Type", "application/json; charset=utf-8"}, 200,
			`{"value":"application/json {} an object"}`},
		{"strict types: missing", "POST", "/v1/upload", `{}`, nil, 415,
			`{"success":false,"message":"Unsupported Content-Type: send application/x-protobuf or application/json","error":"unsupported_media_type"}`},

		{"422 for the path before the body is parsed", "PATCH", "/shelves/abc", `{`, nil, 422,
			`{"success":false,"message":"shelf_id: Input should be a valid integer","error":"validation_error",` +
				`"detail":[{"loc":["path","shelf_id"],"msg":"Input should be a valid integer","type":"int_parsing"}]}`},
		{"422 for the path of a raw handler", "POST", "/books/" + strings.Repeat("x", 31), `{`, nil, 422,
			`{"success":false,"message":"name: String should have at most 30 characters","error":"validation_error",` +
				`"detail":[{"loc":["path","name"],"msg":"String should have at most 30 characters","type":"string_too_long"}]}`},

		{"400 for broken JSON", "POST", "/books", `{"a":}`, nil, 400,
			`{"success":false,"message":"The request body is not valid JSON: unexpected character at byte 5","error":"bad_request"}`},
		{"400 for bytes that are no UTF-8", "POST", "/books", "{\"a\":\"\xff\"}", nil, 400,
			`{"success":false,"message":"The request body is not valid JSON: invalid UTF-8 at byte 6","error":"bad_request"}`},
		{"400 for deep nesting", "POST", "/books", strings.Repeat("[", 3000), nil, 400,
			`{"success":false,"message":"The request body is not valid JSON: nested deeper than 200 levels at byte 200","error":"bad_request"}`},
		{"400 for an array", "POST", "/books", `[]`, nil, 400,
			`{"success":false,"message":"The request body must be a JSON object, not an array","error":"bad_request"}`},
		{"400 for an empty body", "POST", "/books", ``, nil, 400,
			`{"success":false,"message":"The request body must be a JSON object, but it is empty","error":"bad_request"}`},
		{"400 for null", "POST", "/books", ` null `, nil, 400,
			`{"success":false,"message":"The request body must be a JSON object, but it is empty","error":"bad_request"}`},
		{"empty body where allowed", "POST", "/books/x", " \n", []string{"Content-Type", "application/json"}, 200, `{"value":"x {}"}`},
		{"null where allowed", "POST", "/books/x", "null", nil, 200, `{"value":"x {}"}`},
		{"array even where empty is allowed", "POST", "/books/x", "[1]", nil, 400,
			`{"success":false,"message":"The request body must be a JSON object, not an array","error":"bad_request"}`},
		{"byte order mark", "POST", "/books/x", "\ufeff{}", nil, 200, `{"value":"x {}"}`},

		{"unknown path", "GET", "/nowhere", ``, nil, 404, `{"success":false,"message":"No such path: /nowhere","error":"not_found"}`},
		{"unknown path needs no key", "GET", "/nowhere", ``, []string{"X-API-KEY", ""}, 404,
			`{"success":false,"message":"No such path: /nowhere","error":"not_found"}`},
		{"wrong method", "PUT", "/books", ``, nil, 405,
			`{"success":false,"message":"Method PUT is not allowed here, only GET, HEAD, OPTIONS, POST","error":"method_not_allowed"}`},
		{"not found by the handler", "DELETE", "/books/7/isbns/us/9", "", nil, 404,
			`{"success":false,"message":"Number \"9\" not found","error":"not_found"}`},
		{"forbidden", "GET", "/fail/forbidden", "", nil, 403, `{"success":false,"message":"not yours","error":"forbidden"}`},
		{"invalid without fields", "GET", "/fail/invalid", "", nil, 422,
			`{"success":false,"message":"these do not go together","error":"validation_error",` +
				`"detail":[{"loc":["body"],"msg":"these do not go together","type":"value_error"}]}`},
		{"message as code", "GET", "/fail-text", "", nil, 404, `{"success":false,"message":"Workflow not found","error":"Workflow not found"}`},
		{"internal error", "GET", "/fail/any", "", nil, 500, `{"success":false,"message":"Internal server error","error":"internal_error"}`},
		{"panic", "GET", "/fail/panic", "", nil, 500, `{"success":false,"message":"Internal server error","error":"internal_error"}`},
		{"output that cannot be encoded", "GET", "/fail/encode", "", nil, 500, `{"success":false,"message":"Internal server error","error":"internal_error"}`},
		{"no output", "GET", "/fail/nothing", "", nil, 500, `{"success":false,"message":"Internal server error","error":"internal_error"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			lib := newLibrary(t)
			w := lib.call(tt.method, tt.target, tt.body, tt.headers...)
			if w.Code != tt.status {
				t.Errorf("status = %d, want %d", w.Code, tt.status)
			}
			if diff := cmp.Diff(tt.want, w.Body.String()); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
			if got := w.Header().Get("Content-Type"); tt.want != "" && got != "application/json" {
				t.Errorf("Content-Type = %q", got)
			}
			if len(lib.seen) != 1 || lib.seen[0].Status != tt.status || lib.seen[0].Bytes != int64(len(tt.want)) {
				t.Errorf("observed %+v", lib.seen)
			}
		})
	}
}

func TestMediaTypesAcceptedAsJSON(t *testing.T) {
	t.Parallel()
	for _, mediaType := range []string{
		"", "application/json", "application/json; charset=utf-8", "APPLICATION/JSON", "application/vnd.api+json",
		"application/json; charset", "application/x-www-form-urlencoded",
	} {
		t.Run(mediaType, func(t *testing.T) {
			t.Parallel()
			if w := newLibrary(t).call("POST", "/books", `{"title":"x"}`, "Content-Type", mediaType); w.Code != 201 {
				t.Errorf("status = %d, body %s", w.Code, w.Body)
			}
		})
	}
}

func packed(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestBodySizesAndEncodings(t *testing.T) {
	t.Parallel()
	fits := `{"title":"x"}` + strings.Repeat(" ", 4096-13)
	tests := []struct {
		name    string
		body    string
		chunked bool
		gzip    bool
		status  int
	}{
		{"as large as allowed", fits, false, false, 201},
		{"one byte too large", fits + " ", false, false, 413},
		{"chunked, as large as allowed", fits, true, false, 201},
		{"chunked, one byte too large", fits + " ", true, false, 413},
		{"gzip", packed(t, fits), false, true, 201},
		{"gzip, chunked", packed(t, fits), true, true, 201},
		{"gzip, too large unpacked", packed(t, fits+" "), false, true, 413},
		{"gzip bomb", packed(t, strings.Repeat(" ", 1<<22)), false, true, 413},
		{"not gzip", fits, false, true, 400},
		{"gzip cut off", packed(t, fits)[:30], false, true, 400},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest("POST", "/books", strings.NewReader(tt.body))
			r.Header.Set("X-API-KEY", "pl_a")
			if tt.chunked {
				r.ContentLength = -1
			}
			if tt.gzip {
				r.Header.Set("Content-Encoding", "gzip")
			}
			w := httptest.NewRecorder()
			newLibrary(t).ServeHTTP(w, r)
			if w.Code != tt.status {
				t.Errorf("status = %d, want %d; body %s", w.Code, tt.status, w.Body)
			}
		})
	}
	t.Run("shorter than declared", func(t *testing.T) {
		t.Parallel()
		r := httptest.NewRequest("POST", "/books", strings.NewReader("{"))
		r.Header.Set("X-API-KEY", "pl_a")
		r.ContentLength = 10
		w := httptest.NewRecorder()
		newLibrary(t).ServeHTTP(w, r)
		if w.Code != 400 {
			t.Errorf("status = %d, want 400", w.Code)
		}
	})
}

func TestRateLimit(t *testing.T) {
	t.Parallel()
	lib := newLibrary(t)
	for i, want := range []int{200, 400, 429, 429} {
		body := []string{`{}`, `{`, `{}`, `{}`}[i]
		w := lib.call("POST", "/track", body)
		if w.Code != want {
			t.Fatalf("call %d: status = %d, want %d", i, w.Code, want)
		}
		if want == 429 {
			if got := w.Header().Get("Retry-After"); got != "60" {
				t.Errorf("Retry-After = %q, want 60", got)
			}
			if want := `{"success":false,"message":"Rate limit exceeded. Please retry later.","error":"rate_limited"}`; w.Body.String() != want {
				t.Errorf("body = %s", w.Body)
			}
		}
	}
	if w := lib.call("POST", "/track", `{}`, "X-API-KEY", "pl_other"); w.Code != 200 {
		t.Errorf("another caller: status = %d", w.Code)
	}
	if w := lib.call("POST", "/track", `{}`, "X-API-KEY", "no"); w.Code != 401 {
		t.Errorf("a stranger: status = %d", w.Code)
	}
	lib.clock.at = lib.clock.at.Add(time.Minute)
	if w := lib.call("POST", "/track", `{}`); w.Code != 200 {
		t.Errorf("a minute later: status = %d", w.Code)
	}
}

func TestInternalErrorsAreNotSent(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"any", "panic", "busy"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			lib := newLibrary(t)
			w := lib.call("GET", "/fail/"+how, "")
			if strings.Contains(w.Body.String(), "SQLSTATE") {
				t.Errorf("the answer shows the cause: %s", w.Body)
			}
			if log := lib.log.String(); !strings.Contains(log, "SQLSTATE") || !strings.Contains(log, "request_id=r1") {
				t.Errorf("the log does not show the cause and the request: %s", log)
			}
		})
	}
	t.Run("retry", func(t *testing.T) {
		t.Parallel()
		w := newLibrary(t).call("GET", "/fail/busy", "")
		if w.Code != 503 || w.Header().Get("Retry-After") != "2" {
			t.Errorf("status = %d, Retry-After = %q", w.Code, w.Header().Get("Retry-After"))
		}
	})
	t.Run("long text", func(t *testing.T) {
		t.Parallel()
		w := newLibrary(t).call("GET", "/fail/conflict", "")
		v, err := jsontree.Parse(w.Body.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if n := len([]rune(v.Get("message").Str())); n != 500 {
			t.Errorf("message has %d characters, want 500", n)
		}
	})
}

func TestPartialResponseIsAborted(t *testing.T) {
	t.Parallel()
	lib := newLibrary(t)
	defer func() {
		if caught := recover(); caught != http.ErrAbortHandler { //nolint:errorlint // net/http compares like this, too
			t.Errorf("recovered %v, want http.ErrAbortHandler", caught)
		}
		if len(lib.seen) != 1 {
			t.Errorf("observed %+v", lib.seen)
		}
	}()
	lib.call("GET", "/half", "")
}

func TestDisconnectedClient(t *testing.T) {
	t.Parallel()
	lib := newLibrary(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := httptest.NewRecorder()
	lib.ServeHTTP(w, httptest.NewRequestWithContext(ctx, "GET", "/fail/cancelled", nil))
	if lib.seen[0].Status != 499 || lib.log.Len() > 0 || w.Body.Len() > 0 {
		t.Errorf("observed %+v, logged %q, answered %q", lib.seen[0], lib.log, w.Body)
	}
}

func TestRequestID(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"": "r1", "abc-1.2_X": "abc-1.2_X", "a b": "r1", strings.Repeat("a", 65): "r1", "<x>": "r1",
	} {
		w := newLibrary(t).call("GET", "/nowhere", "", "X-Request-Id", given)
		if got := w.Header().Get("X-Request-Id"); got != want {
			t.Errorf("sent %q, got %q, want %q", given, got, want)
		}
	}
}

func TestObservation(t *testing.T) {
	t.Parallel()
	lib := newLibrary(t)
	lib.call("GET", "/health", "")
	lib.call("GET", "/nowhere", "")
	var ids []string
	for _, o := range lib.seen {
		ids = append(ids, o.Op.ID)
	}
	if diff := cmp.Diff([]string{"Health", "unmatched"}, ids); diff != "" {
		t.Errorf("operations (-want +got):\n%s", diff)
	}
}

func TestRawHandlerBinds(t *testing.T) {
	t.Parallel()
	type input struct {
		ID    int    `path:"id"`
		Deep  bool   `query:"deep"`
		Title string `json:"title" required:"true"`
	}
	router, err := rest.New([]rest.Op{{Method: "POST", Path: "/x/{id}", ID: "X", Summary: "X", Tag: "X", Auth: rest.AuthNone,
		Handler: rest.Raw(input{}, nil, func(w http.ResponseWriter, r *rest.Request) error {
			var in input
			if err := r.Bind(&in); err != nil {
				return err
			}
			return rest.WriteJSON(w, 200, []any{in.ID, in.Deep, in.Title, rest.RequestID(r.Context()) != ""})
		})}}, rest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string]string{
		`{"title":"t"}`: `[5,true,"t",true]`,
		`{}`: `{"success":false,"message":"title: Field required","error":"validation_error",` +
			`"detail":[{"loc":["body","title"],"msg":"Field required","type":"missing"}]}`,
	} {
		w := httptest.NewRecorder()
		router.ServeHTTP(w, httptest.NewRequest("POST", "/x/5?deep=1", strings.NewReader(body)))
		if diff := cmp.Diff(want, w.Body.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
	}
}
