package catalogtest

import (
	"context"
	"errors"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

var errOurs = errors.New("ours")

// write changes something of every noun within ctx.
func (s *store) write(ctx context.Context) error {
	workspace, err := s.CreateWorkspace(ctx, "in transaction")
	if err != nil {
		return err
	}
	entity, err := s.CreateEntity(ctx, catalog.NewEntity{
		WorkspaceID: s.workspace, Kind: catalog.KindPrompt, Name: "x", Tags: []string{"old"},
	})
	if err != nil {
		return err
	}
	version := catalog.NewVersion{Body: []byte(`{}`), References: []catalog.Reference{{Name: "snippet"}}}
	_, versionErr := s.AddVersion(ctx, s.workspace, entity.ID, version)
	label, labelErr := s.SetLabel(ctx, s.workspace, entity.ID, "prod", 1)
	_, tagErr := s.SetTags(ctx, s.workspace, entity.ID, []string{"new"})
	_, testErr := s.CreateABTest(ctx, s.workspace, catalog.NewABTest{Name: "test", LabelID: label.ID, Config: []byte(`{}`)})
	attachErr := s.AttachExternalID(ctx, s.workspace, entity.ID, catalog.ExternalRef{Source: "a", ID: "b"})
	_, keyErr := s.CreateKey(ctx, keyOf(workspace.ID, "pl_one1"))
	_, groupErr := s.CreateGroup(ctx, workspace.ID)
	_, idsErr := s.ReserveIDs(ctx, "request", 10)
	return errors.Join(versionErr, labelErr, tagErr, testErr, attachErr, keyErr, groupErr, idsErr)
}

// untouched fails the test when something of write is left.
func (s *store) untouched() {
	s.t.Helper()
	s.equal(len(check.Must(s.ListWorkspaces(s.ctx))(s.t)), 2)
	s.equal(s.names(catalog.EntityQuery{Status: catalog.LiveOrDeleted}), []string{})
	s.fails(check.Failure(s.FindByExternalID(s.ctx, s.workspace, catalog.ExternalRef{Source: "a", ID: "b"})), fault.NotFound)
	s.equal(check.Must(s.CountKeys(s.ctx))(s.t), int64(0))
	s.equal(len(check.Must(s.ListReferences(s.ctx, s.workspace, "snippet"))(s.t)), 0)
	s.equal(len(check.Must(s.ListABTests(s.ctx, s.workspace, nil))(s.t)), 0)
	s.equal(check.Must(s.ReserveIDs(s.ctx, "request", 1))(s.t), int64(1))
}

var transactionCases = []testCase{
	{"a commit keeps everything", func(s *store) {
		s.ok(s.InTx(s.ctx, s.write))
		s.equal(s.names(catalog.EntityQuery{}), []string{"test", "x"})
		s.equal(s.names(catalog.EntityQuery{Tags: []string{"new"}}), []string{"x"})
		s.equal(len(check.Must(s.ListReferences(s.ctx, s.workspace, "snippet"))(s.t)), 1)
		s.equal(check.Must(s.CountKeys(s.ctx))(s.t), int64(1))
	}},
	{"an error leaves nothing", func(s *store) {
		err := s.InTx(s.ctx, func(ctx context.Context) error { return errors.Join(s.write(ctx), errOurs) })
		s.equal(errors.Is(err, errOurs), true)
		s.untouched()
	}},
	{"a panic leaves nothing", func(s *store) {
		func() {
			defer func() { s.equal(recover(), any("ours")) }()
			_ = s.InTx(s.ctx, func(ctx context.Context) error {
				s.ok(s.write(ctx))
				panic("ours")
			})
		}()
		s.untouched()
	}},
	{"a cancelled context leaves nothing", func(s *store) {
		ctx, cancel := context.WithCancel(s.ctx)
		err := s.InTx(ctx, func(ctx context.Context) error {
			s.ok(s.write(ctx))
			cancel()
			return nil
		})
		s.equal(errors.Is(err, context.Canceled), true)
		s.untouched()
	}},
	{"others see nothing before the commit", func(s *store) {
		s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
			s.ok(s.write(ctx))
			check.Must(s.FindEntityByName(ctx, s.workspace, catalog.KindPrompt, "x"))(s.t)
			s.fails(check.Failure(s.FindEntityByName(s.ctx, s.workspace, catalog.KindPrompt, "x")), fault.NotFound)
			return nil
		}))
		check.Must(s.FindEntityByName(s.ctx, s.workspace, catalog.KindPrompt, "x"))(s.t)
	}},
	{"an inner transaction is undone with the outer", func(s *store) {
		err := s.InTx(s.ctx, func(ctx context.Context) error {
			s.ok(s.InTx(ctx, s.write))
			return errOurs
		})
		s.equal(errors.Is(err, errOurs), true)
		s.untouched()
	}},
	{"an inner transaction that fails is undone alone", func(s *store) {
		s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
			inner := s.InTx(ctx, func(ctx context.Context) error { return errors.Join(s.write(ctx), errOurs) })
			s.equal(errors.Is(inner, errOurs), true)
			return check.Failure(s.ReserveIDs(ctx, "kept", 1))
		}))
		s.equal(check.Must(s.ReserveIDs(s.ctx, "kept", 1))(s.t), int64(2))
		s.untouched()
	}},
	{"a transaction goes on after each fault", func(s *store) {
		s.prompt("taken")
		entity := s.prompt("x")
		s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
			twin := catalog.NewEntity{WorkspaceID: s.workspace, Kind: catalog.KindPrompt, Name: "taken"}
			s.fails(check.Failure(s.CreateEntity(ctx, twin)), fault.Conflict)
			s.fails(check.Failure(s.RenameEntity(ctx, s.workspace, entity.ID, "taken")), fault.Conflict)
			s.fails(check.Failure(s.CreateGroup(ctx, 999)), fault.NotFound)
			s.fails(check.Failure(s.MoveEntities(ctx, s.workspace, []int64{entity.ID, 999}, nil)), fault.NotFound)
			s.fails(check.Failure(s.RenameEntity(ctx, s.workspace, entity.ID, "\x00")), fault.Invalid)
			return check.Failure(s.RenameEntity(ctx, s.workspace, entity.ID, "y"))
		}))
		s.equal(s.get(entity.ID).Name, "y")
	}},
}
