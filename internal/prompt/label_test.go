package prompt_test

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/prompt"
)

func TestLabels(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *registry) {
		first := r.publish("a", completion("1"))
		second := r.publish("a", completion("2"))
		id := first.Entity.ID
		beta := check.Must(r.CreateLabel(r.ctx, r.workspace, id, "beta", prompt.Pointer{Number: 1}))(t)
		check.Equal(t, "created", beta, entity.Label{
			ID: beta.ID, EntityID: id, Name: "beta", VersionID: first.Version.ID, VersionNumber: 1, CreatedAt: beta.CreatedAt,
		})
		check.Equal(t, "created again", check.Must(r.CreateLabel(r.ctx, r.workspace, id, "beta", prompt.Pointer{ID: first.Version.ID}))(t), beta)
		r.unchanged(func() {
			_, err := r.CreateLabel(r.ctx, r.workspace, id, "beta", prompt.Pointer{Number: 2})
			check.Fault(t, err, fault.Conflict)
		})
		prod := check.Must(r.CreateLabel(r.ctx, r.workspace, id, "prod", prompt.Pointer{ID: second.Version.ID}))(t)
		alpha := check.Must(r.CreateLabel(r.ctx, r.workspace, id, "alpha", prompt.Pointer{Number: 2}))(t)
		check.Equal(t, "all, oldest first", check.Must(r.Labels(r.ctx, r.workspace, "a"))(t), []entity.Label{beta, prod, alpha})

		moved := check.Must(r.MoveLabel(r.ctx, r.workspace, beta.ID, prompt.Pointer{Number: 2}))(t)
		beta.VersionNumber, beta.VersionID = 2, second.Version.ID
		check.Equal(t, "moved", moved, beta)
		check.Equal(t, "moved to where it is", check.Must(r.MoveLabel(r.ctx, r.workspace, beta.ID, prompt.Pointer{ID: second.Version.ID}))(t), beta)

		if err := r.DeleteLabel(r.ctx, r.workspace, beta.ID); err != nil {
			t.Fatal(err)
		}
		check.Equal(t, "left", check.Must(r.Labels(r.ctx, r.workspace, "a"))(t), []entity.Label{prod, alpha})
		check.Equal(t, "versions", r.get("a", prompt.Version{}).Version.Number, 2)
	})
}

func TestLabelsThatAreRefused(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *registry) {
		a, b := r.publish("a", completion("1"), "prod"), r.publish("b", completion("1"))
		prod := check.Must(r.Labels(r.ctx, r.workspace, "a"))(t)[0]
		tool := r.entity(entity.KindTool, "hammer")
		check.Must(r.catalog.Entities.AddVersion(r.ctx, r.workspace, tool.ID, entity.NewVersion{Body: []byte(`{}`)}))(t)
		toolLabel := check.Must(r.catalog.Entities.CreateLabel(r.ctx, r.workspace, tool.ID, "prod", 1))(t)
		create := func(id int64, name string, to prompt.Pointer) error {
			_, err := r.CreateLabel(r.ctx, r.workspace, id, name, to)
			return err
		}
		move := func(id int64, to prompt.Pointer) error {
			_, err := r.MoveLabel(r.ctx, r.workspace, id, to)
			return err
		}
		for _, test := range []struct {
			name string
			want fault.Kind
			call func() error
		}{
			{"unknown template", fault.NotFound, func() error { return create(1<<40, "x", prompt.Pointer{Number: 1}) }},
			{"unknown version", fault.NotFound, func() error { return create(a.Entity.ID, "x", prompt.Pointer{Number: 2}) }},
			{"unknown version id", fault.NotFound, func() error { return create(a.Entity.ID, "x", prompt.Pointer{ID: 1 << 40}) }},
			{"version of another template", fault.NotFound, func() error { return create(a.Entity.ID, "x", prompt.Pointer{ID: b.Version.ID}) }},
			{"empty name", fault.Invalid, func() error { return create(a.Entity.ID, "", prompt.Pointer{Number: 1}) }},
			{"tool", fault.NotFound, func() error { return create(tool.ID, "x", prompt.Pointer{Number: 1}) }},
			{"move of an unknown label", fault.NotFound, func() error { return move(1<<40, prompt.Pointer{Number: 1}) }},
			{"move to an unknown version", fault.NotFound, func() error { return move(prod.ID, prompt.Pointer{Number: 2}) }},
			{"move to another template", fault.NotFound, func() error { return move(prod.ID, prompt.Pointer{ID: b.Version.ID}) }},
			{"move of a tool's label", fault.NotFound, func() error { return move(toolLabel.ID, prompt.Pointer{Number: 1}) }},
			{"deletion of a tool's label", fault.NotFound, func() error { return r.DeleteLabel(r.ctx, r.workspace, toolLabel.ID) }},
			{"deletion of an unknown label", fault.NotFound, func() error { return r.DeleteLabel(r.ctx, r.workspace, 1<<40) }},
		} {
			t.Run(test.name, func(t *testing.T) { r.unchanged(func() { check.Fault(t, test.call(), test.want) }) })
		}
		r.remove(a.Entity.ID)
		check.Fault(t, move(prod.ID, prompt.Pointer{Number: 1}), fault.NotFound)
		check.Fault(t, create(a.Entity.ID, "x", prompt.Pointer{Number: 1}), fault.NotFound)
	})
}
