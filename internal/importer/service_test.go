package importer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/importer"
	"github.com/promptuary/promptuary/internal/importer/source"
	"github.com/promptuary/promptuary/internal/logstore/clickhouse"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/test/clickhouse/clickhousetest"
)

func wantProgress(t *testing.T, what string, got, want importer.Progress) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(importer.Progress{}, "Bytes", "First", "LastID", "Commits", "Reports")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// TestImport checks and imports a file with rows of every kind.
func TestImport(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		w := newWorld(t, dsn)
		w.begin(&shaky{})
		file := row("a", `"id":41`) + row("b", `"score":101`) + "{nonsense\n" + row("c", `"prompt_name":"greet","prompt_version_number":3`) +
			row("d", `"prompt_name":"gone"`) + row("e", `"prompt_version_number":3,"metadata":{"import":"mine","k":"v"}`)
		i := w.checked(file, source.Options{})
		check.Equal(t, "state", i.State, importer.Checked)
		want := importer.Progress{Format: source.Promptuary, Rows: 6, Accepted: 4, Refused: 2, Unlinked: 1}
		wantProgress(t, "check", i.Check, want)
		check.Equal(t, "written by the check", w.told(w.home), "")
		report := `{"row":2,"line":2,"id":null,"status":"refused","reason":"score: Input should be less than or equal to 100"}
{"row":3,"line":3,"id":null,"status":"refused","reason":"Not valid JSON: unexpected character at byte 1"}
{"row":5,"line":5,"id":null,"status":"unlinked","reason":"Prompt not found"}
`
		check.Equal(t, "report of the check", w.report(i.ID), report)
		check.Refused(t, check.Failure(w.service.Start(w.ctx, w.home, i.ID, false, false)), fault.Conflict, "2 of 6 rows are refused: correct them, or skip them")
		w.start(i.ID)
		i = w.settled(i.ID)
		check.Equal(t, "state", i.State, importer.Done)
		wantProgress(t, "run", i.Run, want)
		check.Equal(t, "logs", w.told(w.home), "a@1 c@4 d@5 e@6")
		check.Equal(t, "others", w.told(w.other), "")
		check.Equal(t, "report", w.report(i.ID), report)
		w.wantLinks(i)
		check.Fault(t, check.Failure(w.catalog.Imports.GetPart(w.ctx, i.ID, importer.FileContent, 1)), fault.NotFound)
	})
}

// wantLinks checks what only some of the logs of TestImport have.
func (w *world) wantLinks(i importer.Import) {
	w.t.Helper()
	var text strings.Builder
	part := check.Must(w.logs.ScanPart(w.ctx, w.home, query.Input{}, 0, 100))(w.t)
	for _, l := range part.Logs {
		fmt.Fprintf(&text, "%s", l.Start.Time().Format("15:04:05"))
		if l.Prompt != nil {
			fmt.Fprintf(&text, " prompt %d.%d", l.Prompt.ID, l.Prompt.Version)
		}
		for _, m := range l.Metadata {
			fmt.Fprintf(&text, " %s=%s", m.Key, m.Value)
		}
		text.WriteByte('\n')
	}
	check.Equal(w.t, "logs", text.String(), fmt.Sprintf(`10:30:00 import={"id":%[1]d,"row":1,"commit":1,"source_id":"41"}
10:30:00 prompt 7.3 import={"id":%[1]d,"row":4,"commit":2}
10:30:00 import={"id":%[1]d,"row":5,"commit":2}
10:30:00 import={"id":%[1]d,"row":6,"commit":2} k="v"
`, i.ID))
}

