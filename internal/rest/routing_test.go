package rest_test

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRouting(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name           string
		method, target string
		want           string // the operation's id and the value it answers
	}{
		{"literal", "GET", "/books", "ListBooks"},
		{"greedy, one segment", "GET", "/books/a", "GetBook a"},
		{"greedy, more segments", "GET", "/books/a/b/c", "GetBook a/b/c"},
		{"escaped slash is data", "GET", "/books/a%2Fb", "GetBook a/b"},
		{"escaped and plain slashes", "GET", "/books/a%2Fb/c", "GetBook a/b/c"},
		{"decoded once", "GET", "/books/a%252Fb", "GetBook a%2Fb"},
		{"escaped space, hash, question mark, percent", "GET", "/books/a%20b%23c%3Fd%25", "GetBook a b#c?d%"},
		{"plus is a plus", "GET", "/books/a+b", "GetBook a+b"},
		{"not ASCII", "GET", "/books/%C3%A9t%C3%A9", "GetBook été"},
		{"dots are a name", "GET", "/books/a/../b/.", "GetBook a/../b/."},
		{"dots do not leave the prefix", "GET", "/books/..", "GetBook .."},
		{"escaped dots", "GET", "/books/%2e%2e%2fx", "GetBook ../x"},
		{"double slashes", "GET", "/books/a//b", "GetBook a//b"},
		{"base address with a trailing slash", "GET", "//books", "ListBooks"},
		{"base address with slashes", "GET", "///books/a//b", "GetBook a//b"},
		{"base address with a trailing slash, escaped name", "GET", "//books/a%2Fb", "GetBook a/b"},
		{"an escaped leading slash is part of a name", "GET", "/%2Fbooks", "404"},
		{"only slashes", "GET", "///", "404"},
		{"trailing slash is an empty segment", "GET", "/books/a/", "GetBook a/"},
		{"trailing slash behind a literal", "GET", "/books/", "GetBook "},
		{"trailing slash where nothing takes it", "GET", "/health/", "404"},
		{"root", "GET", "/", "404"},
		{"suffix behind a greedy name", "GET", "/books/a/labels", "ListLabels labels of a"},
		{"suffix behind a longer name", "GET", "/books/a/b/labels", "ListLabels labels of a/b"},
		{"a name that is the suffix", "GET", "/books/labels", "GetBook labels"},
		{"a name that ends with the suffix twice", "GET", "/books/labels/labels", "ListLabels labels of labels"},
		{"an escaped suffix is part of the name", "GET", "/books/a%2Flabels", "GetBook a/labels"},
		{"a suffix of another method falls through", "POST", "/books/a/labels", "RenderBook a/labels {}"},
		{"fixed prefix before greedy", "PUT", "/books/by-isbn/us/1/2", "PutBook us|1/2"},
		{"escaped slash in a single segment", "PUT", "/books/by-isbn/u%2Fs/1%2F2/3", "PutBook u/s|1/2/3"},
		{"empty single segment", "PUT", "/books/by-isbn//x", "PutBook |x"},
		{"fixed prefix of another method falls through", "GET", "/books/by-isbn/us/1", "GetBook by-isbn/us/1"},
		{"digits", "DELETE", "/books/7/isbns/us/1/2", "DetachISBN"},
		{"not digits", "DELETE", "/books/seven/isbns/us/1", "405"},
		{"literal beats parameter", "GET", "/shelves/special", "SpecialShelf special"},
		{"parameter of another method behind a literal", "PATCH", "/shelves/special", "Shelve"},
		{"literals are decoded, too", "GET", "/%62ooks", "ListBooks"},
		{"an escaped slash does not make a literal", "GET", "/shelves%2Fspecial", "404"},
		{"case counts", "GET", "/Books", "404"},
		{"head", "HEAD", "/books/a", "GetBook a"},
		{"unknown method", "BREW", "/books", "405"},
		{"very many segments", "GET", "/books" + strings.Repeat("/a", 300), "404"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			lib := newLibrary(t)
			w := lib.call(tt.method, tt.target, "{}")
			got := lib.seen[0].Op.ID
			if id, value, ok := strings.Cut(w.Body.String(), `{"value":"`); ok && id == "" && w.Code == 200 {
				got += " " + strings.TrimSuffix(value, `"}`)
			}
			if got == "unmatched" {
				got = map[int]string{404: "404", 405: "405"}[w.Code]
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s%s", diff, w.Body)
			}
			if w.Header().Get("Location") != "" {
				t.Errorf("redirected to %s", w.Header().Get("Location"))
			}
		})
	}
}

func TestAllow(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, method, target string
		status               int
		want                 string
	}{
		{"wrong method", "PATCH", "/books", 405, "GET, HEAD, OPTIONS, POST"},
		{"wrong method on a path of several patterns", "PATCH", "/books/7/isbns/us/1", 405, "DELETE, GET, HEAD, OPTIONS, POST"},
		{"options", "OPTIONS", "/shelves", 204, "DELETE, OPTIONS"},
		{"options of an unknown path", "OPTIONS", "/nowhere", 404, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newLibrary(t).call(tt.method, tt.target, "", "X-API-KEY", "")
			if w.Code != tt.status || w.Header().Get("Allow") != tt.want {
				t.Errorf("status = %d, Allow = %q; want %d, %q", w.Code, w.Header().Get("Allow"), tt.status, tt.want)
			}
		})
	}
}

func TestHandles(t *testing.T) {
	t.Parallel()
	lib := newLibrary(t)
	for target, want := range map[string]bool{
		"/books": true, "/books/a/b": true, "/shelves/7": true, "/shelves/7/8": false, "/": false, "/assets/app.js": false, "/index.html": false,
	} {
		if got := lib.Handles(httptest.NewRequest("TRACE", target, nil)); got != want {
			t.Errorf("Handles(%s) = %v, want %v", target, got, want)
		}
	}
	for _, u := range []*url.URL{{Path: "*"}, {Path: ""}, {Path: "/a%", RawPath: "/%zz"}, {Opaque: "x"}} {
		r := httptest.NewRequest("GET", "/", nil)
		r.URL = u
		if lib.Handles(r) {
			t.Errorf("Handles(%#v) = true", u)
		}
	}
}
