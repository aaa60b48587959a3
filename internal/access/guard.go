package access

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// Directory looks up callers.
type Directory interface {
	// FindKey returns the key with the hash, even if it has expired, or a
	// NotFound fault when it is unknown or revoked.
	FindKey(ctx context.Context, hash Hash) (Key, error)
	// FindSession returns a session that has not ended, or a NotFound fault.
	FindSession(ctx context.Context, hash Hash) (Session, error)
	// GetWorkspace returns a workspace, or a NotFound fault.
	GetWorkspace(ctx context.Context, id int64) (Workspace, error)
	// ListWorkspaces returns all workspaces, oldest first.
	ListWorkspaces(ctx context.Context) ([]Workspace, error)
	// ListRoles returns the custom roles of a workspace, by name.
	ListRoles(ctx context.Context, workspaceID int64) ([]CustomRole, error)
	// ListMemberships returns the workspaces of a user, ordered by id.
	ListMemberships(ctx context.Context, userID int64) ([]Membership, error)
}

// cacheFor is how long a caller is cached, and so how long a key still works
// after another process has revoked it.
const cacheFor = 2 * time.Second

// maxCached limits the number of cached callers.
const maxCached = 10_000

// Guard authenticates callers. It is safe for concurrent use.
type Guard struct {
	directory Directory
	clock     func() time.Time

	mu        sync.RWMutex
	recent    map[presented]remembered
	used      map[int64]time.Time
	forgotten uint64 // the number of calls of Forget
}

// presented is a secret, its type, and for sessions the requested workspace.
type presented struct {
	hash      Hash
	session   bool
	workspace int64
}

type remembered struct {
	caller Caller
	until  time.Time
}

// NewGuard returns a guard that looks up callers in the directory.
func NewGuard(directory Directory, clock func() time.Time) *Guard {
	return &Guard{directory: directory, clock: clock, recent: map[presented]remembered{}, used: map[int64]time.Time{}}
}

// Identify returns the caller with the key. The fault is Unauthorized when the
// key is unknown, revoked or expired, and Forbidden when its workspace is
// disabled.
func (g *Guard) Identify(ctx context.Context, key string) (Caller, error) {
	return g.cached(presented{hash: HashOf(key)}, func(now time.Time, hash Hash) (remembered, error) {
		found, err := g.directory.FindKey(ctx, hash)
		if fault.Is(err, fault.NotFound) || err == nil && found.ended(now) {
			return remembered{}, fault.New(fault.Unauthorized, "Invalid or missing API key")
		}
		if err != nil {
			return remembered{}, err
		}
		workspace, err := g.openWorkspace(ctx, found.WorkspaceID)
		if err != nil {
			return remembered{}, err
		}
		permissions, err := permissionsIn(ctx, g.directory, workspace, found.Roles)
		if err != nil {
			return remembered{}, err
		}
		g.touch(found, now)
		return remembered{callerOfKey(found, permissions), earlier(found.ExpiresAt, now.Add(cacheFor))}, nil
	})
}

func callerOfKey(key Key, permissions Permissions) Caller {
	caller := Caller{KeyID: key.ID, Workspace: key.WorkspaceID, Name: key.Name, Permissions: permissions}
	if key.OwnerEmail != nil {
		caller.Email = *key.OwnerEmail
	}
	return caller
}

func earlier(maybe *time.Time, otherwise time.Time) time.Time {
	if maybe != nil && maybe.Before(otherwise) {
		return *maybe
	}
	return otherwise
}

// Recognise returns the user with the session token as a caller in the
// workspace, or in the user's first workspace when the id is 0. The fault is
// Unauthorized when the session has ended, and Forbidden when the user is not a
// member of the workspace or the workspace is disabled.
func (g *Guard) Recognise(ctx context.Context, token string, workspaceID int64) (Caller, error) {
	caller, err := g.recognise(ctx, HashOf(token), workspaceID)
	if fault.Is(err, fault.NotFound) {
		err = errNotMember()
	}
	return caller, err
}

// Enter returns the caller of ctx as a caller in the workspace, with the
// permissions that the caller has there. Every workspace is open to owners, those
// that they are a member of to users, and its own to a key. The fault is NotFound
// for all other workspaces, whether they exist or not, and Forbidden when the
// workspace is disabled.
func (g *Guard) Enter(ctx context.Context, workspaceID int64) (Caller, error) {
	caller := CallerOf(ctx)
	switch {
	case caller.Workspace == workspaceID:
		return caller, nil
	case caller.UserID != 0:
		return g.recognise(ctx, caller.Session, workspaceID)
	case !caller.Permissions.Has(Own):
		return Caller{}, errNoWorkspace(workspaceID)
	}
	return caller, g.placeOwner(ctx, workspaceID, &caller)
}

func errNoWorkspace(id int64) error { return fault.NotFoundf("Workspace %d not found", id) }

func errNotMember() error {
	return fault.New(fault.Forbidden, "You are not a member of this workspace")
}