// TestSameFile imports a file twice: the second time is refused, unless it is wanted.
func TestSameFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	w.begin(&shaky{})
	first := w.checked(tenRows(), source.Options{})
	w.start(first.ID)
	w.settled(first.ID)
	second := w.checked(tenRows(), source.Options{})
	check.Equal(t, "hash", second.Hash, first.Hash)
	check.Refused(t, check.Failure(w.service.Start(w.ctx, w.home, second.ID, true, false)), fault.Conflict, fmt.Sprintf("The file was imported before, by import %d", first.ID))
	check.Equal(t, "logs", w.told(w.home), allTen)
	check.Must(w.service.Start(w.ctx, w.home, second.ID, true, true))(t)
	check.Equal(t, "state", w.settled(second.ID).State, importer.Done)
	check.Equal(t, "logs", w.told(w.home), allTen+" "+allTen)
	check.OK(t, w.service.Delete(w.ctx, w.home, first.ID))
	check.OK(t, w.service.Delete(w.ctx, w.home, second.ID))
	third := w.checked(tenRows(), source.Options{})
	w.start(third.ID)
	w.settled(third.ID)
}

// TestExisting imports what was exported from the workspace: only what is not there
// any more, or is another request.
func TestExisting(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	w.begin(&shaky{})
	first := w.checked(row("a", "")+row("b", ""), source.Options{})
	w.start(first.ID)
	w.settled(first.ID)
	part := check.Must(w.logs.ScanPart(w.ctx, w.home, query.Input{}, 0, 10))(t)
	exported := func(input string, id, workspace int64, members string) string {
		return row(input, fmt.Sprintf(`"id":%d,"workspace_id":%d%s`, id, workspace, members))
	}
	a, b := part.Logs[0].ID, part.Logs[1].ID
	file := exported("a", a, w.home, "") + exported("b", b, w.other, "") + exported("c", b, w.home, `,"model":"gpt-5"`) + exported("d", b+100, w.home, "") + row("e", "")
	i := w.checked(file, source.Options{})
	want := importer.Progress{Format: source.Promptuary, Rows: 5, Accepted: 4, Existing: 1}
	wantProgress(t, "check", i.Check, want)
	w.start(i.ID)
	i = w.settled(i.ID)
	wantProgress(t, "run", i.Run, want)
	check.Equal(t, "logs", w.told(w.home), "a@1 b@2 b@2 c@3 d@4 e@5")
	check.Equal(t, "report", w.report(i.ID), fmt.Sprintf(`{"row":1,"line":1,"id":"%d","status":"existing","reason":"The workspace has the request already"}`+"\n", a))
}

// TestLostProcess loses the process before and after a write. The next process
// completes the work, and every row is written and counted once.
func TestLostProcess(t *testing.T) {
	for _, failAt := range []int{1, 3} {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprint(failAt, after), func(t *testing.T) {
				catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) { loseProcess(t, newWorld(t, dsn), failAt, after) })
			})
		}
	}
}

func loseProcess(t *testing.T, w *world, failAt int, after bool) {
	t.Helper()
	w.begin(&shaky{failAt: failAt, after: after, err: errLost})
	i := w.checked("{}\n"+tenRows(), source.Options{Format: source.Promptuary})
	w.start(i.ID)
	w.lose(failAt)
	check.Equal(t, "state in between", check.Must(w.service.Get(w.ctx, w.home, i.ID))(t).State, importer.Running)
	w.begin(&shaky{})
	i = w.settled(i.ID)
	check.Equal(t, "state", i.State, importer.Done)
	wantProgress(t, "run", i.Run, importer.Progress{Format: source.Promptuary, Rows: 11, Accepted: 10, Refused: 1})
	check.Equal(t, "logs", w.told(w.home), "a@2 b@3 c@4 d@5 e@6 f@7 g@8 h@9 i@10 j@11")
	check.Equal(t, "lines of the report", strings.Count(w.report(i.ID), "\n"), 1)
}

// TestClickHouse imports to ClickHouse, and loses the process in the meantime.
func TestClickHouse(t *testing.T) {
	t.Parallel()
	store := check.Must(clickhouse.Open(t.Context(), clickhousetest.Start(t), clickhouse.Options{Installation: "ours"}))(t)
	t.Cleanup(func() { check.OK(t, store.Close()) })
	loseProcess(t, newWorldOn(t, catalogtest.SQLite(t), store), 2, true)
}

