package api_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/rest"
)

// eachOperation calls do with one sample of every authenticated operation,
// with its subjects.
func eachOperation(t *testing.T, subjects *subjects, do func(op *rest.Op, path, body string)) {
	t.Helper()
	seen := map[string]bool{}
	for _, s := range samples() {
		if seen[s.op] {
			continue
		}
		seen[s.op] = true
		subjects.fresh()
		_, path, body := s.request(subjects)
		do(operation(s.op), path, body)
	}
}

// keyHeaders returns headers that do not authenticate.
func keyHeaders(t *testing.T, w *world) map[string][]string {
	t.Helper()
	ctx := access.AsSystem(context.Background())
	revoked := addKey(t, w, "revoked", home, access.Administrator)
	_, err := w.catalog.Accounts.RevokeKey(ctx, home, revoked)
	check.OK(t, err)
	ends := noon.Add(time.Hour)
	_, expired, err := w.access.CreateKey(ctx, home, access.NewKeyInput{Roles: []access.Role{access.Administrator}, ExpiresAt: &ends})
	check.OK(t, err)
	w.clock.Advance(time.Hour)
	good := w.keys["home"]
	last := "0"
	if strings.HasSuffix(good, last) {
		last = "1"
	}
	headers := map[string][]string{"no header": nil}
	for name, key := range map[string]string{
		"revoked": w.keys["revoked"], "expired": expired, "empty": "", "spaces": "   ", "another prefix": "sk_" + good[3:],
		"one character off": good[:len(good)-1] + last, "cut off": good[:len(good)-1], "in capitals": strings.ToUpper(good),
		"10 kB": "pl_" + strings.Repeat("a", 10_000), "beyond ASCII": "pl_ключ", "twice in one": good + "," + good, "with a space inside": good[:9] + " " + good[9:],
	} {
		headers[name] = []string{key}
	}
	headers["header twice"] = []string{good, good}
	headers["header twice, the second wrong"] = []string{good, "pl_x"}
	headers["header twice, the first empty"] = []string{"", good}
	return headers
}

// TestInvalidKeysAreRejected sends requests that would succeed, with every
// kind of invalid key.
func TestInvalidKeysAreRejected(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	subjects, stored, headers := newSubjects(t, w), newReader(t, w), keyHeaders(t, w)
	var before dump
	eachOperation(t, subjects, func(op *rest.Op, path, body string) {
		subjects.awaitRuns()
		before = stored.dump(t)
		for name, values := range headers {
			got := w.sendKeys(t, op.Method, path, body, values)
			if got.status != http.StatusUnauthorized || strings.Contains(string(got.body), "not found") {
				t.Errorf("%s with %s is answered with %d %s", op.ID, name, got.status, clip(string(got.body)))
			}
			checkErrorShape(t, got.status, got.body)
		}
		before.same(t, stored.dump(t))
	})
	w.must(t, http.StatusOK, "nobody", http.MethodGet, sessionPath, "", "X-API-KEY:  "+w.keys["home"]+" ")
}

// sendKeys sends a request with any number of key headers.
func (w *world) sendKeys(t *testing.T, method, path, body string, keys []string) reply {
	t.Helper()
	r, err := http.NewRequest(method, w.url+path, strings.NewReader(body))
	check.OK(t, err)
	r.Header.Set("Content-Type", "application/json")
	for _, key := range keys {
		r.Header.Add("X-API-KEY", key)
	}
	got, err := w.answer(r)
	check.OK(t, err)
	return got
}

// TestDisabledWorkspace covers keys and members of a disabled workspace.
// Owners keep access, to enable it again.
func TestDisabledWorkspace(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	subjects, stored := newSubjects(t, w), newReader(t, w)
	addKey(t, w, "admin", away, access.Administrator)
	token := w.signUp(t, "away@x.test", away, access.Administrator)
	w.must(t, http.StatusOK, "admin", http.MethodGet, sessionPath, "")
	w.must(t, http.StatusOK, "root", http.MethodPatch, "/api/admin/workspaces/2", `{"disabled":true}`)
	eachOperation(t, subjects, func(op *rest.Op, path, body string) {
		subjects.awaitRuns()
		before := stored.dump(t)
		for _, headers := range [][]string{{"X-API-KEY: ${admin}"}, {cookieOf(token), csrfOf(token), "X-Workspace-Id: 2"}} {
			if len(headers) > 1 && ownSession[op.ID] {
				continue
			}
			got, err := w.send("nobody", op.Method, path, []byte(body), headers...)
			check.OK(t, err)
			if got.status != http.StatusForbidden {
				t.Errorf("%s with %s is answered with %d %s", op.ID, headers[0][:6], got.status, clip(string(got.body)))
			}
		}
		before.same(t, stored.dump(t))
	})
	w.must(t, http.StatusOK, "root", http.MethodPatch, "/api/admin/workspaces/2", `{"disabled":false}`)
	w.must(t, http.StatusOK, "admin", http.MethodGet, sessionPath, "")
}

