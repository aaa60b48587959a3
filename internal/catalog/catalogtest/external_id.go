package catalogtest

import (
	"strings"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

// refs lists what is attached to an entity.
func (s *store) refs(entityID int64) []catalog.ExternalRef {
	s.t.Helper()
	refs := []catalog.ExternalRef{}
	for _, one := range check.Must(s.ListExternalIDs(s.ctx, s.workspace, entityID))(s.t) {
		refs = append(refs, one.ExternalRef)
	}
	return refs
}

var externalIDCases = []testCase{
	{"attach, again, and find", func(s *store) {
		entity := s.prompt("x")
		ref := catalog.ExternalRef{Source: "crm", ID: "a/b?c%2F +é"}
		for range 2 {
			s.ok(s.AttachExternalID(s.ctx, s.workspace, entity.ID, ref))
		}
		s.equal(s.refs(entity.ID), []catalog.ExternalRef{ref})
		s.equal(check.Must(s.FindByExternalID(s.ctx, s.workspace, ref))(s.t), entity)
	}},
	{"list in the order of attaching", func(s *store) {
		a, b := s.prompt("a"), s.prompt("b")
		s.equal(check.Must(s.ListExternalIDs(s.ctx, s.workspace, a.ID))(s.t), []catalog.ExternalID{})
		refs := []catalog.ExternalRef{{Source: "z", ID: "1"}, {Source: "a", ID: "2"}, {Source: "z", ID: "0"}}
		for _, ref := range refs {
			s.ok(s.AttachExternalID(s.ctx, s.workspace, a.ID, ref))
		}
		s.ok(s.AttachExternalID(s.ctx, s.workspace, b.ID, catalog.ExternalRef{Source: "b", ID: "1"}))
		s.equal(s.refs(a.ID), refs)
		byEntity := check.Must(s.ExternalIDsByEntity(s.ctx, s.workspace, []int64{a.ID, b.ID, 999}))(s.t)
		s.equal(len(byEntity[a.ID]), 3)
		s.equal(len(byEntity[b.ID]), 1)
		s.equal(len(byEntity), 2)
	}},
	{"an id belongs to one entity of any kind", func(s *store) {
		prompt, tool := s.prompt("x"), s.create(catalog.KindTool, "x", nil)
		ref := catalog.ExternalRef{Source: "crm", ID: "7"}
		s.ok(s.AttachExternalID(s.ctx, s.workspace, prompt.ID, ref))
		s.fails(s.AttachExternalID(s.ctx, s.workspace, tool.ID, ref), fault.Conflict)
		s.fails(s.DeleteExternalID(s.ctx, s.workspace, tool.ID, ref), fault.NotFound)
		s.equal(check.Must(s.FindByExternalID(s.ctx, s.workspace, ref))(s.t).ID, prompt.ID)
		s.ok(s.AttachExternalID(s.ctx, s.workspace, tool.ID, catalog.ExternalRef{Source: "CRM", ID: "7"}))
	}},
	{"a detached id is free", func(s *store) {
		a, b := s.prompt("a"), s.prompt("b")
		ref := catalog.ExternalRef{Source: "crm", ID: "7"}
		s.ok(s.AttachExternalID(s.ctx, s.workspace, a.ID, ref))
		s.ok(s.DeleteExternalID(s.ctx, s.workspace, a.ID, ref))
		s.fails(s.DeleteExternalID(s.ctx, s.workspace, a.ID, ref), fault.NotFound)
		s.fails(check.Failure(s.FindByExternalID(s.ctx, s.workspace, ref)), fault.NotFound)
		s.ok(s.AttachExternalID(s.ctx, s.workspace, b.ID, ref))
	}},
	{"workspaces do not share ids", func(s *store) {
		entity := s.prompt("x")
		twin := check.Must(s.CreateEntity(s.ctx, catalog.NewEntity{WorkspaceID: s.other, Kind: catalog.KindPrompt, Name: "x"}))(s.t)
		ref := catalog.ExternalRef{Source: "crm", ID: "7"}
		s.ok(s.AttachExternalID(s.ctx, s.workspace, entity.ID, ref))
		s.fails(check.Failure(s.FindByExternalID(s.ctx, s.other, ref)), fault.NotFound)
		s.ok(s.AttachExternalID(s.ctx, s.other, twin.ID, ref))
		s.fails(s.AttachExternalID(s.ctx, s.other, entity.ID, ref), fault.NotFound)
		s.fails(s.DeleteExternalID(s.ctx, s.other, entity.ID, ref), fault.NotFound)
		s.equal(check.Must(s.ListExternalIDs(s.ctx, s.other, entity.ID))(s.t), []catalog.ExternalID{})
	}},
	{"lengths", func(s *store) {
		entity := s.prompt("x")
		for _, ref := range []catalog.ExternalRef{
			{Source: "", ID: "1"},
			{Source: "a", ID: ""},
			{Source: strings.Repeat("a", 513), ID: "1"},
			{Source: "a", ID: strings.Repeat("a", 2049)},
		} {
			s.fails(s.AttachExternalID(s.ctx, s.workspace, entity.ID, ref), fault.Invalid)
		}
		s.fails(s.AttachExternalID(s.ctx, s.workspace, 999, catalog.ExternalRef{Source: "a", ID: "b"}), fault.NotFound)
		longest := catalog.ExternalRef{Source: distinctRunes(128), ID: distinctRunes(512)}
		s.ok(s.AttachExternalID(s.ctx, s.workspace, entity.ID, longest))
		s.equal(s.refs(entity.ID), []catalog.ExternalRef{longest})
	}},
}

// distinctRunes returns n characters of four bytes each that no engine can
// compress.
func distinctRunes(n int) string {
	text := strings.Builder{}
	for i := range n {
		text.WriteRune(rune(0x20000 + i*7919%0xA000))
	}
	return text.String()
}
