// Package views keeps saved views of request logs and dashboards.
package views

import (
	"context"
	"fmt"
	"strings"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/view"
)

// Store keeps saved views and dashboards as view.Store promises.
type Store struct{ db *engine.DB }

// New returns the store of views of a database.
func New(db *engine.DB) *Store { return &Store{db} }

var _ view.Store = (*Store)(nil)

var views = engine.NewRecord(table.SavedView, func(v *view.View) engine.Fields {
	return engine.Fields{
		"id", &v.ID, "workspace_id", &v.Scope.Workspace, "kind", engine.Text(&v.Scope.Kind), "name", &v.Name, "page", &v.Page,
		"created_by", &v.CreatedBy, "created_at", &v.CreatedAt, "updated_at", &v.UpdatedAt, "state", &v.State, "charts", &v.Charts,
	}
}, func(v *view.View) {
	if len(v.Charts) == 0 {
		v.Charts = nil
	}
})

var (
	create = views.Insert("id").Plus("size", "$1")
	change = views.Set("WHERE id = $1", "name", "page", "state", "charts", "updated_at").Plus("size", "$2")
)

// viewsOf returns the conditions that select the views of a scope.
func viewsOf(scope view.Scope) engine.Where {
	var where engine.Where
	where.Add("workspace_id = ?", scope.Workspace)
	where.Add("kind = ?", string(scope.Kind))
	return where
}

// CreateView adds a view.
func (s *Store) CreateView(
	ctx context.Context, scope view.Scope, content view.Content, createdBy *string,
) (view.View, error) {
	if err := engine.CheckName("name", content.Name); err != nil {
		return view.View{}, fmt.Errorf("create %s: %w", scope.Kind, err)
	}
	created, err := engine.Change(ctx, s.db, scope.Workspace, func(ctx context.Context) (view.View, error) {
		if err := engine.LockWorkspace(ctx, s.db, scope.Workspace); err != nil {
			return view.View{}, err
		}
		now := s.db.Now()
		added := view.View{Scope: scope, Content: content, CreatedBy: createdBy, CreatedAt: now, UpdatedAt: now}
		created, err := create.One(ctx, s.db, &added, content.Size())
		if err != nil {
			return view.View{}, engine.Missing(viewTaken(err, scope, content.Name), "Workspace %d not found", scope.Workspace)
		}
		if err := s.checkViewRoom(ctx, scope); err != nil {
			return view.View{}, err
		}
		return created, s.noteView(ctx, audit.Create, created, nil)
	})
	if err != nil {
		return view.View{}, fmt.Errorf("create %s: %w", scope.Kind, err)
	}
	return created, nil
}

func viewTaken(err error, scope view.Scope, name string) error {
	return engine.Taken(err, "A %s named %q already exists", scope.Kind, name)
}

func viewNotFound(err error, scope view.Scope, id int64) error {
	return engine.NotFound(err, "%s%s %d not found", strings.ToUpper(string(scope.Kind[:1])), scope.Kind[1:], id)
}

// checkViewRoom rejects the change that was just made if the scope is too large now.
// The lock on the workspace serialises changes.
func (s *Store) checkViewRoom(ctx context.Context, scope view.Scope) error {
	type room struct{ count, size int64 }
	where := viewsOf(scope)
	taken, err := engine.QueryOne(ctx, s.db, func(r engine.Row) (room, error) {
		var taken room
		err := r.Scan(&taken.count, &taken.size)
		return taken, err
	}, `
SELECT COUNT(*), CAST(SUM(size) AS BIGINT)
FROM saved_view
WHERE `+where.SQL(), where.Args...)
	switch {
	case err != nil:
		return err
	case taken.count > view.MaxCount:
		return fault.New(fault.Invalid, "A workspace cannot have more than %d %ss: delete one first", view.MaxCount, scope.Kind)
	case taken.size > view.MaxTotal:
		return fault.New(fault.Invalid, "The %ss of a workspace cannot exceed %d bytes in total: delete one first",
			scope.Kind, view.MaxTotal)
	}
	return nil
}

var viewSubjects = map[view.Kind]string{view.KindView: audit.SubjectView, view.KindDashboard: audit.SubjectDashboard}

func (s *Store) noteView(ctx context.Context, action audit.Action, v view.View, more engine.Detail) error {
	subject := audit.Subject{Kind: viewSubjects[v.Scope.Kind], ID: v.ID, Name: v.Name}
	return engine.Note(ctx, s.db, &v.Scope.Workspace, action, subject, more)
}

// GetView returns a view by its id.
func (s *Store) GetView(ctx context.Context, scope view.Scope, id int64) (view.View, error) {
	where := viewsOf(scope)
	where.Add("id = ?", id)
	found, err := views.One(ctx, s.db, "WHERE "+where.SQL(), where.Args...)
	if err != nil {
		return view.View{}, fmt.Errorf("get %s: %w", scope.Kind, viewNotFound(err, scope, id))
	}
	return found, nil
}

// ListViews lists the views of a scope.
func (s *Store) ListViews(ctx context.Context, scope view.Scope) ([]view.View, error) {
	where := viewsOf(scope)
	all, err := views.All(ctx, s.db, "WHERE "+where.SQL()+"\nORDER BY name", where.Args...)
	if err != nil {
		return nil, fmt.Errorf("list %ss: %w", scope.Kind, err)
	}
	return all, nil
}

// UpdateView changes a view.
func (s *Store) UpdateView(ctx context.Context, scope view.Scope, id int64, patch view.Patch) (view.View, error) {
	changed, err := engine.Change(ctx, s.db, scope.Workspace, func(ctx context.Context) (view.View, error) {
		if err := engine.LockWorkspace(ctx, s.db, scope.Workspace); err != nil {
			return view.View{}, err
		}
		found, err := s.GetView(ctx, scope, id)
		if err != nil {
			return view.View{}, err
		}
		changed, err := s.setView(ctx, found, patch.Apply(found.Content))
		if err != nil {
			return view.View{}, err
		}
		action := audit.Change
		if patch.OnlyName() {
			action = audit.Rename
		}
		var more engine.Detail
		if patch.OnlyName() || changed.Name != found.Name {
			more = engine.Detail{"before": found.Name}
		}
		return changed, s.noteView(ctx, action, changed, more)
	})
	if err != nil {
		return view.View{}, fmt.Errorf("update %s: %w", scope.Kind, err)
	}
	return changed, nil
}

func (s *Store) setView(ctx context.Context, v view.View, content view.Content) (view.View, error) {
	if err := engine.CheckName("name", content.Name); err != nil {
		return view.View{}, err
	}
	wanted := view.View{Content: content, UpdatedAt: s.db.Now()}
	changed, err := change.One(ctx, s.db, &wanted, v.ID, content.Size())
	if err != nil {
		return view.View{}, viewTaken(err, v.Scope, content.Name)
	}
	return changed, s.checkViewRoom(ctx, v.Scope)
}

// DeleteView deletes a view.
func (s *Store) DeleteView(ctx context.Context, scope view.Scope, id int64) error {
	err := s.db.Change(ctx, scope.Workspace, func(ctx context.Context) error {
		where := viewsOf(scope)
		where.Add("id = ?", id)
		deleted, err := views.Delete(ctx, s.db, "WHERE "+where.SQL(), where.Args...)
		if err != nil {
			return viewNotFound(err, scope, id)
		}
		return s.noteView(ctx, audit.Delete, deleted, nil)
	})
	if err != nil {
		return fmt.Errorf("delete %s: %w", scope.Kind, err)
	}
	return nil
}
