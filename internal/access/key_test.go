package access_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

func TestNewKey(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^pl_[0-9a-f]{48}$`)
	seen := map[string]bool{}
	for range 100 {
		key := access.NewKey()
		if !form.MatchString(key) || seen[key] {
			t.Fatalf("got %q", key)
		}
		seen[key] = true
	}
	for key, want := range map[string]string{"pl_12345": "2345", "abc": "abc", "": ""} {
		if got := access.LastFour(key); got != want {
			t.Errorf("LastFour(%q) = %q", key, got)
		}
	}
}

func TestKeyLifecycle(t *testing.T) {
	onEachEngine(t, func(w *world) {
		ctx := access.WithCaller(w.ctx, access.Caller{UserID: 5, Email: "ann@example.com", Workspace: w.home, Permissions: access.Administrator.Permissions()})
		end := w.clock.Now().Add(time.Hour)
		roles := []access.Role{access.Developer, access.Publisher, access.Developer}
		key, secret, err := w.CreateKey(ctx, w.home, access.NewKeyInput{Name: "laptop", Roles: roles, ExpiresAt: &end})
		w.ok(err)
		w.equal(key, access.Key{
			ID: key.ID, WorkspaceID: w.home, Hash: access.HashOf(secret), Name: "laptop", LastFour: secret[len(secret)-4:],
			OwnerEmail: new("ann@example.com"), Roles: []access.Role{access.Publisher, access.Developer},
			CreatedAt: w.clock.Now(), ExpiresAt: &end,
		})
		caller := check.Must(w.identify(secret))(w.t)
		w.equal(caller.Email, "ann@example.com")
		w.equal(check.Must(w.Keys(ctx, w.home))(w.t), []access.Key{key})
		w.equal(check.Must(w.Keys(w.ctx, w.away))(w.t), []access.Key{})

		w.fails(check.Failure(w.RevokeKey(w.ctx, w.away, key.ID)), fault.NotFound)
		revoked := check.Must(w.RevokeKey(ctx, w.home, key.ID))(w.t)
		w.equal(revoked.RevokedAt, new(w.clock.Now()))
		w.fails(check.Failure(w.identify(secret)), fault.Unauthorized) // immediately
		w.equal(check.Must(w.Keys(ctx, w.home))(w.t), []access.Key{revoked})
		w.fails(failure2(w.RotateKey(ctx, w.home, key.ID, 0)), fault.Conflict)
		w.equal([]int{w.audited(audit.Revoke), w.audited(audit.Rotate)}, []int{1, 0})
	})
}

func TestRejectsExpiredNewKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	for _, end := range []time.Time{w.clock.Now(), w.clock.Now().Add(-1), {}} {
		w.fails(failure2(w.CreateKey(w.ctx, w.home, access.NewKeyInput{ExpiresAt: &end})), fault.Invalid)
	}
	w.fails(failure2(w.CreateKey(w.ctx, 999, access.NewKeyInput{})), fault.NotFound)
	w.equal(check.Must(w.catalog.Accounts.CountKeys(w.ctx))(t), int64(0))
}

func TestRotate(t *testing.T) {
	onEachEngine(t, func(w *world) {
		end := w.clock.Now().Add(24 * time.Hour)
		for name, test := range map[string]struct {
			end     *time.Time
			overlap time.Duration
			works   time.Duration // how long the old key stays valid
		}{
			"immediately":       {nil, 0, 0},
			"with an overlap":   {nil, time.Hour, time.Hour},
			"expires earlier":   {&end, 48 * time.Hour, 24 * time.Hour},
			"overlap ends last": {&end, time.Hour, time.Hour},
		} {
			start := w.clock.Now()
			old, before := w.key(access.NewKeyInput{Name: name, Roles: []access.Role{access.Logger}, ExpiresAt: test.end})
			check.Must(w.identify(before))(w.t)
			key, after, err := w.RotateKey(w.ctx, w.home, old.ID, test.overlap)
			w.ok(err)
			want := old
			want.ID, want.Hash, want.LastFour, want.CreatedAt = key.ID, access.HashOf(after), after[len(after)-4:], key.CreatedAt
			w.equal(key, want)
			w.equal(key.ID != old.ID && after != before, true)
			if test.works > 0 {
				w.clock.Advance(test.works - 1)
				check.Must(w.identify(before))(w.t)
				w.clock.Advance(1)
			}
			w.fails(check.Failure(w.identify(before)), fault.Unauthorized)
			if test.end == nil || w.clock.Now().Before(*test.end) {
				check.Must(w.identify(after))(w.t)
			}
			w.fails(failure2(w.RotateKey(w.ctx, w.home, old.ID, 0)), fault.Conflict)
			w.clock.Advance(start.Sub(w.clock.Now()))
		}
		w.fails(failure2(w.RotateKey(w.ctx, w.home, 999, 0)), fault.NotFound)
		w.equal(w.audited(audit.Rotate), 4)
	})
}

// Nobody can escalate their permissions by creating or rotating a key.
func TestCannotGrantMorePermissions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	keys := map[access.Role]access.Key{}
	for _, role := range access.Roles() {
		keys[role], _ = w.key(access.NewKeyInput{Roles: []access.Role{role}})
	}
	plain, _ := w.key(access.NewKeyInput{})
	for name, test := range map[string]struct {
		held    []access.Role
		granted string // the roles that they can grant
		plain   bool   // whether they can create a key without a role
	}{
		"viewer":                {[]access.Role{access.Viewer}, "", false},
		"editor":                {[]access.Role{access.Editor}, "", false},
		"developer":             {[]access.Role{access.Developer}, "Viewer Developer", false},
		"publishing developer":  {[]access.Role{access.Developer, access.Publisher}, "Viewer Publisher Developer", false},
		"developer and editor":  {[]access.Role{access.Developer, access.Editor}, "Ingest Viewer Logger Contributor Publisher Editor Developer", false},
		"administrator":         {[]access.Role{access.Administrator}, "Ingest Viewer Logger Contributor Publisher Editor Developer Admin", true},
		"owner":                 {[]access.Role{access.Owner}, "Ingest Viewer Logger Contributor Publisher Editor Developer Admin Owner", true},
		"administrator, viewer": {[]access.Role{access.Viewer, access.Administrator}, "Ingest Viewer Logger Contributor Publisher Editor Developer Admin", true},
	} {
		ctx := w.as(test.held...)
		decided := func(what string, err error, want bool) {
			t.Helper()
			if want != (err == nil) || !want && !fault.Is(err, fault.Forbidden) {
				t.Errorf("%s: %s: %v", name, what, err)
			}
		}
		for _, role := range access.Roles() {
			want := strings.Contains(" "+test.granted+" ", " "+string(role)+" ")
			decided("create "+string(role), failure2(w.CreateKey(ctx, w.home, access.NewKeyInput{Roles: []access.Role{role}})), want)
			// The overlap keeps the key valid for the next iteration.
			key, _, err := w.RotateKey(ctx, w.home, keys[role].ID, time.Hour)
			decided("rotate "+string(role), err, want)
			if err == nil {
				decided("revoke "+string(role), check.Failure(w.RevokeKey(ctx, w.home, key.ID)), true)
			} else {
				decided("revoke "+string(role), check.Failure(w.RevokeKey(ctx, w.home, keys[role].ID)), false)
			}
		}
		decided("create without a role", failure2(w.CreateKey(ctx, w.home, access.NewKeyInput{})), test.plain)
		decided("rotate without a role", failure2(w.RotateKey(ctx, w.home, plain.ID, time.Hour)), test.plain)
		_, err := w.Keys(ctx, w.home)
		decided("list", err, test.granted != "")
	}
	for role, key := range keys {
		if found := check.Must(w.catalog.Accounts.GetKey(w.ctx, w.home, key.ID))(t); found.RevokedAt != nil {
			t.Errorf("the key of %s was revoked", role)
		}
	}
}

// In a workspace that requires roles, a key without a role has no permissions, so
// that everyone who manages keys can create it.
func TestKeyWithoutRequiredRole(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	developer := w.as(access.Developer)
	w.fails(failure2(w.CreateKey(developer, w.home, access.NewKeyInput{})), fault.Forbidden)
	check.Must(w.ChangeWorkspace(w.ctx, w.home, access.WorkspacePatch{RolesRequired: new(true)}))(t)
	_, secret, err := w.CreateKey(developer, w.home, access.NewKeyInput{})
	w.ok(err)
	same(t, "the key", check.Must(w.identify(secret))(t).Permissions, "READ")
}

// After a key is revoked, it cannot be rotated any more.
func TestConcurrentRotateAndRevoke(t *testing.T) {
	onEachEngine(t, func(w *world) {
		for range 24 { // the first rounds open connections
			key, _ := w.key(access.NewKeyInput{})
			errs := check.Together(4, func(i int) error {
				if i == 0 {
					return check.Failure(w.RevokeKey(w.ctx, w.home, key.ID))
				}
				return failure2(w.RotateKey(w.ctx, w.home, key.ID, time.Hour))
			})
			w.ok(errs[0])
			query := audit.Query{WorkspaceID: &w.home, SubjectKind: audit.SubjectKey, SubjectID: &key.ID, Limit: 10}
			w.equal(check.Must(w.catalog.Accounts.ListAudit(w.ctx, query))(w.t)[0].Action, audit.Revoke)
			for _, err := range errs[1:] {
				if err != nil {
					w.fails(err, fault.Conflict)
				}
			}
		}
	})
}

func TestKeyNames(t *testing.T) {
	onEachEngine(t, func(w *world) {
		first, _, err := w.CreateKey(w.ctx, w.home, access.NewKeyInput{Name: "prod"})
		w.ok(err)
		rotated, _, err := w.RotateKey(w.ctx, w.home, first.ID, 0)
		w.ok(err)
		unnamed, secret, err := w.CreateKey(w.ctx, w.home, access.NewKeyInput{})
		w.ok(err)
		check.Must(w.RevokeKey(w.ctx, w.home, unnamed.ID))(w.t)
		names := check.Must(w.KeyNames(w.ctx, w.home))(w.t)
		w.equal(names, map[int64]string{first.ID: "prod", rotated.ID: "prod", unnamed.ID: "…" + secret[len(secret)-4:]})
		w.equal(check.Must(w.KeyNames(w.ctx, w.away))(w.t), map[int64]string{})
	})
}
