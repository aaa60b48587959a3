package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/config"
	"github.com/promptuary/promptuary/internal/logstore/embedded"
)

// Verification is the state of a data folder.
type Verification struct {
	// Catalog lists what is wrong with the SQLite file of the catalog.
	Catalog []string
	Logs    *embedded.Report
}

// Sound reports whether nothing is wrong.
func (v *Verification) Sound() bool { return len(v.Catalog) == 0 && v.Logs.Sound() }

// Verify checks the stores in the data folder, which no server may use, without
// changing them. A PostgreSQL catalog is not checked.
func Verify(ctx context.Context, cfg config.Config, log *slog.Logger) (*Verification, error) {
	return examine(ctx, cfg, log, embedded.Verify)
}

// Repair does what can be done about damage of the logs in the data folder, which
// no server may use. What it returns is the state before.
func Repair(ctx context.Context, cfg config.Config, log *slog.Logger) (*Verification, error) {
	return examine(ctx, cfg, log, embedded.Repair)
}

func examine(
	ctx context.Context, cfg config.Config, log *slog.Logger,
	logs func(ctx context.Context, dir string, opts embedded.Options) (*embedded.Report, error),
) (_ *Verification, err error) {
	if _, err := os.Stat(cfg.Data); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	lock, err := lockFolder(cfg.Data)
	if err != nil {
		return nil, fmt.Errorf("the data folder must not be in use; a running server checks it in the background, see GET /api/admin/health: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	v := &Verification{}
	if path := filepath.Join(cfg.Data, "catalog.db"); cfg.Catalog == "sqlite" {
		if _, statErr := os.Stat(path); !errors.Is(statErr, fs.ErrNotExist) {
			if v.Catalog, err = engine.CheckFile(ctx, path); err != nil {
				return nil, err
			}
		}
	}
	v.Logs, err = logs(ctx, filepath.Join(cfg.Data, "logs"), embedded.Options{
		MemoryMB: cfg.DuckDBMemory, Threads: cfg.DuckDBThreads, MinFreeMB: -1, Logger: log,
	})
	return v, err
}
