package app

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/promptuary/promptuary/internal/api/admin"
	"github.com/promptuary/promptuary/internal/backup"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// countTimeout limits the time to count logs, so that a busy program still
// reports the rest.
const countTimeout = 3 * time.Second

// reporter reports the health of the program.
type reporter struct {
	app     *App
	version string
	started time.Time
	// logEngine starts an engine to get its version, so it does that only once.
	logEngine func() string
}

var _ admin.HealthSource = (*reporter)(nil)

func newReporter(a *App, version string) *reporter {
	r := &reporter{app: a, version: version, started: time.Now(), logEngine: sync.OnceValue(a.logs.Engine)}
	if a.catalog.registration != nil {
		a.catalog.registration.report.Store(new(r.status))
	}
	return r
}

// Health returns the health of the program and the numbers of a workspace.
func (r *reporter) Health(ctx context.Context, workspace int64) (admin.Health, error) {
	load, err := r.app.catalog.Runs.Load(ctx, workspace)
	if err != nil {
		return admin.Health{}, err
	}
	now := time.Now()
	h := admin.Health{
		Version: r.version, Go: runtime.Version(), Started: r.started, Uptime: now.Sub(r.started),
		Catalog: r.catalog(ctx), Logs: r.logs(), RequestLogs: r.countLogs(ctx, workspace),
		Memory: r.app.edge.metrics.Memory(), Problem: problem(r.app.writable(ctx)), Ingest: r.ingest(), Damage: r.damage(),
		Queues: r.app.queueHealth(workspace), Backup: r.backup(),
		Runs: admin.RunHealth{Running: load.Running, Waiting: load.Waiting},
	}
	if h.Servers, err = r.servers(ctx); err != nil {
		return admin.Health{}, err
	}
	if load.WaitingSince != nil {
		h.Runs.WaitingFor = new(now.Sub(*load.WaitingSince))
	}
	if free, total, err := disk(r.app.cfg.Data); err == nil {
		h.DiskFree, h.DiskTotal = &free, &total
	}
	return h, nil
}

func (r *reporter) catalog(ctx context.Context) admin.Engine {
	engine := admin.Engine{}
	engine.Name, engine.Version = r.app.catalog.Engine(ctx)
	if size, err := r.app.catalog.Size(ctx); err == nil {
		engine.Size = &size
	}
	return engine
}

func (r *reporter) logs() admin.Engine {
	engine := admin.Engine{}
	engine.Name, engine.Version, _ = strings.Cut(r.logEngine(), " ")
	if r.app.cfg.LogsShared() {
		return engine
	}
	if size, err := folderSize(filepath.Join(r.app.cfg.Data, "logs")); err == nil {
		engine.Size = &size
	}
	return engine
}

// countLogs returns the number of logs in the workspace, or nil if counting
// fails or takes too long.
func (r *reporter) countLogs(ctx context.Context, workspace int64) *int64 {
	ctx, cancel := context.WithTimeout(ctx, countTimeout)
	defer cancel()
	found, err := r.app.logs.Service.Search(ctx, workspace, requests.SearchInput{Page: 1, PerPage: 1})
	if err != nil {
		return nil
	}
	return &found.Total
}

func (r *reporter) ingest() admin.IngestHealth {
	queue, store := r.app.logs.Service.IngestStats(), r.app.logs.Stats()
	return admin.IngestHealth{
		Logs: int64(queue.Queued), Bytes: queue.QueuedBytes,
		Operations: int64(store.PendingOperations), OperationBytes: store.PendingBytes,
	}
}

// status returns what this server reports to the others.
func (r *reporter) status(ctx context.Context) admin.ServerStatus {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return admin.ServerStatus{Host: host, ProcessID: os.Getpid(), Problem: problem(r.app.writable(ctx)), Ingest: r.ingest()}
}

// servers returns the servers that use the catalog. A SQLite catalog has one.
func (r *reporter) servers(ctx context.Context) ([]admin.ServerHealth, error) {
	if r.app.catalog.registration == nil {
		return []admin.ServerHealth{{Version: r.version, Started: r.started, Running: true, This: true, ServerStatus: r.status(ctx)}}, nil
	}
	all, err := r.app.catalog.Installation.Servers(ctx)
	if err != nil {
		return nil, err
	}
	found := make([]admin.ServerHealth, len(all))
	for i, server := range all {
		found[i] = admin.ServerHealth{Version: server.Version, Started: server.Started, Running: server.Running}
		if server.Name == r.app.catalog.registration.server.Name {
			found[i].This, found[i].ServerStatus = true, r.status(ctx)
		} else if err := json.Unmarshal([]byte(server.Status), &found[i].ServerStatus); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (r *reporter) damage() admin.DamageHealth {
	store := r.app.logs.Stats()
	return admin.DamageHealth{
		Blocks: int64(store.DamagedBlocks), Bytes: store.DamagedBytes, Logs: store.DamagedLogs, Spans: store.DamagedSpans,
		Catalog: r.app.catalog.check.problems.Load(),
	}
}

// backup returns the last backup of the data folder, nil if there was none.
func (r *reporter) backup() *admin.BackupHealth {
	last, found := r.app.lastBackup()
	if !found {
		return nil
	}
	return &admin.BackupHealth{
		Outcome: string(last.Outcome), Started: last.Started, Ended: last.Ended, Error: last.Error,
		Point: last.Point, Made: last.Made, Written: last.Written,
	}
}

// lastBackup returns the outcome of the last backup of the data folder, and whether
// there was one. A file that cannot be read counts as none.
func (a *App) lastBackup() (backup.Status, bool) {
	last, found, err := backup.ReadStatus(a.cfg.Data)
	if err != nil {
		a.log.Warn("cannot read the outcome of the last backup", "error", err)
	}
	return last, found
}

// problem returns why logs or changes are rejected, without internal addresses.
func problem(err error) string {
	var known *fault.Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &known):
		return known.Message
	}
	return "The log store cannot write; the program's own log says why"
}

// disk returns the free and total bytes of the disk that contains a folder.
func disk(folder string) (free, total int64, err error) {
	var stat unix.Statfs_t
	if err := unix.Statfs(folder, &stat); err != nil {
		return 0, 0, err
	}
	block := uint64(stat.Bsize)
	return int64(stat.Bavail * block), int64(stat.Blocks * block), nil
}

// folderSize returns the total size of the files in a folder. It ignores files
// that disappear in the meantime.
func folderSize(folder string) (int64, error) {
	var size int64
	err := filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		size += info.Size()
		return nil
	})
	return size, err
}
