package exporter_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/blob"
	"github.com/promptuary/promptuary/internal/blob/blobtest"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/export"
	"github.com/promptuary/promptuary/internal/export/format"
	"github.com/promptuary/promptuary/internal/exporter"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/logstore/embedded"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
	"github.com/promptuary/promptuary/internal/secret"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// world is a workspace with request logs, and a process that exports them.
type world struct {
	t           *testing.T
	ctx         context.Context
	catalog     *catalog.Catalog
	logs        *requests.Service
	exports     *export.Service
	datasets    *dataset.Service
	evaluations *eval.Service
	home, other int64
	clock       *check.Clock
	folder      string // the allowed folder
	buckets     *shaky
	options     exporter.Options
	service     *exporter.Service
}

func newWorld(t *testing.T, dsn string) *world {
	t.Helper()
	w := &world{t: t, ctx: access.AsSystem(t.Context()), catalog: catalogtest.Open(t, dsn), clock: check.NewClock(noon), buckets: &shaky{}}
	w.home = check.Must(w.catalog.Accounts.CreateWorkspace(w.ctx, "home"))(t).ID
	w.other = check.Must(w.catalog.Accounts.CreateWorkspace(w.ctx, "other"))(t).ID
	store := check.Must(embedded.Open(w.ctx, filepath.Join(t.TempDir(), "logs"), embedded.Options{MemoryMB: 128, Threads: 1, MinFreeMB: -1}))(t)
	t.Cleanup(func() { check.OK(t, store.Close()) })
	w.logs = requests.NewService(requests.Options{Store: store, Groups: w.catalog.Groups, Sequence: w.catalog.Sequences})
	t.Cleanup(func() { check.OK(t, w.logs.Drain(context.Background())) })
	w.openSources()
	w.exports = export.NewService(export.Options{
		Store: w.catalog.Exports, Logs: w.logs, Datasets: w.datasets, Evaluations: w.evaluations, Audit: audit.NewService(w.catalog.Accounts),
	})
	w.folder = filepath.Join(t.TempDir(), "exports")
	check.OK(t, os.Mkdir(w.folder, 0o700))
	w.options = exporter.Options{
		Store: w.catalog.Exports, Exports: w.exports, Box: secret.NewBox(secret.NewKey()), Folders: []string{w.folder}, Clock: w.clock.Now,
		CheckURL: func(string) error { return nil }, OpenBucket: w.buckets.open,
		Wait: func(failures int64) (time.Duration, bool) { return 0, failures < 4 },
	}
	w.begin()
	return w
}

// begin starts a process, beside others that may have been started before.
func (w *world) begin() {
	w.t.Helper()
	jobs := job.NewRunner(job.Options{Store: w.catalog.Runs, Owner: fmt.Sprint(time.Now().UnixNano()), LookEvery: 5 * time.Millisecond})
	w.options.Jobs = jobs
	w.service = exporter.NewService(w.options)
	w.service.SetPartIDs(3)
	check.OK(w.t, jobs.Start(w.ctx, map[job.Kind]job.Worker{exporter.Kind: w.service, eval.Kind: w.evaluations}))
	w.t.Cleanup(func() { jobs.Stop(context.Background()) })
}

// log writes request logs, and returns the id of the last.
func (w *world) log(workspace int64, count int) (id int64) {
	w.t.Helper()
	for range count {
		l := &reqlog.Log{
			Provider: "house", Engine: "a", Status: reqlog.StatusSuccess, Start: reqlog.At(noon), End: reqlog.At(noon.Add(time.Second)),
			Input: []byte(`{"type":"completion","content":[{"type":"text","text":"=1+1"}]}`), Output: []byte(`{"type":"completion","content":[]}`),
		}
		id = check.Must(w.logs.Log(w.ctx, workspace, &reqlog.LogInput{Log: l}))(w.t).ID
	}
	return id
}

// content returns an export of all request logs to a target, which runs when it is
// started.
func content(address string) exporter.Content {
	c := exporter.Content{
		Name: "all", Source: exporter.Requests, Query: "{}", File: export.File{Options: format.Options{Format: format.JSONL}}, Schedule: exporter.Schedule{Every: exporter.Once},
	}
	c.Address = address
	return c
}

var credentials = &blob.Credentials{AccessKey: blobtest.AccessKey, SecretKey: blobtest.SecretKey}

func (w *world) create(c exporter.Content) exporter.Export {
	w.t.Helper()
	var given *blob.Credentials
	if strings.HasPrefix(c.Address, "s3:") {
		given = credentials
	}
	return check.Must(w.service.Create(w.ctx, w.home, c, given, new("ann@x.test")))(w.t)
}