// ownSession has the operations that concern a session but no workspace.
var ownSession = map[string]bool{"signOut": true, "setPassword": true}

// TestInvalidSessionsAreRejected sends requests that would succeed, with a
// session that has ended or belongs to another server, or in the way of
// cross-site requests.
func TestInvalidSessionsAreRejected(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	subjects, stored := newSubjects(t, w), newReader(t, w)
	ended := w.signUp(t, "ended@x.test", home, access.Administrator)
	w.must(t, http.StatusOK, "nobody", http.MethodDelete, sessionPath, "", cookieOf(ended), csrfOf(ended))
	old := w.signUp(t, "old@x.test", home, access.Administrator)
	w.clock.Advance(access.SessionFor)
	token := w.signUp(t, "ann@x.test", home, access.Administrator)
	other := w.signUp(t, "bob@x.test", away, access.Administrator)
	cookie, csrf := cookieOf(token), csrfOf(token)
	tests := []struct {
		name    string
		status  int
		writes  bool
		headers []string
	}{
		{"signed out", 401, false, []string{cookieOf(ended), csrfOf(ended)}},
		{"ended", 401, false, []string{cookieOf(old), csrfOf(old)}},
		{"unknown", 401, false, []string{cookieOf("0123456789abcdef"), csrf}},
		{"empty", 401, false, []string{cookieOf(""), csrf}},
		{"a key as the cookie", 401, false, []string{cookieOf(w.keys["root"]), csrf}},
		{"with a wrong key", 401, false, []string{cookie, csrf, "X-API-KEY: pl_wrong"}},
		{"elsewhere", 403, false, []string{cookie, csrf, "X-Workspace-Id: 2"}},
		{"nowhere", 403, false, []string{cookie, csrf, "X-Workspace-Id: 999"}},
		{"a stranger", 403, false, []string{cookieOf(other), csrfOf(other), "X-Workspace-Id: 1"}},
		{"no token", 403, true, []string{cookie}},
		{"an empty token", 403, true, []string{cookie, "X-CSRF-Token: "}},
		{"the token of another session", 403, true, []string{cookie, csrfOf(other)}},
		{"the session as the token", 403, true, []string{cookie, "X-CSRF-Token: " + token}},
		{"from another origin", 403, true, []string{cookie, csrf, "Origin: https://evil.test"}},
		{"from another site", 403, true, []string{cookie, csrf, "Sec-Fetch-Site: cross-site"}},
		{"from a sibling", 403, true, []string{cookie, csrf, "Sec-Fetch-Site: same-site"}},
	}
	eachOperation(t, subjects, func(op *rest.Op, path, body string) {
		subjects.awaitRuns()
		before := stored.dump(t)
		for _, tt := range tests {
			astray := strings.HasPrefix(tt.headers[len(tt.headers)-1], "X-Workspace-Id")
			if tt.writes && op.Method == http.MethodGet || astray && ownSession[op.ID] {
				continue
			}
			got, err := w.send("nobody", op.Method, path, []byte(body), tt.headers...)
			check.OK(t, err)
			if got.status != tt.status {
				t.Errorf("%s %s is answered with %d %s, want %d", op.ID, tt.name, got.status, clip(string(got.body)), tt.status)
			}
		}
		before.same(t, stored.dump(t))
	})
	w.must(t, http.StatusOK, "nobody", http.MethodGet, sessionPath, "", cookie)
	w.must(t, http.StatusCreated, "nobody", http.MethodPost, "/api/admin/keys", `{}`, cookie, csrf, "Sec-Fetch-Site: same-origin")
	w.must(t, http.StatusForbidden, "nobody", http.MethodPost, sessionPath, `{"email":"ann@x.test","password":"`+goodPassword+`"}`, "Origin: https://evil.test")
}
