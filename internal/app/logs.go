package app

import (
	"context"
	"path/filepath"
	"time"

	"github.com/promptuary/promptuary/internal/logstore/clickhouse"
	"github.com/promptuary/promptuary/internal/logstore/embedded"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// logStore is a store of request logs.
type logStore interface {
	reqlog.Store
	// Healthy returns why writes are currently rejected, or nil.
	Healthy() error
}

// openStore opens the configured store of request logs.
func (a *App) openStore(ctx context.Context) (logStore, error) {
	if a.cfg.LogsShared() {
		return a.openClickHouse(ctx)
	}
	minFree := a.cfg.MinFreeDisk
	if minFree == 0 {
		minFree = -1 // the store treats 0 as its default
	}
	return orNone(embedded.Open(ctx, filepath.Join(a.cfg.Data, logFolder), embedded.Options{
		MemoryMB: a.cfg.DuckDBMemory, Threads: a.cfg.DuckDBThreads, MinFreeMB: minFree, JournalFileBytes: a.cfg.JournalFileSize,
		ScrubRate: a.cfg.ScrubRate, Logger: a.log,
	}))
}

func (a *App) openClickHouse(ctx context.Context) (logStore, error) {
	folder, err := readDataFolder(a.cfg)
	if err != nil {
		return nil, err
	}
	if folder.hasLogs {
		a.log.Warn("the data folder has request logs, which this server does not show: its logs are in ClickHouse", "folder", filepath.Join(a.cfg.Data, logFolder))
	}
	return orNone(clickhouse.Open(ctx, a.cfg.Logs, clickhouse.Options{Installation: a.installation, Logger: a.log}))
}

// orNone returns no store, rather than one that is nil, with an error.
func orNone[S logStore](store S, err error) (logStore, error) {
	if err != nil {
		return nil, err
	}
	return store, nil
}

// storeStats returns the state of the embedded store. Others have no work left
// over and no damage.
func (a *App) storeStats() embedded.Stats {
	if store, ok := a.store.(*embedded.Store); ok {
		return store.Stats()
	}
	return embedded.Stats{}
}

// logEngine returns the name and version of the engine of request logs, or the
// name alone if the version is unknown.
func (a *App) logEngine() string {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if store, ok := a.store.(*clickhouse.Store); ok {
		version, _ := store.Version(ctx)
		return "ClickHouse " + version
	}
	name, _ := embedded.Version(ctx)
	return name
}
