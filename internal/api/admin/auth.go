package admin

import (
	"context"
	"net"
	"net/http"
	"strconv"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/rest"
)

const (
	// sessionCookie is the cookie with the token of a session.
	sessionCookie = "promptuary_session"
	// workspaceHeader selects the workspace of a signed-in person.
	workspaceHeader = "X-Workspace-Id"
	// csrfHeader proves that a request was made by the web app.
	csrfHeader = "X-CSRF-Token"
)

// Authenticator returns the kernel's authenticator, which identifies callers
// by their key or, without one, by their session.
func Authenticator(guard *access.Guard) rest.Authenticator {
	sessions := sessionReader{guard, http.NewCrossOriginProtection()}
	return func(ctx context.Context, r *http.Request, key string) (context.Context, string, error) {
		if key == "" {
			caller, err := sessions.read(ctx, r)
			return access.WithClient(access.WithCaller(ctx, caller), clientAddress(r)), "", err
		}
		if len(r.Header.Values("X-Api-Key")) > 1 {
			// A proxy in between may have checked a different one.
			return ctx, "", fault.New(fault.Unauthorized, "Invalid or missing API key")
		}
		caller, err := guard.Identify(ctx, key)
		if err != nil {
			return ctx, "", err
		}
		return access.WithCaller(ctx, caller), strconv.FormatInt(caller.KeyID, 10), nil
	}
}

// clientAddress returns the network address of the client, which the server may
// have replaced by the one that a proxy names.
func clientAddress(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		return host
	}
	return r.RemoteAddr
}

// Authorize rejects keys that may not read, except from write-only operations.
// Users are not affected: they have no such role, and some operations concern
// only their session.
func Authorize(ctx context.Context, op *rest.Op) error {
	if caller := access.CallerOf(ctx); op.WriteOnly || caller.KeyID == 0 {
		return nil
	}
	return access.Require(ctx, access.Read)
}

// Enter returns the kernel's function to enter a workspace that the input of an
// operation selects.
func Enter(guard *access.Guard) func(context.Context, int64) (context.Context, error) {
	return func(ctx context.Context, workspace int64) (context.Context, error) {
		caller, err := guard.Enter(ctx, workspace)
		return access.WithCaller(ctx, caller), err
	}
}

// sessionReader identifies people by their session cookie.
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

// recognise returns the person of a session, acting in the selected workspace
// unless the request concerns only the session.
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

// concernsSession reports whether a request changes only the caller's own
// session or account. People must be able to sign out and to change their
// password even without access to any workspace.
func concernsSession(r *http.Request) bool {
	switch r.Method {
	case http.MethodDelete:
		return r.URL.Path == adminSession
	case http.MethodPut:
		return r.URL.Path == adminPassword
	}
	return false
}

// checkOrigin rejects cross-site changes.
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

// askedWorkspace returns the workspace in the header, or 0 without one.
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
