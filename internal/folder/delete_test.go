package folder_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/folder"
	"github.com/promptuary/promptuary/internal/prompt"
)

// fill creates an entity of every kind in a folder, and outside of it an A/B
// test of a prompt in the folder, and returns their ids.
func (l *library) fill(in int64) (inside []int64, outside int64) {
	inner := l.folder("inner", in)
	asked := l.publish("asked", "x", inner, "prod")
	free := l.publish("free", "x", 0, "prod")
	inside = []int64{inner, asked, l.abTest("its test", free, in)}
	for _, kind := range []entity.Kind{
		entity.KindWorkflow, entity.KindDataset, entity.KindReport, entity.KindVariableSet, entity.KindSkill, entity.KindTool,
	} {
		inside = append(inside, l.entity(kind, string(kind), inner))
	}
	return inside, l.abTest("outside", asked, 0)
}

func TestCascadeDeletesEveryKind(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *library) {
		top := l.folder("top", 0)
		inside, outside := l.fill(top)
		deleted := check.Must(l.Delete(l.ctx, l.workspace, refs(top, inside[0], top), true))(t)
		check.Equal(t, "deleted", deleted, 2)
		check.Equal(t, "what is left", l.names(), []string{"free"})
		_, err := l.prompts.ABTest(l.ctx, l.workspace, outside)
		check.Fault(t, err, fault.NotFound)
		var hidden []string
		gone, _, err := l.catalog.Entities.ListEntities(l.ctx, entity.Query{WorkspaceID: l.workspace, Status: entity.Deleted})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range gone {
			hidden = append(hidden, string(e.Kind))
		}
		slices.Sort(hidden)
		check.Equal(t, "what can still be listed as deleted", hidden, []string{"dataset", "prompt", "report", "skill", "tool", "workflow"})
	})
}

func TestDeleteOneOfEachKind(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	top := l.folder("top", 0)
	inside, outside := l.fill(top)
	skill := check.Must(l.catalog.Entities.CreateEntity(l.ctx, entity.New{
		WorkspaceID: l.workspace, Kind: entity.KindSkill, Name: "by uuid", UUID: "0b5a2d0e", FolderID: &top,
	}))(t)
	references := append(refs(append(inside, outside)...), folder.Reference{UUID: "0b5a2d0e", Type: entity.TypeSkill},
		folder.Reference{ID: skill.ID, Type: entity.TypeSkill})
	deleted := check.Must(l.Delete(l.ctx, l.workspace, references, false))(t)
	check.Equal(t, "deleted", deleted, int64(len(inside)+2))
	check.Equal(t, "what is left", l.names(), []string{"top", "free"})
}

func TestRejectedDeletionsDeleteNothing(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *library) {
		top := l.folder("top", 0)
		l.fill(top)
		hidden := l.folder("holds a tool", 0)
		l.entity(entity.KindTool, "hammer", hidden)
		tests := map[string]struct {
			references []folder.Reference
			cascade    bool
			kind       fault.Kind
		}{
			"not empty":            {refs(top), false, fault.BadRequest},
			"holds what is unseen": {refs(hidden), false, fault.BadRequest},
			"one unknown":          {refs(top, 999_999), true, fault.NotFound},
			"wrong type":           {[]folder.Reference{{ID: top, Type: entity.TypeTool}}, true, fault.NotFound},
			"no such type":         {[]folder.Reference{{ID: top, Type: "BOX"}}, true, fault.BadRequest},
			"unknown collection":   {[]folder.Reference{{ID: top}, {UUID: "a", Type: entity.TypeSkill}}, true, fault.NotFound},
		}
		for name, test := range tests {
			l.unchanged(func() {
				_, err := l.Delete(l.ctx, l.workspace, test.references, test.cascade)
				if fault.KindOf(err) != test.kind {
					t.Errorf("%s: got the error %v (kind %d), want one of kind %d", name, err, fault.KindOf(err), test.kind)
				}
			})
		}
		l.unchanged(func() {
			_, err := l.Delete(l.ctx, l.other, refs(top), true)
			check.Fault(t, err, fault.NotFound)
		})
	})
}

// TestConcurrentDelete changes a folder while it is deleted. Whatever the
// order, the result is consistent: entities created in the folder before are
// deleted, later creations are rejected, and entities moved out before are
// kept.
func TestConcurrentDelete(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *library) {
		second := l.again()
		for round := range 24 {
			top := l.folder("top", 0)
			inner := l.folder("inner", top)
			out := l.publish(fmt.Sprintf("out %d", round), "x", inner, "prod")
			in := l.publish(fmt.Sprintf("in %d", round), "x", 0)
			test := l.abTest("test", out, inner)
			name := fmt.Sprintf("new %d", round)
			errs := check.Together(5, func(i int) (err error) {
				switch i {
				case 0:
					_, err = l.Delete(l.ctx, l.workspace, refs(top), true)
				case 1:
					_, err = second.Move(l.ctx, l.workspace, refs(out), nil)
				case 2:
					_, err = second.Move(l.ctx, l.workspace, refs(in), &inner)
				case 3:
					_, err = second.prompts.Publish(l.ctx, l.workspace, prompt.Publication{
						Name: name, FolderID: &inner, Content: prompt.Content{Template: []byte(`{"type":"completion","content":[]}`)},
					})
				case 4:
					err = second.prompts.DeleteABTest(l.ctx, l.workspace, test)
				}
				return err
			})
			if errs[0] != nil {
				t.Fatalf("the deletion failed: %v", errs[0])
			}
			for _, err := range errs[1:] {
				if err != nil {
					check.Fault(t, err, fault.NotFound)
				}
			}
			left := l.names()
			check.Equal(t, "the one moved out is there", slices.Contains(left, fmt.Sprintf("out %d", round)), errs[1] == nil)
			check.Equal(t, "the one moved in is there", slices.Contains(left, fmt.Sprintf("in %d", round)), errs[2] != nil)
			check.Equal(t, "the new one is there", slices.Contains(left, name), false)
		}
	})
}
