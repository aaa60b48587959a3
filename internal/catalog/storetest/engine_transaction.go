package storetest

import (
	"context"
	"errors"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

var errOurs = errors.New("ours")

// write makes one change of each kind in the transaction of ctx.
func (s *store) write(ctx context.Context) error {
	workspace, err := s.Accounts.CreateWorkspace(ctx, "in transaction")
	if err != nil {
		return err
	}
	owner, err := s.Entities.CreateEntity(ctx, entity.New{
		WorkspaceID: s.workspace, Kind: entity.KindPrompt, Name: "x", Tags: []string{"old"},
	})
	if err != nil {
		return err
	}
	version := entity.NewVersion{Body: []byte(`{}`), References: []entity.Reference{{Name: "snippet"}}}
	_, versionErr := s.Entities.AddVersion(ctx, s.workspace, owner.ID, version)
	label, labelErr := s.Entities.SetLabel(ctx, s.workspace, owner.ID, "prod", 1)
	_, tagErr := s.Entities.SetTags(ctx, s.workspace, owner.ID, []string{"new"})
	_, testErr := s.Entities.CreateABTest(ctx, s.workspace, entity.NewABTest{Name: "test", LabelID: label.ID, Config: []byte(`{}`)})
	attachErr := s.Entities.AttachExternalID(ctx, s.workspace, owner.ID, entity.ExternalRef{Source: "a", ID: "b"})
	_, keyErr := s.Accounts.CreateKey(ctx, keyOf(workspace.ID, "pl_one1"))
	_, groupErr := s.Groups.CreateGroup(ctx, workspace.ID)
	_, idsErr := s.Sequences.ReserveIDs(ctx, "request", 10)
	return errors.Join(versionErr, labelErr, tagErr, testErr, attachErr, keyErr, groupErr, idsErr)
}

// untouched fails the test if anything is left of write.
func (s *store) untouched() {
	s.t.Helper()
	s.equal(len(check.Must(s.Accounts.ListWorkspaces(s.ctx))(s.t)), 2)
	s.equal(s.names(entity.Query{Status: entity.LiveOrDeleted}), []string{})
	s.fails(check.Failure(s.Entities.FindByExternalID(s.ctx, s.workspace, entity.ExternalRef{Source: "a", ID: "b"})), fault.NotFound)
	s.equal(check.Must(s.Accounts.CountKeys(s.ctx))(s.t), int64(0))
	s.equal(len(check.Must(s.Entities.ListReferences(s.ctx, s.workspace, "snippet"))(s.t)), 0)
	s.equal(len(check.Must(s.Entities.ListABTests(s.ctx, s.workspace, nil))(s.t)), 0)
	s.equal(check.Must(s.Sequences.ReserveIDs(s.ctx, "request", 1))(s.t), int64(1))
}

var transactionCases = []testCase{
	{"a commit keeps all changes", func(s *store) {
		s.ok(s.InTx(s.ctx, s.write))
		s.equal(s.names(entity.Query{}), []string{"test", "x"})
		s.equal(s.names(entity.Query{Tags: []string{"new"}}), []string{"x"})
		s.equal(len(check.Must(s.Entities.ListReferences(s.ctx, s.workspace, "snippet"))(s.t)), 1)
		s.equal(check.Must(s.Accounts.CountKeys(s.ctx))(s.t), int64(1))
	}},
	{"an error rolls back", func(s *store) {
		err := s.InTx(s.ctx, func(ctx context.Context) error { return errors.Join(s.write(ctx), errOurs) })
		s.equal(errors.Is(err, errOurs), true)
		s.untouched()
	}},
	{"a panic rolls back", func(s *store) {
		func() {
			defer func() { s.equal(recover(), any("ours")) }()
			_ = s.InTx(s.ctx, func(ctx context.Context) error {
				s.ok(s.write(ctx))
				panic("ours")
			})
		}()
		s.untouched()
	}},
	{"a cancelled context rolls back", func(s *store) {
		ctx, cancel := context.WithCancel(s.ctx)
		err := s.InTx(ctx, func(ctx context.Context) error {
			s.ok(s.write(ctx))
			cancel()
			return nil
		})
		s.equal(errors.Is(err, context.Canceled), true)
		s.untouched()
	}},
	{"uncommitted changes are invisible", func(s *store) {
		s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
			s.ok(s.write(ctx))
			check.Must(s.Entities.FindEntityByName(ctx, s.workspace, entity.KindPrompt, "x"))(s.t)
			s.fails(check.Failure(s.Entities.FindEntityByName(s.ctx, s.workspace, entity.KindPrompt, "x")), fault.NotFound)
			return nil
		}))
		check.Must(s.Entities.FindEntityByName(s.ctx, s.workspace, entity.KindPrompt, "x"))(s.t)
	}},
	{"an inner transaction is rolled back with the outer one", func(s *store) {
		err := s.InTx(s.ctx, func(ctx context.Context) error {
			s.ok(s.InTx(ctx, s.write))
			return errOurs
		})
		s.equal(errors.Is(err, errOurs), true)
		s.untouched()
	}},
	{"a failed inner transaction is rolled back alone", func(s *store) {
		s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
			inner := s.InTx(ctx, func(ctx context.Context) error { return errors.Join(s.write(ctx), errOurs) })
			s.equal(errors.Is(inner, errOurs), true)
			return check.Failure(s.Sequences.ReserveIDs(ctx, "kept", 1))
		}))
		s.equal(check.Must(s.Sequences.ReserveIDs(s.ctx, "kept", 1))(s.t), int64(2))
		s.untouched()
	}},
	{"a transaction continues after a fault", func(s *store) {
		s.prompt("taken")
		owner := s.prompt("x")
		s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
			twin := entity.New{WorkspaceID: s.workspace, Kind: entity.KindPrompt, Name: "taken"}
			s.fails(check.Failure(s.Entities.CreateEntity(ctx, twin)), fault.Conflict)
			s.fails(check.Failure(s.Entities.RenameEntity(ctx, s.workspace, owner.ID, "taken")), fault.Conflict)
			s.fails(check.Failure(s.Groups.CreateGroup(ctx, 999)), fault.NotFound)
			s.fails(check.Failure(s.Entities.MoveEntities(ctx, s.workspace, []int64{owner.ID, 999}, nil)), fault.NotFound)
			s.fails(check.Failure(s.Entities.RenameEntity(ctx, s.workspace, owner.ID, "\x00")), fault.Invalid)
			return check.Failure(s.Entities.RenameEntity(ctx, s.workspace, owner.ID, "y"))
		}))
		s.equal(s.get(owner.ID).Name, "y")
	}},
}

var healthCases = []testCase{
	{"engine name, version and size", func(s *store) {
		name, version := s.Engine(s.ctx)
		s.equal(name != "" && version != "", true)
		s.equal(check.Must(s.Size(s.ctx))(s.t) > 64<<10, true)
	}},
}
