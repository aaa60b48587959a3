package admin

import (
	"context"
	"net/http"
	"strconv"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/rest"
)

const (
	// sessionCookie is where the browser keeps the token of a session.
	sessionCookie = "promptuary_session"
	// workspaceHeader says which workspace a person who is signed in means.
	workspaceHeader = "X-Workspace-Id"
	// csrfHeader shows that a request was made by a page of ours.
	csrfHeader = "X-CSRF-Token"
)

// Authenticator tells the kernel who calls: the holder of a key, or without
// one the person who is signed in.
func Authenticator(guard *access.Guard) rest.Authenticator {
	sessions := sessionReader{guard, http.NewCrossOriginProtection()}
	return func(ctx context.Context, r *http.Request, key string) (context.Context, string, error) {
		if key == "" {
			caller, err := sessions.read(ctx, r)
			return access.WithCaller(ctx, caller), "", err
		}
		if len(r.Header.Values("X-Api-Key")) > 1 {
			// Something on the way may have looked at another one than we.
			return ctx, "", fault.New(fault.Unauthorized, "Invalid or missing API key")
		}
		caller, err := guard.Identify(ctx, key)
		if err != nil {
			return ctx, "", err
		}
		return access.WithCaller(ctx, caller), strconv.FormatInt(caller.KeyID, 10), nil
	}
}

// sessionReader recognises people by their cookie.
type sessionReader struct {
	guard  *access.Guard
	origin *http.CrossOriginProtection
}

func (s sessionReader) read(ctx context.Context, r *http.Request) (access.Caller, error) {
	cookie, err := r.Cookie(sessionCookie)
	if err != nil || cookie.Value == "" {
		return access.Caller{}, fault.New(fault.Unauthorized, "Invalid or missing API key")
	}
	caller, err := s.recognise(ctx, r, cookie.Value)
	if err != nil {
		return access.Caller{}, err
	}
	return caller, s.checkOrigin(r, caller)
}

// recognise returns whose session it is, acting in the workspace that they
// mean where that matters.
func (s sessionReader) recognise(ctx context.Context, r *http.Request, token string) (access.Caller, error) {
	if concernsSession(r) {
		return s.guard.Session(ctx, token)
	}
	workspace, err := askedWorkspace(r)
	if err != nil {
		return access.Caller{}, err
	}
	return s.guard.Recognise(ctx, token, workspace)
}

// concernsSession reports whether a request changes the session or the account
// of whoever makes it. People must be able to sign out, and to set another
// password, also when they no longer get into a workspace.
func concernsSession(r *http.Request) bool {
	switch r.Method {
	case http.MethodDelete:
		return r.URL.Path == adminSession
	case http.MethodPut:
		return r.URL.Path == adminPassword
	}
	return false
}

// checkOrigin refuses a change that another site makes the browser ask for.
func (s sessionReader) checkOrigin(r *http.Request, caller access.Caller) error {
	if err := sameOrigin(s.origin, r); err != nil {
		return err
	}
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return nil
	}
	return access.CheckCSRF(caller.Session, r.Header.Get(csrfHeader))
}

func sameOrigin(origin *http.CrossOriginProtection, r *http.Request) error {
	if err := origin.Check(r); err != nil {
		return fault.Wrap(fault.Forbidden, err, "Requests from other sites are not accepted")
	}
	return nil
}

// askedWorkspace returns the workspace that a person means, 0 when they do not
// say.
func askedWorkspace(r *http.Request) (int64, error) {
	text := r.Header.Get(workspaceHeader)
	if text == "" {
		return 0, nil
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 {
		return 0, fault.BadRequestf("The header %s must be the id of a workspace", workspaceHeader)
	}
	return id, nil
}
