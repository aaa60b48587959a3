package storetest

import (
	"strings"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// refs returns the external ids of an entity.
func (s *store) refs(entityID int64) []entity.ExternalRef {
	s.t.Helper()
	refs := []entity.ExternalRef{}
	for _, one := range check.Must(s.Entities.ListExternalIDs(s.ctx, s.workspace, entityID))(s.t) {
		refs = append(refs, one.ExternalRef)
	}
	return refs
}

var externalIDCases = []testCase{
	{"attach twice and find", func(s *store) {
		owner := s.prompt("x")
		ref := entity.ExternalRef{Source: "crm", ID: "a/b?c%2F +é"}
		for range 2 {
			s.ok(s.Entities.AttachExternalID(s.ctx, s.workspace, owner.ID, ref))
		}
		s.equal(s.refs(owner.ID), []entity.ExternalRef{ref})
		s.equal(check.Must(s.Entities.FindByExternalID(s.ctx, s.workspace, ref))(s.t), owner)
	}},
	{"list in the order of attaching", func(s *store) {
		a, b := s.prompt("a"), s.prompt("b")
		s.equal(check.Must(s.Entities.ListExternalIDs(s.ctx, s.workspace, a.ID))(s.t), []entity.ExternalID{})
		refs := []entity.ExternalRef{{Source: "z", ID: "1"}, {Source: "a", ID: "2"}, {Source: "z", ID: "0"}}
		for _, ref := range refs {
			s.ok(s.Entities.AttachExternalID(s.ctx, s.workspace, a.ID, ref))
		}
		s.ok(s.Entities.AttachExternalID(s.ctx, s.workspace, b.ID, entity.ExternalRef{Source: "b", ID: "1"}))
		s.equal(s.refs(a.ID), refs)
		byEntity := check.Must(s.Entities.ExternalIDsByEntity(s.ctx, s.workspace, []int64{a.ID, b.ID, 999}))(s.t)
		s.equal(len(byEntity[a.ID]), 3)
		s.equal(len(byEntity[b.ID]), 1)
		s.equal(len(byEntity), 2)
	}},
	{"an external id belongs to one entity of any kind", func(s *store) {
		prompt, tool := s.prompt("x"), s.create(entity.KindTool, "x", nil)
		ref := entity.ExternalRef{Source: "crm", ID: "7"}
		s.ok(s.Entities.AttachExternalID(s.ctx, s.workspace, prompt.ID, ref))
		s.fails(s.Entities.AttachExternalID(s.ctx, s.workspace, tool.ID, ref), fault.Conflict)
		s.fails(s.Entities.DeleteExternalID(s.ctx, s.workspace, tool.ID, ref), fault.NotFound)
		s.equal(check.Must(s.Entities.FindByExternalID(s.ctx, s.workspace, ref))(s.t).ID, prompt.ID)
		s.ok(s.Entities.AttachExternalID(s.ctx, s.workspace, tool.ID, entity.ExternalRef{Source: "CRM", ID: "7"}))
	}},
	{"detached ids are free", func(s *store) {
		a, b := s.prompt("a"), s.prompt("b")
		ref := entity.ExternalRef{Source: "crm", ID: "7"}
		s.ok(s.Entities.AttachExternalID(s.ctx, s.workspace, a.ID, ref))
		s.ok(s.Entities.DeleteExternalID(s.ctx, s.workspace, a.ID, ref))
		s.fails(s.Entities.DeleteExternalID(s.ctx, s.workspace, a.ID, ref), fault.NotFound)
		s.fails(check.Failure(s.Entities.FindByExternalID(s.ctx, s.workspace, ref)), fault.NotFound)
		s.ok(s.Entities.AttachExternalID(s.ctx, s.workspace, b.ID, ref))
	}},
	{"external ids are per workspace", func(s *store) {
		owner := s.prompt("x")
		twin := check.Must(s.Entities.CreateEntity(s.ctx, entity.New{WorkspaceID: s.other, Kind: entity.KindPrompt, Name: "x"}))(s.t)
		ref := entity.ExternalRef{Source: "crm", ID: "7"}
		s.ok(s.Entities.AttachExternalID(s.ctx, s.workspace, owner.ID, ref))
		s.fails(check.Failure(s.Entities.FindByExternalID(s.ctx, s.other, ref)), fault.NotFound)
		s.ok(s.Entities.AttachExternalID(s.ctx, s.other, twin.ID, ref))
		s.fails(s.Entities.AttachExternalID(s.ctx, s.other, owner.ID, ref), fault.NotFound)
		s.fails(s.Entities.DeleteExternalID(s.ctx, s.other, owner.ID, ref), fault.NotFound)
		s.equal(check.Must(s.Entities.ListExternalIDs(s.ctx, s.other, owner.ID))(s.t), []entity.ExternalID{})
	}},
	{"lengths", func(s *store) {
		owner := s.prompt("x")
		for _, ref := range []entity.ExternalRef{
			{Source: "", ID: "1"},
			{Source: "a", ID: ""},
			{Source: strings.Repeat("a", 513), ID: "1"},
			{Source: "a", ID: strings.Repeat("a", 2049)},
		} {
			s.fails(s.Entities.AttachExternalID(s.ctx, s.workspace, owner.ID, ref), fault.Invalid)
		}
		s.fails(s.Entities.AttachExternalID(s.ctx, s.workspace, 999, entity.ExternalRef{Source: "a", ID: "b"}), fault.NotFound)
		longest := entity.ExternalRef{Source: distinctRunes(128), ID: distinctRunes(512)}
		s.ok(s.Entities.AttachExternalID(s.ctx, s.workspace, owner.ID, longest))
		s.equal(s.refs(owner.ID), []entity.ExternalRef{longest})
	}},
}

// distinctRunes returns n different characters of four bytes, which no engine can
// compress.
func distinctRunes(n int) string {
	text := strings.Builder{}
	for i := range n {
		text.WriteRune(rune(0x20000 + i*7919%0xA000))
	}
	return text.String()
}
