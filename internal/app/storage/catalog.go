package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/config"
)

// OpenCatalog opens the configured catalog, which must exist. Unlike the log
// store, it may be opened while another process is serving.
func OpenCatalog(ctx context.Context, cfg config.Config, options ...catalog.Option) (*catalog.Catalog, error) {
	if cfg.Catalog == "sqlite" {
		path := filepath.Join(cfg.Data, CatalogFile)
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			if err := checkMissing(path, cfg); err != nil {
				return nil, err
			}
			return nil, fmt.Errorf("%s is not a data folder: it has no %s. Check --data, or create one with promptuary serve", cfg.Data, CatalogFile)
		}
	}
	return MakeCatalog(ctx, cfg, options...)
}

// MakeCatalog opens the configured catalog, and creates it if necessary.
func MakeCatalog(ctx context.Context, cfg config.Config, options ...catalog.Option) (*catalog.Catalog, error) {
	dsn := cfg.Catalog
	if dsn == "sqlite" {
		if err := makeFolder(cfg.Data); err != nil {
			return nil, err
		}
		path := filepath.Join(cfg.Data, CatalogFile)
		if err := checkMissing(path, cfg); err != nil {
			return nil, err
		}
		dsn = "sqlite:" + path
	}
	return catalog.Open(ctx, dsn, options...)
}
