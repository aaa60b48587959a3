package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/promptuary/promptuary/internal/check"
)

// copyError returns the error of `catalog copy` and checks that it prints nothing.
func copyError(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	root := newRootCommand()
	root.SetArgs(append([]string{"catalog", "copy"}, args...))
	root.SetOut(&out)
	err := root.ExecuteContext(t.Context())
	if err == nil || out.Len() > 0 {
		t.Fatalf("%q: returned %v and printed %q", args, err, out.String())
	}
	return err.Error()
}

func TestCatalogCopyRefusesWrongFolders(t *testing.T) {
	t.Parallel()
	const nowhere = "postgres://user:hush@127.0.0.1:1/none"
	used, empty := dataFolder(t), t.TempDir()
	lock := check.Must(os.OpenFile(filepath.Join(used, "promptuary.lock"), os.O_RDWR|os.O_CREATE, 0o600))(t)
	refused := func(want string, args ...string) {
		t.Helper()
		if got := copyError(t, args...); !strings.Contains(got, want) || strings.Contains(got, "hush") {
			t.Errorf("%q: %s, want %q", args, got, want)
		}
	}
	refused("set --from to the data folder")
	refused("set --from to the data folder", "--to", nowhere)
	refused("the data folder has no SQLite catalog", "--from", empty, "--to", nowhere)
	refused("the data folder has no SQLite catalog", "--from", filepath.Join(empty, "missing"), "--to", nowhere)
	refused("unknown kind of catalog", "--from", used, "--to", "mysql://user:hush@127.0.0.1/none")
	refused("open the target", "--from", used, "--to", nowhere)
	refused("only from SQLite to PostgreSQL", "--from", used, "--to", "sqlite:"+filepath.Join(empty, "other.db"))
	check.OK(t, unix.Flock(int(lock.Fd()), unix.LOCK_EX))
	refused("in use by another promptuary process", "--from", used, "--to", nowhere)
	check.OK(t, lock.Close())
	if _, err := os.Stat(filepath.Join(empty, "catalog.db")); err == nil {
		t.Error("created a catalog in the wrong folder")
	}
}
