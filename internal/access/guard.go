package access

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// Directory is where callers are looked up.
type Directory interface {
	// FindKey returns the key with the hash, also one that has expired, or a
	// NotFound fault when there is none or it was revoked.
	FindKey(ctx context.Context, hash Hash) (Key, error)
	// FindSession returns a session that has not ended, or a NotFound fault.
	FindSession(ctx context.Context, hash Hash) (Session, error)
	// GetWorkspace returns a workspace, or a NotFound fault.
	GetWorkspace(ctx context.Context, id int64) (Workspace, error)
	// ListWorkspaces returns all workspaces, oldest first.
	ListWorkspaces(ctx context.Context) ([]Workspace, error)
	// ListMemberships returns the workspaces of a user, by their ids.
	ListMemberships(ctx context.Context, userID int64) ([]Membership, error)
}

// cacheFor is how long a caller is trusted without looking again, and so how
// long a key that another process revokes still works.
const cacheFor = 2 * time.Second

// maxCached bounds the memory that remembered callers take.
const maxCached = 10_000

// Guard tells callers by what they present. It is safe for concurrent use.
type Guard struct {
	directory Directory
	clock     func() time.Time

	mu        sync.RWMutex
	recent    map[presented]remembered
	used      map[int64]time.Time
	forgotten uint64 // how often Forget was called
}

// presented is a secret, what it is presented as, and the workspace that is
// asked for where the secret does not say it.
type presented struct {
	hash      Hash
	session   bool
	workspace int64
}

type remembered struct {
	caller Caller
	until  time.Time
}

// NewGuard returns a guard over the directory.
func NewGuard(directory Directory, clock func() time.Time) *Guard {
	return &Guard{directory: directory, clock: clock, recent: map[presented]remembered{}, used: map[int64]time.Time{}}
}

// Identify returns who holds the key. The fault is Unauthorized when nobody
// does, it was revoked or has expired, and Forbidden when its workspace is
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
		g.touch(found, now)
		return remembered{callerOfKey(found, workspace), earlier(found.ExpiresAt, now.Add(cacheFor))}, nil
	})
}

func callerOfKey(key Key, workspace Workspace) Caller {
	caller := Caller{
		KeyID: key.ID, Workspace: key.WorkspaceID, Name: key.Name, Permissions: permissionsOf(key.Roles, workspace.RolesRequired),
	}
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

// Recognise returns who signed in with the session token, acting in the
// workspace, or in the first one of theirs when that is 0. The fault is
// Unauthorized when the session has ended, and Forbidden when the person is no
// member of the workspace or it is disabled.
func (g *Guard) Recognise(ctx context.Context, token string, workspaceID int64) (Caller, error) {
	return g.cached(presented{HashOf(token), true, workspaceID}, func(now time.Time, hash Hash) (remembered, error) {
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

// Session returns who signed in with the session token, acting nowhere and so
// without any permission: for what concerns the session alone, which people
// have also where they get in nowhere. The fault is Unauthorized when it has
// ended.
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

// place finds where a person acts and what they may do there.
func (g *Guard) place(ctx context.Context, user User, workspaceID int64, caller *Caller) error {
	memberships, err := g.directory.ListMemberships(ctx, user.ID)
	if err != nil {
		return err
	}
	for _, m := range memberships {
		if workspaceID == m.Workspace.ID || workspaceID == 0 && m.Workspace.DisabledAt == nil {
			caller.Workspace, caller.Permissions = m.Workspace.ID, permissionsOf(m.Roles, m.Workspace.RolesRequired)
			if user.Owner {
				caller.Permissions = Owner.Permissions()
				return nil // they must get in to enable it again
			}
			return open(m.Workspace)
		}
	}
	if !user.Owner {
		return outside(memberships, workspaceID)
	}
	caller.Permissions = Owner.Permissions()
	return g.placeOwner(ctx, workspaceID, caller)
}

// outside tells somebody why they do not get in.
func outside(memberships []Membership, workspaceID int64) error {
	if workspaceID == 0 && len(memberships) > 0 {
		return open(memberships[0].Workspace) // as all of theirs it is disabled
	}
	return fault.New(fault.Forbidden, "You are not a member of this workspace")
}

// placeOwner puts an owner where they are no member.
func (g *Guard) placeOwner(ctx context.Context, workspaceID int64, caller *Caller) error {
	if workspaceID == 0 {
		all, err := g.directory.ListWorkspaces(ctx)
		if err == nil && len(all) > 0 {
			caller.Workspace = all[0].ID
		}
		return err
	}
	workspace, err := g.directory.GetWorkspace(ctx, workspaceID)
	if fault.Is(err, fault.NotFound) {
		return fault.New(fault.Forbidden, "You are not a member of this workspace")
	}
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

// cached returns who was remembered, or else looks them up.
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
		return found.caller, nil // it may be what was before the change
	}
	if len(g.recent) >= maxCached {
		clear(g.recent)
	}
	g.recent[what] = found
	return found.caller, nil
}

// Forget makes the guard look again at everybody, so that what was just
// changed holds for the next request to this program.
func (g *Guard) Forget() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.forgotten++
	clear(g.recent)
}

// touchAfter is how exactly it is known when a key was used.
const touchAfter = time.Minute

// touch remembers that the key was used, unless that is known well enough.
func (g *Guard) touch(key Key, now time.Time) {
	if key.LastUsedAt != nil && now.Sub(*key.LastUsedAt) < touchAfter {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.used[key.ID] = now
}

// Used returns when keys were used since the last call, by their ids.
func (g *Guard) Used() map[int64]time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	used := maps.Clone(g.used)
	clear(g.used)
	return used
}
