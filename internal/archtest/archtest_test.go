// Package archtest tests the structure of the code: imports between packages,
// the size of files, and documentation.
package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/promptuary/promptuary/"

// source is one Go file of the module.
type source struct {
	name    string // slash-separated path from the root of the module
	pkg     string // folder of the file
	test    bool
	lines   int
	text    string
	tree    *ast.File
	imports []string
}

// sources returns every Go file of the module and caches them.
func sources(t *testing.T) []source {
	t.Helper()
	list, err := readAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 100 {
		t.Fatalf("found only %d files", len(list))
	}
	return list
}

var readAll = sync.OnceValues(func() (list []source, err error) {
	base, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(base, "go.mod")); err != nil {
		return nil, err
	}
	err = filepath.WalkDir(base, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if entry.Name() != "." && (strings.HasPrefix(entry.Name(), ".") || skipped(entry.Name())) {
				return filepath.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(name, ".go") {
			s, err := read(base, name)
			list = append(list, s)
			return err
		}
		return nil
	})
	return list, err
})

func skipped(folder string) bool {
	return slices.Contains([]string{"testdata", "node_modules", "data", "bin", "dist"}, folder)
}

func read(base, name string) (source, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return source{}, err
	}
	short, err := filepath.Rel(base, name)
	if err != nil {
		return source{}, err
	}
	tree, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return source{}, err
	}
	s := source{
		name: filepath.ToSlash(short), test: strings.HasSuffix(name, "_test.go"),
		lines: strings.Count(string(text), "\n"), text: string(text), tree: tree,
	}
	s.pkg = path.Dir(s.name)
	for _, spec := range tree.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return source{}, err
		}
		s.imports = append(s.imports, imported)
	}
	return s, nil
}

// below reports whether a package is the folder or below it.
func below(pkg, folder string) bool { return pkg == folder || strings.HasPrefix(pkg, folder+"/") }
