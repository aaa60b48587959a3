// Package access knows who calls and what they may do: API keys, people who
// sign in, their roles in each workspace, and the workspaces.
package access

import "context"

// Caller is who makes a request.
type Caller struct {
	// KeyID is the key that the caller holds, 0 for people and commands.
	KeyID int64
	// UserID is the account that is signed in, 0 for keys and commands.
	UserID int64
	// Workspace is where the caller acts.
	Workspace int64
	// Email is the address of the person or of the key's owner, "" where there
	// is none.
	Email string
	// Name is how the key is called, or which command it is.
	Name string
	// Permissions is what the caller may do in the workspace.
	Permissions Permissions
	// Session is what the browser of a signed-in person keeps, hashed; zero for
	// everybody else.
	Session Hash
}

type callerKey struct{}

// WithCaller returns a context that carries the caller.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// AsSystem returns a context in which the program itself acts: at startup and
// in background work that no caller waits for. It may do everything.
func AsSystem(ctx context.Context) context.Context {
	return WithCaller(ctx, Caller{Permissions: Owner.Permissions()})
}

// CallerOf returns the caller that ctx carries, or the zero Caller, which has
// no permissions and no workspace: no workspace has the id 0.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// CommandLine returns the caller for commands of the program: whoever can run
// them can read the data folder anyway.
func CommandLine() Caller { return Caller{Name: "command line", Permissions: Owner.Permissions()} }
