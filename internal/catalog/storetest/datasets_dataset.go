package storetest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// content creates a loose content.
func (s *store) content(rows ...string) int64 {
	s.t.Helper()
	id := check.Must(s.Datasets.CreateContent(s.ctx, s.workspace))(s.t)
	s.ok(s.Datasets.AddRows(s.ctx, id, 0, rows))
	return id
}

// state returns the state of a dataset with rows.
func (s *store) state(rows ...string) dataset.State {
	s.t.Helper()
	return dataset.State{Body: []byte(`{}`), ContentID: s.content(rows...), RowCount: int64(len(rows))}
}

// numbered adds a numbered dataset with rows to a group.
func (s *store) numbered(group int64, rows ...string) dataset.Stored {
	s.t.Helper()
	return check.Must(s.Datasets.AddNumbered(s.ctx, s.workspace, group, s.state(rows...)))(s.t)
}

func (s *store) rows(content int64) []string {
	s.t.Helper()
	return check.Must(s.Datasets.ReadRows(s.ctx, content, 0, 1000, 1<<20))(s.t)
}

// datasetIDs returns the ids of the datasets that a query finds.
func (s *store) datasetIDs(query dataset.ListQuery) []int64 {
	s.t.Helper()
	query.Filters.WorkspaceID = s.workspace
	found, total, err := s.Datasets.ListDatasets(s.ctx, query)
	s.ok(err)
	ids := make([]int64, len(found))
	for i, one := range found {
		ids[i] = one.Version.ID
	}
	if query.Filters.Page.Limit == 0 {
		s.equal(total, int64(len(ids)))
	}
	return ids
}

