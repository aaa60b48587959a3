package prompt_test

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
)

func TestLabels(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		first := r.publish("a", completion("1"))
		second := r.publish("a", completion("2"))
		id := first.Entity.ID
		beta := check.Must(r.labels.Create(r.ctx, r.owner(id), "beta", registry.Pointer{Number: 1}))(t)
		check.Equal(t, "created", beta, entity.Label{
			ID: beta.ID, EntityID: id, Name: "beta", VersionID: first.Version.ID, VersionNumber: 1, CreatedAt: beta.CreatedAt,
		})
		check.Equal(t, "created again", check.Must(r.labels.Create(r.ctx, r.owner(id), "beta", registry.Pointer{ID: first.Version.ID}))(t), beta)
		r.unchanged(func() {
			_, err := r.labels.Create(r.ctx, r.owner(id), "beta", registry.Pointer{Number: 2})
			check.Fault(t, err, fault.Conflict)
		})
		prod := check.Must(r.labels.Create(r.ctx, r.owner(id), "prod", registry.Pointer{ID: second.Version.ID}))(t)
		alpha := check.Must(r.labels.Create(r.ctx, r.owner(id), "alpha", registry.Pointer{Number: 2}))(t)
		check.Equal(t, "all, oldest first", check.Must(r.Labels(r.ctx, r.workspace, "a"))(t), []entity.Label{beta, prod, alpha})

		moved := check.Must(r.labels.MoveByID(r.ctx, r.workspace, entity.KindPrompt, beta.ID, registry.Pointer{Number: 2}))(t)
		beta.VersionNumber, beta.VersionID = 2, second.Version.ID
		check.Equal(t, "moved", moved, beta)
		check.Equal(t, "moved to where it is", check.Must(r.labels.MoveByID(r.ctx, r.workspace, entity.KindPrompt, beta.ID, registry.Pointer{ID: second.Version.ID}))(t), beta)

		if err := r.labels.DeleteByID(r.ctx, r.workspace, entity.KindPrompt, beta.ID); err != nil {
			t.Fatal(err)
		}
		check.Equal(t, "left", check.Must(r.Labels(r.ctx, r.workspace, "a"))(t), []entity.Label{prod, alpha})
		check.Equal(t, "versions", r.get("a", registry.Selector{}).Version.Number, 2)
	})
}

func TestRejectedLabels(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		a, b := r.publish("a", completion("1"), "prod"), r.publish("b", completion("1"))
		prod := check.Must(r.Labels(r.ctx, r.workspace, "a"))(t)[0]
		tool := r.entity(entity.KindTool, "hammer")
		check.Must(r.catalog.Entities.AddVersion(r.ctx, r.workspace, tool.ID, entity.NewVersion{Body: []byte(`{}`)}))(t)
		toolLabel := check.Must(r.catalog.Entities.CreateLabel(r.ctx, r.workspace, tool.ID, "prod", 1))(t)
		create := func(id int64, name string, to registry.Pointer) error {
			_, err := r.labels.Create(r.ctx, r.owner(id), name, to)
			return err
		}
		move := func(id int64, to registry.Pointer) error {
			_, err := r.labels.MoveByID(r.ctx, r.workspace, entity.KindPrompt, id, to)
			return err
		}
		for _, test := range []struct {
			name string
			want fault.Kind
			call func() error
		}{
			{"unknown template", fault.NotFound, func() error { return create(1<<40, "x", registry.Pointer{Number: 1}) }},
			{"unknown version", fault.NotFound, func() error { return create(a.Entity.ID, "x", registry.Pointer{Number: 2}) }},
			{"unknown version id", fault.NotFound, func() error { return create(a.Entity.ID, "x", registry.Pointer{ID: 1 << 40}) }},
			{"version of another template", fault.NotFound, func() error { return create(a.Entity.ID, "x", registry.Pointer{ID: b.Version.ID}) }},
			{"empty name", fault.Invalid, func() error { return create(a.Entity.ID, "", registry.Pointer{Number: 1}) }},
			{"tool", fault.NotFound, func() error { return create(tool.ID, "x", registry.Pointer{Number: 1}) }},
			{"move of an unknown label", fault.NotFound, func() error { return move(1<<40, registry.Pointer{Number: 1}) }},
			{"move to an unknown version", fault.NotFound, func() error { return move(prod.ID, registry.Pointer{Number: 2}) }},
			{"move to another template", fault.NotFound, func() error { return move(prod.ID, registry.Pointer{ID: b.Version.ID}) }},
			{"move of a tool's label", fault.NotFound, func() error { return move(toolLabel.ID, registry.Pointer{Number: 1}) }},
			{"deletion of a tool's label", fault.NotFound, func() error { return r.labels.DeleteByID(r.ctx, r.workspace, entity.KindPrompt, toolLabel.ID) }},
			{"deletion of an unknown label", fault.NotFound, func() error { return r.labels.DeleteByID(r.ctx, r.workspace, entity.KindPrompt, 1<<40) }},
		} {
			t.Run(test.name, func(t *testing.T) { r.unchanged(func() { check.Fault(t, test.call(), test.want) }) })
		}
		r.remove(a.Entity.ID)
		check.Fault(t, move(prod.ID, registry.Pointer{Number: 1}), fault.NotFound)
		check.Fault(t, create(a.Entity.ID, "x", registry.Pointer{Number: 1}), fault.NotFound)
	})
}
