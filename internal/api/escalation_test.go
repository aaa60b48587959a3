package api_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
)

const (
	keysPath  = "/api/admin/keys"
	usersPath = "/api/admin/users"
)

// TestKeysDoNotEscalate covers who may create, rotate and revoke which keys.
func TestKeysDoNotEscalate(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	strong := addKey(t, w, "admin", home, access.Administrator)
	owner := addKey(t, w, "owner", home, access.Owner)
	addKey(t, w, "developer", home, access.Developer)
	foreign := addKey(t, w, "stranger", away, access.Viewer)
	tests := []struct {
		who, request, body string
		status             int
	}{
		{"developer", keysPath, `{"roles":["Developer","Viewer"]}`, 201},
		{"developer", keysPath, `{}`, 403}, // a key without roles may do nearly everything
		{"developer", keysPath, `{"roles":["Contributor"]}`, 403},
		{"developer", keysPath, `{"roles":["Developer","Publisher"]}`, 403},
		{"developer", keysPath, `{"roles":["Admin"]}`, 403},
		{"developer", keysPath, `{"roles":["Owner"]}`, 403},
		{"developer", keysPath, `{"roles":["developer"]}`, 422},
		{"developer", fmt.Sprintf("%s/%d/rotate", keysPath, strong), ``, 403},
		{"developer", fmt.Sprintf("%s/%d/rotate", keysPath, owner), ``, 403},
		{"home", keysPath, `{}`, 201},
		{"home", keysPath, `{"roles":["Admin"]}`, 403},
		{"admin", keysPath, `{"roles":["Admin"]}`, 201},
		{"admin", keysPath, `{"roles":["Owner"]}`, 403},
		{"admin", fmt.Sprintf("%s/%d/rotate", keysPath, owner), ``, 403},
		{"admin", fmt.Sprintf("%s/%d/rotate", keysPath, foreign), ``, 404},
		{"admin", fmt.Sprintf("%s/%d/rotate?workspace_id=2", keysPath, foreign), ``, 404},
		{"admin", keysPath + "?workspace_id=2", `{"roles":["Viewer"]}`, 404},
		{"admin", usersPath, `{"email":"x@x.test","roles":["Owner"]}`, 422},
		{"admin", usersPath + "?workspace_id=2", `{"email":"x@x.test"}`, 404},
		{"owner", usersPath + "?workspace_id=2", `{"email":"x@x.test"}`, 201},
		{"owner", keysPath + "?workspace_id=2", `{"roles":["Owner"]}`, 201},
		{"owner", keysPath + "?workspace_id=999", `{}`, 404},
	}
	for _, tt := range tests {
		got, err := w.send(tt.who, http.MethodPost, tt.request, []byte(tt.body))
		check.OK(t, err)
		if got.status != tt.status {
			t.Errorf("%s: %s %s is answered with %d %s, want %d", tt.who, tt.request, tt.body, got.status, got.body, tt.status)
		}
	}
}

