package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog/pgtest"
)

var (
	printedLink  = regexp.MustCompile(`(?m)^  (http://\S+)/sign-in#token=([0-9a-f]{48})$`)
	printedToken = regexp.MustCompile(`(?m)^/sign-in#token=([0-9a-f]{48})$`)
)

// signIn starts a session and returns its cookie.
func (p *program) signIn(t *testing.T, body object, status int) *http.Cookie {
	t.Helper()
	a := p.withKey("").post(t, "/api/admin/session", body, status)
	for _, cookie := range (&http.Response{Header: a.header}).Cookies() {
		return cookie
	}
	return nil
}

// self is the response of GET /api/admin/session.
type self struct {
	User *struct {
		Email string `json:"email"`
		Owner bool   `json:"owner"`
	} `json:"user"`
	Permissions []string `json:"permissions"`
}

// whoIs returns the user of a cookie.
func (p *program) whoIs(t *testing.T, cookie *http.Cookie) self {
	t.Helper()
	request, err := http.NewRequest(http.MethodGet, p.address+"/api/admin/session", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	request.AddCookie(cookie)
	a, err := p.send(request)
	if err != nil {
		t.Fatal(err)
	}
	return mustDecode[self](t, a)
}

// printedLink returns the token of the only sign-in link that was printed.
func (p *program) printedLink(t *testing.T) string {
	t.Helper()
	links := printedLink.FindAllStringSubmatch(p.stdout.String(), -1)
	if len(links) != 1 || links[0][1] != p.address {
		t.Fatalf("want one sign-in link:\n%s", p.stdout)
	}
	return links[0][2]
}

// The first start creates the owner and prints a link. Starts repeat it until it is
// used.
func TestFirstOwner(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	s := setup{data: data, noKey: true, args: []string{"--owner-email", "Ann@example.com"}}
	unused := s.start(t)
	waitGreeting(t, unused, 2)
	token := unused.printedLink(t)
	unused.stop()
	first := s.start(t)
	eventually(t, func() error {
		if !strings.Contains(first.stdout.String(), "`promptuary user link Ann@example.com` creates another one.") {
			return fmt.Errorf("the greeting is incomplete:\n%s", first.stdout)
		}
		return nil
	})
	if again := first.printedLink(t); again != token || !strings.Contains(first.stdout.String(), "Sign in as Ann@example.com with") {
		t.Fatalf("the second start printed another link than %s:\n%s", token, first.stdout)
	}
	first.signIn(t, object{"token": token, "password": "short"}, http.StatusUnprocessableEntity)
	cookie := first.signIn(t, object{"token": token, "password": "correct horse battery"}, http.StatusOK)
	if cookie == nil || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode {
		t.Fatalf("unexpected cookie %v", cookie)
	}
	if got := first.whoIs(t, cookie); got.User == nil || got.User.Email != "Ann@example.com" || !got.User.Owner || got.Permissions[len(got.Permissions)-1] != "OWN" {
		t.Errorf("unexpected user %+v", got)
	}
	first.signIn(t, object{"token": token}, http.StatusUnauthorized)
	first.stop()
	for _, secret := range []string{token, cookie.Value, "correct horse battery"} {
		if strings.Contains(first.stderr.String(), secret) {
			t.Errorf("the log contains the secret %s", secret)
		}
	}
	checkNoTrace(t, data, token, cookie.Value, "correct horse battery")

	second := s.start(t)
	if strings.Contains(second.stdout.String(), "sign-in") {
		t.Errorf("a start after the link was used printed a link:\n%s", second.stdout)
	}
	second.signIn(t, object{"token": token}, http.StatusUnauthorized)
	second.whoIs(t, cookie)
	second.signIn(t, object{"email": "ann@example.com", "password": "correct horse battery"}, http.StatusOK)
	list := s.run(t, "user", "list").must(t)
	if !regexp.MustCompile(`(?m)^\d+ +Ann@example.com +Admin +true +\S+Z +\d\S+Z$`).MatchString(list) || strings.Count(list, "\n") != 2 {
		t.Errorf("user list:\n%s", list)
	}
}

// If several servers start concurrently on one catalog, all of them print the same
// link, and one of them the key.
func TestFirstOwnerOfReplicas(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Start(t)
	programs := make([]*program, 3)
	for i := range programs {
		programs[i] = setup{data: t.TempDir(), catalog: dsn, args: ownLogs, env: []string{"PROMPTUARY_SECRET_KEY=" + strings.Repeat("5a", 32)}}.launch(t)
	}
	tokens := map[string]bool{}
	for _, p := range programs {
		p.waitReady()
		waitGreeting(t, p, 2)
		tokens[p.printedLink(t)] = true
	}
	if len(tokens) != 1 {
		t.Fatalf("%d links were printed, want 1", len(tokens))
	}
	for token := range tokens {
		programs[1].signIn(t, object{"token": token}, http.StatusOK)
	}
}

// matching fails the test unless the lines of the output match the patterns in
// order.
func matching(t *testing.T, output string, patterns ...string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(output, "\n"), "\n")
	if len(lines) != len(patterns) {
		t.Fatalf("%d lines, want %d:\n%s", len(lines), len(patterns), output)
	}
	for i, pattern := range patterns {
		if !regexp.MustCompile("^" + pattern + " *$").MatchString(lines[i]) {
			t.Errorf("line %q does not match %s", lines[i], pattern)
		}
	}
}

