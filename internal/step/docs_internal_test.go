package step

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the table of types to docs/workflows.md")

const (
	docsFile  = "../../docs/workflows.md"
	docsStart = "<!-- types: go test ./internal/step -update -->\n"
	docsEnd   = "<!-- end of types -->\n"
)

// TestTypesAreDocumented compares the table in docs/workflows.md with the types.
func TestTypesAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(docsFile)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(page), docsStart)
	documented, after, ended := strings.Cut(rest, docsEnd)
	if !found || !ended {
		t.Fatalf("%s has no place for the types", docsFile)
	}
	want := docsTable()
	if *update {
		if err := os.WriteFile(docsFile, []byte(before+docsStart+want+docsEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, documented); diff != "" {
		t.Errorf("run the test with -update (-want +got):\n%s", diff)
	}
}

func docsTable() string {
	var out strings.Builder
	out.WriteString("| type | in the web app | what it does |\n|---|---|---|\n")
	for _, spec := range specs {
		fmt.Fprintf(&out, "| `%s` | %s: %s | %s |\n", spec.Name, spec.Group, spec.Label, spec.Doc)
	}
	return out.String()
}
