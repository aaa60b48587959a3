package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// goFile is a parsed Go file.
type goFile struct {
	name  string // relative to the root, with slashes
	lines int
	tree  *ast.File
	set   *token.FileSet
}

// testPackages are imported by tests only, so their lines do not count.
var testPackages = []string{"catalogtest", "storetest", "logstoretest", "pgtest", "providertest", "check"}

// counts reports whether the lines of a file count as code of the program.
func (f *goFile) counts() bool {
	inProgram := strings.HasPrefix(f.name, "cmd/") || strings.HasPrefix(f.name, "internal/")
	return inProgram && !f.isTest() && !slices.Contains(testPackages, path.Base(path.Dir(f.name)))
}

func (f *goFile) isTest() bool { return strings.HasSuffix(f.name, "_test.go") }

// readGo parses every Go file below the root.
func readGo(root string) ([]*goFile, error) {
	var files []*goFile
	err := walk(root, func(name string) error {
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
		files = append(files, &goFile{name: name, lines: bytes.Count(text, []byte("\n")), tree: tree, set: set})
		return err
	})
	return files, err
}

// walk calls visit with each file below the root that is source code.
func walk(root string, visit func(name string) error) error {
	skipped := []string{"node_modules", "testdata", "data", "bin", "dist"}
	return filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !entry.IsDir() {
			relative, err := filepath.Rel(root, name)
			if err != nil {
				return err
			}
			return visit(filepath.ToSlash(relative))
		}
		if name != root && (strings.HasPrefix(entry.Name(), ".") || slices.Contains(skipped, entry.Name())) {
			return filepath.SkipDir
		}
		return nil
	})
}

func writeSizes(w io.Writer, files []*goFile) {
	lines, total := map[string]int{}, 0
	for _, f := range files {
		if f.counts() {
			lines[path.Dir(f.name)] += f.lines
			total += f.lines
		}
	}
	fmt.Fprintln(w, "Go lines without tests, by package:")
	for _, pkg := range slices.Sorted(maps.Keys(lines)) {
		fmt.Fprintf(w, "%8d  %s\n", lines[pkg], pkg)
	}
	fmt.Fprintf(w, "%8d  in total\n", total)
}

// writeFunctions prints how long functions are, from the line of the
// declaration to that of the closing brace.
func writeFunctions(w io.Writer, files []*goFile) {
	var lengths []int
	for _, f := range files {
		if !f.counts() {
			continue
		}
		for _, declaration := range f.tree.Decls {
			if d, ok := declaration.(*ast.FuncDecl); ok && d.Body != nil {
				lengths = append(lengths, f.set.Position(d.End()).Line-f.set.Position(d.Pos()).Line+1)
			}
		}
	}
	slices.Sort(lengths)
	share := func(part float64) int { return lengths[int(part*float64(len(lengths)-1))] }
	fmt.Fprintf(w, "\n%d functions: median %d lines, 90 %% at most %d, longest %d\n", len(lengths), share(0.5), share(0.9), share(1))
}

// maxLines is the limit that internal/archtest enforces.
const maxLines = 400

func writeLongFiles(w io.Writer, files []*goFile) {
	long := slices.DeleteFunc(slices.Clone(files), func(f *goFile) bool { return f.lines <= maxLines })
	slices.SortFunc(long, func(a, b *goFile) int { return cmp.Compare(b.lines, a.lines) })
	fmt.Fprintf(w, "\n%d of %d Go files, tests included, have more than %d lines\n", len(long), len(files), maxLines)
	for _, f := range long {
		fmt.Fprintf(w, "%8d  %s\n", f.lines, f.name)
	}
}
