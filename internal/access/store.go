package access

import (
	"context"
	"time"

	"github.com/promptuary/promptuary/internal/entity"
)

// DefaultWorkspace is the name of the workspace created at the first start.
const DefaultWorkspace = "default"

// Store keeps workspaces, keys, users and sessions. Every method is safe for
// concurrent use and joins the transaction of its context, if any. A key or a
// member of another workspace behaves as if it did not exist. Returned slices
// belong to the caller, and are empty rather than nil when nothing was found.
// Every change adds an entry to the audit log in the same transaction, except
// for sessions and for the time of the last use of a key.
type Store interface {
	entity.Transactor
	Directory
	workspaceStore
	keyStore
	roleStore
	userStore
	sessionStore
}

type workspaceStore interface {
	// LockWorkspace prevents other transactions from locking the workspace until
	// the current one ends. Outside of a transaction it has no effect.
	LockWorkspace(ctx context.Context, workspaceID int64) error
	// CreateWorkspace adds a workspace. The fault is Conflict when the name is
	// taken, and Invalid when it is blank or too long.
	CreateWorkspace(ctx context.Context, name string) (Workspace, error)
	// EnsureWorkspace returns the workspace with the name and creates it if
	// there is none. Any number of processes may call it at the same time. The
	// fault is Invalid as for CreateWorkspace.
	EnsureWorkspace(ctx context.Context, name string) (Workspace, error)
	// EnsureDefaultWorkspace returns the oldest workspace. If there is none, it
	// creates one named DefaultWorkspace.
	EnsureDefaultWorkspace(ctx context.Context) (Workspace, error)
	// FindWorkspace returns the workspace with exactly this name, or a NotFound
	// fault.
	FindWorkspace(ctx context.Context, name string) (Workspace, error)
	// RenameWorkspace renames a workspace and returns it. The fault is NotFound
	// when there is none; Conflict and Invalid are as for CreateWorkspace.
	RenameWorkspace(ctx context.Context, id int64, name string) (Workspace, error)
	// RequireRoles sets whether callers without a role may only read, and
	// returns the workspace, or a NotFound fault.
	RequireRoles(ctx context.Context, id int64, required bool) (Workspace, error)
	// DisableWorkspace disables a workspace and returns it, or a NotFound fault.
	// A workspace that is already disabled keeps its DisabledAt.
	DisableWorkspace(ctx context.Context, id int64) (Workspace, error)
	// EnableWorkspace enables a workspace and returns it, or a NotFound fault.
	EnableWorkspace(ctx context.Context, id int64) (Workspace, error)
}

type keyStore interface {
	// CreateKey stores a key and returns it with its id and time; those of the
	// argument are ignored. The fault is Conflict when the hash is known,
	// revoked or not, and NotFound when the workspace does not exist.
	CreateKey(ctx context.Context, key Key) (Key, error)
	// EnsureKey makes a key valid for its workspace: an unknown key is stored, a
	// revoked or expired one is restored, and a key of another workspace is
	// moved. A known key keeps its id, name, owner and time; a valid one is not
	// changed. The fault is NotFound when the workspace does not exist.
	EnsureKey(ctx context.Context, key Key) (Key, error)
	// GetKey returns a key by its id, revoked or not, or a NotFound fault.
	GetKey(ctx context.Context, workspaceID, id int64) (Key, error)
	// ListKeys returns all keys of a workspace, including revoked ones, oldest
	// first.
	ListKeys(ctx context.Context, workspaceID int64) ([]Key, error)
	// RevokeKey invalidates a key from now on and returns it, or a NotFound
	// fault. A key that is already revoked keeps its RevokedAt.
	RevokeKey(ctx context.Context, workspaceID, id int64) (Key, error)
	// ExpireKey makes a key expire at the given time, unless it expires earlier,
	// and returns it, or a NotFound fault.
	ExpireKey(ctx context.Context, workspaceID, id int64, when time.Time) (Key, error)
	// TouchKeys records when keys were last used, by their ids. Unknown ids are
	// ignored, and so are times before the recorded one.
	TouchKeys(ctx context.Context, used map[int64]time.Time) error
	// CountKeys returns the number of keys of all workspaces, including revoked
	// ones. It is 0 only before the first key was created.
	CountKeys(ctx context.Context) (int64, error)
}