var datasetCases = []testCase{
	{"rows are read page by page", func(s *store) {
		rows := []string{`["ü\u0000",1.50]`, `[]`, `[null,{"b":1,"a":2}]`}
		id := s.content(rows...)
		s.ok(s.Datasets.AddRows(s.ctx, id, 3, []string{`["last"]`}))
		s.equal(s.rows(id), append(rows, `["last"]`))
		s.equal(check.Must(s.Datasets.ReadRows(s.ctx, id, 1, 2, 1<<20))(s.t), rows[1:])
		s.equal(check.Must(s.Datasets.ReadRows(s.ctx, id, 4, 2, 1<<20))(s.t), []string{})
		s.equal(check.Must(s.Datasets.ReadRows(s.ctx, id, 0, 3, 1))(s.t), rows[:1])
	}},
	{"many rows in one call", func(s *store) {
		rows := make([]string, 700)
		for i := range rows {
			rows[i] = fmt.Sprintf(`[%d]`, i)
		}
		s.equal(s.rows(s.content(rows...)), rows)
	}},
	{"a position has one row", func(s *store) {
		id := s.content(`[1]`)
		s.fails(s.Datasets.AddRows(s.ctx, id, 0, []string{`[2]`}), fault.Conflict)
		s.equal(s.rows(id), []string{`[1]`})
	}},
	{"unknown workspaces and contents", func(s *store) {
		s.fails(check.Failure(s.Datasets.CreateContent(s.ctx, 12345)), fault.NotFound)
		s.fails(s.Datasets.AddRows(s.ctx, 12345, 0, []string{`[]`}), fault.NotFound)
		s.fails(s.Datasets.AddPrompts(s.ctx, 12345, nil), fault.NotFound)
	}},
	{"create and get", func(s *store) {
		group := s.create(entity.KindDataset, "g", nil)
		state := s.state(`[1]`, `[2]`)
		state.Body, state.Creator = []byte(`{"column_names":["a"]}`), pointer("ann@x.test")
		added := check.Must(s.Datasets.AddNumbered(s.ctx, s.workspace, group.ID, state))(s.t)
		s.equal(string(added.Version.Body), `{"column_names":["a"]}`)
		s.equal([]int64{added.Version.Number, added.RowCount, added.ContentID, added.Group.ID}, []int64{1, 2, state.ContentID, group.ID})
		s.equal(*added.Version.Creator, "ann@x.test")
		s.equal(check.Must(s.Datasets.GetDataset(s.ctx, s.workspace, added.Version.ID))(s.t), added)
		s.equal(check.Must(s.Datasets.FindDataset(s.ctx, s.workspace, group.ID, 1))(s.t), added)
		s.equal(check.Must(s.Datasets.FindDataset(s.ctx, s.workspace, group.ID, 0))(s.t), added)
		s.equal(check.Must(s.Entities.GetVersionByID(s.ctx, s.workspace, added.Version.ID))(s.t), added.Version)
		s.fails(check.Failure(s.Datasets.GetDataset(s.ctx, s.other, added.Version.ID)), fault.NotFound)
		s.fails(check.Failure(s.Datasets.FindDataset(s.ctx, s.workspace, group.ID, 2)), fault.NotFound)
		s.fails(check.Failure(s.Datasets.FindDataset(s.ctx, s.workspace, group.ID, dataset.DraftNumber)), fault.NotFound)
	}},
	{"numbers are consecutive, and a draft gets the next one", func(s *store) {
		group := s.create(entity.KindDataset, "g", nil)
		first := s.numbered(group.ID)
		draft := check.Must(s.Datasets.AddDraft(s.ctx, s.workspace, group.ID, s.state(`[1]`)))(s.t)
		s.equal(draft.Version.Number, int64(dataset.DraftNumber))
		second := s.numbered(group.ID)
		saved := check.Must(s.Datasets.SaveDraft(s.ctx, s.workspace, group.ID))(s.t)
		s.equal([]int64{first.Version.Number, second.Version.Number, saved.Version.Number}, []int64{1, 2, 3})
		s.equal(saved.Version.ID, draft.Version.ID)
		s.equal(s.get(group.ID).LatestVersion, int64(3))
		s.fails(check.Failure(s.Datasets.SaveDraft(s.ctx, s.workspace, group.ID)), fault.NotFound)
	}},
	{"a group has one draft", func(s *store) {
		group := s.create(entity.KindDataset, "g", nil)
		check.Must(s.Datasets.AddDraft(s.ctx, s.workspace, group.ID, s.state()))(s.t)
		state := s.state(`[1]`)
		s.fails(check.Failure(s.Datasets.AddDraft(s.ctx, s.workspace, group.ID, state)), fault.Conflict)
		check.Must(s.Datasets.SaveDraft(s.ctx, s.workspace, group.ID))(s.t)
		check.Must(s.Datasets.AddDraft(s.ctx, s.workspace, group.ID, state))(s.t)
	}},
	{"of concurrent drafts one succeeds", func(s *store) {
		group := s.create(entity.KindDataset, "g", nil)
		states := []dataset.State{s.state(), s.state(), s.state(), s.state()}
		errs := check.Together(len(states), func(i int) error { return check.Failure(s.Datasets.AddDraft(s.ctx, s.workspace, group.ID, states[i])) })
		made := 0
		for _, err := range errs {
			if err == nil {
				made++
				continue
			}
			s.fails(err, fault.Conflict)
		}
		s.equal(made, 1)
	}},
	{"datasets require a live group", func(s *store) {
		prompt := s.prompt("p")
		group := s.create(entity.KindDataset, "g", nil)
		draft := check.Must(s.Datasets.AddDraft(s.ctx, s.workspace, group.ID, s.state()))(s.t)
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{group.ID}))(s.t)
		for _, id := range []int64{prompt.ID, group.ID, 12345} {
			s.fails(check.Failure(s.Datasets.AddDraft(s.ctx, s.workspace, id, s.state())), fault.NotFound)
			s.fails(check.Failure(s.Datasets.AddNumbered(s.ctx, s.workspace, id, s.state())), fault.NotFound)
			s.fails(check.Failure(s.Datasets.SaveDraft(s.ctx, s.workspace, id)), fault.NotFound)
			s.fails(check.Failure(s.Datasets.FindDataset(s.ctx, s.workspace, id, dataset.DraftNumber)), fault.NotFound)
		}
		s.fails(check.Failure(s.Datasets.UpdateDraft(s.ctx, s.workspace, draft.Version.ID, s.state())), fault.NotFound)
		s.equal(check.Must(s.Datasets.GetDataset(s.ctx, s.workspace, draft.Version.ID))(s.t).Group.DeletedAt != nil, true)
	}},
	{"drafts can be replaced, numbered datasets cannot", func(s *store) {
		group := s.create(entity.KindDataset, "g", nil)
		draft := check.Must(s.Datasets.AddDraft(s.ctx, s.workspace, group.ID, s.state(`[1]`)))(s.t)
		state := s.state(`[2]`, `[3]`)
		state.Body = []byte(`{"column_names":["b"]}`)
		updated := check.Must(s.Datasets.UpdateDraft(s.ctx, s.workspace, draft.Version.ID, state))(s.t)
		s.equal([]int64{updated.ContentID, updated.RowCount, updated.Version.ID}, []int64{state.ContentID, 2, draft.Version.ID})
		s.equal(string(updated.Version.Body), `{"column_names":["b"]}`)
		s.equal(check.Must(s.Datasets.LooseContent(s.ctx, time.Now().Add(time.Hour)))(s.t), []int64{draft.ContentID})
		check.Must(s.Datasets.SaveDraft(s.ctx, s.workspace, group.ID))(s.t)
		s.fails(check.Failure(s.Datasets.UpdateDraft(s.ctx, s.workspace, draft.Version.ID, s.state())), fault.NotFound)
	}},
	{"content belongs to one dataset", func(s *store) {
		group := s.create(entity.KindDataset, "g", nil)
		state := s.state(`[1]`)
		check.Must(s.Datasets.AddNumbered(s.ctx, s.workspace, group.ID, state))(s.t)
		s.fails(check.Failure(s.Datasets.AddNumbered(s.ctx, s.workspace, group.ID, state)), fault.Unavailable)
		s.equal(s.get(group.ID).LatestVersion, int64(1))
	}},
	{"loose content is dropped with its rows", func(s *store) {
		group := s.create(entity.KindDataset, "g", nil)
		kept := s.numbered(group.ID, `[1]`)
		rows := make([]string, 1500)
		for i := range rows {
			rows[i] = `[]`
		}
		loose := s.content(rows...)
		s.ok(s.Datasets.AddPrompts(s.ctx, loose, []dataset.PromptVersion{{PromptID: 1, Number: 1}}))
		s.equal(check.Must(s.Datasets.LooseContent(s.ctx, time.Now().Add(time.Hour)))(s.t), []int64{loose})
		s.equal(check.Must(s.Datasets.LooseContent(s.ctx, time.Now().Add(-time.Hour)))(s.t), []int64{})
		s.ok(s.Datasets.DropContent(s.ctx, loose))
		s.ok(s.Datasets.DropContent(s.ctx, loose))
		s.ok(s.Datasets.DropContent(s.ctx, kept.ContentID))
		s.equal(s.rows(loose), []string{})
		s.equal(s.rows(kept.ContentID), []string{`[1]`})
		s.equal(check.Must(s.Datasets.LooseContent(s.ctx, time.Now().Add(time.Hour)))(s.t), []int64{})
		s.fails(s.Datasets.AddRows(s.ctx, loose, 0, []string{`[]`}), fault.NotFound)
	}},
	{"copy rows and prompts", func(s *store) {
		source := s.content(`[0]`, `[1]`, `[2]`)
		s.ok(s.Datasets.AddPrompts(s.ctx, source, []dataset.PromptVersion{{PromptID: 7, Number: 1}, {PromptID: 7, Number: 2}}))
		s.ok(s.Datasets.AddPrompts(s.ctx, source, []dataset.PromptVersion{{PromptID: 7, Number: 1}}))
		target := s.content()
		s.equal(check.Must(s.Datasets.CopyRows(s.ctx, source, target, 0, 2))(s.t), int64(2))
		s.equal(check.Must(s.Datasets.CopyRows(s.ctx, source, target, 2, 2))(s.t), int64(1))
		s.ok(s.Datasets.CopyPrompts(s.ctx, source, target))
		s.equal(s.rows(target), s.rows(source))
		group := s.create(entity.KindDataset, "g", nil)
		added := check.Must(s.Datasets.AddNumbered(s.ctx, s.workspace, group.ID, dataset.State{Body: []byte(`{}`), ContentID: target}))(s.t)
		s.equal(s.datasetIDs(dataset.ListQuery{PromptID: pointer(int64(7))}), []int64{added.Version.ID})
	}},
	{"changes are audited", func(s *store) {
		group := s.create(entity.KindDataset, "g", nil)
		draft := check.Must(s.Datasets.AddDraft(s.ctx, s.workspace, group.ID, s.state()))(s.t)
		check.Must(s.Datasets.UpdateDraft(s.ctx, s.workspace, draft.Version.ID, s.state()))(s.t)
		check.Must(s.Datasets.SaveDraft(s.ctx, s.workspace, group.ID))(s.t)
		s.numbered(group.ID)
		entries := check.Must(s.Accounts.ListAudit(s.ctx, audit.Query{WorkspaceID: &s.workspace, SubjectKind: string(entity.KindDataset), SubjectID: &group.ID, Limit: 10}))(s.t)
		actions := []string{}
		for _, entry := range entries {
			actions = append(actions, string(entry.Action))
		}
		s.equal(strings.Join(actions, ", "), "publish, publish, change, change, create")
	}},
	{"failed transactions leave nothing", func(s *store) {
		group := s.create(entity.KindDataset, "g", nil)
		state := s.state(`[1]`)
		s.fails(s.InTx(s.ctx, func(ctx context.Context) error {
			if _, err := s.Datasets.AddNumbered(ctx, s.workspace, group.ID, state); err != nil {
				return err
			}
			return fault.Conflictf("for a test")
		}), fault.Conflict)
		s.equal(s.datasetIDs(dataset.ListQuery{}), []int64{})
		check.Must(s.Datasets.AddNumbered(s.ctx, s.workspace, group.ID, state))(s.t)
	}},
}