// lose waits for the write that fails and ends the process.
func (w *world) lose(failAt int) {
	w.t.Helper()
	check.Eventually(w.t, "the loss of the process", func() bool {
		w.shaky.mu.Lock()
		defer w.shaky.mu.Unlock()
		return w.shaky.writes >= failAt
	})
	w.stop()
}

// TestFullDisk continues by itself when the store accepts logs again, also if it had
// accepted them after all.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		w := newWorld(t, catalogtest.SQLite(t))
		w.begin(&shaky{failAt: 2, after: after, err: fault.New(fault.Unavailable, "the disk is full")})
		i := w.checked(tenRows(), source.Options{})
		w.start(i.ID)
		i = w.settled(i.ID)
		check.Equal(t, "state", i.State, importer.Done)
		check.Equal(t, "accepted", i.Run.Accepted, 10)
		check.Equal(t, "logs", w.told(w.home), allTen)
	}
}

// TestCancel ends an import after its second batch. What it has written stays and is
// counted.
func TestCancel(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	at, goOn := make(chan struct{}), make(chan struct{})
	w.begin(&shaky{reached: func(write int) {
		if write == 2 {
			close(at)
			<-goOn
		}
	}})
	i := w.checked(tenRows(), source.Options{})
	other := w.upload(tenRows(), source.Options{})
	w.start(i.ID)
	<-at
	check.Fault(t, check.Failure(w.service.StartCheck(w.ctx, w.home, other.ID)), fault.Conflict)
	check.Fault(t, w.service.Delete(w.ctx, w.home, i.ID), fault.Conflict)
	check.Fault(t, check.Failure(w.service.Change(w.ctx, w.home, i.ID, source.Options{})), fault.Conflict)
	check.Must(w.service.Cancel(w.ctx, w.home, i.ID))(t)
	close(goOn)
	i = w.settled(i.ID)
	check.Equal(t, "state", i.State, importer.Cancelled)
	check.Equal(t, "accepted", i.Run.Accepted, 6)
	check.Equal(t, "logs", w.told(w.home), "a@1 b@2 c@3 d@4 e@5 f@6")
}

// TestUpload refuses parts that do not follow each other, and takes the last one
// again.
func TestUpload(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	w.begin(&shaky{})
	i := check.Must(w.service.Create(w.ctx, w.home, "f", source.Options{}, nil))(t)
	upload := func(n int64, part string) error {
		return check.Failure(w.service.Upload(w.ctx, w.home, i.ID, n, []byte(part)))
	}
	check.Refused(t, check.Failure(w.service.StartCheck(w.ctx, w.home, i.ID)), fault.Conflict, "The import has no file yet")
	check.Refused(t, upload(0, "a"), fault.Conflict, "The import has 0 parts: the next one is 1")
	check.Refused(t, upload(2, "a"), fault.Conflict, "The import has 0 parts: the next one is 1")
	check.OK(t, upload(1, "a"))
	check.OK(t, upload(1, "a"))
	check.Refused(t, upload(1, "b"), fault.Conflict, "Part 1 was sent before with another content")
	check.Refused(t, upload(2, ""), fault.BadRequest, "A part should have from 1 to 8388608 bytes")
	check.Refused(t, upload(2, strings.Repeat("a", importer.MaxPart+1)), fault.BadRequest, "A part should have from 1 to 8388608 bytes")
	check.OK(t, upload(2, strings.Repeat("a", importer.MaxPart)))
	check.Equal(t, "size", check.Must(w.service.Get(w.ctx, w.home, i.ID))(t).Size, importer.MaxPart+1)
	check.Fault(t, check.Failure(w.service.Upload(w.ctx, w.other, i.ID, 3, []byte("a"))), fault.NotFound)
	check.Must(w.service.StartCheck(w.ctx, w.home, i.ID))(t)
	i = w.settled(i.ID)
	check.Equal(t, "failure", i.Failure, "The name of column 1 is longer than 500 bytes: the first row should have the names of the columns")
}

