package storage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/engine"
)

// CopyCatalog copies the SQLite catalog of a data folder, which no server may use,
// to the empty PostgreSQL database at an address, as engine.Copy does.
func CopyCatalog(ctx context.Context, data, to string, progress func(rows, total int64)) (copied []engine.Copied, err error) {
	path := filepath.Join(data, CatalogFile)
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("the data folder has no SQLite catalog: %w", err)
	}
	lock, err := Lock(data)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	source, err := catalog.Open(ctx, "sqlite:"+path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := catalog.Open(ctx, to)
	if err != nil {
		return nil, fmt.Errorf("open the target: %w", err)
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	return engine.Copy(ctx, source.DB, target.DB, progress)
}
