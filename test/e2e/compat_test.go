package e2e

import (
	"compress/gzip"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/catalog/pgtest"
)

// makeCompat names a fixture to create. See "Fixtures of earlier versions" in
// CONTRIBUTING.md: never regenerate an existing fixture.
var makeCompat = flag.String("make-compat", "", "make the fixture testdata/compat/NAME with the program under test")

// engines are the catalogs that each fixture has.
var engines = []string{"sqlite", "postgres"}

// extended lists members that later versions added to responses or lengthened,
// as patterns such as "items.*.name". They are not compared.
var extended = []string{
	"backup", "backup.*", "damage.*", "queues.*.*", "servers.*.*", "servers.*.ingest.*", // of health
	"evaluations.*.run_count",
	"ab_test.guard", "ab_test.stopped", "ab_tests.*.guard", "ab_tests.*.stopped",
	"trace_id", "items.*.trace_id", "report.trace_id", "evaluations.*.runs.*.trace_id", "items.*.dry_run", // of runs
	"items.*.source", "items.*.api_key_id", // of request logs
	"permissions", "permissions.*", "roles.*.*", "roles.*.permissions.*", // the permission READ and the role Ingest
}

// TestOpensDataOfEarlierVersions opens data folders and dumps of earlier
// versions, compares every response with that of the earlier version, and then
// writes to them.
func TestOpensDataOfEarlierVersions(t *testing.T) {
	t.Parallel()
	if *makeCompat != "" {
		makeFixture(t, filepath.Join("testdata/compat", *makeCompat))
	}
	fixtures, err := filepath.Glob("testdata/compat/*")
	if err != nil || len(fixtures) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, fixture := range fixtures {
		for _, engine := range engines {
			t.Run(filepath.Base(fixture)+"/"+engine, func(t *testing.T) {
				t.Parallel()
				answers := decompress(t, filepath.Join(fixture, engine, "answers.http.gz"))
				replay(t, fixture, answers, openFixture(t, filepath.Join(fixture, engine)))
			})
		}
	}
}

// TestCatalogCanMoveToPostgreSQL copies a SQLite catalog to PostgreSQL. The
// server must answer as before.
func TestCatalogCanMoveToPostgreSQL(t *testing.T) {
	t.Parallel()
	const fixture = "testdata/compat/0.1"
	s := openFixture(t, filepath.Join(fixture, "sqlite"))
	target := setup{env: []string{"PROMPTUARY_CATALOG=" + pgtest.Start(t)}}
	copied := target.run(t, "catalog", "copy", "--from", s.data)
	if copied.code != 0 || !strings.Contains(copied.stdout, "The copy is complete and verified.") {
		t.Fatalf("exited with %d: %s%s", copied.code, copied.stdout, copied.stderr)
	}
	again := target.run(t, "catalog", "copy", "--from", s.data)
	if again.code != 1 || !strings.Contains(again.stderr, "the target is not empty") {
		t.Errorf("a second copy exited with %d: %s", again.code, again.stderr)
	}
	s.catalog = strings.TrimPrefix(target.env[0], "PROMPTUARY_CATALOG=")
	answers := decompress(t, filepath.Join(fixture, "sqlite", "answers.http.gz"))
	replay(t, fixture, strings.Replace(answers, `catalog.engine: "SQLite"`, `catalog.engine: "PostgreSQL"`, 1), s)
}

// replay compares all responses with the recorded ones, and then writes.
func replay(t *testing.T, fixture, answers string, s setup) {
	t.Helper()
	p := newPlayer(s)
	p.compare(t, parseSteps(t, answers))
	p.write(t, readScript(t, filepath.Join(fixture, "write.http")))
	p.program.stop()
}

// compare repeats steps and reports each response that has changed.
func (p *player) compare(t *testing.T, steps []*step) {
	t.Helper()
	for _, want := range steps {
		got := *want
		p.play(t, &got)
		if got.status != want.status {
			t.Errorf("%s: %s %s: status %d, want %d: %s", want.name, want.method, want.path, got.status, want.status, clip([]byte(got.answer)))
			continue
		}
		if diff := cmp.Diff(comparable(want.answer), comparable(got.answer)); diff != "" {
			t.Errorf("%s: %s %s (-want +got):\n%s", want.name, want.method, want.path, diff)
		}
	}
}

// comparable returns the lines of a rendered response without extended members. Fractions
// are rounded, because sums depend on the order in which their parts are added.
func comparable(answer string) (lines []string) {
	for line := range strings.Lines(answer) {
		path, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		if slices.ContainsFunc(extended, func(pattern string) bool { return matches(pattern, strings.Split(path, ".")) }) {
			continue
		}
		if n, err := strconv.ParseFloat(value, 64); err == nil && strings.Contains(value, ".") {
			value = strconv.FormatFloat(n, 'g', 12, 64)
		}
		lines = append(lines, path+": "+value)
	}
	return lines
}

// write runs steps that must all succeed.
func (p *player) write(t *testing.T, steps []*step) {
	t.Helper()
	for _, s := range steps {
		s = p.resolve(t, s)
		if p.play(t, s); s.status >= 300 {
			t.Fatalf("%s: %s %s: status %d: %s", s.name, s.method, s.path, s.status, s.answer)
		}
	}
}

// openFixture unpacks a fixture and returns the setup to start the server on
// it.
func openFixture(t *testing.T, folder string) setup {
	t.Helper()
	s := setup{data: t.TempDir()}
	unpack(t, filepath.Join(folder, "data.tar.gz"), s.data)
	dump := filepath.Join(folder, "catalog.sql.gz")
	if _, err := os.Stat(dump); err == nil {
		dsn := pgtest.Start(t)
		restoreDump(t, dsn, decompress(t, dump))
		s.catalog = dsn
	}
	return s
}

func decompress(t *testing.T, file string) string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return string(text)
}
