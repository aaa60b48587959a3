package dataset_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
)

func TestVersions(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *shelf) {
		group := s.group("g")
		_, err := s.Version(s.ctx, s.workspace, group, nil)
		fails(t, err, fault.BadRequest, "Dataset must have at least one non-draft version")
		first := check.Must(s.SaveDraft(s.ctx, s.workspace, group))(t)
		second := check.Must(s.imported(group, "a.csv", "a\n1\n"))(t)
		equal(t, []int64{first.Number, second.Number}, []int64{1, 2})
		equal(t, check.Must(s.Version(s.ctx, s.workspace, group, nil))(t).ID, second.ID)
		equal(t, check.Must(s.Version(s.ctx, s.workspace, group, new(int64(1))))(t).ID, first.ID)
		for number, kind := range map[int64]fault.Kind{3: fault.NotFound, 0: fault.NotFound, -2: fault.NotFound, -1: fault.BadRequest} {
			_, err := s.Version(s.ctx, s.workspace, group, &number)
			fails(t, err, kind, "")
		}
		_, err = s.Version(s.ctx, s.workspace, second.ID, nil)
		fails(t, err, fault.NotFound, "Dataset group not found")
		check.Must(s.catalog.Entities.SoftDelete(s.ctx, s.workspace, []int64{group}))(t)
		_, err = s.Version(s.ctx, s.workspace, group, nil)
		fails(t, err, fault.NotFound, "Dataset group not found")
		_, err = s.GetLive(s.ctx, s.workspace, second.ID)
		fails(t, err, fault.NotFound, "Dataset not found")
		kept := check.Must(s.Get(s.ctx, s.workspace, second.ID))(t)
		equal(t, kept.Deleted, true)
		equal(t, s.rows(kept), []string{`"1"`})
		_, err = s.Get(s.ctx, s.workspace+1, second.ID)
		fails(t, err, fault.NotFound, "Dataset not found")
	})
}

// TestDraftIsCopy adds rows to a draft that its source must not get.
func TestDraftIsCopy(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *shelf) {
		group := s.group("g")
		ids := s.log("", "")
		lines := make([]string, 450)
		for i := range lines {
			lines[i] = fmt.Sprint(i)
		}
		source := check.Must(s.imported(group, "a.csv", "a\n"+strings.Join(lines, "\n")+"\n"))(t)
		draft := check.Must(s.CreateDraft(s.ctx, s.workspace, group, &source.ID, nil))(t)
		equal(t, s.rows(draft), s.rows(source))
		check.Must(s.AddRequestLog(s.ctx, s.workspace, group, ids[0]))(t)
		longer := check.Must(s.AddRequestLog(s.ctx, s.workspace, group, ids[1]))(t)
		equal(t, []int64{longer.RowCount, check.Must(s.Get(s.ctx, s.workspace, source.ID))(t).RowCount}, []int64{452, 450})
		equal(t, s.column(longer, "response")[449:], []string{"null", `"Answer 0"`, `"Answer 1"`})
		equal(t, len(s.rows(source)), 450)
		saved := check.Must(s.SaveDraft(s.ctx, s.workspace, group))(t)
		equal(t, []int64{saved.ID, saved.Number, saved.RowCount}, []int64{draft.ID, 2, 452})
	})
}

func TestRowsInParts(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	lines := make([]string, 1200)
	for i := range lines {
		lines[i] = fmt.Sprint(i)
	}
	made := check.Must(s.imported(s.group("g"), "a.csv", "a,b\n"+strings.Join(lines, "\n")+"\n"))(t)
	for _, part := range []struct {
		from  int64
		limit int
		want  []string
	}{
		{0, 2, []string{`"0" null`, `"1" null`}},
		{1198, 10, []string{`"1198" null`, `"1199" null`}},
		{1200, 10, []string{}},
		{1 << 62, 10, []string{}},
		{5, 0, []string{}},
	} {
		got := []string{}
		for _, row := range check.Must(s.ReadRows(s.ctx, s.workspace, made.ID, part.from, part.limit))(t) {
			got = append(got, rowText(row))
		}
		equal(t, got, part.want)
	}
	all := check.Must(s.ReadRows(s.ctx, s.workspace, made.ID, 0, 5000))(t)
	for i, row := range all {
		equal(t, string(row[0].Raw()), fmt.Sprintf("%q", lines[i]))
	}
	equal(t, len(all), 1200)
}

