package prompt_test

import (
	"fmt"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/prompt"
)

func TestUsage(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		r.publish("part", completion("p1"), "prod")
		r.publish("part", completion("p2"), "beta")
		a := r.publish("a", completion("@@@part@@@"), "live").Entity.ID
		r.publish("a", completion("nothing"), "idle")
		r.publish("a", chat("@@@part@label:prod@@@", "@@@part@version_number:2@@@"), "next", "last")
		b := r.publish("b", completion("@@@part@version_number:1@@@")).Entity.ID
		indirect := r.publish("indirect", completion("@@@b@@@")).Entity.ID
		r.remove(r.publish("gone", completion("@@@part@@@"), "x").Entity.ID)
		uses := func(id int64, name string, versions ...int64) prompt.PromptUsage {
			return prompt.PromptUsage{ID: id, Name: name, Versions: versions}
		}
		label := func(name string) prompt.LabelUsage { return prompt.LabelUsage{ID: a, Name: "a", Label: name} }
		tests := []struct {
			identifier string
			number     int64
			want       prompt.Usage
		}{
			{"part", 0, prompt.Usage{
				Name: "part", Prompts: []prompt.PromptUsage{uses(a, "a", 1, 3), uses(b, "b", 1)},
				Labels: []prompt.LabelUsage{label("live"), label("next"), label("last")},
			}},
			{"part", 1, prompt.Usage{
				Name: "part", Prompts: []prompt.PromptUsage{uses(a, "a", 3), uses(b, "b", 1)},
				Labels: []prompt.LabelUsage{label("next"), label("last")},
			}},
			{"part", 2, prompt.Usage{
				Name: "part", Prompts: []prompt.PromptUsage{uses(a, "a", 1, 3)},
				Labels: []prompt.LabelUsage{label("live"), label("next"), label("last")},
			}},
			{fmt.Sprint(b), 0, prompt.Usage{Name: "b", Prompts: []prompt.PromptUsage{uses(indirect, "indirect", 1)}}},
			{"indirect", 0, prompt.Usage{Name: "indirect"}},
		}
		for _, test := range tests {
			got := check.Must(r.Usage(r.ctx, r.workspace, test.identifier, test.number))(t)
			check.Equal(t, fmt.Sprintf("usage of %s, version %d", test.identifier, test.number), *got, test.want)
		}
		for _, identifier := range []string{"nothing", "gone"} {
			_, err := r.Usage(r.ctx, r.workspace, identifier, 0)
			check.Fault(t, err, fault.NotFound)
		}
		_, err := r.Usage(r.ctx, r.workspace, "part", 3)
		check.Fault(t, err, fault.NotFound)
		_, err = r.Usage(r.ctx, r.other, "part", 0)
		check.Fault(t, err, fault.NotFound)
	})
}
