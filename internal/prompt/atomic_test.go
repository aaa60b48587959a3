package prompt_test

import (
	"context"
	"errors"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/template"
)

var (
	foreign = entity.ExternalRef{Source: "crm", ID: "of a tool"}
	free    = entity.ExternalRef{Source: "crm", ID: "free"}
)

// failures are calls that must be rejected in a registry with the templates
// "talk" (a chat), "part" and "whole" (which uses part), and a tool with the
// external id foreign. Each would leave visible changes.
var failures = []struct {
	name string
	kind fault.Kind
	call func(r *suite) error
}{
	{"publish with an external id of another kind", fault.Conflict, func(r *suite) error {
		return r.tryPublish("part", completion("x"), func(p *prompt.Publication) {
			p.Release.ExternalIDs = []entity.ExternalRef{free, foreign}
		})
	}},
	{"publish of a new name with an external id of another kind", fault.Conflict, func(r *suite) error {
		return r.tryPublish("new", completion("x"), func(p *prompt.Publication) {
			p.Release.ExternalIDs = []entity.ExternalRef{foreign}
		})
	}},
	{"publish with an unknown snippet", fault.Invalid, func(r *suite) error {
		return r.tryPublish("part", completion("@@@nothing@@@"))
	}},
	{"publish of a new name with an unknown snippet", fault.Invalid, func(r *suite) error {
		return r.tryPublish("new", completion("@@@nothing@@@"))
	}},
	{"publish of a cycle", fault.Invalid, func(r *suite) error {
		return r.tryPublish("part", completion("@@@whole@@@"))
	}},
	{"publish into an unknown folder", fault.NotFound, func(r *suite) error {
		return r.tryPublish("part", completion("x"), func(p *prompt.Publication) { p.FolderID = new(int64(1 << 40)) })
	}},
	{"publish of a new name into an unknown folder", fault.NotFound, func(r *suite) error {
		return r.tryPublish("new", completion("x"), func(p *prompt.Publication) { p.FolderID = new(int64(1 << 40)) })
	}},
	{"publish with an invalid label", fault.Invalid, func(r *suite) error {
		return r.tryPublish("part", completion("x"), func(p *prompt.Publication) { p.Release.Labels = []string{"prod", ""} })
	}},
	{"publish with a NUL in the commit message", fault.Invalid, func(r *suite) error {
		return r.tryPublish("part", completion("x"), func(p *prompt.Publication) { p.Release.CommitMessage = new("a\x00b") })
	}},
	{"publish with a NUL in a label of a tag", fault.Invalid, func(r *suite) error {
		return r.tryPublish("part", completion("@@@whole@label:a\x00b@@@"))
	}},
	{"publish with a NUL in the name of a tag", fault.Invalid, func(r *suite) error {
		return r.tryPublish("part", completion("@@@a\x00b@@@"))
	}},
	{"patch with an index out of range", fault.BadRequest, func(r *suite) error {
		return r.tryPatch("talk", template.Changes{Messages: check.JSON(`{"1":` + message("x") + `}`)})
	}},
	{"patch that breaks a rule", fault.Invalid, func(r *suite) error {
		return r.tryPatch("talk", template.Changes{Messages: check.JSON(`{"0":{"role":"","content":[]}}`)})
	}},
	{"patch to a cycle", fault.Invalid, func(r *suite) error {
		return r.tryPatch("part", template.Changes{Content: check.JSON(items("@@@whole@@@"))})
	}},
	{"upsert onto another kind", fault.Conflict, func(r *suite) error {
		return r.tryUpsert(foreign, "part")
	}},
	{"upsert with another external id of another kind", fault.Conflict, func(r *suite) error {
		return r.tryUpsert(free, "new", foreign)
	}},
	{"label for an unknown version", fault.NotFound, func(r *suite) error {
		_, err := r.labels.Create(r.ctx, r.owner(r.get("part", registry.Selector{}).Entity.ID), "x", registry.Pointer{Number: 9})
		return err
	}},
	{"A/B test of an unknown version", fault.NotFound, func(r *suite) error {
		_, err := r.CreateABTest(r.ctx, r.workspace, prompt.NewABTest{
			Name: "test", PromptID: r.get("part", registry.Selector{}).Entity.ID, Label: "prod",
			Split: prompt.Split{Weights: []prompt.Weight{{Version: 1, Share: 50}, {Version: 9, Share: 50}}},
		})
		return err
	}},
}

