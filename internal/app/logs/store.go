package logs

import (
	"context"
	"path/filepath"
	"time"

	"github.com/promptuary/promptuary/internal/app/storage"
	"github.com/promptuary/promptuary/internal/logstore/clickhouse"
	"github.com/promptuary/promptuary/internal/logstore/embedded"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// Store is a store of request logs.
type Store interface {
	requests.Store
	// Healthy returns why writes are currently rejected, or nil.
	Healthy() error
}

// openStore opens the configured store of request logs.
func openStore(ctx context.Context, o Options) (Store, error) {
	if o.Config.LogsShared() {
		return openClickHouse(ctx, o)
	}
	minFree := o.Config.MinFreeDisk
	if minFree == 0 {
		minFree = -1 // the store treats 0 as its default
	}
	return orNone(embedded.Open(ctx, filepath.Join(o.Config.Data, storage.LogFolder), embedded.Options{
		MemoryMB: o.Config.DuckDBMemory, Threads: o.Config.DuckDBThreads, MinFreeMB: minFree, JournalFileBytes: o.Config.JournalFileSize,
		ScrubRate: o.Config.ScrubRate, Logger: o.Logger,
	}))
}

func openClickHouse(ctx context.Context, o Options) (Store, error) {
	hasLogs, err := storage.HasLogs(o.Config)
	if err != nil {
		return nil, err
	}
	if hasLogs {
		o.Logger.Warn("the data folder has request logs, which this server does not show: its logs are in ClickHouse",
			"folder", filepath.Join(o.Config.Data, storage.LogFolder))
	}
	return orNone(clickhouse.Open(ctx, o.Config.Logs, clickhouse.Options{Installation: o.Installation, Logger: o.Logger}))
}

// orNone returns no store, rather than one that is nil, with an error.
func orNone[S Store](store S, err error) (Store, error) {
	if err != nil {
		return nil, err
	}
	return store, nil
}

// Stats returns the state of the embedded store. Others have no work left
// over and no damage.
func (l *Logs) Stats() embedded.Stats {
	if store, ok := l.Store.(*embedded.Store); ok {
		return store.Stats()
	}
	return embedded.Stats{}
}

// Engine returns the name and version of the engine of request logs, or the
// name alone if the version is unknown.
func (l *Logs) Engine() string {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if store, ok := l.Store.(*clickhouse.Store); ok {
		version, _ := store.Version(ctx)
		return "ClickHouse " + version
	}
	name, _ := embedded.Version(ctx)
	return name
}
