package catalog_test

import (
	"cmp"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/check"
)

var update = flag.Bool("update", false, "write the SQL of the stores to testdata")

// statement is an SQL statement of a function of a store.
type statement struct{ function, sql string }

// recorder records the statements that the stores run, by store.
type recorder struct {
	mu     sync.Mutex
	stores map[string]map[statement]bool
}

// record adds a statement. It finds the function that runs it on the stack.
func (r *recorder) record(sql string, _ []any) {
	store, function, write := caller()
	sql = canonical(sql)
	if verb, _, _ := strings.Cut(sql, " "); write != slices.Contains([]string{"INSERT", "UPDATE", "DELETE"}, verb) {
		panic("reads and writes run through different functions of the engine: " + sql)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stores == nil {
		r.stores = map[string]map[statement]bool{}
	}
	if r.stores[store] == nil {
		r.stores[store] = map[statement]bool{}
	}
	r.stores[store][statement{function, sql}] = true
}

// forOthers are the files with functions that run the statements of stores.
var forOthers = []string{"engine/query.go", "engine/page.go", "engine/record.go"}

// caller returns the function that runs a statement, and whether it does so as
// a write.
func caller() (store, function string, write bool) {
	pcs := make([]uintptr, 50)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for frame, more := frames.Next(); more; frame, more = frames.Next() {
		// The test runs in the folder of the catalog.
		_, file, found := strings.Cut(frame.File, "/internal/catalog/")
		if !found {
			continue
		}
		store = filepath.Dir(file)
		// The names of inlined closures depend on the compiler, positions do not.
		function = functionAt(file, frame.Line)
		if !slices.Contains(forOthers, file) {
			return store, function, write
		}
		write = write || strings.HasPrefix(function, "Exec")
	}
	panic("no store runs the statement")
}

// sources are the parsed files by name.
var sources sync.Map

// source is a parsed file.
type source struct {
	files *token.FileSet
	tree  *ast.File
}

// functionAt returns the name of the function at a position. It begins with the
// receiver unless that is the store itself.
func functionAt(file string, line int) string {
	known, found := sources.Load(file)
	if !found {
		files := token.NewFileSet()
		tree, err := parser.ParseFile(files, file, nil, parser.SkipObjectResolution)
		if err != nil {
			panic(err)
		}
		known, _ = sources.LoadOrStore(file, source{files, tree})
	}
	parsed := known.(source)
	for _, decl := range parsed.tree.Decls {
		function, ok := decl.(*ast.FuncDecl)
		if ok && parsed.files.Position(function.Pos()).Line <= line && line <= parsed.files.Position(function.End()).Line {
			return strings.TrimPrefix(receiver(function)+function.Name.Name, "Store.")
		}
	}
	panic(file + ": no function at line " + strconv.Itoa(line))
}

// receiver returns the type of a method's receiver and a dot.
func receiver(function *ast.FuncDecl) string {
	if function.Recv == nil {
		return ""
	}
	of := function.Recv.List[0].Type
	if pointer, ok := of.(*ast.StarExpr); ok {
		of = pointer.X
	}
	if generic, ok := of.(*ast.IndexExpr); ok {
		of = generic.X
	}
	return of.(*ast.Ident).Name + "."
}

var (
	placeholder = regexp.MustCompile(`\$\d+`)
	list        = regexp.MustCompile(` IN \((\$\d+)(?:, \$\d+)+\)`)
	rows        = regexp.MustCompile(`VALUES (\((?:[^()]|\([^()]*\))*\))(?:, \((?:[^()]|\([^()]*\))*\))+`)
)

// canonical returns a statement with one value in each list, one row to insert,
// and placeholders numbered in their order.
func canonical(sql string) string {
	sql = list.ReplaceAllString(strings.TrimSpace(sql), " IN ($1)")
	sql = rows.ReplaceAllString(sql, "VALUES $1")
	sql = strings.ReplaceAll(sql, "\n\n", "\n")
	numbers := map[string]string{}
	return placeholder.ReplaceAllStringFunc(sql, func(old string) string {
		if numbers[old] == "" {
			numbers[old] = "$" + strconv.Itoa(len(numbers)+1)
		}
		return numbers[old]
	})
}

// golden is the file with the statements of a store.
func golden(store string) string { return filepath.Join("testdata", "sql", store+".sql") }

// text returns the statements of a store by function.
func (r *recorder) text(store string) string {
	all := slices.SortedFunc(maps.Keys(r.stores[store]), func(a, b statement) int {
		return cmp.Or(strings.Compare(a.function, b.function), strings.Compare(a.sql, b.sql))
	})
	text, function := strings.Builder{}, ""
	for _, one := range all {
		if one.function != function {
			function = one.function
			text.WriteString("-- " + function + "\n")
		}
		text.WriteString(one.sql + ";\n\n")
	}
	return text.String()
}

// compare fails the test when the statements differ from those in testdata. With
// -update it writes them there instead.
func (r *recorder) compare(t *testing.T) {
	if strings.Contains(flag.Lookup("test.run").Value.String(), "/") || t.Failed() {
		return // only a part of the suite has run
	}
	for _, store := range slices.Sorted(maps.Keys(r.stores)) {
		got := r.text(store)
		if *update {
			check.OK(t, os.WriteFile(golden(store), []byte(got), 0o644))
			continue
		}
		want := string(check.Must(os.ReadFile(golden(store)))(t))
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("the SQL of %s has changed, run with -update and review it (-want +got):\n%s", store, diff)
		}
	}
}
