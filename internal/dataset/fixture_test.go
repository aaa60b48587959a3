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
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/logstore/embedded"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
	"github.com/promptuary/promptuary/internal/template"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// shelf is the service over real stores, with helpers that fail the test on
// errors.
type shelf struct {
	*dataset.Service
	t         *testing.T
	ctx       context.Context
	clock     *check.Clock
	catalog   *catalog.Catalog
	logs      *requests.Service
	prompts   *prompt.Service
	uploads   string
	workspace int64
}

// onEachEngine runs a test over an empty shelf.
func onEachEngine(t *testing.T, test func(t *testing.T, s *shelf)) {
	t.Helper()
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) { test(t, newShelf(t, dsn)) })
}

// onSQLite returns an empty shelf for tests that do not depend on the engine.
func onSQLite(t *testing.T) *shelf {
	t.Helper()
	return newShelf(t, catalogtest.SQLite(t))
}

func newShelf(t *testing.T, dsn string) *shelf {
	t.Helper()
	s := &shelf{t: t, uploads: t.TempDir(), clock: check.NewClock(time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC))}
	s.ctx = access.WithCaller(t.Context(), access.CommandLine())
	s.catalog = catalogtest.Open(t, dsn, catalog.WithClock(s.clock.Now))
	s.workspace = check.Must(s.catalog.Accounts.CreateWorkspace(s.ctx, "first"))(t).ID
	store := check.Must(embedded.Open(s.ctx, filepath.Join(t.TempDir(), "logs"), embedded.Options{MemoryMB: 256, Threads: 2, MinFreeMB: -1}))(t)
	t.Cleanup(func() { check.OK(t, store.Close()) })
	s.prompts = prompt.NewService(s.catalog.Entities, nil)
	s.logs = requests.NewService(requests.Options{
		Store: store, Groups: s.catalog.Groups, Sequence: s.catalog.Sequences, Prompts: s.prompts, Clock: s.clock.Now,
	})
	t.Cleanup(func() { check.OK(t, s.logs.Drain(access.AsSystem(context.Background()))) })
	s.Service = dataset.NewService(dataset.Options{Entities: s.catalog.Entities, Store: s.catalog.Datasets, Logs: s.logs, Scratch: s.scratch, Clock: s.clock.Now})
	return s
}

// scratchFile is a file that is removed when closed.
type scratchFile struct{ *os.File }

func (f scratchFile) Close() error { return errors.Join(f.File.Close(), os.Remove(f.Name())) }

func (s *shelf) scratch() (dataset.Scratch, error) {
	file, err := os.CreateTemp(s.uploads, "upload-")
	return scratchFile{file}, err
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

// group creates a dataset group and returns its id.
func (s *shelf) group(name string) int64 {
	s.t.Helper()
	return check.Must(s.Create(s.ctx, s.workspace, dataset.CreateInput{Name: name}))(s.t).Group.ID
}

// imported creates a dataset from a file.
func (s *shelf) imported(group int64, name, content string) (dataset.Dataset, error) {
	s.t.Helper()
	upload := check.Must(s.NewUpload(s.ctx, s.workspace))(s.t)
	defer func() { check.OK(s.t, upload.Close()) }()
	check.OK(s.t, upload.ReadBase64(strings.NewReader(base64.StdEncoding.EncodeToString([]byte(content)))))
	return s.CreateFromFile(s.ctx, s.workspace, dataset.FileInput{GroupID: group, Name: name, File: upload})
}

// rows returns all rows of a dataset as JSON.
func (s *shelf) rows(d dataset.Dataset) []string {
	s.t.Helper()
	texts := []string{}
	for _, row := range check.Must(s.ReadRows(s.ctx, s.workspace, d.ID, 0, 1000))(s.t) {
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

// prompt publishes a version of a template for logs to refer to.
func (s *shelf) prompt(name string) *prompt.Record {
	s.t.Helper()
	tree := check.Must(jsontree.Parse([]byte(`{"type":"chat","messages":[{"role":"user","content":[{"type":"text","text":"{x}"}]}]}`)))(s.t)
	return check.Must(s.prompts.Publish(s.ctx, s.workspace, prompt.Publication{
		Name: name, Content: prompt.Content{Template: template.Normalize(tree)},
	}))(s.t)
}

// log stores request logs with the given members, one second apart.
func (s *shelf) log(members ...string) []int64 {
	s.t.Helper()
	inputs := make([]*reqlog.LogInput, len(members))
	for i, member := range members {
		s.clock.Advance(time.Second)
		at := s.clock.Now().Format(time.RFC3339)
		text := fmt.Sprintf(`{"provider":"openai","model":"gpt","request_start_time":%q,"request_end_time":%q,
"input":{"type":"chat","messages":[{"role":"user","content":[{"type":"text","text":"Question %d"}]}]},
"output":{"type":"chat","messages":[{"role":"assistant","content":[{"type":"text","text":"Answer %d"}]}]}%s}`, at, at, i, i, member)
		var problems fault.Problems
		inputs[i] = reqlog.DecodeLog(check.Must(jsontree.Parse([]byte(text)))(s.t), nil, &problems)
		check.OK(s.t, problems.Err())
	}
	ids := make([]int64, len(inputs))
	for i, outcome := range check.Must(s.logs.LogMany(s.ctx, s.workspace, inputs))(s.t) {
		check.OK(s.t, outcome.Err)
		ids[i] = outcome.Log.ID
	}
	return ids
}

// selection parses a selection as a client sends it.
func (s *shelf) selection(text string) dataset.Selection {
	s.t.Helper()
	var problems fault.Problems
	sel, err := dataset.ParseSelection(check.Must(jsontree.Parse([]byte(text)))(s.t), &problems)
	check.OK(s.t, errors.Join(err, problems.Err()))
	return sel
}

// fromLogs creates a dataset from request logs.
func (s *shelf) fromLogs(group int64, selection string) dataset.Dataset {
	s.t.Helper()
	return check.Must(s.CreateFromLogs(s.ctx, s.workspace, group, s.selection(selection), nil))(s.t)
}

// column returns one cell of each row of a dataset.
func (s *shelf) column(d dataset.Dataset, name string) []string {
	s.t.Helper()
	at := slices.Index(d.Columns, name)
	values := []string{}
	for _, row := range check.Must(s.ReadRows(s.ctx, s.workspace, d.ID, 0, dataset.MaxLogs))(s.t) {
		values = append(values, string(row[at].Raw()))
	}
	return values
}
