package storetest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/skill"
)

// setTraits sets traits as part of a change to the collection.
func (s *store) setTraits(id int64, traits skill.Traits) {
	s.t.Helper()
	s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
		if _, err := s.Entities.AddVersion(ctx, s.workspace, id, entity.NewVersion{Body: []byte(`{}`)}); err != nil {
			return err
		}
		return s.Skills.SetSkillTraits(ctx, s.workspace, id, traits)
	}))
}

// addText stores a text and returns its hash.
func (s *store) addText(text string) skill.Hash {
	s.t.Helper()
	hash := skill.Hash(sha256.Sum256([]byte(text)))
	s.ok(s.Skills.AddContent(s.ctx, s.workspace, hash, []byte(text)))
	return hash
}

var skillCases = []testCase{
	{"set and get traits", func(s *store) {
		first, second := s.create(entity.KindSkill, "a", nil), s.create(entity.KindSkill, "b", nil)
		traits := skill.Traits{Provider: "openai", CreatedBy: pointer(int64(7)), UpdatedBy: pointer(int64(8))}
		s.setTraits(first.ID, traits)
		ids := []int64{first.ID, second.ID, first.ID}
		s.equal(check.Must(s.Skills.SkillTraits(s.ctx, s.workspace, ids))(s.t), map[int64]skill.Traits{first.ID: traits})
		s.setTraits(first.ID, skill.Traits{})
		s.equal(check.Must(s.Skills.SkillTraits(s.ctx, s.workspace, ids))(s.t), map[int64]skill.Traits{first.ID: {}})
		s.equal(check.Must(s.Skills.SkillTraits(s.ctx, s.other, ids))(s.t), map[int64]skill.Traits{})
	}},
	{"traits require a live collection and an audited change", func(s *store) {
		made := s.create(entity.KindSkill, "a", nil)
		s.fails(s.Skills.SetSkillTraits(s.ctx, s.other, made.ID, skill.Traits{}), fault.NotFound)
		if err := s.Skills.SetSkillTraits(s.ctx, s.workspace, made.ID, skill.Traits{}); err == nil {
			s.t.Error("traits were set without an entry in the audit log")
		}
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{made.ID}))(s.t)
		s.fails(s.Skills.SetSkillTraits(s.ctx, s.workspace, made.ID, skill.Traits{}), fault.NotFound)
	}},
	{"a changed provider is audited", func(s *store) {
		made := s.create(entity.KindSkill, "a", nil)
		for _, provider := range []string{"", "openai", "openai"} {
			s.setTraits(made.ID, skill.Traits{Provider: provider})
		}
		found := check.Must(s.Accounts.ListAudit(s.ctx, audit.Query{WorkspaceID: &s.workspace, Action: audit.Change, Limit: 10}))(s.t)
		s.equal(len(found), 1)
		s.equal(string(found[0].Detail), `{"provider":"openai","uuid":""}`)
	}},
	{"the account of an email address", func(s *store) {
		ann := check.Must(s.Accounts.CreateUser(s.ctx, "Ann@example.com", false))(s.t)
		s.equal(check.Must(s.Skills.AccountID(s.ctx, "ann@Example.com"))(s.t), &ann.ID)
		s.equal(check.Must(s.Skills.AccountID(s.ctx, "bob@example.com"))(s.t), (*int64)(nil))
	}},
	{"contents can be any bytes", func(s *store) {
		for _, text := range []string{"", "plain", "\x00\xff\xfe bytes", "ü"} {
			hash := s.addText(text)
			s.equal(string(check.Must(s.Skills.ReadContent(s.ctx, s.workspace, hash))(s.t)), text)
		}
		s.ok(s.Skills.AddContent(s.ctx, s.workspace, skill.Hash{1}, nil))
		s.equal(len(check.Must(s.Skills.ReadContent(s.ctx, s.workspace, skill.Hash{1}))(s.t)), 0)
	}},
	{"a content is stored once", func(s *store) {
		hash := s.addText("same")
		s.ok(s.Skills.AddContent(s.ctx, s.workspace, hash, []byte("something else")))
		s.equal(string(check.Must(s.Skills.ReadContent(s.ctx, s.workspace, hash))(s.t)), "same")
	}},
	{"contents are per workspace", func(s *store) {
		hash := s.addText("secret")
		s.fails(check.Failure(s.Skills.ReadContent(s.ctx, s.other, hash)), fault.NotFound)
		s.equal(check.Must(s.Skills.KnownContents(s.ctx, s.other, []skill.Hash{hash}))(s.t), []skill.Hash{})
		s.ok(s.Skills.AddContent(s.ctx, s.other, hash, []byte("secret")))
		s.equal(check.Must(s.Skills.KnownContents(s.ctx, s.other, []skill.Hash{hash}))(s.t), []skill.Hash{hash})
		s.fails(s.Skills.AddContent(s.ctx, 12345, hash, []byte("secret")), fault.NotFound)
	}},
	{"find known contents among many", func(s *store) {
		var asked, stored []skill.Hash
		for i := range 1200 {
			hash := skill.Hash(sha256.Sum256(fmt.Append(nil, i)))
			asked = append(asked, hash, hash)
			if i%300 == 0 {
				stored = append(stored, s.addText(fmt.Sprint(i)))
			}
		}
		known := check.Must(s.Skills.KnownContents(s.ctx, s.workspace, asked))(s.t)
		s.equal(len(known), len(stored))
		for _, hash := range stored {
			s.equal(slices.Contains(known, hash), true)
		}
	}},
	{"failed transactions add no content", func(s *store) {
		hash := skill.Hash{9}
		failed := errors.New("later")
		err := s.InTx(s.ctx, func(ctx context.Context) error {
			s.ok(s.Skills.AddContent(ctx, s.workspace, hash, []byte("gone")))
			return failed
		})
		s.equal(errors.Is(err, failed), true)
		s.fails(check.Failure(s.Skills.ReadContent(s.ctx, s.workspace, hash)), fault.NotFound)
	}},
	{"concurrent additions of the same content", func(s *store) {
		hash := skill.Hash{3}
		s.allOK(check.Together(20, func(int) error { return s.Skills.AddContent(s.ctx, s.workspace, hash, []byte("same")) }))
		s.equal(string(check.Must(s.Skills.ReadContent(s.ctx, s.workspace, hash))(s.t)), "same")
	}},
}
