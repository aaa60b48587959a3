package storetest

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

func (s *store) revision(workspaceID int64) int64 {
	s.t.Helper()
	return check.Must(s.Revision(s.ctx, workspaceID))(s.t)
}

// staged has one of everything that can be changed.
type staged struct {
	prompt, folder entity.Entity
	label          entity.Label
	test           entity.ABTest
	ref            entity.ExternalRef
}

func (s *store) stage() staged {
	s.t.Helper()
	prompt, label := s.labelled("staged")
	ref := entity.ExternalRef{Source: "a", ID: "b"}
	s.ok(s.Entities.AttachExternalID(s.ctx, s.workspace, prompt.ID, ref))
	return staged{
		prompt: prompt, folder: s.create(entity.KindFolder, "staged", nil),
		label: label, test: s.abTest("staged", label.ID), ref: ref,
	}
}

// change is a call that changes the workspace.
type change struct {
	name string
	make func(s *store, ctx context.Context, on staged) error
}

// changes has every method that changes entities, in an order in which each of
// them succeeds.
var changes = []change{
	{"CreateEntity", func(s *store, ctx context.Context, _ staged) error {
		return check.Failure(s.Entities.CreateEntity(ctx, entity.New{WorkspaceID: s.workspace, Kind: entity.KindTool, Name: "new"}))
	}},
	{"RenameEntity", func(s *store, ctx context.Context, on staged) error {
		return check.Failure(s.Entities.RenameEntity(ctx, s.workspace, on.prompt.ID, "renamed"))
	}},
	{"SetTags", func(s *store, ctx context.Context, on staged) error {
		return check.Failure(s.Entities.SetTags(ctx, s.workspace, on.prompt.ID, []string{"a"}))
	}},
	{"AddVersion", func(s *store, ctx context.Context, on staged) error {
		return check.Failure(s.Entities.AddVersion(ctx, s.workspace, on.prompt.ID, entity.NewVersion{Body: []byte(`{}`)}))
	}},
	{"SetLabel", func(s *store, ctx context.Context, on staged) error {
		return check.Failure(s.Entities.SetLabel(ctx, s.workspace, on.prompt.ID, "prod", 2))
	}},
	{"CreateLabel", func(s *store, ctx context.Context, on staged) error {
		return check.Failure(s.Entities.CreateLabel(ctx, s.workspace, on.prompt.ID, "dev", 2))
	}},
	{"MoveLabel", func(s *store, ctx context.Context, on staged) error {
		return check.Failure(s.Entities.MoveLabel(ctx, s.workspace, on.label.ID, 1))
	}},
	{"AttachExternalID", func(s *store, ctx context.Context, on staged) error {
		return s.Entities.AttachExternalID(ctx, s.workspace, on.prompt.ID, entity.ExternalRef{Source: "a", ID: "c"})
	}},
	{"DeleteExternalID", func(s *store, ctx context.Context, on staged) error {
		return s.Entities.DeleteExternalID(ctx, s.workspace, on.prompt.ID, on.ref)
	}},
	{"MoveEntities", func(s *store, ctx context.Context, on staged) error {
		return check.Failure(s.Entities.MoveEntities(ctx, s.workspace, []int64{on.prompt.ID}, &on.folder.ID))
	}},
	{"SetABTestConfig", func(s *store, ctx context.Context, on staged) error {
		return check.Failure(s.Entities.SetABTestConfig(ctx, s.workspace, on.test.Entity.ID, json.RawMessage(`{}`), nil))
	}},
	{"DeleteABTest", func(s *store, ctx context.Context, on staged) error {
		return s.Entities.DeleteABTest(ctx, s.workspace, on.test.Entity.ID)
	}},
	{"CreateABTest", func(s *store, ctx context.Context, on staged) error {
		input := entity.NewABTest{Name: "new", LabelID: on.label.ID, Config: json.RawMessage(`{}`)}
		return check.Failure(s.Entities.CreateABTest(ctx, s.workspace, input))
	}},
	{"DeleteLabel", func(s *store, ctx context.Context, on staged) error {
		return s.Entities.DeleteLabel(ctx, s.workspace, on.label.ID)
	}},
	{"SoftDelete", func(s *store, ctx context.Context, on staged) error {
		return check.Failure(s.Entities.SoftDelete(ctx, s.workspace, []int64{on.prompt.ID}))
	}},
	{"RemoveEntities", func(s *store, ctx context.Context, on staged) error {
		return check.Failure(s.Entities.RemoveEntities(ctx, s.workspace, []int64{on.folder.ID}))
	}},
}

