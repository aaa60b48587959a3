package api_test

import (
	"regexp"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/api"
	"github.com/promptuary/promptuary/internal/rest"
)

// route is an operation with its path as a regular expression.
type route struct {
	rest.Op
	path *regexp.Regexp
	// literals is the number of literal segments: of several matching
	// operations, the one with the most is used.
	literals int
}

var routes = compileRoutes()

func compileRoutes() []route {
	var all []route
	for _, op := range api.Operations(api.Services{}) {
		r := route{Op: op}
		var parts []string
		for part := range strings.SplitSeq(op.Path, "/") {
			switch {
			case strings.HasSuffix(part, "...}"):
				part = ".*"
			case strings.HasSuffix(part, ":digits}"):
				part = "[0-9]+"
			case strings.HasPrefix(part, "{"):
				part = "[^/]*"
			default:
				part = regexp.QuoteMeta(part)
				r.literals++
			}
			parts = append(parts, part)
		}
		r.path = regexp.MustCompile("^" + strings.Join(parts, "/") + "$")
		all = append(all, r)
	}
	slices.SortStableFunc(all, func(a, b route) int { return b.literals - a.literals })
	return all
}

// findOperation returns the operation of a request, nil if there is none.
func findOperation(method, path string) *rest.Op {
	path, _, _ = strings.Cut(path, "?")
	for i := range routes {
		if routes[i].Method == method && routes[i].path.MatchString(path) {
			return &routes[i].Op
		}
	}
	return nil
}

var parameter = regexp.MustCompile(`\{([^}.:]+)[^}]*\}`)

// documented returns a path as in the document.
func documented(path string) string { return parameter.ReplaceAllString(path, "{$1}") }
