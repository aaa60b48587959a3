package storetest

import (
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/eval"
)

// creatorIDs creates one of everything that has a creator, and returns the ids of
// the creators' accounts, 0 for none. Names end with the suffix.
func (s *store) creatorIDs(email *string, suffix string) []int64 {
	s.t.Helper()
	ids := []int64{}
	add := func(id *int64) {
		if id == nil {
			id = new(int64)
		}
		ids = append(ids, *id)
	}
	prompt := check.Must(s.Entities.CreateEntity(s.ctx, entity.New{
		WorkspaceID: s.workspace, Kind: entity.KindPrompt, Name: "p" + suffix, Creator: email,
	}))(s.t)
	version := check.Must(s.Entities.AddVersion(s.ctx, s.workspace, prompt.ID, entity.NewVersion{Body: []byte(`{}`), Creator: email}))(s.t)
	found := check.Must(s.Entities.FindVersion(s.ctx, s.workspace, entity.KindPrompt, entity.Selector{Name: "p" + suffix}))(s.t)
	add(prompt.CreatorID)
	add(version.CreatorID)
	add(found.Entity.CreatorID)
	add(found.Version.CreatorID)
	group := s.create(entity.KindDataset, "d"+suffix, nil)
	state := s.state(`[1]`)
	state.Creator = email
	added := check.Must(s.Datasets.AddNumbered(s.ctx, s.workspace, group.ID, state))(s.t)
	listed, _, err := s.Datasets.ListDatasets(s.ctx, dataset.ListQuery{IDs: []int64{added.Version.ID}, Filters: entity.Query{WorkspaceID: s.workspace}})
	s.ok(err)
	add(added.Version.CreatorID)
	add(listed[0].Version.CreatorID)
	report, _, err := s.Evaluations.CreateReport(s.ctx, entity.New{
		WorkspaceID: s.workspace, Kind: entity.KindReport, Name: "r" + suffix, Creator: email,
	}, eval.Evaluation{DatasetID: 77}, nil)
	s.ok(err)
	run, _, err := s.Evaluations.CreateReportRun(s.ctx, eval.Run{Workspace: s.workspace, ReportID: report.Entity.ID, Name: "n", Creator: email, CreatedAt: noon}, nil)
	s.ok(err)
	runs := check.Must(s.Evaluations.ReportRuns(s.ctx, s.workspace, []int64{report.Entity.ID}, entity.Live, 1))(s.t)
	add(report.Entity.CreatorID)
	add(run.CreatorID)
	add(runs[report.Entity.ID][0].CreatorID)
	return ids
}

var creatorCases = []testCase{
	{"creators are linked to their accounts", func(s *store) {
		s.user("bob@example.com")
		ann := s.user("Ärmel@Example.com").ID
		s.equal(s.creatorIDs(pointer("ärmel@EXAMPLE.com"), "1"), []int64{ann, ann, ann, ann, ann, ann, ann, ann, ann})
		s.equal(s.creatorIDs(pointer("nobody@example.com"), "2"), make([]int64, 9))
		s.equal(s.creatorIDs(nil, "3"), make([]int64, 9))
	}},
	{"later accounts are not linked to earlier creations", func(s *store) {
		before := check.Must(s.Entities.CreateEntity(s.ctx, entity.New{
			WorkspaceID: s.workspace, Kind: entity.KindPrompt, Name: "p", Creator: pointer("ann@example.com"),
		}))(s.t)
		s.user("ann@example.com")
		s.equal(s.get(before.ID).CreatorID, (*int64)(nil))
	}},
}
