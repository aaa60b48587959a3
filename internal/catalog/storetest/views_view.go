package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/view"
)

// viewScopes returns the views and the dashboards of the workspace, and the views
// of another workspace.
func (s *store) viewScopes() (views, dashboards, other view.Scope) {
	return view.Scope{Workspace: s.workspace, Kind: view.KindView},
		view.Scope{Workspace: s.workspace, Kind: view.KindDashboard},
		view.Scope{Workspace: s.other, Kind: view.KindView}
}

func named(name string) view.Content {
	return view.Content{Name: name, Page: view.PageRequests, State: json.RawMessage(`{"q": 1.50}`)}
}

func (s *store) view(scope view.Scope, name string) view.View {
	s.t.Helper()
	return check.Must(s.Views.CreateView(s.ctx, scope, named(name), nil))(s.t)
}

// viewNames returns the names of the views of a scope.
func (s *store) viewNames(scope view.Scope) []string {
	s.t.Helper()
	names := []string{}
	for _, one := range check.Must(s.Views.ListViews(s.ctx, scope))(s.t) {
		names = append(names, one.Name)
	}
	return names
}

// fillViews adds n views with states of the given size.
func (s *store) fillViews(scope view.Scope, n, bytes int) {
	s.t.Helper()
	s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
		for i := range n {
			content := named(fmt.Sprintf("filled %d", i))
			content.State = stateOf(bytes)
			if _, err := s.Views.CreateView(ctx, scope, content, nil); err != nil {
				return err
			}
		}
		return nil
	}))
}

// stateOf returns an object of the given size in bytes with fewer characters.
func stateOf(bytes int) json.RawMessage {
	const empty = `{"é":""}`
	return json.RawMessage(`{"é":"` + strings.Repeat("x", bytes-len(empty)) + `"}`)
}

