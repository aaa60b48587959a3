package view

import (
	"context"
	"encoding/json"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
)

// Service has the rules of views. Everybody may read them, as everybody may
// read request logs. They are shared like folders, so that changing them needs
// what changing folders needs: a permission to edit something.
type Service struct{ store Store }

// NewService returns a service over the store.
func NewService(store Store) *Service { return &Service{store} }

// List returns all views of the scope by name.
func (s *Service) List(ctx context.Context, scope Scope) ([]View, error) {
	return s.store.ListViews(ctx, scope)
}

// Get returns a view of the scope; the fault is NotFound when there is none.
func (s *Service) Get(ctx context.Context, scope Scope, id int64) (View, error) {
	return s.store.GetView(ctx, scope, id)
}

// Create saves a view. Without a state it is an empty object; a dashboard
// without charts has none. The fault is Invalid when a part breaks a rule or
// the scope is full, and Conflict when the scope has the name.
func (s *Service) Create(ctx context.Context, scope Scope, content Content, createdBy *string) (View, error) {
	whole := content.whole(scope.Kind)
	var problems fault.Problems
	whole.check(scope.Kind, &problems)
	if err := problems.Err(); err != nil {
		return View{}, err
	}
	if err := access.RequireAny(ctx, access.AnyEdit...); err != nil {
		return View{}, err
	}
	return s.store.CreateView(ctx, scope, whole.Apply(Content{}), createdBy)
}

// whole returns the content as the change that makes it of nothing.
func (c Content) whole(kind Kind) Patch {
	all := Patch{Name: &c.Name, State: c.State, Charts: c.Charts}
	if all.State == nil {
		all.State = json.RawMessage(`{}`)
	}
	if kind == KindView || c.Page != "" {
		all.Page = &c.Page
	}
	if kind == KindDashboard && all.Charts == nil {
		all.Charts = json.RawMessage(`[]`)
	}
	return all
}

// Update changes a view; what the patch does not have stays. The last of
// several changes of a part wins. The fault is Invalid when a part breaks a
// rule or the scope has no room for it, NotFound when there is no such view,
// and Conflict when another one has the name.
func (s *Service) Update(ctx context.Context, scope Scope, id int64, patch Patch) (View, error) {
	var problems fault.Problems
	patch.check(scope.Kind, &problems)
	if err := problems.Err(); err != nil {
		return View{}, err
	}
	found, err := s.changeable(ctx, scope, id)
	if err != nil || patch.Empty() {
		return found, err
	}
	return s.store.UpdateView(ctx, scope, id, patch)
}

// Delete erases a view; the fault is NotFound when there is none.
func (s *Service) Delete(ctx context.Context, scope Scope, id int64) error {
	if _, err := s.changeable(ctx, scope, id); err != nil {
		return err
	}
	return s.store.DeleteView(ctx, scope, id)
}

// changeable returns a view that the caller may change.
func (s *Service) changeable(ctx context.Context, scope Scope, id int64) (View, error) {
	found, err := s.store.GetView(ctx, scope, id)
	if err != nil {
		return View{}, err
	}
	if err := access.RequireAny(ctx, access.AnyEdit...); err != nil {
		return View{}, err
	}
	return found, nil
}
