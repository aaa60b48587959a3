package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/api"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/rest"
)

// TestKeys covers several keys of one workspace, and a revoked one.
func TestKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.keys["second"] = access.NewKey()
	second, err := w.catalog.Accounts.CreateKey(t.Context(), access.Key{WorkspaceID: home, Hash: access.HashOf(w.keys["second"])})
	check.OK(t, err)
	w.log(t, "second", nil)
	if total := w.total(t, "home"); total != 1 {
		t.Errorf("the first key sees %d logs of the second", total)
	}
	_, err = w.catalog.Accounts.RevokeKey(t.Context(), home, second.ID)
	check.OK(t, err)
	w.clock.Advance(2 * time.Second) // keys are cached for this long
	w.must(t, http.StatusUnauthorized, "second", http.MethodPost, searchPath, `{}`)
	w.must(t, http.StatusUnauthorized, "nobody", http.MethodPost, "/create-group", `{"api_key":"`+w.keys["second"]+`"}`)
	w.must(t, http.StatusOK, "home", http.MethodPost, searchPath, `{}`)
}

// TestHeaderNames covers the spellings of the header that clients use.
func TestHeaderNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	for _, name := range []string{"X-API-KEY", "X-Api-Key", "x-api-key"} {
		w.must(t, http.StatusOK, "nobody", http.MethodPost, searchPath, `{}`, name+": ${home}")
	}
	for _, header := range []string{"X-API-KEYS: ${home}", "Api-Key: ${home}", "Authorization: ${home}", "X-API-KEY: Bearer ${home}", `X-API-KEY: "${home}"`} {
		w.must(t, http.StatusUnauthorized, "nobody", http.MethodPost, searchPath, `{}`, header)
	}
	upper := w.keys["home"][:3] + "X" + w.keys["home"][4:]
	w.must(t, http.StatusUnauthorized, "nobody", http.MethodPost, searchPath, `{}`, "X-API-KEY: "+upper)
}

// TestEveryOperationChecksTheKeyFirst sends requests in which everything is
// invalid. Without a valid key, the response is about the key only.
func TestEveryOperationChecksTheKeyFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	for _, op := range api.Operations(api.Services{}) {
		if op.Auth == rest.AuthNone {
			continue
		}
		path := parameter.ReplaceAllString(strings.ReplaceAll(op.Path, ":digits}", "}"), "x")
		if strings.Contains(op.Path, ":digits}") {
			path = parameter.ReplaceAllString(op.Path, "0")
		}
		body := "not JSON"
		headers := []string{"Content-Type: text/plain"}
		if op.Auth == rest.AuthKeyOrBody {
			body, headers = `{"api_key": "wrong"}`, nil
		}
		for _, key := range []string{"", " ", "pl_wrong", w.keys["home"] + "0"} {
			got, err := w.send("nobody", op.Method, path, []byte(body), append(headers, "X-API-KEY: "+key)...)
			check.OK(t, err)
			if got.status != http.StatusUnauthorized {
				t.Errorf("%s %s with the key %q is answered with %d %s", op.Method, path, key, got.status, clip(string(got.body)))
			}
			checkErrorShape(t, got.status, got.body)
		}
	}
}
