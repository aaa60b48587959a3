package storetest

import (
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/redact"
)

var redactionCases = []testCase{
	{"none until they are set", func(s *store) {
		s.equal(check.Must(s.Redactions.GetRedaction(s.ctx, s.workspace))(s.t), redact.Settings{})
	}},
	{"set, replace and remove", func(s *store) {
		rules := []redact.Rule{
			{Name: "b", Pattern: `日本\d`, Action: redact.Hash},
			{Name: "a", Detector: redact.Email, Action: redact.Mask, Disabled: true},
			{Name: "c", Path: "metadata.**.x", Action: redact.Drop},
		}
		stored := check.Must(s.Redactions.PutRedaction(s.ctx, s.workspace, rules, pointer("ann@x.test")))(s.t)
		s.equal(stored, redact.Settings{Rules: rules, UpdatedBy: pointer("ann@x.test"), UpdatedAt: stored.UpdatedAt})
		s.equal(check.Must(s.Redactions.GetRedaction(s.ctx, s.workspace))(s.t), stored)

		revision := check.Must(s.Redactions.Revision(s.ctx, s.workspace))(s.t)
		replaced := check.Must(s.Redactions.PutRedaction(s.ctx, s.workspace, rules[:1], nil))(s.t)
		s.equal(replaced, redact.Settings{Rules: rules[:1], UpdatedAt: replaced.UpdatedAt})
		s.equal(replaced.UpdatedAt.After(*stored.UpdatedAt), true)
		s.equal(check.Must(s.Redactions.Revision(s.ctx, s.workspace))(s.t) == revision, false)

		s.equal(check.Must(s.Redactions.PutRedaction(s.ctx, s.workspace, []redact.Rule{}, nil))(s.t).Rules, []redact.Rule{})
	}},
	{"workspaces are isolated", func(s *store) {
		check.Must(s.Redactions.PutRedaction(s.ctx, s.workspace, []redact.Rule{{Name: "a", Detector: redact.IP, Action: redact.Mask}}, nil))(s.t)
		s.equal(check.Must(s.Redactions.GetRedaction(s.ctx, s.other))(s.t), redact.Settings{})
		s.fails(check.Failure(s.Redactions.PutRedaction(s.ctx, 999, nil, nil)), fault.NotFound)
	}},
}
