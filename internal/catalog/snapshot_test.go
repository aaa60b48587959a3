package catalog_test

import (
	"path/filepath"
	"sync"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
)

// TestSnapshotWhileOthersWrite checks that a snapshot has what there was at its
// moment, with SQLite exactly, and that ids continue behind those that were given.
func TestSnapshotWhileOthersWrite(t *testing.T) {
	t.Parallel()
	for name, dsn := range map[string]func(testing.TB) string{
		"SQLite":     func(t testing.TB) string { return "sqlite:" + filepath.Join(t.TempDir(), "catalog.db") },
		"PostgreSQL": catalogtest.PostgreSQL,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := dsn(t)
			writer := check.Must(catalog.Open(t.Context(), address))(t)
			c := check.Must(catalog.Open(t.Context(), address, catalog.WithoutMigrations()))(t)
			given := check.Must(writer.Sequences.ReserveIDs(t.Context(), "request", 1))(t)
			stop, writing := make(chan struct{}), sync.WaitGroup{}
			writing.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
						if _, err := writer.Sequences.ReserveIDs(t.Context(), "request", 1); err != nil {
							t.Error(err)
							return
						}
					}
				}
			})
			atMoment := int64(0)
			path := filepath.Join(t.TempDir(), "copy.db")
			err := c.Snapshot(t.Context(), path, func() error {
				atMoment = lastID(t, address)
				return nil
			})
			close(stop)
			writing.Wait()
			check.OK(t, err)
			last := lastID(t, "sqlite:"+path)
			if last < atMoment || name == "SQLite" && last != atMoment || atMoment < given {
				t.Errorf("the snapshot has the id %d, at its moment it was %d", last, atMoment)
			}
			check.OK(t, c.Close())
			check.OK(t, writer.Close())
			again := check.Must(catalog.Open(t.Context(), "sqlite:"+path, catalog.WithoutMigrations()))(t)
			check.Equal(t, "next id", check.Must(again.Sequences.ReserveIDs(t.Context(), "request", 1))(t), last+1)
			check.OK(t, again.Close())
		})
	}
}

// lastID returns the last id of request logs that a catalog has given.
func lastID(t *testing.T, dsn string) (last int64) {
	t.Helper()
	db := catalogtest.Raw(t, dsn)
	check.OK(t, db.QueryRow(`SELECT last FROM id_block WHERE name = 'request'`).Scan(&last))
	return last
}