// run starts an export and waits for the end of its run.
func (w *world) run(id int64) exporter.Run {
	w.t.Helper()
	return w.ended(id, check.Must(w.service.Start(w.ctx, w.home, id, nil))(w.t).ID)
}

func (w *world) ended(export, id int64) (r exporter.Run) {
	w.t.Helper()
	check.Eventually(w.t, "the end of the run", func() bool {
		runs, _, err := w.service.Runs(w.ctx, w.home, export, entity.Page{Limit: 100})
		check.OK(w.t, err)
		r = runs[slices.IndexFunc(runs, func(r exporter.Run) bool { return r.ID == id })]
		return !r.Active()
	})
	return r
}

// read returns the files of a store by name.
func read(t *testing.T, store blob.Store) map[string]string {
	t.Helper()
	files := map[string]string{}
	for info, err := range store.List(t.Context(), "") {
		check.OK(t, err)
		file := check.Must(store.Get(t.Context(), info.Name, 0))(t)
		files[info.Name] = string(check.Must(io.ReadAll(file))(t))
		check.OK(t, file.Close())
	}
	return files
}

// ids returns the ids of the request logs in files that manifests list, in order.
func ids(t *testing.T, files map[string]string) (found []int64) {
	t.Helper()
	for name, text := range files {
		if !strings.Contains(name, "manifest") {
			continue
		}
		var m struct {
			Files []struct{ Name string }
		}
		check.OK(t, json.Unmarshal([]byte(text), &m))
		for _, f := range m.Files {
			lines, there := files[f.Name]
			check.Equal(t, f.Name+" is there", there, true)
			for line := range strings.Lines(lines) {
				var row struct{ ID int64 }
				check.OK(t, json.Unmarshal([]byte(line), &row))
				found = append(found, row.ID)
			}
		}
	}
	slices.Sort(found)
	return found
}

// upto returns the numbers from 1.
func upto(n int64) (all []int64) {
	for i := int64(1); i <= n; i++ {
		all = append(all, i)
	}
	return all
}

func TestExportsToAFolder(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		w := newWorld(t, dsn)
		w.log(w.home, 4)
		w.log(w.other, 3)
		w.log(w.home, 1)
		c := content(filepath.Join(w.folder, "a", "b"))
		c.Enabled = true // it runs when it is created
		made := w.create(c)
		run := w.ended(made.ID, made.LastRun.ID)
		check.Equal(t, "state", []any{run.State, run.Failure, run.Rows, run.Part()}, []any{exporter.Done, "", int64(5), 1.0})
		files := read(t, blob.NewFolder(c.Address))
		folder := fmt.Sprintf("run-%09d/", run.ID)
		names := slices.Sorted(func(yield func(string) bool) {
			for name := range files {
				if !yield(strings.TrimPrefix(name, folder)) {
					return
				}
			}
		})
		check.Equal(t, "files", names, []string{
			"logs-0000000000000000001-0000000000000000003.jsonl", "logs-0000000000000000004-0000000000000000006.jsonl", "logs-0000000000000000007-0000000000000000008.jsonl", "manifest.json",
		})
		check.Equal(t, "ids", ids(t, files), []int64{1, 2, 3, 4, 8})
		var bytes int64
		for _, f := range run.Files {
			bytes += f.Bytes
			check.Equal(t, f.Name, int64(len(files[f.Name])), f.Bytes)
		}
		check.Equal(t, "bytes", run.Bytes, bytes)

		second := w.run(made.ID) // a run that is not incremental has everything
		check.Equal(t, "rows", second.Rows, int64(5))
		check.Equal(t, "ids of both", len(ids(t, read(t, blob.NewFolder(c.Address)))), 10)
		check.OK(t, w.service.Delete(w.ctx, w.home, made.ID))
		check.Equal(t, "what was written stays", len(read(t, blob.NewFolder(c.Address))), 8)
	})
}

func TestExportsTraces(t *testing.T) {
	w := newWorld(t, catalogtest.SQLite(t))
	c := content(w.folder)
	c.Source, c.File.Format, c.File.Compression = exporter.Traces, format.CSV, format.Gzip
	run := w.run(w.create(c).ID)
	check.Equal(t, "state", []any{run.State, run.Failure, len(run.Files)}, []any{exporter.Done, "", 0})
	files := read(t, blob.NewFolder(w.folder))
	check.Equal(t, "only a manifest", len(files), 1)
}

