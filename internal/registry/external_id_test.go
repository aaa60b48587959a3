package registry_test

import (
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

var (
	refA = entity.ExternalRef{Source: "crm", ID: "a/b +%?é"}
	refB = entity.ExternalRef{Source: "crm", ID: "b"}
	refC = entity.ExternalRef{Source: "CRM", ID: "b"}
)

func (s *suite) attach(owner entity.Owner, refs ...entity.ExternalRef) {
	s.t.Helper()
	for _, ref := range refs {
		check.OK(s.t, s.externalIDs.Attach(s.ctx, owner, ref))
	}
}

// has fails the test unless the owner has exactly these external ids in order.
func (s *suite) has(owner entity.Owner, want ...entity.ExternalRef) {
	s.t.Helper()
	got := []entity.ExternalRef{}
	for _, one := range check.Must(s.externalIDs.List(s.ctx, owner))(s.t) {
		got = append(got, one.ExternalRef)
	}
	check.Equal(s.t, "external ids", got, append([]entity.ExternalRef{}, want...))
}

// owners returns a prompt and a tool of one workspace and a prompt of another.
func (s *suite) owners() (prompt, tool, remote entity.Owner) {
	s.t.Helper()
	return s.owner(s.workspace, entity.KindPrompt, "name"), s.owner(s.workspace, entity.KindTool, "name"),
		s.owner(s.other, entity.KindPrompt, "name")
}

func TestAttachExternalID(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *suite) {
		prompt, tool, remote := s.owners()
		s.has(prompt)
		s.attach(prompt, refB, refA, refC, refB)
		s.has(prompt, refB, refA, refC)
		check.Fault(t, s.externalIDs.Attach(s.ctx, tool, refA), fault.Conflict)
		s.has(prompt, refB, refA, refC)
		s.has(tool)
		s.attach(remote, refA) // another workspace has its own
		s.has(remote, refA)
	})
}

func TestDeleteExternalID(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *suite) {
		prompt, tool, _ := s.owners()
		s.attach(prompt, refA, refB)
		check.Refused(t, s.externalIDs.Delete(s.ctx, tool, refA), fault.NotFound, "External ID not found")
		s.has(prompt, refA, refB)
		check.OK(t, s.externalIDs.Delete(s.ctx, prompt, refA))
		s.has(prompt, refB)
		check.Fault(t, s.externalIDs.Delete(s.ctx, prompt, refA), fault.NotFound)
		s.attach(tool, refA)
		s.has(tool, refA)
	})
}

func TestExternalIDLengths(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *suite) {
		prompt, _, _ := s.owners()
		longest := entity.ExternalRef{Source: strings.Repeat("字", 128), ID: strings.Repeat("字", 512)}
		s.attach(prompt, longest)
		for _, ref := range []entity.ExternalRef{{ID: "x"}, {Source: "x"}, {Source: "x", ID: "\x00"}, {Source: "x", ID: "\xff"}} {
			check.Fault(t, s.externalIDs.Attach(s.ctx, prompt, ref), fault.Invalid)
		}
		s.has(prompt, longest)
	})
}

func TestExternalIDsOfUnknownOwners(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *suite) {
		prompt, tool, remote := s.owners()
		s.attach(prompt, refA)
		gone := s.owner(s.workspace, entity.KindWorkflow, "name")
		s.attach(gone, refB)
		check.Must(s.catalog.Entities.SoftDelete(s.ctx, gone.Workspace, []int64{gone.ID}))(t)
		for name, owner := range map[string]entity.Owner{
			"unknown":         {Workspace: s.workspace, Kind: entity.KindPrompt, ID: 1 << 40},
			"another kind":    {Workspace: s.workspace, Kind: entity.KindTool, ID: prompt.ID},
			"other workspace": {Workspace: remote.Workspace, Kind: entity.KindPrompt, ID: prompt.ID},
			"deleted":         gone,
		} {
			t.Run(name, func(t *testing.T) {
				check.Fault(t, s.externalIDs.Attach(s.ctx, owner, refC), fault.NotFound)
				check.Fault(t, s.externalIDs.Delete(s.ctx, owner, refA), fault.NotFound)
				check.Fault(t, check.Failure(s.externalIDs.List(s.ctx, owner)), fault.NotFound)
			})
		}
		s.has(prompt, refA)
		s.attach(tool, refB) // the deleted entity no longer has it
	})
}
