package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// checkout writes files below a new folder.
func checkout(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestGo(t *testing.T) {
	t.Parallel()
	files, err := readGo(checkout(t, map[string]string{
		"internal/a/a.go":          "package a\n\n// A is one.\nfunc A() {\n}\n\nfunc B() int {\n\treturn 1\n}\n",
		"internal/a/a_test.go":     "package a\n" + strings.Repeat("\n", 400),
		"internal/check/check.go":  "package check\n",
		"internal/a/testdata/b.go": "no Go",
		"test/e2e/e2e.go":          "package e2e\n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	writeSizes(&out, files)
	writeFunctions(&out, files)
	writeLongFiles(&out, files)
	writeComments(&out, files)
	want := `Go lines without tests, by package:
       9  internal/a
       9  in total

2 functions: median 2 lines, 90 % at most 2, longest 3

1 of 4 Go files, tests included, have more than 400 lines
     401  internal/a/a_test.go

1 of 2 exported names have a comment (50.0 %)
          internal/a/a.go:7:6: B
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
}

func TestWeight(t *testing.T) {
	t.Parallel()
	files, err := readGo(checkout(t, map[string]string{
		"internal/a/a.go":      "package a\n\nimport _ \"github.com/promptuary/promptuary/internal/b\"\n\ntype t struct{}\n\nfunc (t) a() {}\n\nfunc (*t) b() {}\n",
		"internal/a/b.go":      "package a\n\nimport _ \"github.com/promptuary/promptuary/internal/b\"\n\ntype i interface{ a() }\n",
		"internal/a/a_test.go": "package a\n\nfunc (t) c() {}\n",
		"internal/b/b.go":      "package b\n\nimport _ \"os\"\n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	writeWeight(&out, files)
	want := `
most methods of a type:
       2  internal/a.t

most methods of an interface:
       1  internal/a.i

most files of a folder besides tests:
       2  internal/a
       1  internal/b

most packages of the module that a package imports:
       1  internal/a
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
}

func TestCycles(t *testing.T) {
	t.Parallel()
	modules, err := readTypeScript(checkout(t, map[string]string{
		"web/src/a.ts":         "import { b } from './b'\nimport 'react'\n",
		"web/src/b.tsx":        "export { c } from '@/c'\n",
		"web/src/c/index.ts":   "const a = await import('../a')\n",
		"web/src/d.ts":         "import type {\n  A,\n} from './a'\n",
		"web/src/alone/one.ts": "import two from './two'\n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	writeCycles(&out, modules)
	want := "import cycles in TypeScript: 1 among 5 modules\n       3  a.ts b.tsx c/index.ts\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
}