var revisionCases = []testCase{
	{"every change is a new revision of its workspace only", func(s *store) {
		on := s.stage()
		seen := map[int64]string{s.revision(s.workspace): "before"}
		other := s.revision(s.other)
		for _, change := range changes {
			s.ok(change.make(s, s.ctx, on))
			revision := s.revision(s.workspace)
			if before, known := seen[revision]; known {
				s.t.Errorf("%s: got the revision %d of %s again", change.name, revision, before)
			}
			seen[revision] = change.name
		}
		s.equal(s.revision(s.other), other)
	}},
	{"rolled-back changes keep the revision", func(s *store) {
		on := s.stage()
		before := s.revision(s.workspace)
		undo := func(ctx context.Context) error {
			for _, change := range changes {
				s.ok(change.make(s, ctx, on))
			}
			return errOurs
		}
		s.equal(errors.Is(s.InTx(s.ctx, undo), errOurs), true)
		s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
			s.equal(errors.Is(s.InTx(ctx, undo), errOurs), true)
			return nil
		}))
		s.equal(s.revision(s.workspace), before)
	}},
	{"failed changes keep the revision", func(s *store) {
		s.prompt("x")
		before := s.revision(s.workspace)
		twin := entity.New{WorkspaceID: s.workspace, Kind: entity.KindPrompt, Name: "x"}
		s.fails(check.Failure(s.Entities.CreateEntity(s.ctx, twin)), fault.Conflict)
		s.fails(check.Failure(s.Entities.SetTags(s.ctx, s.workspace, 999, nil)), fault.NotFound)
		s.fails(check.Failure(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{999})), fault.NotFound)
		s.equal(s.revision(s.workspace), before)
	}},
	{"a rolled-back step does not hide other changes", func(s *store) {
		before := s.revision(s.workspace)
		create := func(ctx context.Context, name string) error {
			return check.Failure(s.Entities.CreateEntity(ctx, entity.New{WorkspaceID: s.workspace, Kind: entity.KindPrompt, Name: name}))
		}
		s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
			s.ok(create(ctx, "x"))
			s.fails(create(ctx, "x"), fault.Conflict)
			return nil
		}))
		s.equal(s.revision(s.workspace) != before, true)
	}},
	{"keys, groups and reserved ids keep the revision", func(s *store) {
		before := s.revision(s.workspace)
		check.Must(s.Accounts.CreateKey(s.ctx, keyOf(s.workspace, "pl_one1")))(s.t)
		check.Must(s.Groups.CreateGroup(s.ctx, s.workspace))(s.t)
		check.Must(s.Sequences.ReserveIDs(s.ctx, "request", 1))(s.t)
		s.equal(s.revision(s.workspace), before)
	}},
	{"unknown workspaces have revision 0", func(s *store) {
		s.equal(s.revision(999), int64(0))
		s.equal(check.Must(s.Entities.MoveEntities(s.ctx, 999, nil, nil))(s.t), int64(0))
	}},
	{"transactions get uncacheable revisions", func(s *store) {
		s.prompt("x")
		seen := map[int64]bool{s.revision(s.workspace): true}
		s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
			for range 3 {
				revision := check.Must(s.Revision(ctx, s.workspace))(s.t)
				s.equal(seen[revision], false)
				seen[revision] = true
			}
			return nil
		}))
		s.equal(seen[s.revision(s.workspace)], true)
	}},
	{"transactions that change workspaces in opposite order all succeed", func(s *store) {
		before := []int64{s.revision(s.workspace), s.revision(s.other)}
		s.allOK(check.Together(crowd, func(i int) error {
			workspaces := []int64{s.workspace, s.other}
			return s.InTx(s.ctx, func(ctx context.Context) error {
				for step := range workspaces {
					input := entity.New{WorkspaceID: workspaces[(i+step)%2], Kind: entity.KindReport, Name: "x"}
					if _, err := s.Entities.CreateEntity(ctx, input); err != nil {
						return err
					}
				}
				return nil
			})
		}))
		s.equal(s.revision(s.workspace) != before[0] && s.revision(s.other) != before[1], true)
	}},
	{"cached readers see every change", func(s *store) { CachedReaders(s.t, s.Catalog) }},
}
