package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

var draftRowCases = []testCase{
	{"replace a row", func(s *store) {
		id, other := s.content(`[1]`, `[2]`, `[3]`), s.content(`[1]`, `[2]`)
		s.ok(s.Datasets.SetRow(s.ctx, id, 1, `["ü\u0000", 2.50]`))
		s.equal(s.rows(id), []string{`[1]`, `["ü\u0000", 2.50]`, `[3]`})
		s.equal(s.rows(other), []string{`[1]`, `[2]`})
		s.fails(s.Datasets.SetRow(s.ctx, id, 3, `[]`), fault.NotFound)
		s.fails(s.Datasets.SetRow(s.ctx, id, -1, `[]`), fault.NotFound)
		s.fails(s.Datasets.SetRow(s.ctx, 12345, 0, `[]`), fault.NotFound)
		s.fails(s.Datasets.SetRow(s.ctx, id, 0, "\x00"), fault.Invalid)
		s.equal(s.rows(id)[0], `[1]`)
	}},
	{"rows after removed ones move up", func(s *store) {
		rows := make([]string, 700)
		for i := range rows {
			rows[i] = fmt.Sprintf(`[%d]`, i)
		}
		random := rand.New(rand.NewPCG(1, 2))
		for _, count := range []int{1, 2, 7, 350, 650, 700} {
			id, other := s.content(rows...), s.content(rows[:3]...)
			removed := random.Perm(len(rows))[:count]
			left, positions := slices.Clone(rows), []int64{}
			for _, position := range removed {
				left[position] = ""
				positions = append(positions, int64(position))
			}
			left = slices.DeleteFunc(left, func(row string) bool { return row == "" })
			s.ok(s.Datasets.RemoveRows(s.ctx, id, positions))
			s.equal(s.rows(id), left)
			s.equal(s.rows(other), rows[:3])
			s.ok(s.Datasets.AddRows(s.ctx, id, int64(len(left)), []string{`["next"]`}))
		}
	}},
	{"remove the first, the last and adjacent rows", func(s *store) {
		id := s.content(`[0]`, `[1]`, `[2]`, `[3]`, `[4]`, `[5]`)
		s.ok(s.Datasets.RemoveRows(s.ctx, id, []int64{5, 0, 0}))
		s.equal(s.rows(id), []string{`[1]`, `[2]`, `[3]`, `[4]`})
		s.ok(s.Datasets.RemoveRows(s.ctx, id, []int64{1, 2}))
		s.equal(s.rows(id), []string{`[1]`, `[4]`})
		s.ok(s.Datasets.RemoveRows(s.ctx, id, nil))
		s.equal(s.rows(id), []string{`[1]`, `[4]`})
	}},
	{"removal is all or nothing", func(s *store) {
		id := s.content(`[0]`, `[1]`)
		s.fails(s.Datasets.RemoveRows(s.ctx, id, []int64{0, 2}), fault.NotFound)
		s.fails(s.Datasets.RemoveRows(s.ctx, 12345, []int64{0}), fault.NotFound)
		s.equal(s.rows(id), []string{`[0]`, `[1]`})
	}},
	{"size of rows", func(s *store) {
		id := s.content(`["ü"]`, `[1]`, `[]`)
		for position, want := range []int64{11, 5, 2, 0} {
			s.equal(check.Must(s.Datasets.RowBytes(s.ctx, id, int64(position)))(s.t), want)
		}
	}},
}
