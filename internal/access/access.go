// Package access authenticates callers and checks their permissions. It manages
// API keys, users, sessions, roles and workspaces.
package access

import "context"

// Caller is who makes a request.
type Caller struct {
	// KeyID is the id of the caller's key, 0 for users and commands.
	KeyID int64
	// UserID is the id of the signed-in user, 0 for keys and commands.
	UserID int64
	// Workspace is the workspace that the caller acts in.
	Workspace int64
	// Email is the address of the user or of the key's owner, "" if there is
	// none.
	Email string
	// Name is the name of the key or of the command.
	Name string
	// Permissions are the caller's permissions in the workspace.
	Permissions Permissions
	// Session is the hash of a user's session token, zero for other callers.
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

// AsSystemIn is AsSystem for work of a workspace, which counts as its part of what
// workspaces share.
func AsSystemIn(ctx context.Context, workspace int64) context.Context {
	return WithCaller(ctx, Caller{Workspace: workspace, Permissions: Owner.Permissions()})
}

// CallerOf returns the caller that ctx carries, or the zero Caller, which has
// no permissions and no workspace: no workspace has the id 0.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// CommandLine returns the caller for commands of the program. It has all
// permissions, because anyone who can run commands can read the data folder.
func CommandLine() Caller { return Caller{Name: "command line", Permissions: Owner.Permissions()} }

type clientKey struct{}

// WithClient returns a context that carries the network address of the client.
func WithClient(ctx context.Context, address string) context.Context {
	return context.WithValue(ctx, clientKey{}, address)
}

// ClientOf returns the network address of the client, or "" if there is none.
func ClientOf(ctx context.Context) string {
	address, _ := ctx.Value(clientKey{}).(string)
	return address
}
