package dataset_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

func (s *shelf) values(text string) jsontree.Value {
	s.t.Helper()
	return check.Must(jsontree.Parse([]byte(text)))(s.t)
}

func (s *shelf) change(group int64, changes dataset.RowChanges) dataset.ChangedDraft {
	s.t.Helper()
	return check.Must(s.ChangeDraftRows(s.ctx, s.workspace, group, changes))(s.t)
}

// table creates a draft with the column a and a row for each number.
func (s *shelf) table(group int64, rows int) dataset.ChangedDraft {
	s.t.Helper()
	changes := dataset.RowChanges{AddColumns: []string{"a"}}
	for i := range rows {
		changes.Add = append(changes.Add, s.values(fmt.Sprintf(`{"a":%d}`, i)))
	}
	return s.change(group, changes)
}

// TestDraftRowsAgainstModel applies random changes to a draft and to a list.
func TestDraftRowsAgainstModel(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *shelf) {
		random := rand.New(rand.NewPCG(3, 4))
		group := s.group("g")
		draft := s.table(group, 5)
		model := []string{"0", "1", "2", "3", "4"}
		for step := range 60 {
			var changes dataset.RowChanges
			removed := map[int]bool{}
			for range random.IntN(4) {
				if at := random.IntN(len(model) + 1); at < len(model) && !removed[at] {
					removed[at] = true
					changes.Delete = append(changes.Delete, draft.RowID(int64(at)))
				}
			}
			for at := range model {
				if !removed[at] && random.IntN(3) == 0 {
					model[at] = fmt.Sprint(1000*step + at)
					changes.Set = append(changes.Set, dataset.RowChange{RowID: draft.RowID(int64(at)), Values: s.values(`{"a":` + model[at] + `}`)})
				}
			}
			left := []string{}
			for at, value := range model {
				if !removed[at] {
					left = append(left, value)
				}
			}
			for range random.IntN(4) {
				left = append(left, fmt.Sprint(-step))
				changes.Add = append(changes.Add, s.values(fmt.Sprintf(`{"a":%d}`, -step)))
			}
			draft = s.change(group, changes)
			model = left
			equal(t, s.rows(draft.Dataset), model)
			equal(t, draft.RowCount, int64(len(model)))
			for i, id := range draft.Added {
				equal(t, id, draft.RowID(int64(len(model)-len(changes.Add)+i)))
			}
		}
	})
}

// TestConcurrentDraftRows changes one draft concurrently: every appended row is
// kept, and only one of several deletions of the same rows succeeds.
func TestConcurrentDraftRows(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *shelf) {
		group := s.group("g")
		draft := s.table(group, 3)
		const callers = 8
		errs := make([]error, 2*callers)
		var all sync.WaitGroup
		for i := range callers {
			all.Go(func() {
				_, errs[i] = s.ChangeDraftRows(s.ctx, s.workspace, group, dataset.RowChanges{Add: []jsontree.Value{s.values(`{"a":"new"}`)}})
			})
			all.Go(func() {
				_, errs[callers+i] = s.ChangeDraftRows(s.ctx, s.workspace, group, dataset.RowChanges{Delete: []string{draft.RowID(1)}})
			})
		}
		all.Wait()
		for _, err := range errs[:callers] {
			check.OK(t, err)
		}
		refused := slices.DeleteFunc(errs[callers:], func(err error) bool { return err == nil })
		equal(t, len(refused), callers-1)
		for _, err := range refused {
			fails(t, err, fault.Conflict, "have moved")
		}
		rows := s.rows(check.Must(s.Get(s.ctx, s.workspace, draft.ID))(t))
		slices.Sort(rows)
		equal(t, rows, append(slices.Repeat([]string{`"new"`}, callers), "0", "2"))
	})
}

