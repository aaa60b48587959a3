package storage

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/promptuary/promptuary/internal/config"
	"github.com/promptuary/promptuary/internal/logstore/clickhouse"
	"github.com/promptuary/promptuary/internal/logstore/embedded"
	"github.com/promptuary/promptuary/internal/logstore/logcopy"
)

// LogCopy says what to copy where.
type LogCopy struct {
	// From and To are a data folder and the address of a ClickHouse database, in
	// either order.
	From, To string
	// Finish is the last step, for which no server may use the logs.
	Finish bool
	// Verify compares what was copied from a folder, while a server uses it.
	Verify   bool
	Log      *slog.Logger
	Progress logcopy.Progress
	// HeldBack replaces logcopy.HeldBack, if it is not 0.
	HeldBack int64
}

// LogCopyReport is the outcome of a copy of request logs.
type LogCopyReport = logcopy.Report

// CopyLogs copies request logs from a data folder to ClickHouse, or back.
func CopyLogs(ctx context.Context, c LogCopy) (*logcopy.Report, error) {
	from, to := config.Config{Logs: c.From}, config.Config{Logs: c.To}
	switch {
	case c.Verify && (c.Finish || from.LogsShared()):
		return nil, errors.New("--verify is for copies of a data folder that a server uses; --finish compares in any case")
	case from.LogsShared() == to.LogsShared():
		return nil, errors.New("request logs are copied from a data folder to a clickhouse:// address, or from such an address to a folder")
	case to.LogsShared():
		return c.folderToDatabase(ctx)
	default:
		return c.databaseToFolder(ctx)
	}
}

func (c *LogCopy) options(installation string) logcopy.Options {
	opts := logcopy.Options{Installation: installation, Progress: c.Progress, HeldBack: logcopy.HeldBack}
	if c.HeldBack != 0 {
		opts.HeldBack = c.HeldBack
	}
	return opts
}

// folderToDatabase reads the journal of the folder, which a server may be using. The
// last step opens the folder as a server does.
func (c *LogCopy) folderToDatabase(ctx context.Context) (report *logcopy.Report, err error) {
	folder := dataFolder{path: c.From}
	logs := filepath.Dir(folder.logsFile())
	if _, err := os.Stat(filepath.Join(logs, "journal")); err != nil {
		return nil, fmt.Errorf("the data folder has no request logs: %w", err)
	}
	installation, err := readInstallation(folder.logsFile())
	if err == nil && installation == "" {
		err = fmt.Errorf("the request logs in %s do not name their installation: start and stop a server of this version with the data folder first", logs)
	}
	if err != nil {
		return nil, err
	}
	if c.Finish {
		var lock *os.File
		if lock, err = Lock(c.From); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, lock.Close()) }()
	}
	target, err := c.openTarget(ctx, installation, logs)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	journal, err := embedded.Follow(logs, c.Finish)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, journal.Close()) }()
	opts := c.options(installation)
	report, err = logcopy.Folder(ctx, journal, target, opts)
	switch {
	case err == nil && c.Finish:
		return c.finishFolder(ctx, logs, journal, target, opts)
	case err == nil && c.Verify:
		return logcopy.Verify(ctx, func(at embedded.Mark) (*embedded.Snapshot, error) {
			return embedded.OpenSnapshot(ctx, logs, at, embedded.Options{Logger: c.Log})
		}, target, opts)
	}
	return report, err
}

// openTarget opens the database that logs of an installation are copied to.
func (c *LogCopy) openTarget(ctx context.Context, installation, logs string) (*clickhouse.Store, error) {
	target, err := clickhouse.Open(ctx, c.To, clickhouse.Options{Copying: true, Logger: c.Log})
	if err != nil {
		return nil, fmt.Errorf("open the target: %w", err)
	}
	owner, err := target.Installation(ctx)
	switch {
	case err != nil:
	case owner == "" && target.LastID() > 0:
		err = logcopy.ErrUsed
	case owner == "":
		err = target.Bind(ctx, installation)
	case owner != installation:
		err = fmt.Errorf("the target belongs to installation %s, and the request logs in %s to installation %s: choose an empty database", owner, logs, installation)
	}
	if err != nil {
		return nil, errors.Join(err, target.Close())
	}
	return target, nil
}

// finishFolder compares the folder, opened as a server does, with the copy.
func (c *LogCopy) finishFolder(
	ctx context.Context, logs string, journal *embedded.Follower, target logcopy.Target, opts logcopy.Options,
) (report *logcopy.Report, err error) {
	source, err := embedded.Open(ctx, logs, embedded.Options{MinFreeMB: -1, Logger: c.Log})
	if err != nil {
		return nil, fmt.Errorf("open the source: %w", err)
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	report, err = logcopy.Finish(ctx, source, journal, target, opts)
	if report != nil {
		report.Damage = journal.Damage()
	}
	return report, err
}

// databaseToFolder reads the database, which servers may be using.
func (c *LogCopy) databaseToFolder(ctx context.Context) (report *logcopy.Report, err error) {
	source, err := clickhouse.Open(ctx, c.From, clickhouse.Options{Logger: c.Log})
	if err != nil {
		return nil, fmt.Errorf("open the source: %w", err)
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	installation, err := source.Installation(ctx)
	if err == nil && installation == "" {
		err = errors.New("the database has no request logs: no server has used it")
	}
	if err != nil {
		return nil, err
	}
	lock, err := Lock(c.To)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	target, err := c.openFolder(ctx, installation)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	if c.Finish {
		return logcopy.Finish(ctx, source, nil, target, c.options(installation))
	}
	return logcopy.Store(ctx, source, target, c.options(installation))
}

// openFolder opens the folder that logs of an installation are copied to.
func (c *LogCopy) openFolder(ctx context.Context, installation string) (*embedded.Store, error) {
	folder := dataFolder{path: c.To}
	owner, err := readInstallation(folder.logsFile())
	if err != nil {
		return nil, err
	}
	logs := filepath.Dir(folder.logsFile())
	if owner != "" && owner != installation {
		return nil, fmt.Errorf("the request logs in %s belong to installation %s, and the database to installation %s: choose an empty folder", logs, owner, installation)
	}
	used, err := hasContent(filepath.Join(logs, "journal"))
	if err == nil && used && owner == "" {
		err = logcopy.ErrUsed
	}
	if err == nil && owner == "" {
		err = nameInstallation(folder, installation)
	}
	if err != nil {
		return nil, err
	}
	target, err := embedded.Open(ctx, logs, embedded.Options{Copying: true, Logger: c.Log})
	if err != nil {
		return nil, fmt.Errorf("open the target: %w", err)
	}
	return target, nil
}
