package importer_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/importer"
	"github.com/promptuary/promptuary/internal/importer/source"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/logstore/embedded"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

var errLost = errors.New("the process is lost")

// shaky fails one write of logs, before or after it is made.
type shaky struct {
	*requests.Service
	mu     sync.Mutex
	writes int
	// failAt is the number of the write that fails, 0 for none.
	failAt int
	after  bool
	err    error
	// reached, if not nil, is called at each write.
	reached func(write int)
}

func (s *shaky) Import(ctx context.Context, workspace int64, rows []requests.Imported) ([]requests.Outcome, error) {
	s.mu.Lock()
	s.writes++
	write, fails := s.writes, s.writes == s.failAt
	s.mu.Unlock()
	if s.reached != nil {
		s.reached(write)
	}
	if fails && !s.after {
		return nil, s.err
	}
	outcomes, err := s.Service.Import(ctx, workspace, rows)
	if err == nil && fails {
		return nil, s.err
	}
	return outcomes, err
}

// world is a workspace, and a process that imports into it.
type world struct {
	t           testing.TB
	ctx         context.Context
	catalog     *catalog.Catalog
	logs        *requests.Service
	home, other int64

	shaky   *shaky
	service *importer.Service
	jobs    *job.Runner
}

// onlyPrompt is the only prompt of every workspace.
type onlyPrompt struct{ reqlog.NoPrompts }

func (onlyPrompt) Resolve(_ context.Context, _ int64, ref reqlog.PromptRef) (reqlog.PromptLink, error) {
	if ref.Name != "greet" {
		return reqlog.PromptLink{}, fault.NotFoundf("Prompt not found")
	}
	return reqlog.PromptLink{ID: 7, Version: max(ref.Version, 1)}, nil
}

func newWorld(t testing.TB, dsn string) *world {
	t.Helper()
	store := check.Must(embedded.Open(t.Context(), filepath.Join(t.TempDir(), "logs"), embedded.Options{MemoryMB: 128, Threads: 1, MinFreeMB: -1}))(t)
	t.Cleanup(func() { check.OK(t, store.Close()) })
	return newWorldOn(t, dsn, store)
}

func newWorldOn(t testing.TB, dsn string, store requests.Store) *world {
	t.Helper()
	w := &world{t: t, ctx: access.AsSystem(t.Context()), catalog: catalogtest.Open(t, dsn)}
	w.home = check.Must(w.catalog.Accounts.CreateWorkspace(w.ctx, "home"))(t).ID
	w.other = check.Must(w.catalog.Accounts.CreateWorkspace(w.ctx, "other"))(t).ID
	w.logs = requests.NewService(requests.Options{Store: store, Groups: w.catalog.Groups, Sequence: w.catalog.Sequences, Prompts: onlyPrompt{}})
	t.Cleanup(func() { check.OK(t, w.logs.Drain(context.Background())) })
	return w
}

// begin starts a process that writes few logs at once.
func (w *world) begin(logs *shaky) {
	w.t.Helper()
	logs.Service = w.logs
	w.shaky = logs
	w.jobs = job.NewRunner(job.Options{Store: w.catalog.Runs, Owner: time.Now().String(), Alone: true, LookEvery: 5 * time.Millisecond})
	w.service = importer.NewService(importer.Options{Jobs: w.jobs, Store: w.catalog.Imports, Logs: logs})
	w.service.SetBatch(3)
	check.OK(w.t, w.jobs.Start(w.ctx, map[job.Kind]job.Worker{importer.Kind: w.service}))
	w.t.Cleanup(w.stop)
}

func (w *world) stop() { w.jobs.Stop(context.Background()) }

// upload creates an import of a file in parts of a few bytes.
func (w *world) upload(file string, options source.Options) importer.Import {
	w.t.Helper()
	i := check.Must(w.service.Create(w.ctx, w.home, "file", options, nil))(w.t)
	size := max(len(file)/3, 1)
	for n := int64(1); file != ""; n++ {
		part := file[:min(size, len(file))]
		file = file[len(part):]
		i = check.Must(w.service.Upload(w.ctx, w.home, i.ID, n, []byte(part)))(w.t)
	}
	return i
}

// settled waits until no job works on an import.
func (w *world) settled(id int64) (i importer.Import) {
	w.t.Helper()
	check.Eventually(w.t, "the end of the job", func() bool {
		i = check.Must(w.service.Get(w.ctx, w.home, id))(w.t)
		return !i.Active()
	})
	return i
}

// checked uploads and checks a file.
func (w *world) checked(file string, options source.Options) importer.Import {
	w.t.Helper()
	i := w.upload(file, options)
	check.Must(w.service.StartCheck(w.ctx, w.home, i.ID))(w.t)
	return w.settled(i.ID)
}

// start starts an import that was checked.
func (w *world) start(id int64) {
	w.t.Helper()
	check.Must(w.service.Start(w.ctx, w.home, id, true, false))(w.t)
}

// told returns the input of the logs of a workspace, in the order of their ids, with
// the rows that they come from.
func (w *world) told(workspace int64) string {
	w.t.Helper()
	var text strings.Builder
	for after := int64(0); ; {
		part := check.Must(w.logs.ScanPart(w.ctx, workspace, query.Input{}, after, 1000))(w.t)
		for _, l := range part.Logs {
			own := *l.Log
			reqlog.Derive(&own)
			fmt.Fprintf(&text, "%s", own.Index.InputText)
			for _, m := range own.Metadata {
				if mark := check.JSON(string(m.Value)); m.Key == importer.MarkKey {
					fmt.Fprintf(&text, "@%s", mark.Get("row").Raw())
				}
			}
			text.WriteByte(' ')
		}
		if after = part.Next; after == 0 {
			return strings.TrimSpace(text.String())
		}
	}
}

// report returns the report of an import.
func (w *world) report(id int64) string {
	w.t.Helper()
	return string(check.Must(io.ReadAll(check.Must(w.service.Report(w.ctx, w.home, id))(w.t)))(w.t))
}

// row returns a row of a file, with further members.
func row(input, members string) string {
	if members != "" {
		members = "," + members
	}
	return `{"provider":"openai","model":"gpt-4o","input":{"type":"completion","content":[{"type":"text","text":` + string(jsontree.AppendQuoted(nil, input)) + `}]},` +
		`"output":{"type":"completion","content":[]},"request_start_time":"2025-03-15T10:30:00Z","request_end_time":"2025-03-15T10:30:01Z"` + members + "}\n"
}

// tenRows has ten rows with the letters from a on.
func tenRows() string {
	var file strings.Builder
	for c := 'a'; c <= 'j'; c++ {
		file.WriteString(row(string(c), ""))
	}
	return file.String()
}

const allTen = "a@1 b@2 c@3 d@4 e@5 f@6 g@7 h@8 i@9 j@10"