type roleStore interface {
	// CreateRole stores a custom role and returns it with its id and times; those
	// of the argument are ignored. The fault is Conflict when the workspace has a
	// role with the name, and NotFound when the workspace does not exist.
	CreateRole(ctx context.Context, role CustomRole) (CustomRole, error)
	// GetRole returns a custom role by its id, or a NotFound fault.
	GetRole(ctx context.Context, workspaceID, id int64) (CustomRole, error)
	// ChangeRole replaces the permissions of a custom role and returns it, or a
	// NotFound fault.
	ChangeRole(ctx context.Context, workspaceID, id int64, permissions Permissions) (CustomRole, error)
	// DeleteRole removes a custom role, or returns a NotFound fault. Keys and
	// members keep its name.
	DeleteRole(ctx context.Context, workspaceID, id int64) error
}

type userStore interface {
	// CreateUser adds a user without a password. The fault is Conflict when the
	// address is taken, ignoring case, and Invalid when it is empty or too long.
	CreateUser(ctx context.Context, email string, owner bool) (User, error)
	// OpenAccount is CreateUser on behalf of the administrators of a workspace.
	OpenAccount(ctx context.Context, workspaceID int64, email string) (User, error)
	// FirstOwner creates the owner at the first start: unless the installation
	// has an owner, the user with the address, created if necessary, becomes one
	// and an administrator of the workspace. It reports whether it did.
	FirstOwner(ctx context.Context, workspaceID int64, email string) (User, bool, error)
	// GetUser returns a user by its id, or a NotFound fault.
	GetUser(ctx context.Context, id int64) (User, error)
	// FindUser returns the user with the address, ignoring case, or a NotFound
	// fault.
	FindUser(ctx context.Context, email string) (User, error)
	// ListUsers returns all users, oldest first.
	ListUsers(ctx context.Context) ([]User, error)
	// SetPassword stores the hash of a password, or returns a NotFound fault.
	SetPassword(ctx context.Context, id int64, hash string) error
	// SetOwner sets whether a user is an owner of the installation, and returns
	// the user. The fault is NotFound when the user does not exist, and Conflict
	// when no owner would be left.
	SetOwner(ctx context.Context, id int64, owner bool) (User, error)
	// SetMember adds a user to a workspace, or replaces the roles of a member.
	// The fault is NotFound when the user or workspace does not exist.
	SetMember(ctx context.Context, workspaceID, userID int64, roles []Role) (Member, error)
	// FindMember returns a member of a workspace, or a NotFound fault.
	FindMember(ctx context.Context, workspaceID, userID int64) (Member, error)
	// ListMembers returns the members of a workspace ordered by user id.
	ListMembers(ctx context.Context, workspaceID int64) ([]Member, error)
	// RemoveMember removes a user from a workspace and keeps the user. The fault
	// is NotFound when the user is not a member.
	RemoveMember(ctx context.Context, workspaceID, userID int64) error
}

type sessionStore interface {
	// CreateSession starts a session that ends at the given time, and deletes
	// all sessions that have ended. The fault is NotFound when the
	// user does not exist.
	CreateSession(ctx context.Context, userID int64, hash Hash, until time.Time) error
	// DeleteSession ends a session. An unknown one is ignored.
	DeleteSession(ctx context.Context, hash Hash) error
	// DeleteSessions ends all sessions of a user except for the one to keep.
	DeleteSessions(ctx context.Context, userID int64, keep Hash) error
	// NoteWrongPassword adds an entry about a wrong password from a client to the
	// audit log. A zero user stands for an account that does not exist.
	NoteWrongPassword(ctx context.Context, user User, client string) error
	// SetSignInLink replaces the link with which a user can sign in once. The
	// fault is NotFound when the user does not exist.
	SetSignInLink(ctx context.Context, userID int64, hash Hash, until time.Time) error
	// OfferSignInLink is SetSignInLink unless the user has another link that has
	// not expired. It reports whether the link is valid.
	OfferSignInLink(ctx context.Context, userID int64, hash Hash, until time.Time) (bool, error)
	// TakeSignInLink invalidates a link and returns its user. Of concurrent
	// calls only one succeeds. The fault is NotFound when the link is unknown,
	// used or expired.
	TakeSignInLink(ctx context.Context, hash Hash) (User, error)
}
