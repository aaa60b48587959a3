// Package envvar stores the environment variables of the code of a workspace
// or of one of its tools. Values are sealed before they are stored and opened
// only for execution; they are never shown.
package envvar

import (
	"context"
	"time"
)

// Scope is what variables apply to: all code of a workspace, or one tool.
type Scope struct {
	Workspace int64
	// Tool is the tool's id, 0 for the workspace itself.
	Tool int64
}

// Variable is an environment variable without its value.
type Variable struct {
	ID    int64
	Scope Scope
	Key   string
	Hint  Hint
	// UpdatedAt is when the value was last set.
	CreatedAt, UpdatedAt time.Time
}

// Hint is what may be shown of a value.
type Hint struct {
	// Empty means that the variable is a placeholder without a value.
	Empty bool
	// Suffix is the end of the value, for recognition; "" if the value is too
	// short to show any of it.
	Suffix string
}

// Value is a value as stored: sealed, with its hint.
type Value struct {
	// Sealed is nil for a placeholder.
	Sealed []byte
	Hint   Hint
}

// SealedVariable is a variable with its sealed value.
type SealedVariable struct {
	Variable
	Sealed []byte
}

// Store keeps environment variables. Its methods join the transaction of the
// context, if any. A scope whose tool is not a live entity of the workspace has
// no variables.
type Store interface {
	// CreateEnvVar adds a variable. The fault is Conflict when the scope already
	// has the key, NotFound when the tool or workspace does not exist, BadRequest
	// when the scope has 1,000 variables, and Invalid when the key is empty or
	// too long.
	CreateEnvVar(ctx context.Context, scope Scope, key string, value Value) (Variable, error)
	// GetEnvVar returns a variable of the scope, or a NotFound fault.
	GetEnvVar(ctx context.Context, scope Scope, id int64) (Variable, error)
	// ListEnvVars returns the variables of the scope ordered by id, an empty
	// slice when there are none.
	ListEnvVars(ctx context.Context, scope Scope) ([]Variable, error)
	// SetEnvVar replaces the value of a variable of the scope and returns the
	// variable, or a NotFound fault.
	SetEnvVar(ctx context.Context, scope Scope, id int64, value Value) (Variable, error)
	// DeleteEnvVar deletes a variable of the scope, or returns a NotFound fault.
	DeleteEnvVar(ctx context.Context, scope Scope, id int64) error
	// SealedEnvVars returns the variables of the workspace and of the tool that
	// have a value, in no particular order, read at a single point in time.
	SealedEnvVars(ctx context.Context, scope Scope) ([]SealedVariable, error)
	// NewestSealedEnvVar returns the most recently created variable with a
	// value, in any workspace, and whether there is one.
	NewestSealedEnvVar(ctx context.Context) (SealedVariable, bool, error)
}
