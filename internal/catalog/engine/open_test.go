package engine_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

func TestOpenRejectsInvalidAddresses(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	garbage := filepath.Join(folder, "garbage.db")
	if err := os.WriteFile(garbage, []byte(strings.Repeat("not a database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct{ dsn, message string }{
		"nothing":           {"", "path of the SQLite file is empty"},
		"no path":           {"sqlite:", "path of the SQLite file is empty"},
		"memory":            {"sqlite::memory:", "in-memory"},
		"two slashes":       {"sqlite://x.db", "sqlite:<path>"},
		"another engine":    {"mysql://root:secret@localhost/x", `unknown kind of catalog "mysql"`},
		"a missing folder":  {"sqlite:" + filepath.Join(folder, "none", "x.db"), "no such file"},
		"a folder":          {folder, "directory"},
		"not a database":    {garbage, "storage failed"},
		"a bad address":     {"postgres://user:secret@host:port/x", "port"},
		"an absent server":  {"postgres://user:secret@/x?host=" + folder, "cannot be reached"},
		"another file type": {"file:x.db", `unknown kind of catalog "file"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := catalog.Open(t.Context(), test.dsn)
			if err == nil {
				t.Fatal("opened", c.Close())
			}
			if !strings.Contains(err.Error(), test.message) {
				t.Errorf("got error %q, want it to contain %q", err, test.message)
			}
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("the error tells the password: %q", err)
			}
		})
	}
}

func TestOpenAcceptsPlainAndUnusualPaths(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"catalog.db", "a b.db", "q?m=1&_txlock=x.db", "per%20cent.db", "#hash.db", "ü.db"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), name)
			catalogtest.Open(t, path)
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if info.Size() == 0 || info.Mode().Perm() != 0o600 {
				t.Errorf("got size %d and mode %o, want a file that only its owner reads", info.Size(), info.Mode())
			}
		})
	}
}

func TestSQLiteConnectionsHavePragmas(t *testing.T) {
	t.Parallel()
	c := catalogtest.Open(t, catalogtest.SQLite(t))
	want := map[string]string{"busy_timeout": "10000", "foreign_keys": "1", "journal_mode": "wal", "synchronous": "2"}
	for range 3 { // each held connection makes the next one a new one
		conn, err := c.Pool().Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		for pragma, value := range want {
			var got string
			if err := conn.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil || got != value {
				t.Errorf("%s is %q (%v), want %q", pragma, got, err, value)
			}
		}
	}
}

func TestPingAndEngine(t *testing.T) {
	catalogtest.OnEachNewDatabase(t, func(t *testing.T, dsn string) {
		c := catalogtest.Open(t, dsn)
		if err := c.Ping(t.Context()); err != nil {
			t.Error(err)
		}
		name, version := c.Engine(t.Context())
		if !slices.Contains([]string{"SQLite", "PostgreSQL"}, name) || !strings.Contains(version, ".") {
			t.Errorf("got %q %q, want an engine and its version", name, version)
		}
	})
}

func TestClosedCatalogFails(t *testing.T) {
	catalogtest.OnEachNewDatabase(t, func(t *testing.T, dsn string) {
		c, err := catalog.Open(t.Context(), dsn)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(c.Close(), c.Close()); err != nil {
			t.Fatal(err)
		}
		if err := c.Ping(t.Context()); err == nil {
			t.Error("a closed catalog answers")
		}
	})
}

func TestReopen(t *testing.T) {
	catalogtest.OnEachNewDatabase(t, func(t *testing.T, dsn string) {
		first := catalogtest.Open(t, dsn)
		workspace, err := first.Accounts.EnsureDefaultWorkspace(t.Context())
		if err != nil || workspace.Name != access.DefaultWorkspace {
			t.Fatalf("got workspace %v, %v", workspace, err)
		}
		again, err := catalogtest.Open(t, dsn).Accounts.EnsureDefaultWorkspace(t.Context())
		if err != nil || again != workspace {
			t.Errorf("got %v (%v), want %v", again, err, workspace)
		}
	})
}

func TestClock(t *testing.T) {
	catalogtest.OnEachNewDatabase(t, func(t *testing.T, dsn string) {
		now := time.Date(2031, 5, 6, 7, 8, 9, 123456789, time.FixedZone("", 3600))
		c := catalogtest.Open(t, dsn, catalog.WithClock(func() time.Time { return now }))
		workspace, err := c.Accounts.CreateWorkspace(t.Context(), "x")
		if err != nil {
			t.Fatal(err)
		}
		got, want := workspace.CreatedAt, now.UTC().Truncate(time.Microsecond)
		if !got.Equal(want) || got.Location() != time.UTC {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestConcurrentOpen(t *testing.T) {
	catalogtest.OnEachNewDatabase(t, func(t *testing.T, dsn string) {
		catalogs := make([]*catalog.Catalog, 6)
		errs := make([]error, len(catalogs))
		var group sync.WaitGroup
		for i := range catalogs {
			group.Go(func() { catalogs[i], errs[i] = catalog.Open(context.Background(), dsn) })
		}
		group.Wait()
		for _, c := range catalogs {
			if c != nil {
				t.Cleanup(func() { _ = c.Close() })
			}
		}
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		publishTogether(t, catalogs)
	})
}

// publishTogether adds versions and reserves ids through all catalogs concurrently.
func publishTogether(t *testing.T, catalogs []*catalog.Catalog) {
	t.Helper()
	ctx := t.Context()
	workspace, err := catalogs[0].Accounts.EnsureDefaultWorkspace(ctx)
	if err != nil {
		t.Fatal(err)
	}
	owner, err := catalogs[0].Entities.CreateEntity(ctx, entity.New{WorkspaceID: workspace.ID, Kind: entity.KindPrompt, Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	const each = 8
	numbers, ids := make([]int64, len(catalogs)*each), make([]int64, len(catalogs)*each)
	errs := make([]error, len(numbers))
	var group sync.WaitGroup
	for i := range numbers {
		group.Go(func() {
			c := catalogs[i%len(catalogs)]
			version, err := c.Entities.AddVersion(ctx, workspace.ID, owner.ID, entity.NewVersion{Body: []byte(`{}`)})
			first, idErr := c.Sequences.ReserveIDs(ctx, "request", 1)
			numbers[i], ids[i], errs[i] = version.Number, first, errors.Join(err, idErr)
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	for _, got := range [][]int64{numbers, ids} {
		slices.Sort(got)
		if got[0] != 1 || got[len(got)-1] != int64(len(got)) || len(slices.Compact(got)) != len(numbers) {
			t.Errorf("got %v, want 1 to %d", got, len(numbers))
		}
	}
}

func TestOpenHonoursContext(t *testing.T) {
	catalogtest.OnEachNewDatabase(t, func(t *testing.T, dsn string) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if c, err := catalog.Open(ctx, dsn); err == nil {
			t.Error("opened", c.Close())
		} else if fault.Is(err, fault.Unavailable) || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want the context's error", err)
		}
	})
}

// TestDeletedFile deletes or replaces the file of a catalog in use. What is
// written to it would be lost, so it must not succeed.
func TestDeletedFile(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(path string) error{
		"deleted":        os.Remove,
		"folder deleted": func(path string) error { return os.RemoveAll(filepath.Dir(path)) },
		"replaced": func(path string) error {
			return errors.Join(os.Remove(path), os.WriteFile(path, nil, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(check.Must(os.MkdirTemp(t.TempDir(), "data"))(t), "catalog.db")
			c := catalogtest.Open(t, "sqlite:"+path)
			check.Must(c.Accounts.CreateWorkspace(t.Context(), "before"))(t)
			check.OK(t, lose(path))
			check.Fault(t, check.Failure(c.Accounts.CreateWorkspace(t.Context(), "after")), fault.Unavailable)
			check.Fault(t, c.Ping(t.Context()), fault.Unavailable)
			if entries, _ := os.ReadDir(filepath.Dir(path)); name == "deleted" && slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == "catalog.db" }) {
				t.Error("the file was created again")
			}
		})
	}
}
