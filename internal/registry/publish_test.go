package registry_test

import (
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
)

func TestPublishCreatesThenAddsVersions(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *suite) {
		folder := s.owner(s.workspace, entity.KindFolder, "folder").ID
		publish := func(in registry.Publication[note]) (*registry.Record[note], bool) {
			record, created, err := s.Publish(s.ctx, s.workspace, in)
			check.OK(t, err)
			return record, created
		}
		first, created := publish(registry.Publication[note]{Name: "n", Variant: "v", Tags: []string{"a"}, Content: " one "})
		check.Equal(t, "created", created, true)
		check.Equal(t, "first", first, s.get("n", registry.Selector{}))
		second, created := publish(registry.Publication[note]{
			Name: "n", Variant: "w", Tags: []string{"ignored"}, FolderID: &folder, Content: "two", Release: registry.Release{Labels: []string{"prod"}},
		})
		check.Equal(t, "created", created, false)
		check.Equal(t, "number", second.Version.Number, 2)
		check.Equal(t, "entity", []any{second.Entity.ID, second.Entity.Variant, second.Entity.Tags, *second.Entity.FolderID},
			[]any{first.Entity.ID, "v", []string{"a"}, folder})
		third, _ := publish(registry.Publication[note]{Name: "n", HasTags: true, Content: "three"})
		check.Equal(t, "tags", third.Entity.Tags, []string{})
		check.Equal(t, "folder", third.Entity.FolderID, &folder)
		check.Equal(t, "labelled", s.get("n", registry.Selector{Label: "prod"}).Version.Number, 2)
	})
}

func TestPublishByExternalID(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *suite) {
		s.attach(s.owner(s.workspace, entity.KindTool, "tool"), refC)
		publish := func(ref entity.ExternalRef, name string) (*registry.Record[note], bool, error) {
			return s.Publish(s.ctx, s.workspace, registry.Publication[note]{Name: name, ExternalID: &ref, Content: "x"})
		}
		first, created, err := publish(refA, "n")
		check.OK(t, err)
		check.Equal(t, "created", created, true)
		other := s.create("other", "x")
		again, created, err := publish(refA, "other")
		check.OK(t, err)
		check.Equal(t, "the id selects first", []any{created, again.Entity.ID, again.Version.Number}, []any{false, first.Entity.ID, int64(2)})
		byName, created, err := publish(refB, "other")
		check.OK(t, err)
		check.Equal(t, "then the name", []any{created, byName.Entity.ID, len(byName.ExternalIDs)}, []any{false, other.Entity.ID, 1})
		s.unchanged(func() {
			_, _, err := publish(refC, "other")
			check.Refused(t, err, fault.Conflict, "External ID already mapped to another entity")
		})
		check.OK(t, s.Delete(s.ctx, s.workspace, first.Entity.ID))
		renewed, created, err := publish(refA, "n")
		check.OK(t, err)
		check.Equal(t, "created again", created, true)
		check.Equal(t, "new entity", renewed.Entity.ID != first.Entity.ID, true)
	})
}

func TestPublishNeedsPermissionToCreateOrEdit(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *suite) {
		s.publish("there", "x")
		publish := func(name string, labels []string, held ...access.Permission) error {
			_, _, err := s.Publish(s.as(held...), s.workspace, registry.Publication[note]{
				Name: name, Content: "x", Release: registry.Release{Labels: labels},
			})
			return err
		}
		s.unchanged(func() {
			check.Fault(t, publish("new", nil, access.WorkflowEdit, access.WorkflowDeploy), fault.Forbidden)
			check.Fault(t, publish("there", nil, access.WorkflowCreate, access.WorkflowDeploy), fault.Forbidden)
			check.Fault(t, publish("there", []string{"prod"}, access.WorkflowEdit), fault.Forbidden)
		})
		check.OK(t, publish("new", nil, access.WorkflowCreate))
		check.OK(t, publish("there", []string{"prod"}, access.WorkflowEdit, access.WorkflowDeploy))
	})
}

// TestConcurrentPublishersLeaveNoGap lets two processes publish under one new
// name: one of them creates it, and the versions are numbered without a gap.
func TestConcurrentPublishersLeaveNoGap(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *suite) {
		const crowd = 16
		processes := []*suite{s, s.again()}
		numbers, creators := make([]int64, crowd), make([]bool, crowd)
		for _, err := range check.Together(crowd, func(i int) error {
			record, created, err := processes[i%2].Publish(s.ctx, s.workspace, registry.Publication[note]{
				Name: "n", Content: "x", Release: registry.Release{Labels: []string{"prod"}},
			})
			if err == nil {
				numbers[i], creators[i] = record.Version.Number, created
			}
			return err
		}) {
			check.OK(t, err)
		}
		seen, created := map[int64]bool{}, 0
		for i, number := range numbers {
			seen[number] = true
			if creators[i] {
				created++
			}
		}
		for number := range int64(crowd) {
			check.Equal(t, "version exists", seen[number+1], true)
		}
		check.Equal(t, "creators", created, 1)
		check.Equal(t, "labelled", s.get("n", registry.Selector{Label: "prod"}).Version.Number, crowd)
	})
}