// recognise is Recognise with the hash of the token. The fault is NotFound when
// the user is not a member of the workspace.
func (g *Guard) recognise(ctx context.Context, token Hash, workspaceID int64) (Caller, error) {
	return g.cached(presented{token, true, workspaceID}, func(now time.Time, hash Hash) (remembered, error) {
		session, err := g.findSession(ctx, hash)
		if err != nil {
			return remembered{}, err
		}
		caller := session.caller(hash)
		if err := g.place(ctx, session.User, workspaceID, &caller); err != nil {
			return remembered{}, err
		}
		return remembered{caller, earlier(&session.ExpiresAt, now.Add(cacheFor))}, nil
	})
}

// Session returns the user with the session token as a caller without workspace
// and permissions, for operations on the session itself. These must work even
// for a user who has access to no workspace. The fault is Unauthorized when the
// session has ended.
func (g *Guard) Session(ctx context.Context, token string) (Caller, error) {
	hash := HashOf(token)
	session, err := g.findSession(ctx, hash)
	if err != nil {
		return Caller{}, err
	}
	return session.caller(hash), nil
}

func (g *Guard) findSession(ctx context.Context, hash Hash) (Session, error) {
	session, err := g.directory.FindSession(ctx, hash)
	if fault.Is(err, fault.NotFound) {
		return Session{}, fault.New(fault.Unauthorized, "You are not signed in")
	}
	return session, err
}

// place sets the caller's workspace and permissions.
func (g *Guard) place(ctx context.Context, user User, workspaceID int64, caller *Caller) error {
	memberships, err := g.directory.ListMemberships(ctx, user.ID)
	if err != nil {
		return err
	}
	for _, m := range memberships {
		if workspaceID == m.Workspace.ID || workspaceID == 0 && m.Workspace.DisabledAt == nil {
			caller.Workspace = m.Workspace.ID
			if user.Owner {
				caller.Permissions = Owner.Permissions()
				return nil // owners need access to enable a disabled workspace
			}
			return g.placeMember(ctx, m, caller)
		}
	}
	if !user.Owner {
		return outside(memberships, workspaceID)
	}
	caller.Permissions = Owner.Permissions()
	return g.placeOwner(ctx, workspaceID, caller)
}

// placeMember sets the permissions of a member.
func (g *Guard) placeMember(ctx context.Context, m Membership, caller *Caller) (err error) {
	if err := open(m.Workspace); err != nil {
		return err
	}
	caller.Permissions, err = permissionsIn(ctx, g.directory, m.Workspace, m.Roles)
	return err
}

// outside returns the reason why a user has no access.
func outside(memberships []Membership, workspaceID int64) error {
	switch {
	case workspaceID != 0:
		return errNoWorkspace(workspaceID)
	case len(memberships) > 0:
		return open(memberships[0].Workspace) // disabled, like all of the user's workspaces
	}
	return errNotMember()
}

// placeOwner sets the workspace of an owner who is not a member of it.
func (g *Guard) placeOwner(ctx context.Context, workspaceID int64, caller *Caller) error {
	if workspaceID == 0 {
		all, err := g.directory.ListWorkspaces(ctx)
		if err == nil && len(all) > 0 {
			caller.Workspace = all[0].ID
		}
		return err
	}
	workspace, err := g.directory.GetWorkspace(ctx, workspaceID)
	caller.Workspace = workspace.ID
	return err
}

func (g *Guard) openWorkspace(ctx context.Context, id int64) (Workspace, error) {
	workspace, err := g.directory.GetWorkspace(ctx, id)
	if err != nil {
		return workspace, err
	}
	return workspace, open(workspace)
}

func open(w Workspace) error {
	if w.DisabledAt != nil {
		return fault.New(fault.Forbidden, "This workspace is disabled")
	}
	return nil
}

// cached returns the caller from the cache, or looks it up.
func (g *Guard) cached(what presented, find func(now time.Time, hash Hash) (remembered, error)) (Caller, error) {
	now := g.clock()
	g.mu.RLock()
	known, ok := g.recent[what]
	forgotten := g.forgotten
	g.mu.RUnlock()
	if ok && now.Before(known.until) {
		return known.caller, nil
	}
	found, err := find(now, what.hash)
	g.mu.Lock()
	defer g.mu.Unlock()
	if err != nil {
		delete(g.recent, what)
		return Caller{}, err
	}
	if forgotten != g.forgotten {
		return found.caller, nil // the change may have invalidated it
	}
	if len(g.recent) >= maxCached {
		clear(g.recent)
	}
	g.recent[what] = found
	return found.caller, nil
}

// Forget clears the cache, so that a change applies to the next request to this
// process.
func (g *Guard) Forget() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.forgotten++
	clear(g.recent)
}

// touchAfter is the precision of the time when a key was last used.
const touchAfter = time.Minute

// touch records that the key was used, unless the recorded time is recent.
func (g *Guard) touch(key Key, now time.Time) {
	if key.LastUsedAt != nil && now.Sub(*key.LastUsedAt) < touchAfter {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.used[key.ID] = now
}

// Used returns the times when keys were used since the last call, by key id.
func (g *Guard) Used() map[int64]time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	used := maps.Clone(g.used)
	clear(g.used)
	return used
}
