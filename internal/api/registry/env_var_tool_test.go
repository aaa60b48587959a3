package registry

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/envvar"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/secret"
	"github.com/promptuary/promptuary/internal/tool"
)

// newToolServer serves the variables of tools, identified by name; the API
// key is the id of the workspace.
func newToolServer(t *testing.T) (url string, c *catalog.Catalog, service *envvar.Service) {
	t.Helper()
	c = catalogtest.Open(t, catalogtest.SQLite(t))
	service = envvar.NewService(c.Entities, c.EnvVars, secret.NewBox(secret.NewKey()))
	tools := toolEnvVars{service: service, tools: tool.NewService(tool.Options{Store: c.Entities})}
	router, err := rest.New(tools.operations(), rest.Options{
		Title: "Test", Version: "1",
		Authenticate: func(ctx context.Context, _ *http.Request, key string) (context.Context, string, error) {
			caller := access.Caller{Permissions: access.Administrator.Permissions()}
			_, err := fmt.Sscan(key, &caller.Workspace)
			return access.WithCaller(ctx, caller), key, err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(router)
	t.Cleanup(server.Close)
	return server.URL, c, service
}

var moment = regexp.MustCompile(`"[0-9-]+T[0-9:.]+Z"`)

// ask returns the status and the body of a response, with all times replaced
// by "T".
func ask(t *testing.T, key int64, method, url, body string) string {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-API-KEY", fmt.Sprint(key))
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(answer.StatusCode, " ", moment.ReplaceAllString(string(text), `"T"`))
}

func TestToolEnvVars(t *testing.T) {
	t.Parallel()
	url, c, service := newToolServer(t)
	var home, away, tool int64
	for _, name := range []string{"home", "away"} {
		created, err := c.Accounts.CreateWorkspace(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		home, away = away, created.ID
	}
	for _, name := range []string{"other", "a/b"} {
		created, err := c.Entities.CreateEntity(t.Context(), entity.New{WorkspaceID: home, Kind: entity.KindTool, Name: name})
		if err != nil {
			t.Fatal(err)
		}
		tool = created.ID
	}
	// The variable with id 1 belongs to the workspace, not to the tool.
	if _, err := service.Create(access.AsSystem(t.Context()), envvar.Scope{Workspace: home}, "TOKEN", "of the workspace"); err != nil {
		t.Fatal(err)
	}
	list, one := "/api/public/v2/tool-registry/a/b/env-vars", "/api/public/v2/tool-registry/a%2Fb/env-vars/2"
	item := fmt.Sprintf(`{"id":2,"key":"TOKEN","value_suffix":"1234","is_empty":false,"created_at":"T","updated_at":"T","tool_registry_id":%d}`, tool)
	changed := strings.Replace(item, "1234", "5678", 1)
	for _, step := range []struct {
		key                      int64
		method, path, body, want string
	}{
		{home, http.MethodGet, list, "", `200 {"success":true,"tool_env_vars":[]}`},
		{home, http.MethodPost, list, `{"key":"TOKEN","value":"sk-1234"}`, `201 {"success":true,"tool_env_var":` + item + `}`},
		{home, http.MethodPost, list, `{"key":"TOKEN"}`, `409 {"success":false,"message":"Environment variable TOKEN already exists"`},
		{home, http.MethodPost, list, `{"key":"PATH"}`, `422 {"success":false,"message":"key: This name is reserved"`},
		{home, http.MethodPatch, one, `{"value":"sk-5678"}`, `200 {"success":true,"tool_env_var":` + changed + `}`},
		{home, http.MethodGet, list, "", `200 {"success":true,"tool_env_vars":[` + changed + `]}`},
		{home, http.MethodPatch, one, `{"value":""}`, `422 `},
		{home, http.MethodPatch, "/api/public/v2/tool-registry/a/b/env-vars/1", `{"value":"x"}`, `404 `},
		{home, http.MethodDelete, "/api/public/v2/tool-registry/a/b/env-vars/1", "", `404 `},
		{home, http.MethodDelete, "/api/public/v2/tool-registry/other/env-vars/2", "", `404 `},
		{home, http.MethodGet, "/api/public/v2/tool-registry/nobody/env-vars", "", `404 {"success":false,"message":"Tool not found"`},
		{home, http.MethodPost, "/api/public/v2/tool-registry/nobody/env-vars", `{"key":"A"}`, `404 `},
		{away, http.MethodGet, list, "", `404 `},
		{away, http.MethodPost, list, `{"key":"A"}`, `404 `},
		{away, http.MethodPatch, one, `{"value":"x"}`, `404 `},
		{away, http.MethodDelete, one, "", `404 `},
		{home, http.MethodDelete, one, "", `200 {"success":true}`},
		{home, http.MethodDelete, one, "", `404 {"success":false,"message":"Environment variable 2 not found"`},
		{home, http.MethodGet, list, "", `200 {"success":true,"tool_env_vars":[]}`},
	} {
		if got := ask(t, step.key, step.method, url+step.path, step.body); !strings.HasPrefix(got, step.want) {
			t.Errorf("%d: %s %s %s\n got %s\nwant %s", step.key, step.method, step.path, step.body, got, step.want)
		}
	}
}