// TestSchedule lets two servers follow the schedules: each export is started once.
func TestSchedule(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		w := newWorld(t, dsn)
		w.log(w.home, 2)
		c := content(w.folder)
		c.Enabled, c.Schedule = true, exporter.Schedule{Every: exporter.Daily, Hour: 13, Minute: 30}
		made := w.create(c)
		check.Equal(t, "next", made.NextAt.Equal(noon.Add(90*time.Minute)), true)
		first := w.service
		w.begin()
		follow := func() int64 {
			for _, err := range check.Together(4, func(i int) error { return []*exporter.Service{first, w.service}[i%2].FollowDue(w.ctx) }) {
				check.OK(t, err)
			}
			_, total, err := w.service.Runs(w.ctx, w.home, made.ID, entity.Page{Limit: 1})
			check.OK(t, err)
			return total
		}
		check.Equal(t, "runs before", follow(), int64(0))
		w.clock.Advance(49 * time.Hour) // what was missed is one run
		check.Equal(t, "runs", follow(), int64(1))
		found := check.Must(w.service.Get(w.ctx, w.home, made.ID))(t)
		check.Equal(t, "next", found.NextAt.UTC(), time.Date(2026, 3, 3, 13, 30, 0, 0, time.UTC))
		run := w.ended(made.ID, found.LastRun.ID)
		check.Equal(t, "run", []any{run.State, run.Scheduled}, []any{exporter.Done, true})
		check.Equal(t, "disabled", check.Must(w.service.Update(w.ctx, w.home, made.ID, func(c *exporter.Content) { c.Enabled = false }, nil))(t).NextAt == nil, true)
		w.clock.Advance(48 * time.Hour)
		check.Equal(t, "runs while it is disabled", follow(), int64(1))
	})
}

func TestRefuses(t *testing.T) {
	w := newWorld(t, catalogtest.SQLite(t))
	outside := t.TempDir()
	check.OK(t, os.Symlink(outside, filepath.Join(w.folder, "out")))
	for name, change := range map[string]func(c *exporter.Content){
		"no name":         func(c *exporter.Content) { c.Name = " " },
		"source":          func(c *exporter.Content) { c.Source = "prompts" },
		"format":          func(c *exporter.Content) { c.File.Format = "xlsx" },
		"compression":     func(c *exporter.Content) { c.File.Compression = "rar" },
		"column":          func(c *exporter.Content) { c.File.Columns = []string{"nothing"} },
		"column twice":    func(c *exporter.Content) { c.File.Columns = []string{"id", "id"} },
		"column of spans": func(c *exporter.Content) { c.File.Columns = []string{"duration_ms"} },
		"query":           func(c *exporter.Content) { c.Query = `{"filters":[{"field":"nothing"}]}` },
		"frequency":       func(c *exporter.Content) { c.Every = "yearly" },
		"hour":            func(c *exporter.Content) { c.Every, c.Hour = exporter.Daily, 24 },
		"minute":          func(c *exporter.Content) { c.Every, c.Minute = exporter.Hourly, -1 },
		"weekday":         func(c *exporter.Content) { c.Every, c.Weekday = exporter.Weekly, 7 },
		"incremental dataset": func(c *exporter.Content) {
			c.Source, c.Incremental, c.Query = exporter.Dataset, true, `{"dataset_id":1}`
		},
		"no dataset": func(c *exporter.Content) { c.Source = exporter.Dataset },
		"two datasets": func(c *exporter.Content) {
			c.Source, c.Query = exporter.Dataset, `{"dataset_id":1,"dataset_group_id":1}`
		},
		"dataset as a text":   func(c *exporter.Content) { c.Source, c.Query = exporter.Dataset, `{"dataset_id":"1"}` },
		"no evaluation":       func(c *exporter.Content) { c.Source = exporter.Evaluation },
		"audit search":        func(c *exporter.Content) { c.Source, c.Query = exporter.Audit, `{"q":"refund"}` },
		"audit NUL":           func(c *exporter.Content) { c.Source, c.Query = exporter.Audit, `{"action":"a\u0000"}` },
		"audit column":        func(c *exporter.Content) { c.Source, c.File.Columns = exporter.Audit, []string{"price"} },
		"incremental traces":  func(c *exporter.Content) { c.Source, c.Incremental = exporter.Traces, true },
		"another folder":      func(c *exporter.Content) { c.Address = outside },
		"folder beside":       func(c *exporter.Content) { c.Address = w.folder + "2" },
		"folder above":        func(c *exporter.Content) { c.Address = filepath.Dir(w.folder) },
		"dots":                func(c *exporter.Content) { c.Address = w.folder + "/../x" },
		"dots inside":         func(c *exporter.Content) { c.Address = w.folder + "/a/../b" },
		"hidden folder":       func(c *exporter.Content) { c.Address = w.folder + "/.ssh" },
		"relative folder":     func(c *exporter.Content) { c.Address = "exports" },
		"NUL":                 func(c *exporter.Content) { c.Address = w.folder + "/a\x00b" },
		"region of a folder":  func(c *exporter.Content) { c.Region = "eu" },
		"bucket without name": func(c *exporter.Content) { c.Address = "s3://" },
		"credentials in it":   func(c *exporter.Content) { c.Address = "s3://id:key@shelf/" },
		"no credentials":      func(c *exporter.Content) { c.Address = "s3://shelf/" },
	} {
		c := content(w.folder)
		change(&c)
		_, err := w.service.Create(w.ctx, w.home, c, nil, nil)
		if kind := fault.KindOf(err); kind != fault.Invalid && kind != fault.BadRequest {
			t.Errorf("%s: got %v", name, err)
		}
	}
	check.Fault(t, check.Failure(w.service.Create(w.ctx, w.home, content(w.folder), credentials, nil)), fault.Invalid)
	check.Fault(t, check.Failure(w.service.Create(t.Context(), w.home, content(w.folder), nil, nil)), fault.Forbidden)
	check.Equal(t, "exports", len(check.Must(w.service.List(w.ctx, w.home))(t)), 0)

	run := w.run(w.create(content(filepath.Join(w.folder, "out"))).ID) // a link that leads out of the folder
	check.Equal(t, "state", run.State, exporter.Failed)
	check.Equal(t, "files outside", len(check.Must(os.ReadDir(outside))(t)), 0)

	w.options.Folders = nil
	w.begin()
	_, err := w.service.Create(w.ctx, w.home, content(w.folder), nil, nil)
	if err == nil || !strings.Contains(err.Error(), "export-folders") {
		t.Errorf("without folders: %v", err)
	}
}

