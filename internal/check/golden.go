package check

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Where a query is broken into lines.
var (
	clause    = regexp.MustCompile(` (FROM|WHERE|GROUP BY|ORDER BY|LIMIT) `)
	condition = regexp.MustCompile(` (AND|OR) \(`)
)

// SQL compares a query, a clause or condition per line, with a file. With update,
// it writes the file first.
func SQL(t testing.TB, path, query string, update bool) {
	t.Helper()
	text := condition.ReplaceAllString(clause.ReplaceAllString(query, "\n$1 "), "\n\t$1 (") + "\n"
	if update {
		OK(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)))
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(fmt.Errorf("%w: run the test with -update", err))
	}
	if diff := cmp.Diff(string(want), text); diff != "" {
		t.Errorf("SQL (-want +got):\n%s", diff)
	}
}