// usedPrompts is a prompt with two versions, of which the second has a label.
type usedPrompts struct {
	prompt        entity.Entity
	first, second entity.Version
	label         entity.Label
}

func (s *store) usedPrompts() usedPrompts {
	s.t.Helper()
	u := usedPrompts{prompt: s.prompt("used")}
	u.first, u.second = s.version(u.prompt.ID, `{}`), s.version(u.prompt.ID, `{}`)
	u.label = check.Must(s.Entities.SetLabel(s.ctx, s.workspace, u.prompt.ID, "prod", 2))(s.t)
	return u
}

var datasetListCases = []testCase{
	{"order", func(s *store) {
		b := s.create(entity.KindDataset, "b", nil)
		a := s.create(entity.KindDataset, "a", nil)
		first, second := s.numbered(b.ID).Version.ID, s.numbered(a.ID).Version.ID
		draft := check.Must(s.Datasets.AddDraft(s.ctx, s.workspace, b.ID, s.state()))(s.t).Version.ID
		third := s.numbered(b.ID).Version.ID
		check.Must(s.Datasets.UpdateDraft(s.ctx, s.workspace, draft, s.state()))(s.t)
		sorted := func(key entity.SortKey, ascending bool) []int64 {
			return s.datasetIDs(dataset.ListQuery{Filters: entity.Query{Sort: key, Ascending: ascending}})
		}
		s.equal(sorted(entity.ByCreated, false), []int64{third, draft, second, first})
		s.equal(sorted(entity.ByUpdated, false), []int64{draft, third, second, first})
		s.equal(sorted(entity.ByName, true), []int64{second, first, draft, third})
		s.equal(sorted(entity.ByID, true), []int64{first, second, draft, third})
		page := dataset.ListQuery{Filters: entity.Query{WorkspaceID: s.workspace, Page: entity.Page{Limit: 1, Offset: 1}}}
		found, total, err := s.Datasets.ListDatasets(s.ctx, page)
		s.ok(err)
		s.equal([]int64{found[0].Version.ID, total, int64(len(found))}, []int64{draft, 4, 1})
		s.equal(found[0].Group.Name, "b")
	}},
	{"by group, ids, name and workspace", func(s *store) {
		a, b := s.create(entity.KindDataset, "Straße 100%", nil), s.create(entity.KindDataset, "other", nil)
		first, second := s.numbered(a.ID).Version.ID, s.numbered(b.ID).Version.ID
		s.equal(s.datasetIDs(dataset.ListQuery{GroupID: &a.ID}), []int64{first})
		s.equal(s.datasetIDs(dataset.ListQuery{IDs: []int64{second, 12345}}), []int64{second})
		s.equal(s.datasetIDs(dataset.ListQuery{IDs: []int64{}}), []int64{})
		s.equal(s.datasetIDs(dataset.ListQuery{Filters: entity.Query{NameContains: "STRAßE 100%"}}), []int64{first})
		s.equal(s.datasetIDs(dataset.ListQuery{Filters: entity.Query{NameContains: strings.Repeat("x", 5000)}}), []int64{})
		found, total, err := s.Datasets.ListDatasets(s.ctx, dataset.ListQuery{Filters: entity.Query{WorkspaceID: s.other}})
		s.ok(err)
		s.equal([]int{len(found), int(total)}, []int{0, 0})
		_, _, err = s.Datasets.ListDatasets(s.ctx, dataset.ListQuery{IDs: make([]int64, 1001)})
		s.fails(err, fault.Invalid)
	}},
	{"by status and external id of the group", func(s *store) {
		a, b := s.create(entity.KindDataset, "a", nil), s.create(entity.KindDataset, "b", nil)
		first, second := s.numbered(a.ID).Version.ID, s.numbered(b.ID).Version.ID
		ref := entity.ExternalRef{Source: "crm", ID: "7"}
		s.ok(s.Entities.AttachExternalID(s.ctx, s.workspace, b.ID, ref))
		s.equal(s.datasetIDs(dataset.ListQuery{Filters: entity.Query{ExternalID: &ref}}), []int64{second})
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{a.ID}))(s.t)
		s.equal(s.datasetIDs(dataset.ListQuery{}), []int64{second})
		s.equal(s.datasetIDs(dataset.ListQuery{Filters: entity.Query{Status: entity.Deleted}}), []int64{first})
		s.equal(s.datasetIDs(dataset.ListQuery{Filters: entity.Query{Status: entity.LiveOrDeleted}}), []int64{second, first})
	}},
	{"by creator and times of the dataset", func(s *store) {
		group := s.create(entity.KindDataset, "a", nil)
		state := s.state()
		state.Creator = pointer("Ann@x.test")
		first := check.Must(s.Datasets.AddNumbered(s.ctx, s.workspace, group.ID, state))(s.t)
		second := s.numbered(group.ID)
		s.equal(s.datasetIDs(dataset.ListQuery{Filters: entity.Query{Creator: pointer("ann@X.test")}}), []int64{first.Version.ID})
		early, late := first.Version.CreatedAt, second.Version.CreatedAt
		s.equal(s.datasetIDs(dataset.ListQuery{Filters: entity.Query{CreatedAfter: &late}}), []int64{second.Version.ID})
		s.equal(s.datasetIDs(dataset.ListQuery{Filters: entity.Query{CreatedBefore: &early}}), []int64{first.Version.ID})
		s.equal(s.datasetIDs(dataset.ListQuery{Filters: entity.Query{UpdatedAfter: &late}}), []int64{second.Version.ID})
		s.equal(s.datasetIDs(dataset.ListQuery{Filters: entity.Query{UpdatedBefore: &early}}), []int64{first.Version.ID})
	}},
	{"by the prompts of rows", func(s *store) {
		used := s.usedPrompts()
		group := s.create(entity.KindDataset, "a", nil)
		from := func(numbers ...int64) int64 {
			state := s.state()
			for _, number := range numbers {
				s.ok(s.Datasets.AddPrompts(s.ctx, state.ContentID, []dataset.PromptVersion{{PromptID: used.prompt.ID, Number: number}}))
			}
			return check.Must(s.Datasets.AddNumbered(s.ctx, s.workspace, group.ID, state))(s.t).Version.ID
		}
		first, both, _ := from(1), from(1, 2), from()
		s.equal(s.datasetIDs(dataset.ListQuery{PromptID: &used.prompt.ID}), []int64{both, first})
		s.equal(s.datasetIDs(dataset.ListQuery{PromptVersionID: &used.first.ID}), []int64{both, first})
		s.equal(s.datasetIDs(dataset.ListQuery{PromptVersionID: &used.second.ID}), []int64{both})
		s.equal(s.datasetIDs(dataset.ListQuery{PromptLabelID: &used.label.ID}), []int64{both})
		s.equal(s.datasetIDs(dataset.ListQuery{PromptID: pointer(int64(12345))}), []int64{})
	}},
}
