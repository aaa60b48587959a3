package main

import (
	"fmt"
	"go/ast"
	"io"
	"strings"
)

// writeComments prints the share of exported names that have a comment. A name
// in a group is covered by the comment of the group, and a field or constant
// by one on its line.
func writeComments(w io.Writer, files []*goFile) {
	documented, exported := 0, 0
	var missing []string
	note := func(f *goFile, name *ast.Ident, comments ...*ast.CommentGroup) {
		if !name.IsExported() {
			return
		}
		exported++
		for _, comment := range comments {
			if strings.TrimSpace(comment.Text()) != "" {
				documented++
				return
			}
		}
		missing = append(missing, fmt.Sprintf("%s: %s", f.set.Position(name.Pos()), name.Name))
	}
	for _, f := range files {
		if !f.counts() || f.tree.Name.Name == "main" {
			continue
		}
		for _, declaration := range f.tree.Decls {
			visitNames(f, declaration, note)
		}
	}
	fmt.Fprintf(w, "\n%d of %d exported names have a comment (%.1f %%)\n", documented, exported, 100*float64(documented)/float64(exported))
	for _, name := range missing {
		fmt.Fprintln(w, "         ", name)
	}
}

// visitNames calls note with each name that a top-level declaration defines,
// and the comments that may document it.
func visitNames(f *goFile, declaration ast.Decl, note func(*goFile, *ast.Ident, ...*ast.CommentGroup)) {
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil || ast.IsExported(receiver(d)) {
			note(f, d.Name, d.Doc)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				note(f, s.Name, s.Doc, d.Doc)
			case *ast.ValueSpec:
				for _, name := range s.Names {
					note(f, name, s.Doc, s.Comment, d.Doc)
				}
			}
		}
	}
}

// receiver returns the name of the type that a method belongs to.
func receiver(d *ast.FuncDecl) string {
	typ := d.Recv.List[0].Type
	for {
		switch inner := typ.(type) {
		case *ast.StarExpr:
			typ = inner.X
		case *ast.IndexExpr:
			typ = inner.X
		case *ast.IndexListExpr:
			typ = inner.X
		case *ast.Ident:
			return inner.Name
		default:
			return ""
		}
	}
}
