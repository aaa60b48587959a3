package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/check"
)

// openWithRows opens a catalog in a new file with a table of its own.
func openWithRows(t *testing.T, path string) *catalog.Catalog {
	t.Helper()
	c := check.Must(catalog.Open(t.Context(), path))(t)
	_, err := c.Pool().Exec(`CREATE TABLE a (b TEXT); CREATE INDEX c ON a (b)`)
	check.OK(t, err)
	for i := range 200 {
		_, err := c.Pool().Exec(`INSERT INTO a VALUES (?)`, fmt.Sprintf("value %03d %s", i, strings.Repeat("x", 100)))
		check.OK(t, err)
	}
	return c
}

// TestScrub flips one bit, in a table, so that it differs from its index.
func TestScrub(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "catalog.db")
	c := openWithRows(t, path)
	if problems := check.Must(c.Scrub(t.Context()))(t); len(problems) > 0 {
		t.Errorf("a sound catalog is damaged: %q", problems)
	}
	check.OK(t, c.Close())

	content := check.Must(os.ReadFile(path))(t)
	content[strings.Index(string(content), "value 077")+8] ^= 1
	check.OK(t, os.WriteFile(path, content, 0o600))
	c = check.Must(catalog.Open(t.Context(), path))(t)
	problems := check.Must(c.Scrub(t.Context()))(t)
	if !strings.Contains(strings.Join(problems, "\n"), "missing from index c") {
		t.Errorf("the damage is not found: %q", problems)
	}
	check.OK(t, c.Close())

	// The first byte of a page says what it has.
	page := strings.Index(string(content), "value 077") / 4096 * 4096
	content[page] = 0xff
	check.OK(t, os.WriteFile(path, content, 0o600))
	c = check.Must(catalog.Open(t.Context(), path))(t)
	if problems := check.Must(c.Scrub(t.Context()))(t); len(problems) == 0 {
		t.Error("a damaged page is not found")
	}
	check.OK(t, c.Close())
}

// TestScrubLetsOthersWrite writes while a check is under way, and ends it early.
func TestScrubLetsOthersWrite(t *testing.T) {
	t.Parallel()
	c := openWithRows(t, filepath.Join(t.TempDir(), "catalog.db"))
	defer func() { check.OK(t, c.Close()) }()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		for ctx.Err() == nil {
			if problems, err := c.Scrub(ctx); len(problems) > 0 || err != nil {
				ended <- errors.Join(err, fmt.Errorf("found %q", problems))
				return
			}
		}
		ended <- ctx.Err()
	}()
	for range 100 {
		_, err := c.Pool().Exec(`INSERT INTO a VALUES ('more')`)
		check.OK(t, err)
	}
	stop()
	if err := check.Next(t, ended); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestScrubNeedsRoomAndSQLite(t *testing.T) {
	t.Parallel()
	var full atomic.Bool
	path := filepath.Join(t.TempDir(), "catalog.db")
	check.OK(t, openWithRows(t, path).Close())
	full.Store(true)
	c := check.Must(catalog.Open(t.Context(), path, engine.OnFullDisk(&full)))(t)
	if problems, err := c.Scrub(t.Context()); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("on a full disk: %q, %v", problems, err)
	}
	check.OK(t, c.Close())
	c = check.Must(catalog.Open(t.Context(), pgtest.Start(t)))(t)
	defer func() { check.OK(t, c.Close()) }()
	if problems, err := c.Scrub(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("with PostgreSQL: %q, %v", problems, err)
	}
}
