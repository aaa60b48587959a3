package access_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// world is a service with a real catalog, two workspaces and a fixed clock. Its
// helpers fail the test instead of returning an error.
type world struct {
	*access.Service
	t          *testing.T
	ctx        context.Context // of the command line, which has all permissions
	catalog    *catalog.Catalog
	dsn        string
	clock      *check.Clock
	home, away int64
}

// onEachEngine runs a test with a new catalog on each engine.
func onEachEngine(t *testing.T, test func(w *world)) {
	t.Helper()
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) { test(newWorld(t, dsn)) })
}

func newWorld(t *testing.T, dsn string) *world {
	t.Helper()
	time := check.NewClock(time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC))
	c := catalogtest.Open(t, dsn, catalog.WithClock(time.Now))
	w := &world{
		Service: access.NewService(c.Accounts, access.NewGuard(c.Accounts, time.Now), time.Now),
		t:       t, ctx: access.WithCaller(t.Context(), access.CommandLine()), catalog: c, dsn: dsn, clock: time,
	}
	w.home = check.Must(c.Accounts.CreateWorkspace(w.ctx, "home"))(t).ID
	w.away = check.Must(c.Accounts.CreateWorkspace(w.ctx, "away"))(t).ID
	return w
}

// failure2 is check.Failure for a call with two values.
func failure2[A, B any](_ A, _ B, err error) error { return err }

func (w *world) ok(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) fails(err error, kind fault.Kind) {
	w.t.Helper()
	if !fault.Is(err, kind) {
		w.t.Fatalf("got error %v, want a fault of kind %d", err, kind)
	}
}

func (w *world) equal(got, want any) {
	w.t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Fatalf("mismatch (-want +got):\n%s", diff)
	}
}

// as returns the context of a caller with the roles in the home workspace.
func (w *world) as(roles ...access.Role) context.Context {
	var held access.Permissions
	for _, role := range roles {
		held |= role.Permissions()
	}
	return access.WithCaller(w.ctx, access.Caller{KeyID: 1000, Name: "test", Workspace: w.home, Permissions: held})
}

// key creates a key of the home workspace and returns it with its secret.
func (w *world) key(input access.NewKeyInput) (access.Key, string) {
	w.t.Helper()
	key, secret, err := w.CreateKey(w.ctx, w.home, input)
	w.ok(err)
	return key, secret
}

// identify returns the caller with a key.
func (w *world) identify(secret string) (access.Caller, error) {
	return w.Guard().Identify(w.ctx, secret)
}

// member invites a new user to the home workspace and returns the token of the
// sign-in link.
func (w *world) member(email string, roles ...access.Role) (access.Member, string) {
	w.t.Helper()
	invited := check.Must(w.Invite(w.ctx, w.home, email, roles))(w.t)
	return invited.Member, invited.Token
}

const password = "correct horse battery"

// person invites a user who then signs in and sets the password.
func (w *world) person(email string, roles ...access.Role) access.SignedIn {
	w.t.Helper()
	_, token := w.member(email, roles...)
	return check.Must(w.SignInByLink(w.ctx, token, new(password)))(w.t)
}

// signedIn returns the context of a signed-in user.
func (w *world) signedIn(token string) context.Context {
	w.t.Helper()
	return access.WithCaller(w.ctx, check.Must(w.Guard().Recognise(w.ctx, token, 0))(w.t))
}

// audited returns the number of audit entries of an action in all workspaces and
// the installation.
func (w *world) audited(action audit.Action) int {
	w.t.Helper()
	count := 0
	for _, id := range []*int64{nil, &w.home, &w.away} {
		count += len(check.Must(w.catalog.Accounts.ListAudit(w.ctx, audit.Query{WorkspaceID: id, Action: action, Limit: 1000}))(w.t))
	}
	return count
}

// oneOf fails the test unless exactly one call succeeded and the others returned
// the fault.
func (w *world) oneOf(errs []error, kind fault.Kind) {
	w.t.Helper()
	succeeded := 0
	for _, err := range errs {
		if err == nil {
			succeeded++
			continue
		}
		w.fails(err, kind)
	}
	w.equal(succeeded, 1)
}