// TestConcurrentWrites imports, adds and saves concurrently: every version
// exists with its own number.
func TestConcurrentWrites(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *shelf) {
		group := s.group("g")
		check.Must(s.SaveDraft(s.ctx, s.workspace, group))(t)
		check.Must(s.CreateDraft(s.ctx, s.workspace, group, nil, nil))(t)
		ids := s.log("", "", "", "", "", "")
		var wait sync.WaitGroup
		for _, id := range ids {
			wait.Go(func() {
				if _, err := s.AddRequestLog(s.ctx, s.workspace, group, id); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		saved := check.Must(s.SaveDraft(s.ctx, s.workspace, group))(t)
		equal(t, saved.RowCount, int64(len(ids)))
		for i := range 6 {
			wait.Go(func() {
				if _, err := s.imported(group, "a.csv", fmt.Sprintf("a\n%d\n", i)); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		found, _, err := s.List(s.ctx, dataset.ListQuery{Filters: entity.Query{WorkspaceID: s.workspace, Sort: entity.ByID, Ascending: true}})
		check.OK(t, err)
		numbers := []int64{}
		for _, d := range found {
			numbers = append(numbers, d.Number)
		}
		slices.Sort(numbers)
		equal(t, numbers, []int64{1, 2, 3, 4, 5, 6, 7, 8})
	})
}

// TestImportDoesNotBlockWriters creates entities while a file is imported: the
// import holds no lock for long.
func TestImportDoesNotBlockWriters(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	group := s.group("g")
	done := make(chan error)
	go func() {
		_, err := s.imported(group, "a.csv", "a\n"+strings.Repeat("some text that takes room\n", 50_000))
		done <- err
	}()
	longest, writes := time.Duration(0), 0
	for {
		select {
		case err := <-done:
			check.OK(t, err)
			if longest > 5*time.Second || writes == 0 {
				t.Errorf("one of %d writers waited for %s", writes, longest)
			}
			return
		default:
		}
		start := time.Now()
		s.group(fmt.Sprint("other ", writes))
		longest = max(longest, time.Since(start))
		writes++
	}
}

// TestPermissions tries everything with a caller that may only read.
func TestPermissions(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	group, id := s.group("g"), s.log("")[0]
	s.spans(&reqlog.Span{TraceID: "t", SpanID: "s"})
	saved := s.group("saved")
	check.Must(s.SaveDraft(s.ctx, s.workspace, saved))(t)
	reader := access.WithCaller(t.Context(), access.Caller{KeyID: 1, Workspace: s.workspace})
	upload := check.Must(s.NewUpload(s.ctx, s.workspace))(t)
	defer func() { check.OK(t, upload.Close()) }()
	for name, call := range map[string]func() error{
		"create": func() error {
			_, err := s.Create(reader, s.workspace, dataset.CreateInput{Name: "n"})
			return err
		},
		"draft": func() error { _, err := s.CreateDraft(reader, s.workspace, saved, nil, nil); return err },
		"add":   func() error { _, err := s.AddRequestLog(reader, s.workspace, group, id); return err },
		"save":  func() error { _, err := s.SaveDraft(reader, s.workspace, group); return err },
		"trace": func() error {
			_, _, err := s.AddTrace(reader, s.workspace, group, dataset.TraceInput{TraceID: "t"})
			return err
		},
		"filter": func() error {
			_, err := s.CreateFromLogs(reader, s.workspace, group, dataset.Selection{}, nil)
			return err
		},
		"file": func() error {
			_, err := s.CreateFromFile(reader, s.workspace, dataset.FileInput{GroupID: group, Name: "a.csv", File: upload})
			return err
		},
	} {
		if err := call(); !fault.Is(err, fault.Forbidden) {
			t.Errorf("%s: got %v, want Forbidden", name, err)
		}
	}
}