// TestAdminIsLimitedToTheWorkspace covers the administration of a workspace,
// as opposed to the installation.
func TestAdminIsLimitedToTheWorkspace(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	newSubjects(t, w)
	addKey(t, w, "admin", home, access.Administrator)
	w.signUp(t, "ann@x.test", away, access.Administrator)
	mine := w.must(t, http.StatusCreated, "admin", http.MethodPost, usersPath, `{"email":"new@x.test","roles":["Viewer"]}`)
	id := number(mine["user"].(map[string]any), "id")
	if mine["sign_in_token"] == nil {
		t.Error("a new account has no token")
	}
	// A person with an account gets no token, which would give access to all
	// their workspaces.
	known := w.must(t, http.StatusCreated, "admin", http.MethodPost, usersPath, `{"email":"ANN@x.test","roles":["Viewer"]}`)
	if known["sign_in_token"] != nil || known["sign_in_path"] != nil {
		t.Errorf("inviting an account is answered with %v", known)
	}
	one := fmt.Sprintf("%s/%d", usersPath, id)
	w.must(t, http.StatusForbidden, "admin", http.MethodPatch, one, `{"owner":true}`)
	w.must(t, http.StatusForbidden, "admin", http.MethodPatch, one, `{"owner":true,"roles":["Editor"]}`)
	w.must(t, http.StatusUnprocessableEntity, "admin", http.MethodPatch, one, `{"roles":["Owner"]}`)
	w.must(t, http.StatusUnprocessableEntity, "admin", http.MethodPatch, one, `{"roles":["viewer"]}`)
	w.must(t, http.StatusForbidden, "admin", http.MethodPost, one+"/sign-in-link", ``)
	w.must(t, http.StatusForbidden, "admin", http.MethodPost, usersPath+"/999/sign-in-link", ``)
	w.must(t, http.StatusForbidden, "admin", http.MethodPost, "/api/admin/workspaces", `{"name":"mine"}`)
	w.must(t, http.StatusNotFound, "admin", http.MethodPatch, "/api/admin/workspaces/2", `{"name":"mine"}`)
	w.must(t, http.StatusForbidden, "admin", http.MethodPatch, "/api/admin/workspaces/1", `{"disabled":true}`)
	w.must(t, http.StatusForbidden, "admin", http.MethodGet, "/api/admin/audit?installation=true", ``)
	kept := w.must(t, http.StatusOK, "admin", http.MethodPatch, one, `{"roles":null}`)["user"].(map[string]any)
	if diff := cmp.Diff([]any{"Viewer"}, kept["roles"]); diff != "" || kept["owner"] != false {
		t.Errorf("after all that the member is %v", kept)
	}
}

// TestRevocationIsImmediate revokes the rights of keys and people that are
// cached.
func TestRevocationIsImmediate(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	newSubjects(t, w)
	key := addKey(t, w, "worker", home, access.Contributor)
	token := w.signUp(t, "ann@x.test", home, access.Administrator)
	me := w.must(t, http.StatusOK, "nobody", http.MethodGet, sessionPath, "", cookieOf(token))
	one := fmt.Sprintf("%s/%d", usersPath, number(me["user"].(map[string]any), "id"))
	list := func(status int) {
		t.Helper()
		w.must(t, status, "nobody", http.MethodGet, usersPath, "", cookieOf(token))
	}
	list(http.StatusOK)
	w.must(t, http.StatusOK, "root", http.MethodPatch, one, `{"roles":["Editor"]}`)
	list(http.StatusForbidden)
	w.must(t, http.StatusOK, "root", http.MethodPatch, one, `{"owner":true}`)
	list(http.StatusOK)
	w.must(t, http.StatusConflict, "root", http.MethodPatch, one, `{"owner":false}`) // the last one
	w.must(t, http.StatusOK, "root", http.MethodDelete, one, ``)
	list(http.StatusOK) // still an owner
	w.must(t, http.StatusOK, "worker", http.MethodGet, sessionPath, "")
	w.must(t, http.StatusOK, "root", http.MethodDelete, fmt.Sprintf("%s/%d", keysPath, key), ``)
	w.must(t, http.StatusUnauthorized, "worker", http.MethodGet, sessionPath, "")
	bob := w.signUp(t, "bob@x.test", home, access.Viewer)
	him := w.must(t, http.StatusOK, "nobody", http.MethodGet, sessionPath, "", cookieOf(bob))
	w.must(t, http.StatusOK, "root", http.MethodDelete, fmt.Sprintf("%s/%d", usersPath, number(him["user"].(map[string]any), "id")), ``)
	w.must(t, http.StatusForbidden, "nobody", http.MethodGet, sessionPath, "", cookieOf(bob))
	rotated := w.must(t, http.StatusCreated, "root", http.MethodPost, keysPath, `{"roles":["Viewer"]}`)
	w.keys["old"] = rotated["api_key"].(string)
	w.must(t, http.StatusOK, "old", http.MethodGet, sessionPath, "")
	w.must(t, http.StatusCreated, "root", http.MethodPost, fmt.Sprintf("%s/%d/rotate", keysPath, number(rotated["key"].(map[string]any), "id")), ``)
	w.must(t, http.StatusUnauthorized, "old", http.MethodGet, sessionPath, "")
	w.must(t, http.StatusOK, "root", http.MethodPatch, "/api/admin/workspaces/1", `{"roles_required":true}`)
	w.must(t, http.StatusForbidden, "home", http.MethodPost, "/create-group", `{}`)
}

