package registry_test

import (
	"context"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
)

// appending returns an edit that appends to the text of the base.
func appending(text note, base registry.Selector, labels ...string) registry.Edit[note] {
	return registry.Edit[note]{
		Base: base, Release: registry.Release{Labels: labels},
		Apply: func(_ context.Context, base entity.FoundVersion) (note, error) {
			content, err := notes().Decode(&base.Version)
			return content + text, err
		},
	}
}

func TestAddVersionStartsFromBase(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *suite) {
		id := s.create("n", "1", "prod").Entity.ID
		add := func(edit registry.Edit[note]) *registry.Record[note] {
			return check.Must(s.AddVersion(s.ctx, s.workspace, id, edit))(t)
		}
		check.Equal(t, "latest", add(appending("2", registry.Selector{})).Content, "12")
		third := add(appending("3 ", registry.Selector{Label: "prod"}, "prod"))
		check.Equal(t, "labelled", []any{third.Content, third.Base, third.Version.Number}, []any{note("13"), int64(1), int64(3)})
		check.Equal(t, "numbered", add(appending("4", registry.Selector{Number: 2})).Content, "124")
		check.Equal(t, "an edit may keep what is refused", add(appending(" rude", registry.Selector{Number: 1})).Content, "1 rude")
		s.unchanged(func() {
			for _, base := range []registry.Selector{{Number: 9}, {Label: "dev"}} {
				check.Fault(t, check.Failure(s.AddVersion(s.ctx, s.workspace, id, appending("x", base))), fault.NotFound)
			}
			check.Refused(t, check.Failure(s.AddVersion(s.ctx, s.other, id, appending("x", registry.Selector{}))), fault.NotFound, "Workflow not found")
			check.Fault(t, check.Failure(s.AddVersion(s.as(access.WorkflowCreate), s.workspace, id, appending("x", registry.Selector{}))), fault.Forbidden)
			check.Fault(t, check.Failure(s.AddVersion(s.as(access.WorkflowEdit), s.workspace, id, appending("x", registry.Selector{}, "l"))), fault.Forbidden)
		})
	})
}

// TestConcurrentEditsAllSurvive lets two processes append to one text: the last
// version has all of them, so that none undid another.
func TestConcurrentEditsAllSurvive(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *suite) {
		const crowd = 16
		id := s.create("n", "").Entity.ID
		processes := []*suite{s, s.again()}
		for _, err := range check.Together(crowd, func(i int) error {
			return check.Failure(processes[i%2].AddVersion(s.ctx, s.workspace, id, appending("x", registry.Selector{})))
		}) {
			check.OK(t, err)
		}
		last := s.get("n", registry.Selector{})
		check.Equal(t, "content", string(last.Content), strings.Repeat("x", crowd))
		check.Equal(t, "number", last.Version.Number, crowd+1)
	})
}

func TestAddVersionToDeletedEntity(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *suite) {
		id := s.create("n", "x").Entity.ID
		edit := appending("x", registry.Selector{})
		apply := edit.Apply
		edit.Apply = func(ctx context.Context, base entity.FoundVersion) (note, error) {
			check.OK(t, s.Delete(s.ctx, s.workspace, id))
			return apply(ctx, base)
		}
		check.Refused(t, check.Failure(s.AddVersion(s.ctx, s.workspace, id, edit)), fault.NotFound, "Workflow not found")
	})
}

func TestEntitiesWithoutVersions(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *suite) {
		create := func(name string) (*registry.Record[note], error) {
			return s.Create(s.ctx, s.workspace, registry.CreateInput[note]{
				Name: name, Release: registry.Release{ExternalIDs: []entity.ExternalRef{refA}},
			})
		}
		made := check.Must(create("n"))(t)
		check.Equal(t, "number", made.Version.Number, 0)
		check.Equal(t, "external ids", len(made.ExternalIDs), 1)
		check.Refused(t, check.Failure(s.Get(s.ctx, s.workspace, "n", registry.Selector{})), fault.NotFound, "Version not found")
		kind := notes()
		kind.MayBeEmpty = true
		s.use(kind)
		check.Equal(t, "empty", s.get("n", registry.Selector{}), made)
		check.Refused(t, check.Failure(s.Get(s.ctx, s.workspace, "n", registry.Selector{Number: 1})), fault.NotFound, "Version not found")
		check.Refused(t, check.Failure(s.Get(s.ctx, s.workspace, "n", registry.Selector{Label: "l"})), fault.NotFound, "Release label not found")
		first := check.Must(s.AddVersion(s.ctx, s.workspace, made.Entity.ID, registry.Edit[note]{Apply: registry.Constant(note("x"))}))(t)
		check.Equal(t, "first version", []int64{first.Version.Number, first.Base}, []int64{1, 0})
	})
}

func TestDeleteFollowsTraits(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *suite) {
		remaining := func() int64 {
			_, total, err := s.catalog.Entities.ListEntities(s.ctx, entity.Query{WorkspaceID: s.workspace, Status: entity.LiveOrDeleted})
			check.OK(t, err)
			return total
		}
		id := s.create("n", "x").Entity.ID
		check.Fault(t, s.Delete(s.as(access.WorkflowEdit), s.workspace, id), fault.Forbidden)
		check.OK(t, s.Delete(s.as(access.WorkflowDelete), s.workspace, id))
		check.Refused(t, s.Delete(s.ctx, s.workspace, id), fault.NotFound, "Workflow not found")
		check.Equal(t, "soft-deleted", remaining(), 1)
		kind := notes()
		kind.Kind = entity.KindVariableSet
		s.use(kind)
		check.OK(t, s.Delete(s.ctx, s.workspace, s.create("n", "x").Entity.ID))
		check.Equal(t, "erased", remaining(), 1)
	})
}
