package eval_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/runtrace/runtracetest"
	"github.com/promptuary/promptuary/internal/secret"
	"github.com/promptuary/promptuary/internal/step"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// lab is a catalog with datasets in which processes run evaluations.
type lab struct {
	t         testing.TB
	ctx       context.Context
	catalog   *catalog.Catalog
	datasets  *dataset.Service
	workspace int64
	vault     *step.Vault
	// traces has the traces of runs.
	traces runtracetest.Store
}

func newLab(t testing.TB, dsn string) *lab {
	t.Helper()
	l := &lab{t: t, ctx: access.AsSystem(context.Background()), vault: step.NewVault(secret.NewBox(secret.NewKey()))}
	l.catalog = catalogtest.Open(t, dsn)
	l.workspace = check.Must(l.catalog.Accounts.CreateWorkspace(l.ctx, "first"))(t).ID
	dir := t.TempDir()
	l.datasets = dataset.NewService(dataset.Options{Entities: l.catalog.Entities, Store: l.catalog.Datasets, Scratch: func() (dataset.Scratch, error) {
		file, err := os.CreateTemp(dir, "upload-")
		return scratch{file}, err
	}})
	return l
}

// onEachEngine runs a test in a new lab.
func onEachEngine(t *testing.T, test func(t *testing.T, l *lab)) {
	t.Helper()
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) { test(t, newLab(t, dsn)) })
}

type scratch struct{ *os.File }

// Close removes the file.
func (s scratch) Close() error { return errors.Join(s.File.Close(), os.Remove(s.Name())) }

// dataset creates a dataset from CSV.
func (l *lab) dataset(name, csv string) dataset.Dataset {
	l.t.Helper()
	group := check.Must(l.datasets.Create(l.ctx, l.workspace, dataset.CreateInput{Name: name}))(l.t).Group
	upload := check.Must(l.datasets.NewUpload(l.ctx, l.workspace))(l.t)
	defer func() { check.Must(0, upload.Close())(l.t) }()
	check.Must(0, upload.ReadBase64(strings.NewReader(base64.StdEncoding.EncodeToString([]byte(csv)))))(l.t)
	return check.Must(l.datasets.CreateFromFile(l.ctx, l.workspace, dataset.FileInput{GroupID: group.ID, Name: "f.csv", File: upload}))(l.t)
}

// numbers is a dataset whose column n counts from 0.
func numbers(rows int) string {
	var csv bytes.Buffer
	csv.WriteString("n,text\n")
	for i := range rows {
		fmt.Fprintf(&csv, "%d,the text of row %d\n", i, i)
	}
	return csv.String()
}

// process is a simulated process of the program.
type process struct {
	*eval.Service
	lab  *lab
	jobs *job.Runner
}

// process starts a process whose columns send requests to post.
func (l *lab) process(owner string, post poster, alone bool) *process {
	l.t.Helper()
	p := &process{lab: l, jobs: job.NewRunner(job.Options{Store: l.catalog.Runs, Owner: owner, Alone: alone, LookEvery: 20 * time.Millisecond})}
	p.Service = eval.NewService(eval.Options{Jobs: p.jobs,
		Entities: l.catalog.Entities, Store: l.catalog.Evaluations, Datasets: l.datasets, Env: func(eval.Scope) step.Env { return step.Env{HTTP: post, Scripts: sum{}, Models: parrot{}} },
		Vault: l.vault, Traces: l.traces.Writer(l.t),
	})
	check.Must(0, p.jobs.Start(l.ctx, map[job.Kind]job.Worker{eval.Kind: p.Service}))(l.t)
	l.t.Cleanup(func() { p.stop(5 * time.Second) })
	return p
}

func (p *process) stop(within time.Duration) {
	ctx, cancel := context.WithTimeout(access.AsSystem(context.Background()), within)
	defer cancel()
	p.jobs.Stop(ctx)
}

