package admin

import (
	"context"
	"net/http"
	"strings"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/rest"
)

const (
	adminSession  = adminBase + "/session"
	adminPassword = adminSession + "/password"
)

// maxSignIn limits the body of a sign-in, which anybody can send. It fits the
// longest password with every character escaped.
const maxSignIn = 16 << 10

func (h administration) sessionOperations() []rest.Op {
	return []rest.Op{
		{
			Method: http.MethodPost, Path: adminSession, ID: "signIn", Auth: rest.AuthNone, Handler: rest.RawBound(sessionResponse{}, h.signIn),
			Summary: "Sign in",
			Description: "Starts a session with email address and password, or with the token of a sign-in link, and sets the session cookie. " +
				"With a token, a password can be set in the same request. People without access to any workspace are rejected with 403; their token stays valid.",
			MaxBody: maxSignIn, Also: []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests},
		},
		{
			Method: http.MethodGet, Path: adminSession, ID: "getSession", Handler: rest.Handle(h.session),
			Summary: "Get the session", Description: "Returns the caller, their permissions and workspaces, and for people the token to send with changes in the header X-CSRF-Token.",
		},
		{
			Method: http.MethodDelete, Path: adminSession, ID: "signOut", Handler: rest.Raw(nil, kit.SuccessResponse{}, h.signOut),
			Summary: "Sign out", Description: "Ends the session and clears its cookie, regardless of X-Workspace-Id. Has no effect for a key.",
		},
		{
			Method: http.MethodPut, Path: adminPassword, ID: "setPassword", Handler: rest.Handle(h.setPassword),
			Summary: "Set my password", Description: "Sets the password of the signed-in person and ends their other sessions, regardless of X-Workspace-Id.",
			Also: []int{http.StatusForbidden, http.StatusTooManyRequests},
		},
	}
}

type signInRequest struct {
	Email    *string `json:"email" maxLength:"254" description:"Email address."`
	Password *string `json:"password" maxLength:"1000" description:"Password; with a token, the password to set."`
	Token    *string `json:"token" maxLength:"200" description:"Token of a sign-in link, instead of email address and password."`
}

// Validate requires either a token or an email address and a password.
func (in *signInRequest) Validate(problems *fault.Problems) {
	switch {
	case in.Token != nil && in.Email != nil:
		problems.Add(kit.BodyLoc, "value_error", "Either a token or an email is required, not both")
	case in.Token == nil && in.Email == nil:
		problems.Report(fault.At(kit.BodyLoc, "email"), fault.Required)
	case in.Token == nil && in.Password == nil:
		problems.Report(fault.At(kit.BodyLoc, "password"), fault.Required)
	}
}

func (h administration) signIn(w http.ResponseWriter, r *rest.Request, in *signInRequest) error {
	if err := sameOrigin(http.NewCrossOriginProtection(), r.HTTP); err != nil {
		return err
	}
	signed, err := h.start(access.WithClient(r.Context(), clientAddress(r.HTTP)), *in)
	if err != nil {
		return err
	}
	answer, err := h.session(access.WithCaller(r.Context(), signed.Caller), nil)
	if err != nil {
		return err
	}
	cookie := newCookie(r.HTTP, signed.Token)
	cookie.Expires = signed.ExpiresAt
	http.SetCookie(w, cookie)
	return rest.WriteJSON(w, http.StatusOK, answer)
}

func (h administration) start(ctx context.Context, in signInRequest) (access.SignedIn, error) {
	if in.Token != nil {
		return h.service.SignInByLink(ctx, *in.Token, in.Password)
	}
	return h.service.SignIn(ctx, *in.Email, *in.Password)
}

// newCookie returns a session cookie that scripts cannot read and that
// browsers do not send with cross-site requests other than navigation.
func newCookie(r *http.Request, token string) *http.Cookie {
	secure := r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")
	return &http.Cookie{
		Name: sessionCookie, Value: token, Path: "/", HttpOnly: true, Secure: secure, SameSite: http.SameSiteLaxMode,
	}
}

type sessionResponse struct {
	Success     bool              `json:"success" required:"true" description:"Always true."`
	User        *selfItem         `json:"user" required:"true" description:"The signed-in person; null for a key."`
	KeyID       *int64            `json:"key_id" required:"true" description:"The id of the key; null for a person."`
	WorkspaceID int64             `json:"workspace_id" required:"true" description:"The id of the workspace that the caller acts in. People select another one with the header X-Workspace-Id."`
	Permissions []string          `json:"permissions" required:"true" description:"Permissions of the caller in the workspace."`
	Workspaces  []memberWorkspace `json:"workspaces" required:"true" description:"The workspaces that the caller can act in."`
	CSRFToken   *string           `json:"csrf_token" required:"true" description:"Token to send with changes in the header X-CSRF-Token; null for a key."`
}

type selfItem struct {
	ID          int64  `json:"id" required:"true" description:"The id of the account."`
	Email       string `json:"email" required:"true" description:"Email address."`
	Owner       bool   `json:"owner" required:"true" description:"Whether the person is an owner, who may do everything in every workspace."`
	HasPassword bool   `json:"has_password" required:"true" description:"Whether a password is set."`
}

type memberWorkspace struct {
	workspaceItem
	Roles []string `json:"roles" required:"true" description:"Roles of the person in the workspace."`
}

func (h administration) session(ctx context.Context, _ *struct{}) (*sessionResponse, error) {
	self, err := h.service.Self(ctx)
	if err != nil {
		return nil, err
	}
	answer := &sessionResponse{
		Success: true, WorkspaceID: self.Caller.Workspace, Permissions: self.Caller.Permissions.Names(),
		Workspaces: kit.Each(self.Memberships, func(m access.Membership) memberWorkspace {
			return memberWorkspace{wireWorkspace(m.Workspace), wireRoles(m.Roles)}
		}),
	}
	if self.User == nil {
		answer.KeyID = &self.Caller.KeyID
		return answer, nil
	}
	answer.User = &selfItem{ID: self.User.ID, Email: self.User.Email, Owner: self.User.Owner, HasPassword: self.User.Password != ""}
	answer.CSRFToken = new(access.CSRFToken(self.Caller.Session))
	return answer, nil
}

func (h administration) signOut(w http.ResponseWriter, r *rest.Request) error {
	if err := h.service.SignOut(r.Context()); err != nil {
		return err
	}
	cookie := newCookie(r.HTTP, "")
	cookie.MaxAge = -1
	http.SetCookie(w, cookie)
	return rest.WriteJSON(w, http.StatusOK, kit.SuccessResponse{Success: true})
}

type setPasswordRequest struct {
	Current  string `json:"current_password" maxLength:"1000" description:"Current password; required if one is set."`
	Password string `json:"password" required:"true" minLength:"10" maxLength:"1000" description:"New password."`
}

func (h administration) setPassword(ctx context.Context, in *setPasswordRequest) (*kit.SuccessResponse, error) {
	return kit.Succeeded(h.service.SetPassword(ctx, in.Current, in.Password))
}
