package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRun extracts texts for people and keeps their lines.
func TestRun(t *testing.T) {
	t.Parallel()
	root, destination := t.TempDir(), t.TempDir()
	files := map[string]string{
		"cmd/a.go":           "package a\n\nvar short = \"two words\"\n\nvar long = \"There are three words\"\n\nvar sql = `SELECT a FROM b WHERE c`\n",
		"cmd/a_test.go":      "package a\n\nvar test = \"not a text for people\"\n",
		"internal/.keep":     "",
		"web/src/page.tsx":   "// a comment with words\nreturn <p title='Move to a folder'>\n  The page of a request\n</p>\n",
		"web/src/a.test.tsx": "expect('not for people at all')\n",
	}
	for name, text := range files {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := run(root, destination); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"cmd/a.go.txt":         "\n\n\n\nThere are three words \n",
		"web/src/page.tsx.txt": "\nMove to a folder \nThe page of a request \n",
	} {
		got, err := os.ReadFile(filepath.Join(destination, name))
		if diff := cmp.Diff(want, string(got)); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
	for _, name := range []string{"cmd/a_test.go.txt", "web/src/a.test.tsx.txt"} {
		if _, err := os.Stat(filepath.Join(destination, name)); !os.IsNotExist(err) {
			t.Errorf("%s exists: %v", name, err)
		}
	}
}
