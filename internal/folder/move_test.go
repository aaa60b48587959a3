package folder_test

import (
	"fmt"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/folder"
)

func TestMoveEveryKind(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *library) {
		target := l.folder("target", 0)
		asked := l.publish("asked", "x", 0, "prod")
		data := l.entity(entity.KindDataset, "data", 0)
		version := check.Must(l.catalog.Entities.AddVersion(l.ctx, l.workspace, data, entity.NewVersion{Body: []byte(`{}`)}))(t)
		references := []folder.Reference{
			{ID: l.folder("inner", 0), Type: entity.TypeFolder},
			{ID: asked, Type: entity.TypePrompt},
			{ID: asked, Type: entity.TypeSnippet},
			{ID: l.entity(entity.KindWorkflow, "flow", 0), Type: entity.TypeWorkflow},
			{ID: data, Type: entity.TypeDataset},
			{ID: version.ID, Type: entity.TypeDataset},
			{ID: version.ID},
			{ID: l.entity(entity.KindReport, "report", 0), Type: entity.TypeReport},
			{ID: l.abTest("test", asked, 0), Type: entity.TypeABTest},
			{ID: l.entity(entity.KindVariableSet, "set", 0), Type: entity.TypeVariableSet},
		}
		moved := check.Must(l.Move(l.ctx, l.workspace, references, &target))(t)
		check.Equal(t, "moved", moved, 7)
		check.Equal(t, "what is where", l.names(), []string{
			"target", "target/inner", "target/asked", "target/flow", "target/data", "target/report", "target/test", "target/set",
		})
	})
}

func TestRejectedMovesMoveNothing(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *library) {
		top := l.folder("top", 0)
		inner := l.folder("inner", top)
		twin := l.folder("inner", 0)
		free := l.publish("free", "x", 0)
		tool := l.entity(entity.KindTool, "tool", 0)
		version := check.Must(l.catalog.Entities.LatestVersions(l.ctx, l.workspace, []int64{free}))(t)[free]
		unknown := int64(999_999)
		tests := map[string]struct {
			references []folder.Reference
			target     *int64
			kind       fault.Kind
		}{
			"one unknown":            {refs(free, unknown), &top, fault.NotFound},
			"unknown folder":         {refs(free), &unknown, fault.NotFound},
			"a prompt as folder":     {refs(twin), &free, fault.NotFound},
			"a prompt as snippet":    {[]folder.Reference{{ID: free}, {ID: l.entity(entity.KindPrompt, "chat", 0), Type: entity.TypeSnippet}}, &top, fault.NotFound},
			"wrong type":             {[]folder.Reference{{ID: free}, {ID: twin, Type: entity.TypePrompt}}, &top, fault.NotFound},
			"a version of a prompt":  {refs(version.ID), &top, fault.NotFound},
			"no such type":           {[]folder.Reference{{ID: free}, {ID: twin, Type: "BOX"}}, &top, fault.BadRequest},
			"a tool by type":         {[]folder.Reference{{ID: free}, {ID: tool, Type: entity.TypeTool}}, &top, fault.BadRequest},
			"a tool by id":           {refs(free, tool), &top, fault.BadRequest},
			"into itself":            {refs(free, top), &top, fault.BadRequest},
			"into what it holds":     {refs(free, top), &inner, fault.BadRequest},
			"where the name is":      {refs(free, twin), &top, fault.BadRequest},
			"two of a name":          {refs(free, inner, twin), nil, fault.BadRequest},
			"an unknown collection":  {[]folder.Reference{{UUID: "a", Type: entity.TypeSkill}}, nil, fault.BadRequest},
			"a collection by itself": {[]folder.Reference{{UUID: "a"}}, nil, fault.NotFound},
		}
		for name, test := range tests {
			l.unchanged(func() {
				_, err := l.Move(l.ctx, l.workspace, test.references, test.target)
				if fault.KindOf(err) != test.kind {
					t.Errorf("%s: got the error %v (kind %d), want one of kind %d", name, err, fault.KindOf(err), test.kind)
				}
			})
		}
		l.unchanged(func() {
			_, err := l.Move(l.ctx, l.other, refs(free), nil)
			check.Fault(t, err, fault.NotFound)
		})
	})
}

// TestFoldersMovedIntoEachOther has two processes move two folders into each
// other, where each move alone is valid.
func TestFoldersMovedIntoEachOther(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *library) {
		services := []*library{l, l.again()}
		for round := range 16 {
			ends := []int64{l.folder(fmt.Sprintf("a%d", round), 0), l.folder(fmt.Sprintf("b%d", round), 0)}
			bottoms := []int64{l.folder("x", ends[0]), l.folder("y", ends[1])}
			errs := check.Together(2, func(i int) error {
				_, err := services[i].Move(l.ctx, l.workspace, refs(ends[i]), &bottoms[1-i])
				return err
			})
			if (errs[0] == nil) == (errs[1] == nil) {
				t.Fatalf("the moves returned %v, want one winner", errs)
			}
			for _, err := range errs {
				if err != nil {
					check.Fault(t, err, fault.BadRequest)
				}
			}
			// Everything can still be reached from the root.
			check.Must(l.Resolve(l.ctx, l.workspace, winnerPath(round, errs[0] == nil)))(t)
		}
	})
}

// winnerPath returns the path of the folder that was moved.
func winnerPath(round int, first bool) string {
	if first {
		return fmt.Sprintf("b%d.y.a%d.x", round, round)
	}
	return fmt.Sprintf("a%d.x.b%d.y", round, round)
}

// chain creates n nested folders and returns the first and the last.
func (l *library) chain(name string, n int) (top, bottom int64) {
	l.t.Helper()
	for i := range n {
		bottom = l.folder(name, bottom)
		if i == 0 {
			top = bottom
		}
	}
	return top, bottom
}

func TestMaxDepth(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	top, bottom := l.chain("a", folder.MaxDepth-2)
	pair, _ := l.chain("b", 2)
	triple, inTriple := l.chain("c", 3)
	if _, err := l.Move(l.ctx, l.workspace, refs(pair), &bottom); err != nil {
		t.Fatalf("a move to the limit is refused: %v", err)
	}
	l.unchanged(func() {
		_, err := l.Move(l.ctx, l.workspace, refs(triple), &bottom)
		check.Fault(t, err, fault.BadRequest)
		_, err = l.Move(l.ctx, l.workspace, refs(top), &inTriple)
		check.Fault(t, err, fault.BadRequest)
	})
	deepest := check.Must(l.catalog.Entities.EntitiesBelow(l.ctx, l.workspace, []int64{pair}))(t)[0].ID
	l.unchanged(func() {
		_, err := l.Create(l.ctx, l.workspace, folder.New{Name: "d", ParentID: &deepest})
		check.Fault(t, err, fault.BadRequest)
	})
	l.publish("not a folder", "x", deepest)
}
