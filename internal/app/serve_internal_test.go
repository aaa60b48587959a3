package app

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/ui"
)

// TestWrittenPaths compares paths with escapes of all kinds with the paths of the
// documents and of the web app.
func TestWrittenPaths(t *testing.T) {
	t.Parallel()
	for _, asked := range []string{
		"/", "//", "/app", "/app/", "/%61pp", "/app%2F", "/app%2Fx", "/app/x%2Fy", `/%61pp/"`, "/%61pp/x", "/app/../docs", "/docs", "/d%6Fcs", `/docs"`,
		"/prompt-templates/a%20b", "/prompt-templates/a%2Fb", "/metrics", "/metrics%20", "*", "http://host/docs", "http://host",
	} {
		u, err := url.ParseRequestURI(asked)
		check.OK(t, err)
		r := &http.Request{URL: u}
		for _, plain := range []string{"/", "/app", "/docs", "/metrics", "/prompt-templates/a"} {
			check.Equal(t, asked+" is "+plain, writtenPath(r) == plain, u.EscapedPath() == plain)
		}
		check.Equal(t, asked+" is of the web app", webPath(r), strings.HasPrefix(u.EscapedPath(), ui.Prefix) && cleaned(u.EscapedPath()))
	}
}
