package engine_test

import (
	"errors"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

// TestFullDiskAtStart opens a catalog for reading, and writes to it once there is
// room, while others read.
func TestFullDiskAtStart(t *testing.T) {
	t.Parallel()
	for name, killed := range map[string]bool{"after a stop": false, "after a crash": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dsn := usedCatalog(t, killed)
			full := &atomic.Bool{}
			full.Store(true)
			c := catalogtest.Open(t, dsn, engine.OnFullDisk(full))
			checkReadsOnly(t, c)
			readWhile(t, c, func() {
				full.Store(false)
				check.Eventually(t, "changes are accepted", func() bool {
					_, err := c.Accounts.CreateWorkspace(t.Context(), "second")
					return err == nil
				})
			})
			if err := c.Ping(t.Context()); err != nil || c.ReadsOnly() {
				t.Errorf("ping: %v, reads only: %t", err, c.ReadsOnly())
			}
			check.Equal(t, "workspaces", len(check.Must(c.Accounts.ListWorkspaces(t.Context()))(t)), 2)
		})
	}
}

// usedCatalog returns the address of a catalog with a workspace. After a crash
// the workspace is only in the write-ahead log.
func usedCatalog(t *testing.T, killed bool) string {
	t.Helper()
	dsn := catalogtest.SQLite(t)
	first := check.Must(catalog.Open(t.Context(), dsn))(t)
	check.Must(first.Accounts.CreateWorkspace(t.Context(), "first"))(t)
	if !killed {
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
		return dsn
	}
	path := strings.TrimPrefix(dsn, "sqlite:")
	copied := t.TempDir() + "/copy.db"
	for _, suffix := range []string{"", "-wal"} {
		content := check.Must(os.ReadFile(path + suffix))(t)
		if err := os.WriteFile(copied+suffix, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	return "sqlite:" + copied
}

func checkReadsOnly(t *testing.T, c *catalog.Catalog) {
	t.Helper()
	check.Equal(t, "workspaces", len(check.Must(c.Accounts.ListWorkspaces(t.Context()))(t)), 1)
	_, err := c.Accounts.CreateWorkspace(t.Context(), "refused")
	for what, err := range map[string]error{"a change": err, "a ping": c.Ping(t.Context())} {
		if !fault.Is(err, fault.Unavailable) || !errors.Is(err, unix.ENOSPC) || !strings.Contains(err.Error(), "The catalog's disk is full") {
			t.Errorf("%s: got %v, want a full disk", what, err)
		}
	}
	if !c.ReadsOnly() {
		t.Error("the catalog does not say that it can only be read")
	}
}

// readWhile reads concurrently while do runs. No read may fail.
func readWhile(t *testing.T, c *catalog.Catalog, do func()) {
	t.Helper()
	var readers sync.WaitGroup
	stop := make(chan struct{})
	for range 12 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if found, err := c.Accounts.ListWorkspaces(t.Context()); err != nil || len(found) == 0 {
					t.Errorf("got %d workspaces, %v", len(found), err)
					return
				}
			}
		})
	}
	do()
	close(stop)
	readers.Wait()
}

// A new catalog cannot be created on a full disk.
func TestFullDiskAtFirstStart(t *testing.T) {
	t.Parallel()
	full := &atomic.Bool{}
	full.Store(true)
	c, err := catalog.Open(t.Context(), catalogtest.NewSQLite(t), engine.OnFullDisk(full))
	if err == nil {
		t.Fatal("opened", c.Close())
	}
	if !errors.Is(err, unix.ENOSPC) {
		t.Errorf("got %v, want a full disk", err)
	}
}
