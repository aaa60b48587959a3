package rest

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// maxSegments limits the work that a path can cause.
const maxSegments = 256

// table finds the operation for a path and a method.
//
// http.ServeMux is not suitable: it cleans and redirects ".." and "//", which are
// valid in names here, allows a greedy parameter only at the end, and panics on
// patterns such as /a/{x...}/labels together with /a/{x}/{y}. The escaped path is
// split first and each segment is decoded once, so that %2F is data.
type table struct {
	// byPrefix has the operations by the literal segments before their first
	// parameter, each list from specific to general. A longer literal prefix
	// is always more specific, so a search goes from the longest prefix of the
	// path to the empty one.
	byPrefix map[string][]*operation
}

func newTable(operations []*operation) table {
	t := table{byPrefix: make(map[string][]*operation)}
	for _, op := range operations {
		prefix := ""
		for _, s := range op.pattern.segments[:op.pattern.literals()] {
			prefix += "/" + s.text
		}
		t.byPrefix[prefix] = append(t.byPrefix[prefix], op)
	}
	for _, list := range t.byPrefix {
		slices.SortStableFunc(list, func(a, b *operation) int { return a.pattern.compare(b.pattern) })
	}
	return t
}

// location is a path split into segments.
type location struct {
	joined   string   // decoded, with a slash before each segment
	segments []string // decoded
	space    [12]string
}

// split decodes the path into l. ok is false if no pattern can match it.
func (l *location) split(u *url.URL) (ok bool) {
	l.segments = l.space[:0]
	// Without RawPath the decoded path has no escaped slashes.
	escaped := u.RawPath != ""
	path := u.Path
	if escaped {
		path = u.EscapedPath()
	}
	// A client whose base address ends in a slash asks for //log-request.
	rest := strings.TrimLeft(path, "/")
	path = path[max(0, len(path)-len(rest)-1):]
	if !strings.HasPrefix(path, "/") || strings.Count(path, "/") > maxSegments {
		return false
	}
	for more := true; more; {
		var part string
		part, rest, more = strings.Cut(rest, "/")
		if escaped {
			var err error
			if part, err = url.PathUnescape(part); err != nil {
				return false
			}
		}
		l.segments = append(l.segments, part)
	}
	l.joined = path
	if escaped {
		l.joined = "/" + strings.Join(l.segments, "/")
	}
	return true
}

// candidates calls yield for each operation whose pattern matches, from specific
// to general, until yield returns false.
func (t table) candidates(l *location, yield func(*operation) bool) {
	end := len(l.joined)
	for n := len(l.segments); n >= 0; n-- {
		for _, op := range t.byPrefix[l.joined[:end]] {
			if op.pattern.fits(l.segments) && !yield(op) {
				return
			}
		}
		if n > 0 {
			end -= len(l.segments[n-1]) + 1
		}
	}
}

// find returns the most specific operation with the method. A more general
// pattern matches if the specific one does not have the method: POST
// /things/a/labels concerns the thing "a/labels" if labels can only be read.
func (t table) find(method string, l *location) *operation {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	var found *operation
	t.candidates(l, func(op *operation) bool {
		if op.Method == method {
			found = op
		}
		return found == nil
	})
	return found
}

// allowed returns the methods of the path in alphabetical order, or none for an
// unknown path.
func (t table) allowed(l *location) []string {
	var methods []string
	t.candidates(l, func(op *operation) bool {
		methods = append(methods, op.Method)
		if op.Method == http.MethodGet {
			methods = append(methods, http.MethodHead)
		}
		return true
	})
	if methods == nil {
		return nil
	}
	methods = append(methods, http.MethodOptions)
	slices.Sort(methods)
	return slices.Compact(methods)
}
