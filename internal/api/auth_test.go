package api_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
)

// TestKeys covers several keys of one workspace, and that a revoked one ends.
func TestKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.keys["second"] = access.NewKey()
	second, err := w.catalog.CreateKey(t.Context(), catalog.Key{WorkspaceID: home, Hash: access.Hash(w.keys["second"])})
	check(t, err)
	w.log(t, "second", nil)
	if total := w.total(t, "home"); total != 1 {
		t.Errorf("the first key sees %d logs of the second", total)
	}
	_, err = w.catalog.RevokeKey(t.Context(), home, second.ID)
	check(t, err)
	w.clock.Advance(2 * time.Second) // a key is remembered for so long
	w.must(t, http.StatusUnauthorized, "second", http.MethodPost, searchPath, `{}`)
	w.must(t, http.StatusUnauthorized, "nobody", http.MethodPost, "/create-group", `{"api_key":"`+w.keys["second"]+`"}`)
	w.must(t, http.StatusOK, "home", http.MethodPost, searchPath, `{}`)
}

// TestHeaderNames covers the ways in which clients write the header.
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