func TestDraftRowChangesAreAtomic(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *shelf) {
		group := s.group("g")
		draft := s.table(group, 3)
		huge := s.values(`{"a":"` + strings.Repeat("x", 41<<20) + `"}`)
		_, err := s.ChangeDraftRows(s.ctx, s.workspace, group, dataset.RowChanges{
			AddColumns: []string{"b"}, Set: []dataset.RowChange{{RowID: draft.RowID(0), Values: s.values(`{"b":1}`)}},
			Delete: []string{draft.RowID(1)}, Add: []jsontree.Value{huge},
		})
		fails(t, err, fault.BadRequest, "A row takes")
		kept := check.Must(s.Get(s.ctx, s.workspace, draft.ID))(t)
		equal(t, s.rows(kept), []string{"0", "1", "2"})
		equal(t, kept.Columns, []string{"a"})
		equal(t, kept.RowID(0), draft.RowID(0))
	})
}

func TestDraftRowsAreBounded(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	group := s.group("g")
	large := s.values(`{"a":"` + strings.Repeat("x", 20<<20) + `"}`)
	draft := s.table(group, 1)
	set := dataset.RowChange{RowID: draft.RowID(0), Values: large}
	s.change(group, dataset.RowChanges{Set: []dataset.RowChange{set}})
	_, err := s.ChangeDraftRows(s.ctx, s.workspace, group, dataset.RowChanges{Set: []dataset.RowChange{set, set}})
	fails(t, err, fault.BadRequest, "too large")

	_, err = s.ChangeDraftRows(s.ctx, s.workspace, group, dataset.RowChanges{AddColumns: make([]string, 1)})
	fails(t, err, fault.Invalid, "cannot be empty")
	names := make([]string, dataset.MaxColumns)
	for i := range names {
		names[i] = fmt.Sprint(i)
	}
	_, err = s.ChangeDraftRows(s.ctx, s.workspace, group, dataset.RowChanges{AddColumns: names})
	fails(t, err, fault.BadRequest, "at most 2000 columns")
}

// TestTooManyRowsAreNotMoved deletes from a draft whose rows would all have to
// be rewritten.
func TestTooManyRowsAreNotMoved(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	group := s.group("g")
	const rows = 100_002
	source := check.Must(s.imported(group, "a.csv", "a\n"+strings.Repeat("x\n", rows)))(t)
	draft := check.Must(s.CreateDraft(s.ctx, s.workspace, group, &source.ID, nil))(t)
	_, err := s.ChangeDraftRows(s.ctx, s.workspace, group, dataset.RowChanges{Delete: []string{draft.RowID(0)}})
	fails(t, err, fault.BadRequest, "100001 rows follow")
	changed := s.change(group, dataset.RowChanges{Delete: []string{draft.RowID(1)}})
	equal(t, changed.RowCount, int64(rows-1))
	changed = s.change(group, dataset.RowChanges{Delete: []string{changed.RowID(rows - 2), changed.RowID(rows - 3)}})
	equal(t, changed.RowCount, int64(rows-3))
}

func TestDraftRowsNeedPermission(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	group := s.group("g")
	reader := access.WithCaller(t.Context(), access.Caller{Workspace: s.workspace})
	_, err := s.ChangeDraftRows(reader, s.workspace, group, dataset.RowChanges{AddColumns: []string{"a"}})
	fails(t, err, fault.Forbidden, "")
	_, err = s.ChangeDraftRows(reader, s.workspace, group+1000, dataset.RowChanges{AddColumns: []string{"a"}})
	fails(t, err, fault.NotFound, "Dataset group not found")
}

// TestAddRequestLogKeepsRemovals adds a log to a draft from which rows were
// deleted: old row ids must not become valid again.
func TestAddRequestLogKeepsRemovals(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	group := s.group("g")
	draft := s.table(group, 3)
	s.change(group, dataset.RowChanges{Delete: []string{draft.RowID(0)}})
	check.Must(s.AddRequestLog(s.ctx, s.workspace, group, s.log("")[0]))(t)
	_, err := s.ChangeDraftRows(s.ctx, s.workspace, group, dataset.RowChanges{Delete: []string{draft.RowID(0)}})
	fails(t, err, fault.Conflict, "have moved")
}
