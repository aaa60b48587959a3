package storage

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
	"github.com/promptuary/promptuary/internal/logstore/clickhouse"
	"github.com/promptuary/promptuary/internal/logstore/embedded"
)

// Verification is the state of the catalog and the request logs.
type Verification struct {
	// Catalog lists what is wrong with the SQLite file of the catalog.
	Catalog []string
	// Logs is the state of the request logs in the data folder, and ClickHouse that
	// of those in ClickHouse. One of them is nil.
	Logs       *embedded.Report
	ClickHouse *clickhouse.Report
}

// Sound reports whether nothing is wrong.
func (v *Verification) Sound() bool {
	return len(v.Catalog) == 0 && (v.Logs == nil || v.Logs.Sound()) && (v.ClickHouse == nil || v.ClickHouse.Sound())
}

// Verify checks the catalog and the request logs without changing them. What is
// in the data folder no server may use. A PostgreSQL catalog is not checked.
func Verify(ctx context.Context, cfg config.Config, log *slog.Logger) (*Verification, error) {
	if cfg.LogsShared() {
		return examineShared(ctx, cfg)
	}
	return examine(ctx, cfg, log, embedded.Verify)
}

// examineShared checks request logs in ClickHouse, and the file of the catalog if
// there is one.
func examineShared(ctx context.Context, cfg config.Config) (v *Verification, err error) {
	v = &Verification{}
	if cfg.Catalog == "sqlite" {
		var lock *os.File
		if lock, err = lockExisting(cfg.Data); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, lock.Close()) }()
		if v.Catalog, err = checkCatalog(ctx, cfg); err != nil {
			return nil, err
		}
	}
	installation, err := readInstallation(dataFolder{path: cfg.Data}.logsFile())
	if err != nil {
		return nil, err
	}
	v.ClickHouse, err = clickhouse.Verify(ctx, cfg.Logs, installation)
	return v, err
}

// Repair does what can be done about damage of the logs in the data folder, which
// no server may use. What it returns is the state before.
func Repair(ctx context.Context, cfg config.Config, log *slog.Logger) (*Verification, error) {
	if cfg.LogsShared() {
		return nil, errors.New("request logs in ClickHouse are not repaired by this program: restore them from a backup of the database, or use the means of ClickHouse")
	}
	return examine(ctx, cfg, log, embedded.Repair)
}

func examine(
	ctx context.Context, cfg config.Config, log *slog.Logger,
	logs func(ctx context.Context, dir string, opts embedded.Options) (*embedded.Report, error),
) (_ *Verification, err error) {
	lock, err := lockExisting(cfg.Data)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	v := &Verification{}
	if v.Catalog, err = checkCatalog(ctx, cfg); err != nil {
		return nil, err
	}
	v.Logs, err = logs(ctx, filepath.Join(cfg.Data, "logs"), embedded.Options{
		MemoryMB: cfg.DuckDBMemory, Threads: cfg.DuckDBThreads, MinFreeMB: -1, Logger: log,
	})
	return v, err
}

// lockExisting locks a data folder that must exist.
func lockExisting(data string) (*os.File, error) {
	if _, err := os.Stat(data); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	lock, err := Lock(data)
	if err != nil {
		return nil, fmt.Errorf("the data folder must not be in use; a running server checks it in the background, see GET /api/admin/health: %w", err)
	}
	return lock, nil
}

// checkCatalog lists what is wrong with the SQLite file of the catalog, if there
// is one.
func checkCatalog(ctx context.Context, cfg config.Config) ([]string, error) {
	path := filepath.Join(cfg.Data, CatalogFile)
	if _, err := os.Stat(path); cfg.Catalog != "sqlite" || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return engine.CheckFile(ctx, path)
}
