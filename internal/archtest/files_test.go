package archtest

import (
	"go/ast"
	"regexp"
	"strings"
	"testing"
)

// maxLines is the maximum length of a file, tests included.
const maxLines = 400

func TestFilesAreSmall(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if s.lines > maxLines {
			t.Errorf("%s has %d lines, more than %d", s.name, s.lines, maxLines)
		}
	}
}

func TestPackagesAreDocumented(t *testing.T) {
	t.Parallel()
	documented := map[string]int{}
	for _, s := range sources(t) {
		if s.test && s.pkg != "internal/archtest" && s.pkg != "test/deploy" && s.pkg != "test/e2e" && s.pkg != "test/fault" && s.pkg != "test/telemetry" {
			continue // packages with only tests are documented there
		}
		documented[s.pkg] += 0
		if s.tree.Doc == nil {
			continue
		}
		documented[s.pkg]++
		text := s.tree.Doc.Text()
		if s.tree.Name.Name != "main" && !strings.HasPrefix(text, "Package "+s.tree.Name.Name+" ") {
			t.Errorf("the comment of package %s in %s begins with %.30q", s.pkg, s.name, text)
		}
	}
	for pkg, count := range documented {
		if count != 1 {
			t.Errorf("package %s has %d package comments, want one", pkg, count)
		}
	}
}

// unfinished matches notes about missing work, which belong in the issue tracker.
var unfinished = regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X|HA` + `CK)\b`)

func TestNothingIsUnfinished(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		for i, line := range strings.Split(s.text, "\n") {
			if found := unfinished.FindString(line); found != "" {
				t.Errorf("%s:%d says %s", s.name, i+1, found)
			}
		}
	}
}

// TestExportedNamesAreDocumented checks functions, methods and types.
func TestExportedNamesAreDocumented(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if s.test || s.tree.Name.Name == "main" {
			continue
		}
		for _, declaration := range s.tree.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && receiverIsExported(d) {
					checkComment(t, s, d.Name.Name, d.Doc)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if typ, ok := spec.(*ast.TypeSpec); ok && typ.Name.IsExported() {
						comment := typ.Doc
						if comment == nil {
							comment = d.Doc
						}
						checkComment(t, s, typ.Name.Name, comment)
					}
				}
			}
		}
	}
}

// checkComment requires a sentence that starts with the name.
func checkComment(t *testing.T, s source, name string, comment *ast.CommentGroup) {
	t.Helper()
	text := strings.TrimSpace(comment.Text())
	if !strings.HasPrefix(text, name+" ") {
		t.Errorf("%s: the comment of %s does not start with its name: %.40q", s.name, name, text)
	}
	if text != "" && !strings.ContainsAny(text[len(text)-1:], ".:)") {
		t.Errorf("%s: the comment of %s is not a sentence: it ends in %q", s.name, name, text[max(0, len(text)-20):])
	}
}

// receiverIsExported reports whether a function is not a method, or a method of
// an exported type.
func receiverIsExported(d *ast.FuncDecl) bool {
	return d.Recv == nil || ast.IsExported(receiver(d))
}
