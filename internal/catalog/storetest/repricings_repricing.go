package storetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/repricing"
)

func repricingOf(workspace int64) repricing.Repricing {
	return repricing.Repricing{
		Workspace: workspace, Query: `{"q":"日本"}`, IncludeSent: true, State: repricing.Running, Last: 1 << 60, Total: 7, CreatedBy: pointer("ann@x.test"), CreatedAt: noon,
	}
}

func (s *store) repricing(workspace int64) repricing.Repricing {
	s.t.Helper()
	return check.Must(s.Repricings.CreateRepricing(s.ctx, repricingOf(workspace)))(s.t)
}

// endRepricing ends a re-pricing.
func (s *store) endRepricing(r repricing.Repricing, state repricing.State) repricing.Repricing {
	s.t.Helper()
	from := r.State
	r.State, r.EndedAt = state, new(noon.Add(time.Minute))
	s.ok(s.Repricings.SaveRepricing(s.ctx, from, r, ""))
	return r
}

// repricingsOf describes the re-pricings of a workspace.
func (s *store) repricingsOf(workspace int64, offset, limit int) string {
	s.t.Helper()
	list, total, err := s.Repricings.ListRepricings(s.ctx, workspace, offset, limit)
	s.ok(err)
	text := fmt.Sprint(total)
	for _, r := range list {
		text += fmt.Sprintf(" %s/%d", r.State, r.Changed)
	}
	return text
}

var repricingCases = []testCase{
	{"create, get, save and list", func(s *store) {
		s.equal(s.repricingsOf(s.workspace, 0, 10), "0")
		made := s.repricing(s.workspace)
		want := repricingOf(s.workspace)
		want.ID = made.ID
		s.equal(made, want)
		made.Done, made.Upto, made.Tally = 3, 1<<60, repricing.Tally{Logs: 6, Changed: 3, Sent: 2, Unpriced: 1, OldUSD: 0.1, NewUSD: 1e9}
		s.ok(s.Repricings.SaveRepricing(s.ctx, repricing.Running, made, ""))
		s.equal(check.Must(s.Repricings.GetRepricing(s.ctx, s.workspace, made.ID))(s.t), made)
		made.Failure = "why"
		made = s.endRepricing(made, repricing.Failed)
		s.equal(check.Must(s.Repricings.GetRepricing(s.ctx, s.workspace, made.ID))(s.t), made)
		s.repricing(s.workspace)
		s.equal(s.repricingsOf(s.workspace, 0, 10), "2 running/0 failed/3")
		s.equal(s.repricingsOf(s.workspace, 1, 1), "2 failed/3")
		s.equal(s.repricingsOf(s.workspace, 5, 1), "2")
	}},
	{"a workspace has one at a time", func(s *store) {
		first := s.repricing(s.workspace)
		s.fails(check.Failure(s.Repricings.CreateRepricing(s.ctx, repricingOf(s.workspace))), fault.Conflict)
		s.repricing(s.other)
		first = s.endRepricing(first, repricing.Done)
		s.repricing(s.workspace)
		undo := first
		undo.State, undo.EndedAt = repricing.Reverting, nil
		s.fails(s.Repricings.SaveRepricing(s.ctx, repricing.Done, undo, audit.Revert), fault.Conflict)
		s.equal(check.Must(s.Repricings.GetRepricing(s.ctx, s.workspace, first.ID))(s.t), first)
	}},
	{"one of several changes of the state wins", func(s *store) {
		made := s.endRepricing(s.repricing(s.workspace), repricing.Done)
		undo := made
		undo.State, undo.EndedAt = repricing.Reverting, nil
		s.oneWinner(check.Together(crowd, func(int) error {
			return s.Repricings.SaveRepricing(s.ctx, repricing.Done, undo, audit.Revert)
		}), fault.Conflict)
	}},
	{"workspaces are isolated", func(s *store) {
		mine := s.repricing(s.workspace)
		s.fails(check.Failure(s.Repricings.GetRepricing(s.ctx, s.other, mine.ID)), fault.NotFound)
		theirs := mine
		theirs.Workspace = s.other
		s.fails(s.Repricings.SaveRepricing(s.ctx, repricing.Running, theirs, ""), fault.Conflict)
		s.equal(s.repricingsOf(s.other, 0, 10), "0")
		s.fails(check.Failure(s.Repricings.CreateRepricing(s.ctx, repricingOf(999))), fault.NotFound)
	}},
	{"changes are audited, and rolled-back ones leave nothing", func(s *store) {
		var made repricing.Repricing
		detail := func(state string) string {
			return ` re-pricing 1 {"changed":0,"include_sent_prices":true,"new_total":0,"old_total":0,"query":"{\"q\":\"日本\"}","state":"` + state + `"}`
		}
		s.audits(func() { made = s.repricing(s.workspace) }, "create REPRICING"+detail("running"))
		s.audits(func() {
			s.ok(s.InTx(s.ctx, func(ctx context.Context) error { return s.Repricings.NoteRepricing(ctx, made, audit.Cancel) }))
		}, "cancel REPRICING"+detail("running"))
		s.audits(func() { made = s.endRepricing(made, repricing.Cancelled) })
		undo := made
		undo.State, undo.EndedAt = repricing.Reverting, nil
		s.audits(func() { s.ok(s.Repricings.SaveRepricing(s.ctx, repricing.Cancelled, undo, audit.Revert)) }, "revert REPRICING"+detail("reverting"))
		err := s.InTx(s.ctx, func(ctx context.Context) error {
			s.ok(check.Failure(s.Repricings.CreateRepricing(ctx, repricingOf(s.other))))
			return errOurs
		})
		s.equal(errors.Is(err, errOurs), true)
		s.equal(s.repricingsOf(s.other, 0, 10), "0")
	}},
}
