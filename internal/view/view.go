// Package view keeps what people of a workspace save to look at their request
// logs again: views, which are named queries, and dashboards, which are charts
// over one query. Everybody in the workspace shares them.
package view

import (
	"context"
	"encoding/json"
	"time"
)

// Kind says what was saved.
type Kind string

// The kinds. Names are unique within each.
const (
	KindView      Kind = "view"
	KindDashboard Kind = "dashboard"
)

// Scope is where views lie: those of one kind in one workspace.
type Scope struct {
	Workspace int64
	Kind      Kind
}

// The pages that a view can be of.
const (
	PageRequests  = "requests"
	PageAnalytics = "analytics"
)

// Limits on all views of a scope, so that a list of them stays small.
const (
	MaxCount = 1000
	MaxTotal = 16 << 20 // bytes of states and charts together
)

// Content is what people decide of a view.
type Content struct {
	Name string
	// Page is where a view is shown, "" for a dashboard.
	Page string
	// State is an object that only its readers understand: the text of the
	// query, filters, time range, columns, order.
	State json.RawMessage
	// Charts is the array of a dashboard's charts, nil for a view.
	Charts json.RawMessage
}

// Size returns how much of the room of its scope it takes, in bytes.
func (c *Content) Size() int { return len(c.State) + len(c.Charts) }

// View is a saved view or dashboard.
type View struct {
	ID    int64
	Scope Scope
	Content
	// CreatedBy is an address, nil where a key without an owner saved it.
	CreatedBy            *string
	CreatedAt, UpdatedAt time.Time
}

// Patch is what changes of a view; nil leaves a part as it is.
type Patch struct {
	Name, Page    *string
	State, Charts json.RawMessage
}

// Empty reports whether nothing changes.
func (p *Patch) Empty() bool {
	return p.Name == nil && p.Page == nil && p.State == nil && p.Charts == nil
}

// OnlyName reports whether nothing but the name changes.
func (p *Patch) OnlyName() bool {
	return p.Name != nil && p.Page == nil && p.State == nil && p.Charts == nil
}

// Apply returns the content with the changes.
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
	// and NotFound when there is no such workspace.
	CreateView(ctx context.Context, scope Scope, content Content, createdBy *string) (View, error)
	// GetView returns a view of the scope, or a NotFound fault.
	GetView(ctx context.Context, scope Scope, id int64) (View, error)
	// ListViews returns all views of the scope ordered by name, an empty slice
	// when there are none.
	ListViews(ctx context.Context, scope Scope) ([]View, error)
	// UpdateView changes a view of the scope and returns it. Concurrent calls
	// that change different parts of a view all take effect. The fault is
	// NotFound when there is no such view, Conflict when another one has the
	// name, and Invalid when the scope is full or the name is blank or too long.
	UpdateView(ctx context.Context, scope Scope, id int64, patch Patch) (View, error)
	// DeleteView deletes a view of the scope, or returns a NotFound fault.
	DeleteView(ctx context.Context, scope Scope, id int64) error
}