var viewCases = []testCase{
	{"create, get, list, update and delete", func(s *store) {
		views, dashboards, _ := s.viewScopes()
		for _, scope := range []view.Scope{views, dashboards} {
			s.equal(s.viewNames(scope), []string{})
			content := named("b")
			if scope == dashboards {
				content.Page, content.Charts = "", json.RawMessage(`[ {"id": "a"} ]`)
			}
			created := check.Must(s.Views.CreateView(s.ctx, scope, content, pointer("ann@x.test")))(s.t)
			s.equal(created, view.View{
				ID: created.ID, Scope: scope, Content: content, CreatedBy: pointer("ann@x.test"),
				CreatedAt: created.CreatedAt, UpdatedAt: created.CreatedAt,
			})
			s.equal(time.Since(created.CreatedAt).Abs() < time.Hour, true)
			s.equal(check.Must(s.Views.GetView(s.ctx, scope, created.ID))(s.t), created)
			first := s.view(scope, "a")
			s.equal(check.Must(s.Views.ListViews(s.ctx, scope))(s.t), []view.View{first, created})

			changed := check.Must(s.Views.UpdateView(s.ctx, scope, created.ID, view.Patch{State: json.RawMessage(`{}`)}))(s.t)
			s.equal(changed.UpdatedAt.After(created.UpdatedAt), true)
			want := created
			want.State, want.UpdatedAt = json.RawMessage(`{}`), changed.UpdatedAt
			s.equal(changed, want)
			s.equal(check.Must(s.Views.GetView(s.ctx, scope, created.ID))(s.t), want)

			s.ok(s.Views.DeleteView(s.ctx, scope, first.ID))
			s.fails(s.Views.DeleteView(s.ctx, scope, first.ID), fault.NotFound)
			s.fails(check.Failure(s.Views.GetView(s.ctx, scope, first.ID)), fault.NotFound)
			s.fails(check.Failure(s.Views.UpdateView(s.ctx, scope, first.ID, view.Patch{Name: pointer("c")})), fault.NotFound)
			s.equal(s.view(scope, "a").ID > first.ID, true)
		}
	}},
	{"parts change independently", func(s *store) {
		views, _, _ := s.viewScopes()
		created := s.view(views, "a")
		want := created.Content
		for _, step := range []struct {
			patch view.Patch
			apply func(c *view.Content)
		}{
			{view.Patch{Name: pointer("b")}, func(c *view.Content) { c.Name = "b" }},
			{view.Patch{Page: pointer(view.PageAnalytics)}, func(c *view.Content) { c.Page = view.PageAnalytics }},
			{view.Patch{State: json.RawMessage(`{"a": 1}`)}, func(c *view.Content) { c.State = json.RawMessage(`{"a": 1}`) }},
			{view.Patch{Charts: json.RawMessage(`[1]`)}, func(c *view.Content) { c.Charts = json.RawMessage(`[1]`) }},
			{view.Patch{}, func(*view.Content) {}},
		} {
			step.apply(&want)
			s.equal(check.Must(s.Views.UpdateView(s.ctx, views, created.ID, step.patch))(s.t).Content, want)
			s.equal(check.Must(s.Views.GetView(s.ctx, views, created.ID))(s.t).Content, want)
		}
	}},
	{"list by name", func(s *store) {
		views, _, _ := s.viewScopes()
		for _, name := range []string{"b", "ä", "a b", "B", "a-b", "日本", "ab", "_"} {
			s.view(views, name)
		}
		s.equal(s.viewNames(views), []string{"B", "_", "a b", "a-b", "ab", "b", "ä", "日本"})
	}},
	{"names are unique in a scope and case-sensitive", func(s *store) {
		views, dashboards, other := s.viewScopes()
		for _, scope := range []view.Scope{views, dashboards, other} {
			s.view(scope, "A")
			second := s.view(scope, "a")
			s.fails(check.Failure(s.Views.CreateView(s.ctx, scope, named("A"), nil)), fault.Conflict)
			s.fails(check.Failure(s.Views.UpdateView(s.ctx, scope, second.ID, view.Patch{Name: pointer("A")})), fault.Conflict)
			check.Must(s.Views.UpdateView(s.ctx, scope, second.ID, view.Patch{Name: pointer("a")}))(s.t)
			s.equal(s.viewNames(scope), []string{"A", "a"})
		}
	}},
	{"scopes are isolated", func(s *store) {
		views, dashboards, other := s.viewScopes()
		mine := s.view(views, "mine")
		for _, scope := range []view.Scope{dashboards, other, {Workspace: s.other, Kind: view.KindDashboard}} {
			s.fails(check.Failure(s.Views.GetView(s.ctx, scope, mine.ID)), fault.NotFound)
			s.fails(check.Failure(s.Views.UpdateView(s.ctx, scope, mine.ID, view.Patch{Name: pointer("stolen")})), fault.NotFound)
			s.fails(s.Views.DeleteView(s.ctx, scope, mine.ID), fault.NotFound)
			s.equal(s.viewNames(scope), []string{})
		}
		s.equal(check.Must(s.Views.GetView(s.ctx, views, mine.ID))(s.t), mine)
	}},
	{"unknown workspaces and invalid names are rejected", func(s *store) {
		views, _, _ := s.viewScopes()
		unknown := view.Scope{Workspace: 999, Kind: view.KindView}
		s.fails(check.Failure(s.Views.CreateView(s.ctx, unknown, named("a"), nil)), fault.NotFound)
		s.equal(s.viewNames(unknown), []string{})
		kept := s.view(views, strings.Repeat("日", 255))
		for _, name := range []string{"", strings.Repeat("a", 2049), "a\x00b", "\xff"} {
			s.fails(check.Failure(s.Views.CreateView(s.ctx, views, named(name), nil)), fault.Invalid)
			s.fails(check.Failure(s.Views.UpdateView(s.ctx, views, kept.ID, view.Patch{Name: &name})), fault.Invalid)
		}
		s.equal(check.Must(s.Views.ListViews(s.ctx, views))(s.t), []view.View{kept})
	}},
	{"changes are audited", func(s *store) {
		views, dashboards, _ := s.viewScopes()
		for scope, kind := range map[view.Scope]string{views: "VIEW", dashboards: "DASHBOARD"} {
			var made view.View
			s.audits(func() { made = s.view(scope, "a") }, "create "+kind+" a {}")
			update := func(patch view.Patch) func() {
				return func() { check.Must(s.Views.UpdateView(s.ctx, scope, made.ID, patch))(s.t) }
			}
			s.audits(update(view.Patch{Name: pointer("b")}), "rename "+kind+` b {"before":"a"}`)
			s.audits(update(view.Patch{State: json.RawMessage(`{}`)}), "change "+kind+" b {}")
			s.audits(update(view.Patch{Name: pointer("c"), State: json.RawMessage(`{}`)}), "change "+kind+` c {"before":"b"}`)
			s.audits(func() { s.ok(s.Views.DeleteView(s.ctx, scope, made.ID)) }, "delete "+kind+" c {}")
		}
	}},
	{"a scope holds at most 1,000", func(s *store) {
		views, dashboards, other := s.viewScopes()
		s.fillViews(views, view.MaxCount, 16)
		s.fails(check.Failure(s.Views.CreateView(s.ctx, views, named("one more"), nil)), fault.Invalid)
		first := check.Must(s.Views.ListViews(s.ctx, views))(s.t)[0]
		check.Must(s.Views.UpdateView(s.ctx, views, first.ID, view.Patch{Name: pointer("changed")}))(s.t)
		s.ok(s.Views.DeleteView(s.ctx, views, first.ID))
		s.oneWinner(check.Together(crowd, func(i int) error {
			return check.Failure(s.Views.CreateView(s.ctx, views, named(fmt.Sprintf("late %d", i)), nil))
		}), fault.Invalid)
		s.view(dashboards, "one more")
		s.view(other, "one more")
	}},
	{"a scope has a maximum size", func(s *store) {
		views, dashboards, _ := s.viewScopes()
		s.fillViews(views, 16, view.MaxTotal/16)
		s.fails(check.Failure(s.Views.CreateView(s.ctx, views, named("one more"), nil)), fault.Invalid)
		first := check.Must(s.Views.ListViews(s.ctx, views))(s.t)[0]
		s.fails(check.Failure(s.Views.UpdateView(s.ctx, views, first.ID, view.Patch{State: stateOf(view.MaxTotal/16 + 1)})), fault.Invalid)
		s.equal(check.Must(s.Views.GetView(s.ctx, views, first.ID))(s.t), first)
		check.Must(s.Views.UpdateView(s.ctx, views, first.ID, view.Patch{State: stateOf(view.MaxTotal/16 - 11)}))(s.t)
		s.view(views, "one more") // has 11 bytes
		s.fails(check.Failure(s.Views.CreateView(s.ctx, views, view.Content{Name: "two more", State: json.RawMessage(`1`)}, nil)), fault.Invalid)
		s.view(dashboards, "one more")
	}},
	{"rolled-back changes leave nothing", func(s *store) {
		views, _, _ := s.viewScopes()
		kept := s.view(views, "kept")
		err := s.InTx(s.ctx, func(ctx context.Context) error {
			s.ok(check.Failure(s.Views.CreateView(ctx, views, named("a"), nil)))
			s.fails(check.Failure(s.Views.CreateView(ctx, views, named("a"), nil)), fault.Conflict)
			s.ok(check.Failure(s.Views.UpdateView(ctx, views, kept.ID, view.Patch{Name: pointer("b")})))
			s.ok(s.Views.DeleteView(ctx, views, kept.ID))
			return errOurs
		})
		s.equal(errors.Is(err, errOurs), true)
		s.equal(check.Must(s.Views.ListViews(s.ctx, views))(s.t), []view.View{kept})
	}},
	{"of concurrent creations of a name one succeeds", func(s *store) {
		views, _, _ := s.viewScopes()
		s.oneWinner(check.Together(crowd, func(int) error {
			return check.Failure(s.Views.CreateView(s.ctx, views, named("a"), nil))
		}), fault.Conflict)
		s.equal(s.viewNames(views), []string{"a"})
	}},
	{"concurrent changes of different parts all take effect", func(s *store) {
		views, _, _ := s.viewScopes()
		made := s.view(views, "a")
		patches := []view.Patch{
			{Name: pointer("b")}, {Page: pointer(view.PageAnalytics)}, {State: json.RawMessage(`{"s": 2}`)}, {Charts: json.RawMessage(`[2]`)},
		}
		s.allOK(check.Together(len(patches), func(i int) error { return check.Failure(s.Views.UpdateView(s.ctx, views, made.ID, patches[i])) }))
		s.equal(check.Must(s.Views.GetView(s.ctx, views, made.ID))(s.t).Content, view.Content{
			Name: "b", Page: view.PageAnalytics, State: json.RawMessage(`{"s": 2}`), Charts: json.RawMessage(`[2]`),
		})
	}},
}
