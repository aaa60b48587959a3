package exporter_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/blob"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/export/format"
	"github.com/promptuary/promptuary/internal/exporter"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

// scratch is a file that is removed when it is closed.
type scratch struct{ *os.File }

func (s scratch) Close() error { return errors.Join(s.File.Close(), os.Remove(s.Name())) }

// openSources builds what is exported beside request logs.
func (w *world) openSources() {
	folder := w.t.TempDir()
	w.datasets = dataset.NewService(dataset.Options{
		Entities: w.catalog.Entities, Store: w.catalog.Datasets, Logs: w.logs,
		Scratch: func() (dataset.Scratch, error) {
			file, err := os.CreateTemp(folder, "")
			return scratch{file}, err
		},
	})
	w.evaluations = eval.NewService(eval.Options{
		Jobs:     job.NewRunner(job.Options{Store: w.catalog.Runs}), // the runners of the processes look for its jobs
		Entities: w.catalog.Entities, Store: w.catalog.Evaluations, Datasets: w.datasets, Env: func(eval.Scope) step.Env { return step.Env{} },
	})
}

// addVersion adds a version to a dataset.
func (w *world) addVersion(group int64, csv string) dataset.Dataset {
	w.t.Helper()
	upload := check.Must(w.datasets.NewUpload(w.ctx, w.home))(w.t)
	defer func() { check.OK(w.t, upload.Close()) }()
	check.OK(w.t, upload.ReadBase64(strings.NewReader(base64.StdEncoding.EncodeToString([]byte(csv)))))
	return check.Must(w.datasets.CreateFromFile(w.ctx, w.home, dataset.FileInput{GroupID: group, Name: "f.csv", File: upload}))(w.t)
}

// only returns the only file of a run.
func (w *world) only(r exporter.Run, address string) string {
	w.t.Helper()
	check.Equal(w.t, "run", []any{r.State, r.Failure, len(r.Files)}, []any{exporter.Done, "", 1})
	return read(w.t, blob.NewFolder(address))[r.Files[0].Name]
}

func TestExportsADataset(t *testing.T) {
	w := newWorld(t, catalogtest.SQLite(t))
	group := check.Must(w.datasets.Create(w.ctx, w.home, dataset.CreateInput{Name: "questions"}))(t).Group.ID
	c := content(w.folder)
	c.Source, c.Query = exporter.Dataset, fmt.Sprintf(`{"dataset_group_id":%d}`, group)
	check.Fault(t, check.Failure(w.service.Create(w.ctx, w.home, c, nil, nil)), fault.BadRequest) // there is only a draft
	first := w.addVersion(group, "q,a\none,1\n")
	check.Fault(t, check.Failure(w.service.Create(w.ctx, w.other, c, nil, nil)), fault.NotFound)

	latest := w.create(c).ID
	c.Name, c.Query = "first", fmt.Sprintf(`{"dataset_id":%d}`, first.ID)
	c.File.Format, c.File.Columns = format.CSV, []string{"a"}
	fixed := w.create(c).ID
	check.Equal(t, "the latest version", w.only(w.run(latest), w.folder), `{"q":"one","a":"1"}`+"\n")
	w.addVersion(group, "q,b\ntwo,2\n")
	check.Equal(t, "the next version", w.only(w.run(latest), w.folder), `{"q":"two","b":"2"}`+"\n")
	check.Equal(t, "a fixed version", w.only(w.run(fixed), w.folder), "a\n1\n")

	missing := func(c *exporter.Content) { c.Query = `{"dataset_id":9999}` }
	check.Fault(t, check.Failure(w.service.Update(w.ctx, w.home, fixed, missing, nil)), fault.NotFound)
	column := func(c *exporter.Content) { c.File.Columns = []string{"nothing"} }
	check.Fault(t, check.Failure(w.service.Update(w.ctx, w.home, fixed, column, nil)), fault.Invalid)

	check.Must(w.catalog.Entities.SoftDelete(w.ctx, w.home, []int64{group}))(t)
	run := w.run(latest)
	check.Equal(t, "a deleted dataset", []any{run.State, run.Attempts}, []any{exporter.Failed, int64(1)})
}