// TestPreview shows the first rows and lets the options be changed.
func TestPreview(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	w.begin(&shaky{})
	i := w.upload("q,m\n"+strings.Repeat("hi,gpt-4o\n", 7), source.Options{})
	preview := func() importer.Preview { return check.Must(w.service.Preview(w.ctx, w.home, i.ID))(t) }
	p := preview()
	check.Equal(t, "failure", p.Failure, "No column is the input: map one of q, m")
	check.Equal(t, "columns", fmt.Sprint(p.Columns), "[q m]")
	check.Equal(t, "nothing is recognised", len(p.Mapping), 0)
	known := check.Must(w.service.Preview(w.ctx, w.home, w.upload("Question,Model,metadata.team\n", source.Options{}).ID))(t)
	check.Equal(t, "recognised", fmt.Sprint(known.Mapping), "map[input:Question metadata.team:metadata.team model:Model]")
	change := func(o source.Options) error { return check.Failure(w.service.Change(w.ctx, w.home, i.ID, o)) }
	check.Fault(t, change(source.Options{Format: "x"}), fault.BadRequest)
	columns := map[string]string{"input": "q", "model": "m"}
	check.OK(t, change(source.Options{Columns: columns}))
	p = preview()
	check.Equal(t, "mapping", fmt.Sprint(p.Mapping), "map[input:q model:m]")
	check.Equal(t, "rows", len(p.Rows), 5)
	check.Equal(t, "reason", p.Rows[0].Entry.Reason, "request_start_time: Field required")
	check.OK(t, change(source.Options{Columns: columns, Defaults: map[string]string{"request_start_time": "2025-01-01", "request_end_time": "2025-01-01"}}))
	p = preview()
	check.Equal(t, "entry", p.Rows[0].Entry, nil)
	check.Must(w.service.StartCheck(w.ctx, w.home, i.ID))(t)
	i = w.settled(i.ID)
	check.Equal(t, "accepted", i.Check.Accepted, 7)
	check.OK(t, change(source.Options{}))
	check.Equal(t, "state", check.Must(w.service.Get(w.ctx, w.home, i.ID))(t).State, importer.Uploading)
}

// TestLimits refuses wrong options, too many files, and callers without the permission.
func TestLimits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	w.begin(&shaky{})
	create := func(name string, o source.Options) error {
		return check.Failure(w.service.Create(w.ctx, w.home, name, o, nil))
	}
	long := strings.Repeat("é", 256)
	check.Fault(t, create("", source.Options{}), fault.BadRequest)
	check.Fault(t, create(long, source.Options{}), fault.BadRequest)
	check.Fault(t, create("a\x00", source.Options{}), fault.BadRequest)
	check.Fault(t, create("a", source.Options{Defaults: map[string]string{"metadata." + strings.Repeat("a", 1001): "x"}}), fault.BadRequest)
	check.Fault(t, create("a", source.Options{Columns: map[string]string{"nothing": "x"}}), fault.BadRequest)
	for range 10 {
		check.OK(t, create(long[:510], source.Options{}))
	}
	check.Refused(t, create("a", source.Options{}), fault.Conflict, "The workspace has 10 imports that have not ended: delete one first")
	weak := access.WithCaller(t.Context(), access.Caller{})
	_, _, err := w.service.List(weak, w.home, 0, 10)
	check.Fault(t, err, fault.Forbidden)
	check.Fault(t, check.Failure(w.service.Get(weak, w.home, 1)), fault.Forbidden)
	check.Fault(t, check.Failure(w.service.Get(weak, w.home, 99)), fault.NotFound)
	check.Fault(t, check.Failure(w.service.Create(weak, w.home, "a", source.Options{}, nil)), fault.Forbidden)
}