// poster answers requests of columns.
type poster func(ctx context.Context, body string) (string, error)

// Post implements step.HTTP.
func (p poster) Post(ctx context.Context, request step.HTTPRequest) (*step.HTTPReply, error) {
	answer, err := p(ctx, string(request.Body))
	if err != nil {
		return nil, err
	}
	return &step.HTTPReply{Status: 200, Header: textproto.MIMEHeader{}, Body: io.NopCloser(strings.NewReader(answer))}, nil
}

// sum is code that adds up a column over all rows, whatever its text is.
type sum struct{}

// Run implements step.Scripts.
func (sum) Run(_ context.Context, _ step.Language, code string, data jsontree.Value) (jsontree.Value, error) {
	total := 0.0
	for _, row := range data.Elems() {
		number, _ := row.Get(code).Float()
		total += number
	}
	return jsontree.Parse(fmt.Appendf(nil, `{"score":%g,"score_matrix":[["rows",%d]]}`, total, data.Len()))
}

func (l *lab) tree(text string) jsontree.Value {
	l.t.Helper()
	return check.Must(jsontree.Parse([]byte(text)))(l.t)
}

func (l *lab) column(typeName, name, configuration string) eval.NewColumn {
	l.t.Helper()
	return eval.NewColumn{Type: typeName, Name: name, Configuration: l.tree(configuration)}
}

// evaluation creates an evaluation of a dataset.
func (p *process) evaluation(over dataset.Dataset, columns ...eval.NewColumn) eval.Evaluation {
	p.lab.t.Helper()
	made, _, err := p.Create(p.lab.ctx, p.lab.workspace, eval.CreateInput{DatasetGroupID: over.GroupID, Columns: columns})
	return check.Must(made, err)(p.lab.t)
}

func (p *process) start(of eval.Evaluation) eval.Run {
	p.lab.t.Helper()
	return check.Must(p.Start(p.lab.ctx, p.lab.workspace, of.Entity.ID, eval.RunInput{Name: "run"}))(p.lab.t)
}

func (p *process) run(id int64) *eval.Report {
	p.lab.t.Helper()
	return check.Must(p.Get(p.lab.ctx, p.lab.workspace, id))(p.lab.t)
}

// await waits until a run meets the condition.
func (p *process) await(id int64, wanted func(run *eval.Run) bool) *eval.Report {
	p.lab.t.Helper()
	for end := time.Now().Add(60 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		found := p.run(id)
		if wanted(found.Run) {
			return found
		}
		if time.Now().After(end) {
			p.lab.t.Fatalf("the run is still %+v", found.Run)
		}
	}
}

func ended(run *eval.Run) bool { return run.EndedAt != nil }

// rows returns the cells of a run, each as its status and value.
func (p *process) rows(id int64, page entity.Page) [][]string {
	p.lab.t.Helper()
	table := check.Must(p.Rows(p.lab.ctx, p.lab.workspace, id, page))(p.lab.t)
	var all [][]string
	err := table.Each(p.lab.ctx, func(row eval.TableRow) error {
		cells := []string{}
		for _, cell := range row.Cells {
			cells = append(cells, cellText(cell))
		}
		all = append(all, cells)
		return nil
	})
	check.Must(0, err)(p.lab.t)
	return all
}

func cellText(cell grid.Cell) string {
	if cell.Error != "" {
		return string(cell.Status) + " " + cell.Error
	}
	return strings.TrimSpace(string(cell.Status) + " " + string(cell.Value.Raw()))
}

// calls counts requests by body.
type calls struct {
	mu   sync.Mutex
	seen map[string]int
}

func (c *calls) add(body string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen == nil {
		c.seen = map[string]int{}
	}
	c.seen[body]++
	return len(c.seen)
}

// most returns the count of the most frequent request, and the number of
// different requests.
func (c *calls) most() (most, different int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.seen {
		most = max(most, n)
	}
	return most, len(c.seen)
}