// release is visible if a rejected call leaves anything behind.
func (r *suite) release() registry.Release {
	return registry.Release{Labels: []string{"prod", "extra"}}
}

func (r *suite) tryPublish(name string, content prompt.Content, change ...func(*prompt.Publication)) error {
	in := prompt.Publication{Name: name, Content: content, Tags: []string{"changed"}, HasTags: true, Release: r.release()}
	for _, c := range change {
		c(&in)
	}
	_, err := r.Publish(r.ctx, r.workspace, in)
	return err
}

func (r *suite) tryPatch(name string, changes template.Changes) error {
	_, err := r.Patch(r.ctx, r.workspace, name, prompt.Patch{Changes: changes, Release: r.release()})
	return err
}

func (r *suite) tryUpsert(ref entity.ExternalRef, name string, more ...entity.ExternalRef) error {
	in := prompt.Publication{Name: name, Content: completion("x"), Tags: []string{"changed"}, HasTags: true, Release: r.release()}
	in.Release.ExternalIDs = more
	_, _, err := r.Upsert(r.ctx, r.workspace, ref, in)
	return err
}

func TestRejectedCallsLeaveNothing(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		r.attach(r.tool(), foreign)
		r.publish("talk", chat("hello"))
		r.publish("part", completion("p"), "prod")
		r.publish("part", completion("q"))
		r.publish("whole", completion("@@@part@@@"))
		for _, test := range failures {
			t.Run(test.name, func(t *testing.T) {
				r.unchanged(func() { check.Fault(t, test.call(r), test.kind) })
			})
		}
	})
}

// hasty cancels the context of the caller after a number of writes.
type hasty struct {
	entity.Store
	cancel context.CancelFunc
	left   *int
}

func (h hasty) count() {
	if *h.left--; *h.left == 0 {
		h.cancel()
	}
}

func (h hasty) CreateEntity(ctx context.Context, input entity.New) (entity.Entity, error) {
	defer h.count()
	return h.Store.CreateEntity(ctx, input)
}

func (h hasty) AddVersion(ctx context.Context, workspace, id int64, input entity.NewVersion) (entity.Version, error) {
	defer h.count()
	return h.Store.AddVersion(ctx, workspace, id, input)
}

func (h hasty) SetLabel(ctx context.Context, workspace, id int64, name string, number int64) (entity.Label, error) {
	defer h.count()
	return h.Store.SetLabel(ctx, workspace, id, name, number)
}

func (h hasty) AttachExternalID(ctx context.Context, workspace, id int64, ref entity.ExternalRef) error {
	defer h.count()
	return h.Store.AttachExternalID(ctx, workspace, id, ref)
}

func TestCancelledCallsLeaveNothing(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		r.publish("part", completion("p"))
		for steps := 1; steps <= 4; steps++ {
			r.unchanged(func() {
				ctx, cancel := context.WithCancel(r.ctx)
				defer cancel()
				service := prompt.NewService(hasty{r.catalog.Entities, cancel, new(steps)}, nil)
				_, err := service.Publish(ctx, r.workspace, prompt.Publication{
					Name: "new", Content: completion("@@@part@@@"),
					Release: registry.Release{Labels: []string{"prod"}, ExternalIDs: []entity.ExternalRef{free}},
				})
				if !errors.Is(err, context.Canceled) {
					t.Errorf("after %d steps: got %v", steps, err)
				}
			})
		}
	})
}
