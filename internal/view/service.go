package view

import (
	"context"
	"encoding/json"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
)

// Service has the rules of views. Everyone may read them, like request logs.
// They are shared like folders, so changing them requires the same: any edit
// permission.
type Service struct{ store Store }

// NewService returns a service over the store.
func NewService(store Store) *Service { return &Service{store} }

// List returns all views of the scope, sorted by name.
func (s *Service) List(ctx context.Context, scope Scope) ([]View, error) {
	return s.store.ListViews(ctx, scope)
}

// Get returns a view of the scope, or a NotFound fault.
func (s *Service) Get(ctx context.Context, scope Scope, id int64) (View, error) {
	return s.store.GetView(ctx, scope, id)
}

// Create saves a view. The state defaults to an empty object, the charts of a
// dashboard to none. The fault is Invalid if a part breaks a rule or the
// scope is full, and Conflict if the name is taken.
func (s *Service) Create(ctx context.Context, scope Scope, content Content, createdBy *string) (View, error) {
	whole := content.whole(scope.Kind)
	var problems fault.Problems
	whole.check(scope.Kind, &problems)
	if err := problems.Err(); err != nil {
		return View{}, err
	}
	if err := access.RequireForAny(ctx, access.Edit); err != nil {
		return View{}, err
	}
	return s.store.CreateView(ctx, scope, whole.Apply(Content{}), createdBy)
}

// whole returns the content as a patch of an empty view.
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

// Update changes the parts of a view that are in the patch. If several
// callers change the same part, the last one wins. The fault is Invalid if a
// part breaks a rule or the scope is full, NotFound if the view does not
// exist, and Conflict if the name is taken.
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

// Delete deletes a view. The fault is NotFound if it does not exist.
func (s *Service) Delete(ctx context.Context, scope Scope, id int64) error {
	if _, err := s.changeable(ctx, scope, id); err != nil {
		return err
	}
	return s.store.DeleteView(ctx, scope, id)
}

// changeable returns a view if the caller may change it.
func (s *Service) changeable(ctx context.Context, scope Scope, id int64) (View, error) {
	found, err := s.store.GetView(ctx, scope, id)
	if err != nil {
		return View{}, err
	}
	if err := access.RequireForAny(ctx, access.Edit); err != nil {
		return View{}, err
	}
	return found, nil
}