func TestExportsAnEvaluation(t *testing.T) {
	w := newWorld(t, catalogtest.SQLite(t))
	group := check.Must(w.datasets.Create(w.ctx, w.home, dataset.CreateInput{Name: "questions"}))(t).Group.ID
	w.addVersion(group, "q,a\none,one\ntwo,2\n")
	compare := eval.NewColumn{Type: "COMPARE", Name: "same", Configuration: check.Must(jsontree.Parse([]byte(`{"sources":["q","a"]}`)))(t)}
	made, _, err := w.evaluations.Create(w.ctx, w.home, eval.CreateInput{DatasetGroupID: group, Columns: []eval.NewColumn{compare}})
	check.OK(t, err)
	c := content(w.folder)
	c.Source, c.Query = exporter.Evaluation, fmt.Sprintf(`{"evaluation_id":%d}`, made.Entity.ID)
	check.Fault(t, check.Failure(w.service.Create(w.ctx, w.home, c, nil, nil)), fault.BadRequest) // it has not run
	w.evaluate(made.Entity.ID)
	check.Fault(t, check.Failure(w.service.Create(w.ctx, w.other, c, nil, nil)), fault.NotFound)
	id := w.create(c).ID
	check.Equal(t, "the run", w.only(w.run(id), w.folder), `{"q":"one","a":"one","same":true,"errors":null}`+"\n"+`{"q":"two","a":"2","same":false,"errors":null}`+"\n")

	w.addVersion(group, "q,a\nthree,three\n")
	newest := check.Must(w.datasets.Version(w.ctx, w.home, group, nil))(t).ID
	check.Must(w.evaluations.Start(w.ctx, w.home, made.Entity.ID, eval.RunInput{Name: "second", DatasetID: &newest}))(t)
	w.await(made.Entity.ID, 2)
	check.Equal(t, "the newest run", w.only(w.run(id), w.folder), `{"q":"three","a":"three","same":true,"errors":null}`+"\n")
	check.OK(t, w.evaluations.Delete(w.ctx, w.home, made.Entity.ID))
	archived := w.run(id)
	check.Equal(t, "an archived evaluation", []any{archived.State, archived.Failure, archived.Attempts}, []any{exporter.Failed, "The evaluation was archived", int64(1)})
}

// evaluate runs an evaluation.
func (w *world) evaluate(id int64) {
	w.t.Helper()
	check.Must(w.evaluations.Start(w.ctx, w.home, id, eval.RunInput{Name: "first"}))(w.t)
	w.await(id, 1)
}

// TestExportsTheAuditLog expects each entry once, of this workspace only.
func TestExportsTheAuditLog(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		w := newWorld(t, dsn)
		c := content(w.folder)
		c.Source, c.Incremental = exporter.Audit, true
		id := w.create(c).ID
		for i := range 8 {
			check.Must(w.datasets.Create(w.ctx, w.home, dataset.CreateInput{Name: fmt.Sprint(i)}))(t)
			check.Must(w.datasets.Create(w.ctx, w.other, dataset.CreateInput{Name: fmt.Sprint(i)}))(t)
		}
		first := w.run(id)
		check.Equal(t, "state", []any{first.State, first.Failure}, []any{exporter.Done, ""})
		second := w.run(id) // has the entry about itself
		check.Equal(t, "rows of the second run", second.Rows, int64(1))
		var want []int64
		for _, entry := range check.Must(w.catalog.Accounts.ListAudit(w.ctx, audit.Query{WorkspaceID: &w.home, Limit: 1000, OldestFirst: true}))(t) {
			want = append(want, entry.ID)
		}
		files := read(t, blob.NewFolder(w.folder))
		check.Equal(t, "entries", ids(t, files), want)
		for name, text := range files {
			if !strings.HasPrefix(name, "audit-") {
				continue
			}
			for line := range strings.Lines(text) {
				var row struct {
					Workspace int64 `json:"workspace_id"`
				}
				check.OK(t, json.Unmarshal([]byte(line), &row))
				check.Equal(t, "workspace", row.Workspace, w.home)
			}
		}
		c.Name, c.Query, c.Incremental = "datasets", `{"action":"create","subject_kind":"dataset"}`, false
		check.Equal(t, "rows that match", w.run(w.create(c).ID).Rows, int64(8))
	})
}

// TestAuditNeedsAdmin expects that anyone who may not read the audit log can neither export
// it nor say where to.
func TestAuditNeedsAdmin(t *testing.T) {
	w := newWorld(t, catalogtest.SQLite(t))
	c := content(w.folder)
	requests := w.create(c)
	c.Name, c.Source = "audit", exporter.Audit
	made := w.create(c)
	data := access.WithCaller(t.Context(), access.Caller{Permissions: access.SetOf(access.ManageData)})
	c.Name = "another"
	check.Fault(t, check.Failure(w.service.Create(data, w.home, c, nil, nil)), fault.Forbidden)
	elsewhere := func(c *exporter.Content) { c.Address = filepath.Join(w.folder, "a") }
	check.Fault(t, check.Failure(w.service.Update(data, w.home, made.ID, elsewhere, nil)), fault.Forbidden)
	toAudit := func(c *exporter.Content) { c.Source = exporter.Audit }
	check.Fault(t, check.Failure(w.service.Update(data, w.home, requests.ID, toAudit, nil)), fault.Forbidden)
	check.Fault(t, check.Failure(w.service.Start(data, w.home, made.ID, nil)), fault.Forbidden)
	check.Fault(t, w.service.Delete(data, w.home, made.ID), fault.Forbidden)
	check.Must(w.service.Get(data, w.home, made.ID))(t)
	check.Must(w.service.Start(data, w.home, requests.ID, nil))(t)
}

// await waits until runs of an evaluation have ended.
func (w *world) await(id int64, count int) {
	w.t.Helper()
	check.Eventually(w.t, "the runs of the evaluation have ended", func() bool {
		runs, _, err := w.evaluations.ListRuns(w.ctx, w.home, id, entity.Live, entity.Page{Limit: 10})
		check.OK(w.t, err)
		return len(runs) == count && !slices.ContainsFunc(runs, func(r eval.Run) bool { return r.EndedAt == nil })
	})
}
