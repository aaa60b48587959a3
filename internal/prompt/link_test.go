package prompt_test

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
)

func TestResolveForLogs(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		id := r.publish("talk", chat("{a} {b}"), "prod").Entity.ID
		r.publish("talk", chat("{c}", "plain"))
		other := r.publish("other", completion("x")).Entity.ID
		folder := r.folder("talk folder")
		gone := r.publish("gone", completion("x")).Entity.ID
		r.remove(gone)
		first := reqlog.PromptLink{ID: id, Version: 1, Referenced: []string{"a", "b"}}
		latest := reqlog.PromptLink{ID: id, Version: 2, Referenced: []string{"c"}}
		for _, test := range []struct {
			name string
			ref  reqlog.PromptRef
			want reqlog.PromptLink
		}{
			{"name", reqlog.PromptRef{Name: "talk"}, latest},
			{"id", reqlog.PromptRef{ID: id}, latest},
			{"name and id", reqlog.PromptRef{Name: "talk", ID: id}, latest},
			{"version", reqlog.PromptRef{Name: "talk", Version: 1}, first},
			{"version of an id", reqlog.PromptRef{ID: id, Version: 1}, first},
			{"label", reqlog.PromptRef{Name: "talk", Label: "prod"}, first},
			{"no variables", reqlog.PromptRef{ID: other}, reqlog.PromptLink{ID: other, Version: 1}},
		} {
			check.Equal(t, test.name, check.Must(r.Resolve(r.ctx, r.workspace, test.ref))(t), test.want)
		}
		for _, test := range []struct {
			name string
			ref  reqlog.PromptRef
			want fault.Kind
		}{
			{"nothing", reqlog.PromptRef{}, fault.NotFound},
			{"unknown name", reqlog.PromptRef{Name: "nothing"}, fault.NotFound},
			{"unknown id", reqlog.PromptRef{ID: 1 << 40}, fault.NotFound},
			{"unknown version", reqlog.PromptRef{ID: id, Version: 3}, fault.NotFound},
			{"unknown label", reqlog.PromptRef{Name: "talk", Label: "x"}, fault.NotFound},
			{"another kind", reqlog.PromptRef{ID: folder}, fault.NotFound},
			{"deleted", reqlog.PromptRef{ID: gone}, fault.NotFound},
			{"name of another", reqlog.PromptRef{Name: "other", ID: id}, fault.BadRequest},
			{"unknown name with an id", reqlog.PromptRef{Name: "nothing", ID: id}, fault.BadRequest},
		} {
			t.Run(test.name, func(t *testing.T) {
				_, err := r.Resolve(r.ctx, r.workspace, test.ref)
				check.Fault(t, err, test.want)
			})
		}
		_, err := r.Resolve(r.ctx, r.other, reqlog.PromptRef{ID: id})
		check.Fault(t, err, fault.NotFound)
	})
}

func TestNamesAndIDsForLogs(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		a := r.publish("a", completion("x")).Entity.ID
		b := r.publish("b", completion("x")).Entity.ID
		r.remove(b)
		again := r.publish("b", completion("x")).Entity.ID
		gone := r.publish("gone", completion("x")).Entity.ID
		r.remove(gone)
		r.folder("folder")
		names := []string{"a", "b", "gone", "folder", "nothing", "a"}
		check.Equal(t, "ids", check.Must(r.IDs(r.ctx, r.workspace, names))(t), map[string][]int64{"a": {a}, "b": {again, b}, "gone": {gone}})
		ids := []int64{a, b, again, gone, 1 << 40, a}
		check.Equal(t, "names", check.Must(r.Names(r.ctx, r.workspace, ids))(t), map[int64]string{a: "a", b: "b", again: "b", gone: "gone"})
		check.Equal(t, "no ids", check.Must(r.IDs(r.ctx, r.workspace, nil))(t), map[string][]int64{})
		check.Equal(t, "ids elsewhere", check.Must(r.IDs(r.ctx, r.other, names))(t), map[string][]int64{})
		check.Equal(t, "names elsewhere", check.Must(r.Names(r.ctx, r.other, ids))(t), map[int64]string{})
	})
}

// TestVariablesOfSnippetsAreMentioned checks that the variables of a template
// include those of its snippets, so that logs can be found by them.
func TestVariablesOfSnippetsAreMentioned(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.publish("greeting", completion("Dear {name}"))
	r.publish("letter", chat("@@@greeting@@@ {body}"))
	link := check.Must(r.Resolve(r.ctx, r.workspace, reqlog.PromptRef{Name: "letter"}))(t)
	check.Equal(t, "variables", link.Referenced, []string{"body", "name"})
}
