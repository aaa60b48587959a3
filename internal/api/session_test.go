package api_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
)

const sessionPath = "/api/admin/session"

// signUp invites a person, who signs in with the link and sets a valid
// password, and returns the token of the session.
func (w *world) signUp(t *testing.T, email string, workspace int64, roles ...access.Role) string {
	t.Helper()
	invited, err := w.access.Invite(access.AsSystem(context.Background()), workspace, email, roles)
	check.OK(t, err)
	return w.session(t, `{"token":"`+invited.Token+`","password":"`+goodPassword+`"}`)
}

const goodPassword = "correct horse battery"

// session signs in and returns the token of the session.
func (w *world) session(t *testing.T, body string) string {
	t.Helper()
	got, err := w.send("nobody", http.MethodPost, sessionPath, []byte(body))
	check.OK(t, err)
	cookies := (&http.Response{Header: got.header}).Cookies()
	if got.status != http.StatusOK || len(cookies) != 1 {
		t.Fatalf("signing in is answered with %d %s and the cookies %v", got.status, got.body, cookies)
	}
	if c := cookies[0]; !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" {
		t.Errorf("the cookie is %v", c)
	}
	return cookies[0].Value
}

func cookieOf(token string) string { return "Cookie: promptuary_session=" + token }

func csrfOf(token string) string { return "X-CSRF-Token: " + access.CSRFToken(access.HashOf(token)) }

// aloof are ways to have a session without access to any workspace, or to the
// requested one, with the header that is sent.
var aloof = map[string]func(t *testing.T, w *world, user int64) string{
	"removed from the last workspace": func(t *testing.T, w *world, user int64) string {
		t.Helper()
		check.OK(t, w.access.RemoveMember(access.AsSystem(t.Context()), home, user))
		return ""
	},
	"all workspaces disabled": func(t *testing.T, w *world, _ int64) string {
		t.Helper()
		w.disableHome(t, true)
		return ""
	},
	"in a workspace just left": func(t *testing.T, w *world, user int64) string {
		t.Helper()
		check.Must(w.access.Invite(access.AsSystem(t.Context()), away, "ann@x.test", nil))(t)
		check.OK(t, w.access.RemoveMember(access.AsSystem(t.Context()), home, user))
		return "1"
	},
	"in no workspace that there is": func(*testing.T, *world, int64) string { return "999" },
	"in what is no workspace":       func(*testing.T, *world, int64) string { return "x" },
}

func (w *world) disableHome(t *testing.T, disabled bool) {
	t.Helper()
	check.Must(w.access.ChangeWorkspace(access.AsSystem(t.Context()), home, access.WorkspacePatch{Disabled: &disabled}))(t)
}

// TestSignOutWithoutWorkspace sets a password and signs out: both concern the
// session but no workspace.
func TestSignOutWithoutWorkspace(t *testing.T) {
	t.Parallel()
	for name, leave := range aloof {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, settings{})
			token := w.signUp(t, "ann@x.test", home)
			user := check.Must(w.access.FindUser(access.AsSystem(t.Context()), "ann@x.test"))(t)
			headers := []string{cookieOf(token), "X-Workspace-Id: " + leave(t, w, user.ID)}
			if got, err := w.send("nobody", http.MethodGet, sessionPath, nil, headers...); err != nil || got.status < 400 {
				t.Errorf("who gets in nowhere is answered with %d (%v)", got.status, err)
			}
			w.must(t, http.StatusForbidden, "nobody", http.MethodDelete, sessionPath, "", headers...) // no CSRF token
			headers = append(headers, csrfOf(token))
			w.must(t, http.StatusOK, "nobody", http.MethodPut, sessionPath+"/password", `{"current_password":"`+goodPassword+`","password":"another good one"}`, headers...)
			got, err := w.send("nobody", http.MethodDelete, sessionPath, nil, headers...)
			check.OK(t, err)
			cookies := (&http.Response{Header: got.header}).Cookies()
			if got.status != http.StatusOK || len(cookies) != 1 || cookies[0].Value != "" || cookies[0].MaxAge >= 0 {
				t.Errorf("signing out is answered with %d %s and the cookies %v", got.status, got.body, cookies)
			}

			w.disableHome(t, false)
			if _, err := w.catalog.Accounts.FindMember(t.Context(), home, user.ID); err != nil {
				check.Must(w.access.Invite(access.AsSystem(t.Context()), home, "ann@x.test", nil))(t)
			}
			w.must(t, http.StatusUnauthorized, "nobody", http.MethodGet, sessionPath, "", cookieOf(token))
			w.session(t, `{"email":"ann@x.test","password":"another good one"}`)
		})
	}
}

// TestRejectedSignInStartsNoSession covers a valid link and a valid password
// of a person whose workspace is disabled.
func TestRejectedSignInStartsNoSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.signUp(t, "bob@x.test", home)
	invited := check.Must(w.access.Invite(access.AsSystem(t.Context()), home, "ann@x.test", nil))(t)
	w.disableHome(t, true)
	link := `{"token":"` + invited.Token + `","password":"` + goodPassword + `"}`
	for _, body := range []string{link, `{"email":"bob@x.test","password":"` + goodPassword + `"}`} {
		got, err := w.send("nobody", http.MethodPost, sessionPath, []byte(body))
		check.OK(t, err)
		object := check.Must(got.object())(t)
		if got.status != http.StatusForbidden || object["message"] != "This workspace is disabled" || got.header.Get("Set-Cookie") != "" {
			t.Errorf("%s is answered with %d %s", body, got.status, got.body)
		}
	}
	w.disableHome(t, false)
	w.session(t, link)
}
