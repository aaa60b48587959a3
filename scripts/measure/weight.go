package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"io"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// heaviest is how many packages and types writeWeight prints of each kind.
const heaviest = 5

// writeWeight prints what a reader has to hold in the head at once: the types with
// the most methods, the interfaces with the most, the folders with the most files,
// and the packages that import the most others of the module.
func writeWeight(w io.Writer, files []*goFile) {
	methods, interfaces, folders, imports := map[string]int{}, map[string]int{}, map[string]int{}, map[string]map[string]bool{}
	for _, f := range files {
		if !f.counts() {
			continue
		}
		pkg := path.Dir(f.name)
		folders[pkg]++
		countMethods(f, pkg, methods, interfaces)
		for _, spec := range f.tree.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if inner, own := strings.CutPrefix(name, "github.com/promptuary/promptuary/"); err == nil && own {
				if imports[pkg] == nil {
					imports[pkg] = map[string]bool{}
				}
				imports[pkg][inner] = true
			}
		}
	}
	fanOut := map[string]int{}
	for pkg, list := range imports {
		fanOut[pkg] = len(list)
	}
	writeHeaviest(w, "methods of a type", methods)
	writeHeaviest(w, "methods of an interface", interfaces)
	writeHeaviest(w, "files of a folder besides tests", folders)
	writeHeaviest(w, "packages of the module that a package imports", fanOut)
}

// countMethods adds the methods that a file declares.
func countMethods(f *goFile, pkg string, methods, interfaces map[string]int) {
	for _, declaration := range f.tree.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			if d.Recv != nil {
				methods[pkg+"."+receiver(d)]++
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if typ, ok := spec.(*ast.TypeSpec); ok {
					if i, ok := typ.Type.(*ast.InterfaceType); ok {
						interfaces[pkg+"."+typ.Name.Name] = len(i.Methods.List)
					}
				}
			}
		}
	}
}

// writeHeaviest prints the names with the largest counts.
func writeHeaviest(w io.Writer, what string, counts map[string]int) {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	fmt.Fprintf(w, "\nmost %s:\n", what)
	for _, name := range names[:min(heaviest, len(names))] {
		fmt.Fprintf(w, "%8d  %s\n", counts[name], name)
	}
}
