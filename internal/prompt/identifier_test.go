package prompt_test

import (
	"fmt"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
)

func TestIdentifiers(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		a := r.publish("a", completion("text of a")).Entity.ID
		numbered := r.publish(fmt.Sprint(a), completion("named like a")).Entity.ID
		r.publish("99999999999999999999", completion("too large for an id"))
		r.publish("123456", completion("only a name"))
		r.publish("a/b", completion("slash"))
		r.publish("a%2Fb", completion("escape"))
		r.publish("x%2fy", completion("escape that stays"))
		r.publish("c/d e", completion("slash and space"))
		r.publish("0", completion("zero"))
		r.publish("-1", completion("minus"))
		for _, test := range []struct{ identifier, want string }{
			{"a", "text of a"},
			{fmt.Sprint(a), "text of a"},
			{fmt.Sprint(numbered), "named like a"},
			{"99999999999999999999", "too large for an id"},
			{"123456", "only a name"},
			{"a/b", "slash"},
			{"a%2Fb", "escape"},
			{"x%2fy", "escape that stays"},
			{"c%2Fd e", "slash and space"},
			{"c%2fd%20e", "slash and space"},
			{"0", "zero"},
			{"-1", "minus"},
		} {
			found := r.get(test.identifier, registry.Selector{})
			check.Equal(t, test.identifier, texts(found.Expanded), []string{test.want})
			number := r.patch(test.identifier, prompt.Patch{}).Entity.ID
			check.Equal(t, test.identifier+" patched", number, found.Entity.ID)
		}
		for _, identifier := range []string{
			"", "A", "a ", "c%252Fd e", "q%2Fr", "%2", "%2F%zz", "1234567", fmt.Sprint(r.folder("folder " + fmt.Sprint(a))), "a\x00%2F", "٣",
		} {
			_, err := r.Get(r.ctx, r.workspace, identifier, registry.Selector{})
			if !fault.Is(err, fault.NotFound) && !fault.Is(err, fault.Invalid) {
				t.Errorf("%q: got %v, want it not to be found", identifier, err)
			}
		}
	})
}

// TestEscapedNameWithoutTheVersion uses a template whose name looks escaped:
// missing versions must not come from another template.
func TestEscapedNameWithoutTheVersion(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		r.publish("a%2Fb", completion("own"))
		r.publish("a/b", completion("1"))
		r.publish("a/b", completion("2"), "prod")
		for _, version := range []registry.Selector{{Number: 2}, {Label: "prod"}} {
			_, err := r.Get(r.ctx, r.workspace, "a%2Fb", version)
			check.Fault(t, err, fault.NotFound)
			r.unchanged(func() {
				_, err := r.Patch(r.ctx, r.workspace, "a%2Fb", prompt.Patch{Base: version})
				check.Fault(t, err, fault.NotFound)
			})
		}
	})
}

func TestOtherWorkspacesAreUnknown(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		record := check.Must(r.Publish(r.ctx, r.other, prompt.Publication{
			Name: "elsewhere", Content: completion("x"), Release: registry.Release{Labels: []string{"prod"}},
		}))(t)
		label := check.Must(r.catalog.Entities.FindLabel(r.ctx, r.other, record.Entity.ID, "prod"))(t)
		own := r.publish("own", completion("x"), "prod")
		ownLabel := check.Must(r.catalog.Entities.FindLabel(r.ctx, r.workspace, own.Entity.ID, "prod"))(t)
		id := fmt.Sprint(record.Entity.ID)
		calls := map[string]func() error{
			"get by name": func() error { _, err := r.Get(r.ctx, r.workspace, "elsewhere", registry.Selector{}); return err },
			"get by id":   func() error { _, err := r.Get(r.ctx, r.workspace, id, registry.Selector{}); return err },
			"run":         func() error { _, err := r.Prepare(r.ctx, r.workspace, id, prompt.Request{}); return err },
			"patch":       func() error { _, err := r.Patch(r.ctx, r.workspace, id, prompt.Patch{}); return err },
			"labels":      func() error { _, err := r.Labels(r.ctx, r.workspace, id); return err },
			"usage":       func() error { _, err := r.Usage(r.ctx, r.workspace, id, 0); return err },
			"create label": func() error {
				_, err := r.labels.Create(r.ctx, r.owner(record.Entity.ID), "x", registry.Pointer{Number: 1})
				return err
			},
			"label on a version of theirs": func() error {
				_, err := r.labels.Create(r.ctx, r.owner(own.Entity.ID), "x", registry.Pointer{ID: record.Version.ID})
				return err
			},
			"move label": func() error {
				_, err := r.labels.MoveByID(r.ctx, r.workspace, entity.KindPrompt, label.ID, registry.Pointer{Number: 1})
				return err
			},
			"move own label to a version of theirs": func() error {
				_, err := r.labels.MoveByID(r.ctx, r.workspace, entity.KindPrompt, ownLabel.ID, registry.Pointer{ID: record.Version.ID})
				return err
			},
			"delete label": func() error { return r.labels.DeleteByID(r.ctx, r.workspace, entity.KindPrompt, label.ID) },
			"A/B test": func() error {
				_, err := r.CreateABTest(r.ctx, r.workspace, prompt.NewABTest{
					Name: "t", PromptID: record.Entity.ID, Label: "prod", Split: prompt.Split{Weights: weights(100)},
				})
				return err
			},
		}
		for name, call := range calls {
			t.Run(name, func(t *testing.T) { r.unchanged(func() { check.Fault(t, call(), fault.NotFound) }) })
		}
		check.Must(r.Get(r.ctx, r.other, id, registry.Selector{}))(t)
		// The cache must keep workspaces apart, too.
		_, err := r.Get(r.ctx, r.workspace, id, registry.Selector{})
		check.Fault(t, err, fault.NotFound)
	})
}
