package app_test

import (
	"context"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/app"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/config"
)

// TestMetricsNeedAdmin requests the metrics, which concern the whole
// installation, with keys and sessions of different roles.
func TestMetricsNeedAdmin(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	keys, sessions := callersOf(t, data, access.Viewer, access.Editor, access.Administrator)
	p := startProgram(t, data)
	defer p.end()
	for name, test := range map[string]struct {
		header, value string
		want          int
	}{
		"nothing":             {"X-API-KEY", "", http.StatusUnauthorized},
		"an unknown key":      {"X-API-KEY", "pl_wrong", http.StatusUnauthorized},
		"a key without roles": {"X-API-KEY", apiKey, http.StatusForbidden},
		"a Viewer key":        {"X-API-KEY", keys[access.Viewer], http.StatusForbidden},
		"an Editor key":       {"X-API-KEY", keys[access.Editor], http.StatusForbidden},
		"an Admin key":        {"X-API-KEY", keys[access.Administrator], http.StatusOK},
		"an unknown session":  {"Cookie", "promptuary_session=wrong", http.StatusUnauthorized},
		"a Viewer session":    {"Cookie", sessions[access.Viewer], http.StatusForbidden},
		"an Editor session":   {"Cookie", sessions[access.Editor], http.StatusForbidden},
		"an Admin session":    {"Cookie", sessions[access.Administrator], http.StatusOK},
	} {
		answer := getWith(t, p.url+"/metrics", test.header, test.value)
		check.Equal(t, name, answer.status, test.want)
		check.Equal(t, name+" sees metrics", strings.Contains(answer.body, "promptuary_"), test.want == http.StatusOK)
		check.Equal(t, name+" gets an error", strings.Contains(answer.body, `"success":false`), test.want != http.StatusOK)
	}
}

// callersOf creates a key and a session for each role in the default workspace of
// a data folder.
func callersOf(t *testing.T, data string, roles ...access.Role) (keys, sessions map[access.Role]string) {
	t.Helper()
	store := check.Must(catalog.Open(t.Context(), "sqlite:"+filepath.Join(data, "catalog.db")))(t)
	defer func() { check.OK(t, store.Close()) }()
	ctx := access.AsSystem(t.Context())
	workspace := check.Must(store.Accounts.EnsureDefaultWorkspace(ctx))(t)
	service := app.NewAccess(store)
	keys, sessions = map[access.Role]string{}, map[access.Role]string{}
	for _, role := range roles {
		_, secret, err := service.CreateKey(ctx, workspace.ID, access.NewKeyInput{Roles: []access.Role{role}})
		check.OK(t, err)
		keys[role], sessions[role] = secret, "promptuary_session="+signIn(ctx, t, service, workspace.ID, role)
	}
	return keys, sessions
}

// signIn invites a user with the role and returns the token of a session.
func signIn(ctx context.Context, t *testing.T, service *access.Service, workspaceID int64, role access.Role) string {
	t.Helper()
	invited := check.Must(service.Invite(ctx, workspaceID, string(role)+"@example.com", []access.Role{role}))(t)
	return check.Must(service.SignInByLink(ctx, invited.Token, nil))(t).Token
}

func TestMetricsOnTheirOwnAddress(t *testing.T) {
	t.Parallel()
	p := startProgram(t, t.TempDir(), func(c *config.Config) { c.MetricsAddr = "127.0.0.1:0" })
	defer p.end()
	answer := get(t, p.metrics, "")
	if answer.status != http.StatusOK || !strings.Contains(answer.body, "promptuary_connections_open") {
		t.Errorf("own address: %d %.200s", answer.status, answer.body)
	}
	for _, queue := range []string{"bodies", "queries", "rendering", "code", "texts", "uploads", "datasets", "exports", "saved_exports", "changes", "jobs"} {
		for _, name := range []string{"slots", "running", "waiting", "refused_total"} {
			if line := "\npromptuary_queue_" + name + `{queue="` + queue + `"} `; !strings.Contains(answer.body, line) {
				t.Errorf("no line with %q", line)
			}
		}
	}
	check.Equal(t, "main address", get(t, p.url+"/metrics", apiKey).status, http.StatusNotFound)
	other := strings.TrimSuffix(p.metrics, "/metrics") + "/api/admin/session"
	check.Equal(t, "operation on the address of the metrics", get(t, other, apiKey).status, http.StatusNotFound)
}
