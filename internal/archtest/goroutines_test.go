package archtest

import (
	"go/ast"
	"path"
	"strings"
	"testing"
)

// unguarded lists the files that may start goroutines without package guard.
var unguarded = map[string]string{
	"internal/guard/guard.go":       "it is the guard",
	"internal/script/child.go":      "a panic ends only the worker process, which runs one program",
	"internal/script/exec_linux.go": "the launcher is a process of its own, and its thread must not use Go's scheduler",
}

// TestGoroutinesAreGuarded checks that a panic in a goroutine cannot end the
// process: goroutines are started by package guard, or run one of its functions.
func TestGoroutinesAreGuarded(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for _, s := range sources(t) {
		if s.test || !below(s.pkg, "cmd") && !below(s.pkg, "internal") || forTests(s.pkg) {
			continue
		}
		ast.Inspect(s.tree, func(node ast.Node) bool {
			if what := startsUnguarded(node); what != "" {
				found[s.name] = true
				if unguarded[s.name] == "" {
					t.Errorf("%s has %s: use package guard", s.name, what)
				}
			}
			return true
		})
	}
	for name := range unguarded {
		if !found[name] {
			t.Errorf("%s is listed and starts no goroutine without guard", name)
		}
	}
}

// forTests reports whether only tests import a package.
func forTests(pkg string) bool {
	name := path.Base(pkg)
	return name == "check" || name == "archtest" || strings.HasSuffix(name, "test") && name != "abtest" && name != "test"
}

// startsUnguarded returns how a node starts a goroutine that is not guarded, or
// "". Groups start goroutines with a method Go.
func startsUnguarded(node ast.Node) string {
	if _, ok := node.(*ast.GoStmt); ok {
		return "a go statement"
	}
	call, ok := node.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return ""
	}
	if method, ok := call.Fun.(*ast.SelectorExpr); !ok || method.Sel.Name != "Go" {
		return ""
	}
	if started, ok := call.Args[0].(*ast.CallExpr); ok && fromGuard(started.Fun) {
		return ""
	}
	return "a call of a method Go without a function of guard"
}

// fromGuard reports whether an expression is a function of package guard.
func fromGuard(expression ast.Expr) bool {
	function, ok := expression.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := function.X.(*ast.Ident)
	return ok && pkg.Name == "guard"
}
