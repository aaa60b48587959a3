package prompt_test

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/prompt"
)

func TestListVersions(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		modelled := completion("2")
		modelled.Metadata = []byte(`{"model":{"provider":"openai","name":"gpt \u00fc"},"other":{"name":"x"}}`)
		first, second := r.publish("a/b", completion("1"), "prod"), r.publish("a/b", modelled, "qa", "beta")
		r.publish("other", modelled)
		for _, identifier := range []string{"a/b", "a%2Fb"} {
			found, total, err := r.ListVersions(r.ctx, r.workspace, identifier, entity.Page{Limit: 10})
			check.Must(0, err)(t)
			check.Equal(t, "total", total, 2)
			check.Equal(t, "models", []prompt.Model{found[0].Shown, found[1].Shown}, []prompt.Model{{Provider: "openai", Name: "gpt ü"}, {}})
			for i, version := range []entity.Version{second.Version, first.Version} {
				version.Body = nil
				check.Equal(t, "version", found[i].Version, version)
			}
			check.Equal(t, "labels", []int{len(found[0].Labels), len(found[1].Labels)}, []int{2, 1})
			check.Equal(t, "the first of them by name", found[0].Labels[0].Name, "beta")
		}
		_, _, err := r.ListVersions(r.ctx, r.workspace, "a", entity.Page{})
		check.Fault(t, err, fault.NotFound)
		r.remove(first.Entity.ID)
		_, _, err = r.ListVersions(r.ctx, r.workspace, "a/b", entity.Page{})
		check.Fault(t, err, fault.NotFound)
	})
}
