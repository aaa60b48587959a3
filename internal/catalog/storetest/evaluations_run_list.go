package storetest

import (
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/eval"
)

var reportRunListCases = []testCase{
	{"pages, newest first", func(s *store) {
		of, other := s.evaluation("e"), s.evaluation("other")
		a, b := s.reportRun(of, "a"), s.reportRun(of, "b")
		s.reportRun(other, "x")
		c := s.reportRun(of, "c")
		check.Must(s.Evaluations.ArchiveReportRuns(s.ctx, s.workspace, []int64{b.ID}))(s.t)
		b = s.getRun(b.ID)
		for _, test := range []struct {
			status entity.Status
			page   entity.Page
			runs   []eval.Run
			total  int64
		}{
			{entity.Live, entity.Page{}, []eval.Run{c, a}, 2},
			{entity.LiveOrDeleted, entity.Page{Limit: 2}, []eval.Run{c, b}, 3},
			{entity.LiveOrDeleted, entity.Page{Limit: 2, Offset: 2}, []eval.Run{a}, 3},
			{entity.LiveOrDeleted, entity.Page{Limit: 2, Offset: 4}, []eval.Run{}, 3},
			{entity.Deleted, entity.Page{Limit: 1}, []eval.Run{b}, 1},
		} {
			runs, total, err := s.Evaluations.ListReportRuns(s.ctx, s.workspace, of.Entity.ID, test.status, test.page)
			s.ok(err)
			s.equal(runs, test.runs)
			s.equal(total, test.total)
		}
		runs, total, err := s.Evaluations.ListReportRuns(s.ctx, s.other, of.Entity.ID, entity.LiveOrDeleted, entity.Page{})
		s.ok(err)
		s.equal(len(runs), 0)
		s.equal(total, int64(0))
	}},
}
