package registry_test

import (
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
)

// labelled returns the numbers of the versions that the labels point at.
func (s *suite) labelled(owner entity.Owner) map[string]int64 {
	s.t.Helper()
	at := map[string]int64{}
	for _, label := range check.Must(s.catalog.Entities.ListLabels(s.ctx, owner.Workspace, owner.ID))(s.t) {
		at[label.Name] = label.VersionNumber
	}
	return at
}

// twoVersions returns an entity with versions 1 and 2.
func (s *suite) twoVersions(workspace int64) entity.Owner {
	s.t.Helper()
	owner := s.owner(workspace, entity.KindWorkflow, "flow")
	for range 2 {
		check.Must(s.catalog.Entities.AddVersion(s.ctx, workspace, owner.ID, entity.NewVersion{Body: []byte(`{}`)}))(s.t)
	}
	return owner
}

func TestPointAndDeleteLabel(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *suite) {
		owner := s.twoVersions(s.workspace)
		made := check.Must(s.labels.Point(s.ctx, owner, "prod", 2))(t)
		moved := check.Must(s.labels.Point(s.ctx, owner, "prod", 1))(t)
		check.Equal(t, "id", moved.ID, made.ID)
		check.Equal(t, "version", moved.VersionNumber, int64(1))
		check.Must(s.labels.Point(s.ctx, owner, "qa", 2))(t)
		check.Equal(t, "labels", s.labelled(owner), map[string]int64{"prod": 1, "qa": 2})
		check.OK(t, s.labels.Delete(s.ctx, owner, "prod"))
		check.Equal(t, "labels", s.labelled(owner), map[string]int64{"qa": 2})
	})
}

func TestLabelsOfUnknownOwnersAndVersions(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *suite) {
		owner := s.twoVersions(s.workspace)
		check.Must(s.labels.Point(s.ctx, owner, "prod", 1))(t)
		elsewhere, asTool, unknown := owner, owner, owner
		elsewhere.Workspace, asTool.Kind, unknown.ID = s.other, entity.KindTool, 999
		for _, owner := range []entity.Owner{asTool, elsewhere, unknown} {
			message := entity.NotFound(owner.Kind).Error()
			check.Refused(t, check.Failure(s.labels.Point(s.ctx, owner, "prod", 2)), fault.NotFound, message)
			check.Refused(t, s.labels.Delete(s.ctx, owner, "prod"), fault.NotFound, message)
			check.Refused(t, check.Failure(s.labels.Create(s.ctx, owner, "qa", registry.Pointer{Number: 2})), fault.NotFound, message)
		}
		check.Refused(t, check.Failure(s.labels.Point(s.ctx, owner, "prod", 3)), fault.NotFound, "Version not found")
		check.Refused(t, s.labels.Delete(s.ctx, owner, "Prod"), fault.NotFound, "Release label not found")
		check.Refused(t, check.Failure(s.labels.Point(s.ctx, owner, " ", 1)), fault.Invalid, "label must not be blank")
		check.Equal(t, "labels", s.labelled(owner), map[string]int64{"prod": 1})
	})
}

func TestMovingLabelsNeedsPermissionToDeploy(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *suite) {
		owner := s.twoVersions(s.workspace)
		label := check.Must(s.labels.Point(s.ctx, owner, "prod", 1))(t)
		calls := map[string]func(held ...access.Permission) error{
			"point": func(held ...access.Permission) error {
				return check.Failure(s.labels.Point(s.as(held...), owner, "prod", 2))
			},
			"create": func(held ...access.Permission) error {
				return check.Failure(s.labels.Create(s.as(held...), owner, "new", registry.Pointer{Number: 2}))
			},
			"move by id": func(held ...access.Permission) error {
				return check.Failure(s.labels.MoveByID(s.as(held...), s.workspace, entity.KindWorkflow, label.ID, registry.Pointer{Number: 1}))
			},
		}
		for name, call := range calls {
			s.unchanged(func() { check.Fault(t, call(access.WorkflowEdit, access.ToolDeploy), fault.Forbidden) })
			if err := call(access.WorkflowDeploy); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		s.unchanged(func() {
			check.Fault(t, s.labels.Delete(s.as(access.WorkflowEdit), owner, "prod"), fault.Forbidden)
			check.Fault(t, s.labels.DeleteByID(s.as(access.WorkflowEdit), s.workspace, entity.KindWorkflow, label.ID), fault.Forbidden)
		})
		check.OK(t, s.labels.DeleteByID(s.as(access.WorkflowDeploy), s.workspace, entity.KindWorkflow, label.ID))
		check.Equal(t, "labels", s.labelled(owner), map[string]int64{"new": 2})
	})
}

func TestLabelsByID(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *suite) {
		owner, foreign := s.twoVersions(s.workspace), s.twoVersions(s.other)
		label := check.Must(s.labels.Create(s.ctx, owner, "prod", registry.Pointer{Number: 1}))(t)
		latest := check.Must(s.catalog.Entities.LatestVersions(s.ctx, s.workspace, []int64{owner.ID}))(t)[owner.ID]
		moved := check.Must(s.labels.MoveByID(s.ctx, s.workspace, owner.Kind, label.ID, registry.Pointer{ID: latest.ID}))(t)
		check.Equal(t, "moved", []int64{moved.ID, moved.VersionNumber}, []int64{label.ID, 2})
		check.Equal(t, "labels", s.labelled(owner), map[string]int64{"prod": 2})
		other := check.Must(s.Create(s.ctx, s.workspace, registry.CreateInput[note]{Name: "other", Content: new(note("x"))}))(t)
		move := func(workspace int64, kind entity.Kind, to registry.Pointer) error {
			return check.Failure(s.labels.MoveByID(s.ctx, workspace, kind, label.ID, to))
		}
		s.unchanged(func() {
			check.Refused(t, move(s.workspace, entity.KindTool, registry.Pointer{Number: 1}), fault.NotFound, "Release label not found")
			check.Fault(t, move(foreign.Workspace, owner.Kind, registry.Pointer{Number: 1}), fault.NotFound)
			check.Refused(t, move(s.workspace, owner.Kind, registry.Pointer{ID: other.Version.ID}), fault.NotFound, "Version not found")
			check.Refused(t, s.labels.DeleteByID(s.ctx, s.workspace, entity.KindTool, label.ID), fault.NotFound, "Release label not found")
		})
		check.OK(t, s.labels.DeleteByID(s.ctx, s.workspace, owner.Kind, label.ID))
		check.Equal(t, "labels", s.labelled(owner), map[string]int64{})
	})
}
