package dataset_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/logstore/duckdb"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/prompt/template"
	"github.com/promptuary/promptuary/internal/reqlog"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// clock is a clock that tests move by hand.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(by)
}

// shelf is the service over real stores, and shortcuts that fail the test
// instead of returning an error.
type shelf struct {
	*dataset.Service
	t         *testing.T
	ctx       context.Context
	clock     *clock
	catalog   *catalog.Catalog
	logs      *reqlog.Service
	prompts   *prompt.Service
	uploads   string
	workspace int64
}

// onEachEngine runs a test over an empty shelf.
func onEachEngine(t *testing.T, test func(t *testing.T, s *shelf)) {
	t.Helper()
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) { test(t, newShelf(t, dsn)) })
}

// onSQLite returns an empty shelf for what no engine decides.
func onSQLite(t *testing.T) *shelf {
	t.Helper()
	return newShelf(t, catalogtest.SQLite(t))
}

func newShelf(t *testing.T, dsn string) *shelf {
	t.Helper()
	s := &shelf{t: t, uploads: t.TempDir(), clock: &clock{now: time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)}}
	s.ctx = access.WithCaller(t.Context(), access.CommandLine())
	s.catalog = must(catalog.Open(t.Context(), dsn, catalog.WithClock(s.clock.Now)))(t)
	t.Cleanup(func() { check(t, s.catalog.Close()) })
	s.workspace = must(s.catalog.CreateWorkspace(s.ctx, "first"))(t).ID
	store := must(duckdb.Open(s.ctx, filepath.Join(t.TempDir(), "logs"), duckdb.Options{MemoryMB: 256, Threads: 2, MinFreeMB: -1}))(t)
	t.Cleanup(func() { check(t, store.Close()) })
	s.prompts = prompt.NewService(s.catalog)
	s.logs = reqlog.NewService(reqlog.Options{
		Store: store, Groups: s.catalog, Sequence: s.catalog, Prompts: s.prompts, Clock: s.clock.Now,
	})
	t.Cleanup(func() { check(t, s.logs.Drain(context.Background())) })
	s.Service = dataset.NewService(dataset.Options{Store: s.catalog, Logs: s.logs, Scratch: s.scratch, Clock: s.clock.Now})
	return s
}

// scratchFile is a file that goes when it is closed.
type scratchFile struct{ *os.File }

func (f scratchFile) Close() error { return errors.Join(f.File.Close(), os.Remove(f.Name())) }

func (s *shelf) scratch() (dataset.Scratch, error) {
	file, err := os.CreateTemp(s.uploads, "upload-")
	return scratchFile{file}, err
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// must returns the value of a call that has to succeed.
func must[T any](value T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		check(t, err)
		return value
	}
}

func equal(t testing.TB, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("mismatch (-want +got):\n%s", diff)
	}
}

func fails(t testing.TB, err error, kind fault.Kind, part string) {
	t.Helper()
	if !fault.Is(err, kind) || !strings.Contains(err.Error(), part) {
		t.Fatalf("got error %v, want a fault of kind %d with %q", err, kind, part)
	}
}

// group makes a dataset group and returns its id.
func (s *shelf) group(name string) int64 {
	s.t.Helper()
	return must(s.Create(s.ctx, s.workspace, dataset.CreateInput{Name: name}))(s.t).Group.ID
}

// imported makes a dataset from a file.
func (s *shelf) imported(group int64, name, content string) (dataset.Dataset, error) {
	s.t.Helper()
	upload := must(s.NewUpload())(s.t)
	defer func() { check(s.t, upload.Close()) }()
	check(s.t, upload.ReadBase64(strings.NewReader(base64.StdEncoding.EncodeToString([]byte(content)))))
	return s.CreateFromFile(s.ctx, s.workspace, dataset.FileInput{GroupID: group, Name: name, File: upload})
}

// rows returns all rows of a dataset as JSON.
func (s *shelf) rows(d dataset.Dataset) []string {
	s.t.Helper()
	texts := []string{}
	for _, row := range must(s.ReadRows(s.ctx, s.workspace, d.ID, 0, 1000))(s.t) {
		texts = append(texts, rowText(row))
	}
	return texts
}

func rowText(row []jsontree.Value) string {
	cells := make([]string, len(row))
	for i, cell := range row {
		cells[i] = string(cell.Raw())
	}
	return strings.Join(cells, " ")
}

// prompt publishes a template that logs can be made from.
func (s *shelf) prompt(name string) {
	s.t.Helper()
	tree := must(jsontree.Parse([]byte(`{"type":"chat","messages":[{"role":"user","content":[{"type":"text","text":"{x}"}]}]}`)))(s.t)
	_, err := s.prompts.Publish(s.ctx, s.workspace, prompt.Publication{
		Name: name, Content: prompt.Content{Template: template.Normalize(tree)},
	})
	check(s.t, err)
}

// logs stores request logs, a second apart, each with its members.
func (s *shelf) log(members ...string) []int64 {
	s.t.Helper()
	inputs := make([]*reqlog.LogInput, len(members))
	for i, member := range members {
		s.clock.advance(time.Second)
		at := s.clock.Now().Format(time.RFC3339)
		text := fmt.Sprintf(`{"provider":"openai","model":"gpt","request_start_time":%q,"request_end_time":%q,
"input":{"type":"chat","messages":[{"role":"user","content":[{"type":"text","text":"Question %d"}]}]},
"output":{"type":"chat","messages":[{"role":"assistant","content":[{"type":"text","text":"Answer %d"}]}]}%s}`, at, at, i, i, member)
		var problems fault.Problems
		inputs[i] = reqlog.DecodeLog(must(jsontree.Parse([]byte(text)))(s.t), nil, &problems)
		check(s.t, problems.Err())
	}
	ids := make([]int64, len(inputs))
	for i, outcome := range must(s.logs.LogMany(s.ctx, s.workspace, inputs))(s.t) {
		check(s.t, outcome.Err)
		ids[i] = outcome.Log.ID
	}
	return ids
}

// selection reads what a client would send.
func (s *shelf) selection(text string) dataset.Selection {
	s.t.Helper()
	var problems fault.Problems
	sel, err := dataset.ParseSelection(must(jsontree.Parse([]byte(text)))(s.t), &problems)
	check(s.t, errors.Join(err, problems.Err()))
	return sel
}

// fromLogs makes a dataset from request logs.
func (s *shelf) fromLogs(group int64, selection string) dataset.Dataset {
	s.t.Helper()
	return must(s.CreateFromLogs(s.ctx, s.workspace, group, s.selection(selection), nil))(s.t)
}

// column returns one cell of each row of a dataset.
func (s *shelf) column(d dataset.Dataset, name string) []string {
	s.t.Helper()
	at := slices.Index(d.Columns, name)
	values := []string{}
	for _, row := range must(s.ReadRows(s.ctx, s.workspace, d.ID, 0, dataset.MaxLogs))(s.t) {
		values = append(values, string(row[at].Raw()))
	}
	return values
}
