package skill_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/skill"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

var lastID atomic.Int64

func newID() string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", lastID.Add(1)) }

// suite is a service over a real catalog with two workspaces, with helpers that
// fail the test on errors.
type suite struct {
	*skill.Service
	t         *testing.T
	ctx       context.Context
	catalog   *catalog.Catalog
	dsn       string
	workspace int64
	other     int64
}

// onEachEngine runs a test over a new, empty registry.
func onEachEngine(t *testing.T, test func(t *testing.T, r *suite)) {
	t.Helper()
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) { test(t, newSuite(t, dsn)) })
}

// onSQLite returns a new, empty registry for tests that do not depend on the
// engine.
func onSQLite(t *testing.T) *suite {
	t.Helper()
	return newSuite(t, catalogtest.SQLite(t))
}

func newSuite(t *testing.T, dsn string) *suite {
	t.Helper()
	r := openSuite(t, dsn)
	r.workspace = check.Must(r.catalog.Accounts.CreateWorkspace(r.ctx, "first"))(t).ID
	r.other = check.Must(r.catalog.Accounts.CreateWorkspace(r.ctx, "second"))(t).ID
	return r
}

func openSuite(t *testing.T, dsn string) *suite {
	t.Helper()
	c := catalogtest.Open(t, dsn)
	return &suite{Service: skill.NewService(c.Entities, c.Skills, newID), t: t, ctx: access.AsSystem(t.Context()), catalog: c, dsn: dsn}
}

// again returns the registry as another process sees it.
func (r *suite) again() *suite {
	r.t.Helper()
	other := openSuite(r.t, r.dsn)
	other.workspace, other.other = r.workspace, r.other
	return other
}

// contents returns files given as path, text, path, text, ….
func contents(pairs ...string) []skill.Content {
	var list []skill.Content
	for i := 0; i+1 < len(pairs); i += 2 {
		text := pairs[i+1]
		list = append(list, skill.Content{Path: pairs[i], Read: func() ([]byte, error) { return []byte(text), nil }})
	}
	return list
}

// create creates a collection of files given as path, text, ….
func (r *suite) create(name, provider string, pairs ...string) *skill.Record {
	r.t.Helper()
	in := skill.CreateInput{Name: name, Provider: provider, Files: contents(pairs...)}
	return check.Must(r.Create(r.ctx, r.workspace, in))(r.t)
}

// save adds a version with files given as path, text, ….
func (r *suite) save(identifier string, pairs ...string) *skill.Record {
	r.t.Helper()
	return check.Must(r.Save(r.ctx, r.workspace, identifier, skill.SaveInput{Files: contents(pairs...)}))(r.t)
}

// files returns the texts of a version by export path.
func (r *suite) files(identifier string, selector registry.Selector) map[string]string {
	r.t.Helper()
	record := check.Must(r.Get(r.ctx, r.workspace, identifier, selector))(r.t)
	texts := map[string]string{}
	for _, file := range record.Version.Exported() {
		texts[file.Target] = string(check.Must(r.Read(r.ctx, r.workspace, file.File))(r.t))
	}
	return texts
}

// contentCount returns how many of the contents the workspace has.
func (r *suite) contentCount(hashes ...skill.Hash) int {
	r.t.Helper()
	return len(check.Must(r.catalog.Skills.KnownContents(r.ctx, r.workspace, hashes))(r.t))
}

// entry is a file of a test archive.
type entry struct {
	name, text string
	header     zip.FileHeader
}

func archive(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	writer := zip.NewWriter(&out)
	for _, e := range entries {
		header := e.header
		header.Name = e.name
		to := check.Must(writer.CreateHeader(&header))(t)
		check.Must(io.WriteString(to, e.text))(t)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