func TestWorkspaceCommands(t *testing.T) {
	t.Parallel()
	s := setup{data: t.TempDir()}
	p := s.start(t)
	matching(t, s.run(t, "workspace", "create", "second").must(t), `created workspace 2 "second"`)
	matching(t, s.run(t, "workspace", "rename", "second", "the other one").must(t), `changed workspace 2 "the other one"`)
	key := strings.TrimSpace(s.run(t, "key", "create", "--workspace", "the other one").must(t))
	p.withKey(key).publish(t, publication("elsewhere", "Hello"))
	p.do(t, http.MethodGet, templatePath("elsewhere"), nil, http.StatusNotFound)

	answers := func(method, path string, status int) {
		t.Helper()
		eventually(t, func() error {
			a, err := p.withKey(key).call(method, path, publication("elsewhere", "Hello"))
			if err == nil && a.status != status {
				err = fmt.Errorf("status %d, want %d: %s", a.status, status, clip(a.body))
			}
			return err
		})
	}
	read, write := templatePath("elsewhere"), "/rest/prompt-templates"
	matching(t, s.run(t, "workspace", "disable", "the other one").must(t), `changed workspace 2 "the other one"`)
	answers(http.MethodGet, read, http.StatusForbidden)
	answers(http.MethodPost, write, http.StatusForbidden)
	s.run(t, "workspace", "require-roles", "the other one").must(t)
	matching(t, s.run(t, "workspace", "list").must(t),
		`ID  NAME +ROLES REQUIRED  CREATED +DISABLED`, `1   default +false +\d\S+Z  -`, `2   the other one +true +\d\S+Z +\d\S+Z`)

	s.run(t, "workspace", "enable", "the other one").must(t)
	answers(http.MethodGet, read, http.StatusOK) // reading needs no role
	answers(http.MethodPost, write, http.StatusForbidden)
	s.run(t, "workspace", "free-roles", "the other one").must(t)
	answers(http.MethodPost, write, http.StatusCreated)
}

func TestUserCommands(t *testing.T) {
	t.Parallel()
	s := setup{data: t.TempDir()}
	p := s.start(t)
	s.run(t, "workspace", "create", "second").must(t)
	invited := s.run(t, "user", "invite", "ann@example.com", "--role", "viewer,developer").must(t)
	first := printedToken.FindStringSubmatch(invited)
	if first == nil || !strings.HasPrefix(invited, "ann@example.com can sign in once, within seven days,") {
		t.Fatalf("user invite printed %q", invited)
	}
	matching(t, s.run(t, "user", "invite", "ANN@example.com", "--workspace", "second").must(t),
		`ANN@example.com already has an account and is now a member of "second"`)
	if err := checkRefused(s.run(t, "user", "invite", "ann@example.com"), "is already a member of this workspace"); err != nil {
		t.Error(err)
	}
	second := printedToken.FindStringSubmatch(s.run(t, "user", "link", "ann@example.com").must(t))
	if second == nil {
		t.Fatal("user link printed no link")
	}
	p.signIn(t, object{"token": first[1]}, http.StatusUnauthorized)
	cookie := p.signIn(t, object{"token": second[1]}, http.StatusOK)
	if got := p.whoIs(t, cookie).Permissions; !slices.Equal(got, []string{"READ", "MANAGE_API_KEYS"}) {
		t.Errorf("unexpected permissions of the member: %v", got)
	}

	matching(t, s.run(t, "user", "roles", "ann@example.com", "--role", "Publisher").must(t), `ann@example.com: roles Publisher, owner false`)
	matching(t, s.run(t, "user", "make-owner", "ann@example.com").must(t), `ann@example.com: roles Publisher, owner true`)
	matching(t, s.run(t, "user", "unmake-owner", "owner@localhost").must(t), `owner@localhost: roles Admin, owner false`)
	if err := checkRefused(s.run(t, "user", "unmake-owner", "ann@example.com"), "must have an owner"); err != nil {
		t.Error(err)
	}
	matching(t, s.run(t, "user", "list").must(t), `ID  EMAIL +ROLES +OWNER  JOINED +LAST SIGN-IN`,
		`1   owner@localhost  Admin +false +\d\S+Z  -`, `2   ann@example.com  Publisher  true +\d\S+Z +\d\S+Z`)
	matching(t, s.run(t, "user", "remove", "owner@localhost").must(t), `owner@localhost is no longer a member of "default"`)
	if list := s.run(t, "user", "list").must(t); strings.Contains(list, "owner@localhost") {
		t.Errorf("user list:\n%s", list)
	}
}

