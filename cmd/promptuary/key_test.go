package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/app"
	"github.com/promptuary/promptuary/internal/app/storage"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/config"
)

// dataFolder returns a data folder that a server has used.
func dataFolder(t *testing.T) string {
	t.Helper()
	data := t.TempDir()
	_, closeIt := open(t, data)
	closeIt()
	return data
}

// command runs a command on a data folder and returns its output.
func command(t *testing.T, data string, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	root := newRootCommand()
	root.SetArgs(append(args, "--data", data))
	root.SetOut(&out)
	err := root.ExecuteContext(t.Context())
	return strings.TrimSpace(out.String()), err
}

// A misspelt folder must not become a data folder.
func TestCommandsNeedADataFolder(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "typo")
	for _, args := range [][]string{{"key", "list"}, {"key", "create"}, {"user", "list"}, {"workspace", "list"}, {"audit"}, {"backup", t.TempDir()}, {"verify"}} {
		_, err := command(t, data, args...)
		if err == nil || !strings.Contains(err.Error(), data) {
			t.Errorf("%v: error = %v, want one that names the folder", args, err)
		}
		if _, err := os.Stat(data); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("%v created the folder", args)
		}
	}
}

// What a key creates belongs to the owner of the key.
func TestKeyOwner(t *testing.T) {
	t.Parallel()
	data := dataFolder(t)
	check.Must(command(t, data, "user", "invite", "Ann@example.com"))(t)
	check.Must(command(t, data, "workspace", "create", "other"))(t)
	check.Must(command(t, data, "user", "invite", "bob@example.com", "--workspace", "other"))(t)
	owned := check.Must(command(t, data, "key", "create", "--owner", "ann@EXAMPLE.com"))(t)
	plain := check.Must(command(t, data, "key", "create"))(t)
	for name, email := range map[string]string{"a member of another workspace": "bob@example.com", "an unknown user": "carl@example.com", "no address": ""} {
		printed, err := command(t, data, "key", "create", "--owner", email)
		want := `"` + email + `" is not a member of workspace "default"`
		if err == nil || printed != "" || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %q, %v, want an error with %s", name, printed, err, want)
		}
	}

	cfg := config.Default()
	cfg.Data = data
	c := check.Must(storage.OpenCatalog(t.Context(), cfg))(t)
	t.Cleanup(func() { check.OK(t, c.Close()) })
	guard := app.NewAccess(c).Guard()
	check.Equal(t, "owner", check.Must(guard.Identify(t.Context(), owned))(t).Email, "Ann@example.com")
	check.Equal(t, "owner of a key without one", check.Must(guard.Identify(t.Context(), plain))(t).Email, "")
	check.Equal(t, "keys", len(check.Must(c.Accounts.ListKeys(t.Context(), 1))(t)), 2)
	noted := check.Must(audit.NewService(c.Accounts).List(access.WithCaller(t.Context(), access.CommandLine()), audit.Query{Limit: 1, WorkspaceID: new(int64(1))}))(t)
	check.Equal(t, "actor", noted[0].Actor, audit.Actor{Kind: audit.ByCommand, Name: "command line"})
}
