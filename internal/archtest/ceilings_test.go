package archtest

import (
	"go/ast"
	"path"
	"slices"
	"strings"
	"testing"
)

// Ceilings keep weight from gathering where nothing else bounds it.
const (
	maxMethods   = 50 // of a type
	maxInterface = 12 // methods of an interface
	maxFiles     = 40 // of a folder, besides tests
)

// unbounded reports whether the ceilings do not hold for a package: the template
// engine has a method for each construct of its language, and suites one for each
// case.
func unbounded(pkg string) bool {
	return path.Base(pkg) == "jinja" || forTests(pkg) || below(pkg, "test")
}

// above lists what is above a ceiling, with its size, which must not grow.
var above = map[string]int{
	"interface internal/dataset.Store":              18,
	"interface internal/entity.EntityStore":         14,
	"interface internal/eval.runStore":              14,
	"interface internal/exporter.Store":             14,
	"interface internal/webhook.Store":              15,
	"methods of internal/logstore/clickhouse.Store": 70,
	"methods of internal/catalog/accounts.Store":    61,
	"methods of internal/eval.Service":              59,
	"methods of internal/catalog/entities.Store":    84,
	"methods of internal/reqlog/requests.Service":   64,
}

// limit fails the test if a size is above the ceiling and not listed.
func limit(t *testing.T, name string, size, ceiling int) {
	t.Helper()
	switch listed := above[name]; {
	case listed > 0 && size <= ceiling:
		t.Errorf("%s has %d, which is allowed: remove it from the list", name, size)
	case size > listed && listed > 0:
		t.Errorf("%s has %d, more than the %d of the list", name, size, listed)
	case listed == 0 && size > ceiling:
		t.Errorf("%s has %d, more than %d", name, size, ceiling)
	}
}

func TestTypesAreSmall(t *testing.T) {
	t.Parallel()
	methods := map[string]int{}
	for _, s := range sources(t) {
		if s.test || unbounded(s.pkg) {
			continue
		}
		for _, declaration := range s.tree.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil {
					methods[s.pkg+"."+receiver(d)]++
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					checkInterface(t, s, spec)
				}
			}
		}
	}
	for name, count := range methods {
		limit(t, "methods of "+name, count, maxMethods)
	}
}

// TestListIsNeeded checks that everything on the list exists.
func TestListIsNeeded(t *testing.T) {
	t.Parallel()
	for name := range above {
		parts := strings.Fields(name)
		pkg, typ := strings.TrimSuffix(parts[len(parts)-1], path.Ext(name)), strings.TrimPrefix(path.Ext(name), ".")
		if !slices.ContainsFunc(sources(t), func(s source) bool { return s.pkg == pkg && declares(s, typ) }) {
			t.Errorf("%s is listed and does not exist", name)
		}
	}
}

// declares reports whether a file declares a type.
func declares(s source, name string) bool {
	return slices.ContainsFunc(s.tree.Decls, func(declaration ast.Decl) bool {
		group, ok := declaration.(*ast.GenDecl)
		return ok && slices.ContainsFunc(group.Specs, func(spec ast.Spec) bool {
			typ, ok := spec.(*ast.TypeSpec)
			return ok && typ.Name.Name == name
		})
	})
}

func checkInterface(t *testing.T, s source, spec ast.Spec) {
	t.Helper()
	if typ, ok := spec.(*ast.TypeSpec); ok {
		if i, ok := typ.Type.(*ast.InterfaceType); ok {
			limit(t, "interface "+s.pkg+"."+typ.Name.Name, len(i.Methods.List), maxInterface)
		}
	}
}

func TestFoldersAreSmall(t *testing.T) {
	t.Parallel()
	files := map[string]int{}
	for _, s := range sources(t) {
		if !s.test && !unbounded(s.pkg) && s.pkg != "internal/step" { // step has a file for each type
			files[s.pkg]++
		}
	}
	for pkg, count := range files {
		limit(t, "files of "+pkg, count, maxFiles)
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
