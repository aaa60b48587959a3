package catalog

import (
	"context"
	"errors"

	"github.com/promptuary/promptuary/internal/catalog/engine"
)

// Snapshot copies the catalog, as it is at one moment, to a new SQLite file, while
// others write to it. It calls instant once. With SQLite, the moment is that of the
// call. With PostgreSQL, it is soon after: the copy has everything that was
// committed before the call.
func (c *Catalog) Snapshot(ctx context.Context, path string, instant func() error) (err error) {
	if name, _ := c.Engine(ctx); name == "SQLite" {
		return engine.Snapshot(ctx, c.DB, path, instant)
	}
	target, err := Open(ctx, "sqlite:"+path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	return engine.Export(ctx, c.DB, target.DB, instant)
}
