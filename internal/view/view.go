// Package view stores views, which are named queries over request logs or traces, and
// dashboards, which are charts over one query. They are shared by everyone in
// a workspace.
package view

import (
	"context"
	"encoding/json"
	"time"
)

// Kind distinguishes views and dashboards.
type Kind string

// The kinds. Names are unique within a kind.
const (
	KindView      Kind = "view"
	KindDashboard Kind = "dashboard"
)

// Scope is all views of one kind in one workspace.
type Scope struct {
	Workspace int64
	Kind      Kind
}

// The pages that can show a view.
const (
	PageRequests  = "requests"
	PageAnalytics = "analytics"
	PageTraces    = "traces"
	PageSessions  = "sessions"
	PageUsers     = "users"
)

// Pages are all pages that can show a view.
var Pages = []string{PageRequests, PageAnalytics, PageTraces, PageSessions, PageUsers}

// Limits on all views of a scope, so that lists stay small.
const (
	MaxCount = 1000
	MaxTotal = 16 << 20 // bytes of all states and charts
)

// Content is the part of a view that people edit.
type Content struct {
	Name string
	// Page is the page that shows the view, "" for a dashboard.
	Page string
	// State is an object that only clients interpret: query text, filters,
	// time range, columns, order.
	State json.RawMessage
	// Charts is the array of a dashboard's charts, nil for a view.
	Charts json.RawMessage
}

// Size returns the size in bytes that counts toward the limit of the scope.
func (c *Content) Size() int { return len(c.State) + len(c.Charts) }

// View is a saved view or dashboard.
type View struct {
	ID    int64
	Scope Scope
	Content
	// CreatedBy is an email address, nil for a key without an owner.
	CreatedBy            *string
	CreatedAt, UpdatedAt time.Time
}

// Patch is a change of a view; nil keeps a part.
type Patch struct {
	Name, Page    *string
	State, Charts json.RawMessage
}

// Empty reports whether the patch changes nothing.
func (p *Patch) Empty() bool {
	return p.Name == nil && p.Page == nil && p.State == nil && p.Charts == nil
}

// OnlyName reports whether the patch changes only the name.
func (p *Patch) OnlyName() bool {
	return p.Name != nil && p.Page == nil && p.State == nil && p.Charts == nil
}

// Apply returns the content with the patch applied.
func (p *Patch) Apply(to Content) Content {
	if p.Name != nil {
		to.Name = *p.Name
	}
	if p.Page != nil {
		to.Page = *p.Page
	}
	if p.State != nil {
		to.State = p.State
	}
	if p.Charts != nil {
		to.Charts = p.Charts
	}
	return to
}

// Store keeps views. Its methods join the transaction of the context, if any. A
// view of another scope behaves as if it did not exist.
type Store interface {
	// CreateView adds a view. The fault is Conflict when the scope already has
	// the name, Invalid when the scope is full or the name is blank or too long,
	// and NotFound when the workspace does not exist.
	CreateView(ctx context.Context, scope Scope, content Content, createdBy *string) (View, error)
	// GetView returns a view of the scope, or a NotFound fault.
	GetView(ctx context.Context, scope Scope, id int64) (View, error)
	// ListViews returns all views of the scope ordered by name, an empty slice
	// when there are none.
	ListViews(ctx context.Context, scope Scope) ([]View, error)
	// UpdateView changes a view of the scope and returns it. Concurrent calls
	// that change different parts of a view all take effect. The fault is
	// NotFound when the view does not exist, Conflict when another one has the
	// name, and Invalid when the scope is full or the name is blank or too long.
	UpdateView(ctx context.Context, scope Scope, id int64, patch Patch) (View, error)
	// DeleteView deletes a view of the scope, or returns a NotFound fault.
	DeleteView(ctx context.Context, scope Scope, id int64) error
}
