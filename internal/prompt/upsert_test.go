package prompt_test

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
)

func (r *suite) upsert(ref entity.ExternalRef, in prompt.Publication) (*prompt.Record, bool) {
	r.t.Helper()
	record, created, err := r.Upsert(r.ctx, r.workspace, ref, in)
	if err != nil {
		r.t.Fatal(err)
	}
	return record, created
}

func TestUpsert(t *testing.T) {
	pair, extra := entity.ExternalRef{Source: "crm", ID: "a/b +%"}, entity.ExternalRef{Source: "crm", ID: "2"}
	publication := func(name string, more ...entity.ExternalRef) prompt.Publication {
		return prompt.Publication{Name: name, Content: completion("x"), Release: registry.Release{ExternalIDs: more}}
	}
	onEachEngine(t, func(t *testing.T, r *suite) {
		folder := r.folder("shelf")
		first, created := r.upsert(pair, publication("name"))
		check.Equal(t, "created", created, true)
		check.Equal(t, "number", first.Version.Number, 1)
		check.Equal(t, "external ids", refs(first.ExternalIDs), []entity.ExternalRef{pair})

		in := publication("other name", pair, extra)
		in.Tags, in.HasTags, in.FolderID, in.Release.Labels = []string{"t"}, true, &folder, []string{"prod"}
		second, created := r.upsert(pair, in)
		check.Equal(t, "created again", created, false)
		check.Equal(t, "template", second.Entity.ID, first.Entity.ID)
		check.Equal(t, "name", second.Entity.Name, "name")
		check.Equal(t, "number", second.Version.Number, 2)
		check.Equal(t, "tags", second.Entity.Tags, []string{"t"})
		check.Equal(t, "folder", second.Entity.FolderID, &folder)
		check.Equal(t, "labels", r.labelled("name"), map[string]int64{"prod": 2})
		check.Equal(t, "external ids", refs(second.ExternalIDs), []entity.ExternalRef{pair, extra})
		_, err := r.Get(r.ctx, r.workspace, "other name", registry.Selector{})
		check.Fault(t, err, fault.NotFound)

		named, created := r.upsert(free, publication("name"))
		check.Equal(t, "created for an existing name", created, false)
		check.Equal(t, "template of the name", named.Entity.ID, first.Entity.ID)
		check.Equal(t, "number", named.Version.Number, 3)
		check.Equal(t, "external ids", refs(named.ExternalIDs), []entity.ExternalRef{pair, extra, free})

		r.remove(first.Entity.ID)
		again, created := r.upsert(pair, publication("name"))
		check.Equal(t, "created after the deletion", created, true)
		check.Equal(t, "number", again.Version.Number, 1)
		check.Equal(t, "external ids", refs(again.ExternalIDs), []entity.ExternalRef{pair})
		if again.Entity.ID == first.Entity.ID {
			t.Error("the deleted template came back")
		}
	})
}

func TestRejectedUpserts(t *testing.T) {
	pair, held := entity.ExternalRef{Source: "crm", ID: "1"}, entity.ExternalRef{Source: "crm", ID: "2"}
	tests := []struct {
		name   string
		ref    entity.ExternalRef
		change func(in *prompt.Publication)
		want   fault.Kind
	}{
		{"pair of another kind, new name", foreign, func(in *prompt.Publication) { in.Name = "new" }, fault.Conflict},
		{"pair of another kind, known name", foreign, func(*prompt.Publication) {}, fault.Conflict},
		{"body has a pair of another template", pair, func(in *prompt.Publication) {
			in.Release.ExternalIDs = []entity.ExternalRef{held}
		}, fault.Conflict},
		{"body has a pair of another kind, unmapped", free, func(in *prompt.Publication) {
			in.Name, in.Release.ExternalIDs = "new", []entity.ExternalRef{foreign}
		}, fault.Conflict},
		{"unknown folder", pair, func(in *prompt.Publication) { in.FolderID = new(int64(1 << 40)) }, fault.NotFound},
		{"unknown folder, new name", free, func(in *prompt.Publication) {
			in.Name, in.FolderID = "new", new(int64(1<<40))
		}, fault.NotFound},
		{"a template for a folder", pair, func(in *prompt.Publication) { in.FolderID = new(int64(1)) }, fault.NotFound},
		{"unknown snippet", pair, func(in *prompt.Publication) { in.Content = completion("@@@nothing@@@") }, fault.Invalid},
		{"NUL in the pair", entity.ExternalRef{Source: "crm", ID: "\x00"}, func(*prompt.Publication) {}, fault.Invalid},
		{"empty source", entity.ExternalRef{ID: "1"}, func(*prompt.Publication) {}, fault.Invalid},
	}
	onEachEngine(t, func(t *testing.T, r *suite) {
		r.upsert(pair, prompt.Publication{Name: "name", Content: completion("x")})
		r.upsert(held, prompt.Publication{Name: "holder", Content: completion("x")})
		r.attach(r.tool(), foreign)
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				in := prompt.Publication{
					Name: "name", Content: completion("y"), Tags: []string{"t"}, HasTags: true,
					Release: registry.Release{Labels: []string{"prod"}},
				}
				test.change(&in)
				r.unchanged(func() {
					_, _, err := r.Upsert(r.ctx, r.workspace, test.ref, in)
					check.Fault(t, err, test.want)
				})
			})
		}
	})
}

func TestExternalIDsOfTwoWorkspaces(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		pair := entity.ExternalRef{Source: "crm", ID: "1"}
		in := prompt.Publication{Name: "name", Content: completion("x")}
		here, _ := r.upsert(pair, in)
		there, created, err := r.Upsert(r.ctx, r.other, pair, in)
		if err != nil {
			t.Fatal(err)
		}
		if !created || here.Entity.ID == there.Entity.ID {
			t.Errorf("created: %v, templates %d and %d", created, here.Entity.ID, there.Entity.ID)
		}
	})
}