// TestCredentials expects credentials to be sealed, and to be given again for another
// service.
func TestCredentials(t *testing.T) {
	w := newWorld(t, catalogtest.SQLite(t))
	server := blobtest.Serve(t, "shelf")
	made := w.create(bucket(server))
	if len(made.Sealed) == 0 || strings.Contains(string(made.Sealed), blobtest.SecretKey) {
		t.Errorf("the credentials are stored as %q", made.Sealed)
	}
	update := func(change func(c *exporter.Content)) error {
		_, err := w.service.Update(w.ctx, w.home, made.ID, change, nil)
		return err
	}
	check.OK(t, update(func(c *exporter.Content) { c.Address = "s3://shelf/elsewhere" }))
	check.Fault(t, update(func(c *exporter.Content) { c.Endpoint = "https://evil.test" }), fault.Invalid)
	check.Fault(t, update(func(c *exporter.Content) { c.Address = "s3://other" }), fault.Invalid)
	check.OK(t, update(func(c *exporter.Content) { c.Address, c.Endpoint, c.Region, c.Incremental = w.folder, "", "", false }))
	found := check.Must(w.service.Get(w.ctx, w.home, made.ID))(t)
	check.Equal(t, "credentials of a folder", len(found.Sealed), 0)

	wrong := bucket(server)
	wrong.Name = "wrong"
	second := check.Must(w.service.Create(w.ctx, w.home, wrong, &blob.Credentials{AccessKey: "a", SecretKey: "b"}, nil))(t)
	run := w.run(second.ID)
	check.Equal(t, "run", []any{run.State, run.Failure, run.Attempts}, []any{exporter.Failed, "The credentials do not give access to the bucket shelf", int64(1)})
	w.options.Box = secret.NewBox(secret.NewKey())
	w.begin()
	w.log(w.home, 1)
	failure := w.run(second.ID).Failure
	check.Equal(t, failure, strings.Contains(failure, "set them again"), true)
}

// TestOptionsOfATarget expects an incremental export to keep its options, and another
// one to choose another target.
func TestOptionsOfATarget(t *testing.T) {
	w := newWorld(t, catalogtest.SQLite(t))
	w.log(w.home, 4)
	c := content(w.folder)
	c.Incremental = true
	id := w.create(c).ID
	check.Equal(t, "rows", w.run(id).Rows, int64(4))
	other := func(c *exporter.Content) { c.File.Format = format.CSV }
	check.Fault(t, check.Failure(w.service.Update(w.ctx, w.home, id, other, nil)), fault.Conflict)
	c.Name = "second"
	run := w.run(w.create(c).ID)
	check.Equal(t, "state", run.State, exporter.Failed)
	check.Equal(t, run.Failure, strings.Contains(run.Failure, "has an export with other options"), true)
	check.Must(w.service.Update(w.ctx, w.home, id, func(c *exporter.Content) { c.Address = filepath.Join(w.folder, "b") }, nil))(t)
	check.Equal(t, "a new target has all", w.run(id).Rows, int64(4))
	for _, name := range check.Must(filepath.Glob(filepath.Join(w.folder, "b", "*")))(t) {
		check.OK(t, os.Remove(name)) // somebody has moved them away
	}
	w.log(w.home, 1)
	check.Equal(t, "what was exported is not exported again", w.run(id).Rows, int64(1))
}