// TestSignInLinkWorksOnce uses one link many times concurrently.
func TestSignInLinkWorksOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	invited, err := w.access.Invite(access.AsSystem(context.Background()), home, "ann@x.test", nil)
	check.OK(t, err)
	w.must(t, http.StatusUnprocessableEntity, "nobody", http.MethodPost, sessionPath, `{"token":"`+invited.Token+`","password":"short"}`)
	statuses := make([]int, 20)
	var group sync.WaitGroup
	for i := range statuses {
		group.Go(func() {
			got, err := w.send("nobody", http.MethodPost, sessionPath, []byte(`{"token":"`+invited.Token+`"}`))
			if err != nil {
				t.Error(err)
			}
			statuses[i] = got.status
		})
	}
	group.Wait()
	count := map[int]int{}
	for _, status := range statuses {
		count[status]++
	}
	if diff := cmp.Diff(map[int]int{200: 1, 401: 19}, count); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
	w.must(t, http.StatusUnauthorized, "nobody", http.MethodPost, sessionPath, `{"token":"`+invited.Token+`"}`)
	late, err := w.access.Invite(access.AsSystem(context.Background()), home, "bob@x.test", nil)
	check.OK(t, err)
	w.clock.Advance(access.SessionFor)
	w.must(t, http.StatusUnauthorized, "nobody", http.MethodPost, sessionPath, `{"token":"`+late.Token+`"}`)
}

// TestNewPasswordEndsOtherSessions covers both ways to set a password.
func TestNewPasswordEndsOtherSessions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	first := w.signUp(t, "ann@x.test", home)
	signIn := `{"email":"Ann@X.test","password":"` + goodPassword + `"}`
	second := w.session(t, signIn)
	set := func(status int, token, current string) {
		t.Helper()
		w.must(t, status, "nobody", http.MethodPut, sessionPath+"/password", `{"current_password":"`+current+`","password":"another good one"}`, cookieOf(token), csrfOf(token))
	}
	set(http.StatusForbidden, second, "")
	set(http.StatusForbidden, second, "wrong")
	w.must(t, http.StatusOK, "nobody", http.MethodGet, sessionPath, "", cookieOf(first))
	set(http.StatusOK, second, goodPassword)
	w.must(t, http.StatusUnauthorized, "nobody", http.MethodGet, sessionPath, "", cookieOf(first))
	w.must(t, http.StatusOK, "nobody", http.MethodGet, sessionPath, "", cookieOf(second))
	w.must(t, http.StatusUnauthorized, "nobody", http.MethodPost, sessionPath, signIn)
}

// TestWrongPasswordsAreLimited tries many passwords concurrently, for a known
// and an unknown address, which must be indistinguishable.
func TestWrongPasswordsAreLimited(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.signUp(t, "ann@x.test", home)
	w.signUp(t, "bob@x.test", home)
	answers := map[string]map[string]int{}
	for _, email := range []string{"ann@x.test", "nobody@x.test"} {
		var mu sync.Mutex
		var group sync.WaitGroup
		seen := map[string]int{}
		for range 30 {
			group.Go(func() {
				got, err := w.send("nobody", http.MethodPost, sessionPath, []byte(`{"email":"`+email+`","password":"a wrong password"}`))
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					t.Error(err)
				}
				seen[fmt.Sprint(got.status, string(got.body))]++
			})
		}
		group.Wait()
		answers[email] = seen
	}
	if diff := cmp.Diff(answers["ann@x.test"], answers["nobody@x.test"]); diff != "" || len(answers["ann@x.test"]) != 2 {
		t.Errorf("known and unknown addresses (-known +unknown):\n%s", diff)
	}
	right := `{"email":"ann@x.test","password":"` + goodPassword + `"}`
	w.must(t, http.StatusTooManyRequests, "nobody", http.MethodPost, sessionPath, right)
	w.session(t, `{"email":"bob@x.test","password":"`+goodPassword+`"}`)
	w.clock.Advance(access.SessionFor / 100)
	w.session(t, right)
}