func TestKeyRotateCommand(t *testing.T) {
	t.Parallel()
	s := setup{data: t.TempDir()}
	p := s.start(t)
	create := func() (id, secret string) {
		secret = strings.TrimSpace(s.run(t, "key", "create", "--name", "ci", "--role", "logger", "--role", "Publisher", "--expires-in-days", "30").must(t))
		list := s.run(t, "key", "list").must(t)
		row := regexp.MustCompile(`(?m)^(\d+) +pl_…` + secret[len(secret)-4:] + ` +ci +Logger,Publisher +\S+Z +- +\d\S+Z +- *$`).FindStringSubmatch(list)
		if row == nil {
			t.Fatalf("key list:\n%s", list)
		}
		return row[1], secret
	}
	id, old := create()
	fresh := strings.TrimSpace(s.run(t, "key", "rotate", id, "--overlap", "1h").must(t))
	for _, key := range []string{old, fresh} {
		p.withKey(key).search(t, object{})
	}
	s.run(t, "key", "rotate", id).must(t) // without an overlap
	eventually(t, func() error {
		a, err := p.withKey(old).call(http.MethodPost, searchPath, object{})
		if err != nil {
			return err
		}
		return checkFailure(a, http.StatusUnauthorized, "unauthorized")
	})
	p.withKey(fresh).search(t, object{})
	if err := checkRefused(s.run(t, "key", "rotate", id), "revoked or expired"); err != nil {
		t.Error(err)
	}
	p.stop() // this writes the time of last use
	list := s.run(t, "key", "list").must(t)
	if !regexp.MustCompile(`(?m)^\d+ +pl_…` + fresh[len(fresh)-4:] + ` +ci +Logger,Publisher +\S+Z +\d\S+Z +\d\S+Z +- *$`).MatchString(list) {
		t.Errorf("key list does not show when the key was used:\n%s", list)
	}
}

func TestAuditCommand(t *testing.T) {
	t.Parallel()
	s := setup{data: t.TempDir()}
	p := s.start(t)
	s.run(t, "key", "create", "--name", "=lap\x1b[2Jtop").must(t)
	p.publish(t, publication("keyed", "Hello"))
	all := s.run(t, "audit", "--workspace", "default").must(t)
	at := `\d{4}-\S+Z  `
	matching(t, all, `AT +BY +WHO +ACTION +WHAT +ID +NAME +DETAIL`,
		at+`key +PROMPTUARY_API_KEY +publish +prompt +\d+ +keyed +\{"version":1\}`,
		at+`key +PROMPTUARY_API_KEY +create +prompt +\d+ +keyed +\{\}`,
		at+`command +command line +create +KEY +2 +=lap�\[2Jtop +\{"ends_with":"....","roles":\[\]\}`,
		at+`program +promptuary +invite +USER +1 +owner@localhost +\{"roles":\["Admin"\]\}`,
		at+`program +promptuary +create +KEY +1 +PROMPTUARY_API_KEY +\{"ends_with":"_key","roles":\[\]\}`,
		at+`program +promptuary +create +WORKSPACE +1 +default +\{\}`)
	matching(t, s.run(t, "audit", "--workspace", "default", "--action", "create", "--actor", "command line").must(t), `AT .*`, at+`command .*`)
	matching(t, s.run(t, "audit", "--workspace", "default", "--n", "1").must(t), `AT .*`, at+`key .* publish .*`)
	matching(t, s.run(t, "audit").must(t), `AT .*`,
		at+`program +promptuary +make sign-in link +USER +1 +owner@localhost +\{\}`,
		at+`program +promptuary +create +USER +1 +owner@localhost +\{"owner":true\}`,
		at+`program +promptuary +create +WORKSPACE +1 +default +\{\}`)

	// The API exports the same to callers with the permission.
	p.do(t, http.MethodGet, "/api/admin/audit/export", nil, http.StatusForbidden)
	admin := strings.TrimSpace(s.run(t, "key", "create", "--role", "Admin").must(t))
	exported := p.withKey(admin).get(t, "/api/admin/audit/export?action=publish")
	var entry struct {
		Actor  string `json:"actor"`
		Action string `json:"action"`
	}
	if err := json.Unmarshal(exported.body, &entry); err != nil || entry.Actor != "PROMPTUARY_API_KEY" || entry.Action != "publish" {
		t.Errorf("exported %s (%v)", exported.body, err)
	}
}
