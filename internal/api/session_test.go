package api_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
)

const sessionPath = "/api/admin/session"

// signUp invites somebody, who signs in by the link with the password that is
// good, and returns the token of the session.
func (w *world) signUp(t *testing.T, email string, workspace int64, roles ...access.Role) string {
	t.Helper()
	invited, err := w.access.Invite(context.Background(), workspace, email, roles)
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
