package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/backup"
	"github.com/promptuary/promptuary/internal/blob"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/installation"
	"github.com/promptuary/promptuary/internal/config"
	"github.com/promptuary/promptuary/internal/logstore/embedded"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
)

// BackupOptions say what to back up where.
type BackupOptions struct {
	// Target is a folder, or s3://bucket/prefix.
	Target string
	// Passphrase encrypts the secret key. Without one, the key is left out.
	Passphrase string
	// Keep is the number of points to keep, 0 for all.
	Keep int
	// Version is that of the program.
	Version  string
	Progress func(done, total int64)
}

// BackupResult is the outcome of a backup.
type BackupResult = backup.Result

// Backup writes a point of the installation to a target, while a server may be
// using the data folder, notes it in the audit log, and leaves its outcome in the
// data folder, where servers find it.
func Backup(ctx context.Context, cfg config.Config, opts BackupOptions) (_ *backup.Result, err error) {
	ctx = access.WithCaller(ctx, access.CommandLine())
	if _, err := os.Stat(cfg.Data); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	lock, err := lockBackup(cfg.Data)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	started := time.Now()
	result, err := backUp(ctx, cfg, opts)
	return result, errors.Join(err, backup.SaveStatus(cfg.Data, backup.NewStatus(started, time.Now(), result, err)))
}

func backUp(ctx context.Context, cfg config.Config, opts BackupOptions) (_ *backup.Result, err error) {
	store, err := openTarget(opts.Target, cfg.Data)
	if err != nil {
		return nil, err
	}
	c, err := OpenCatalog(ctx, cfg, catalog.WithoutMigrations())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	b := &backingUp{cfg: cfg, opts: opts, store: store, catalog: c}
	result, err := b.run(ctx)
	return result, errors.Join(err, b.note(ctx, result, err))
}

// backingUp is a backup in progress.
type backingUp struct {
	cfg     config.Config
	opts    BackupOptions
	store   blob.Store
	catalog *catalog.Catalog
	source  backup.Source
	files   []journal.SegmentFile
}

// lockBackup prevents two backups of a data folder at the same time.
func lockBackup(data string) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(data, "promptuary.backup"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the data folder for the backup: %w", err)
	}
	err = unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = errors.New("another backup of this data folder is running")
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// openTarget opens the folder or the bucket for backups. A missing folder is
// created.
func openTarget(target, data string) (_ blob.Store, err error) {
	if !strings.Contains(target, "://") {
		target, err = filepath.Abs(target)
		if err == nil {
			err = checkOutside(target, data)
		}
		if err != nil {
			return nil, err
		}
		if err := os.MkdirAll(target, 0o700); err != nil {
			return nil, fmt.Errorf("create the folder for backups: %w", err)
		}
	}
	return openBackup(target)
}

// openBackup opens the folder or the bucket of backups.
func openBackup(target string) (blob.Store, error) { return blob.Open(target, os.Getenv, nil) }

// checkOutside refuses a target in the data folder, which a loss of the folder
// would take with it.
func checkOutside(target, data string) error {
	data, err := filepath.Abs(data)
	if err != nil {
		return err
	}
	if inner, err := filepath.Rel(data, target); err == nil && filepath.IsLocal(inner) {
		return fmt.Errorf("the folder for backups %s is in the data folder: choose another one", target)
	}
	return nil
}

func (b *backingUp) run(ctx context.Context) (_ *backup.Result, err error) {
	temporary, err := os.MkdirTemp("", "promptuary-backup-")
	if err != nil {
		return nil, fmt.Errorf("create a temporary folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temporary)) }()
	if err := b.identify(ctx); err != nil {
		return nil, err
	}
	b.source.Catalog = filepath.Join(temporary, CatalogFile)
	defer func() { journal.CloseSegments(b.files) }()
	if err := b.catalog.Snapshot(ctx, b.source.Catalog, b.openJournal); err != nil {
		return nil, err
	}
	problems, err := engine.CheckFile(ctx, b.source.Catalog)
	if err == nil && len(problems) > 0 {
		err = fmt.Errorf("the catalog is damaged: %s; no backup was made", strings.Join(problems, "; "))
	}
	if err != nil {
		return nil, err
	}
	if err := b.addJournal(); err != nil {
		return nil, err
	}
	if err := b.addKey(); err != nil {
		return nil, err
	}
	return backup.Create(ctx, b.store, b.source, backup.Options{Now: time.Now, Keep: b.opts.Keep, Progress: b.opts.Progress})
}

// identify finds out whose data it is.
func (b *backingUp) identify(ctx context.Context) error {
	folder, err := readDataFolder(b.cfg)
	if err != nil {
		return err
	}
	id, used, err := b.catalog.Installation.ID(ctx)
	if err != nil {
		return err
	}
	if !used || id == "" {
		return errors.New("there is nothing to back up: no server of this version has used the catalog yet")
	}
	if err := folder.check(id, false); err != nil {
		return err
	}
	b.source.Program, b.source.Installation = b.opts.Version, id
	b.source.CatalogEngine, _ = b.catalog.Engine(ctx)
	if b.cfg.LogsShared() {
		b.source.Elsewhere = "ClickHouse"
	}
	return nil
}

// openJournal opens the files of the journal as they are now.
func (b *backingUp) openJournal() (err error) {
	if !b.cfg.LogsShared() {
		b.files, err = embedded.OpenJournalFiles(filepath.Join(b.cfg.Data, LogFolder))
	}
	return err
}

// addJournal adds the files of the journal, the last one up to its last whole
// block: what follows was not acknowledged when the files were opened.
func (b *backingUp) addJournal() error {
	for i, file := range b.files {
		size := file.Info.Size()
		if i == len(b.files)-1 {
			var err error
			if size, _, err = embedded.CheckJournalFile(file, 0, size); err != nil {
				return fmt.Errorf("%s: %w", file.File.Name(), err)
			}
			b.source.End = formatBlock(journal.At(file.Number, size))
		}
		b.source.Journal = append(b.source.Journal, backup.Segment{
			Name: file.Name, Size: size, Stamp: stamp(file.Info), Content: file,
			Check: func(from int64) ([]string, error) { return checkFile(file, from, size) },
		})
	}
	return nil
}

// checkFile describes the damage of a file of the journal behind an offset.
func checkFile(file journal.SegmentFile, from, size int64) (found []string, err error) {
	end, spoilt, err := embedded.CheckJournalFile(file, from, size)
	if err != nil {
		return nil, err
	}
	if end < size {
		spoilt = append(spoilt, journal.Spoilt{Offset: end, Bytes: size - end})
	}
	for _, s := range spoilt {
		found = append(found, fmt.Sprintf("%s at byte %d, %d bytes", file.Name, s.Offset, s.Bytes))
	}
	return found, nil
}

// stamp identifies the content of a file: anyone who changes it changes the time.
func stamp(info os.FileInfo) string {
	inode := uint64(0)
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		inode = stat.Ino
	}
	return fmt.Sprintf("%d-%d", inode, info.ModTime().UnixNano())
}

// formatBlock returns a position of the journal as users write it.
func formatBlock(at journal.Position) string {
	segment, offset := at.Split()
	return fmt.Sprintf("%d:%d", segment, offset)
}

// addKey adds the secret key, encrypted with the passphrase.
func (b *backingUp) addKey() error {
	if b.opts.Passphrase == "" {
		return nil
	}
	text, err := b.keyText()
	if err != nil {
		return err
	}
	b.source.Key, err = backup.SealKey(text, b.opts.Passphrase)
	return err
}

// keyText returns the content of the key file, or what it would be.
func (b *backingUp) keyText() ([]byte, error) {
	if b.cfg.SecretKey != "" {
		return []byte(b.cfg.SecretKey + "\n"), nil
	}
	path := filepath.Join(b.cfg.Data, KeyFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no secret key to back up: %s does not exist, and PROMPTUARY_SECRET_KEY is not set", path)
	}
	return text, err
}

// note notes the outcome in the audit log.
func (b *backingUp) note(ctx context.Context, result *backup.Result, failure error) error {
	outcome := installation.Backup{Target: b.store.String(), Elsewhere: b.source.Elsewhere}
	if failure != nil {
		outcome.Error = failure.Error()
	}
	if result != nil {
		outcome.Point, outcome.Written, outcome.Logs = result.Point.ID, result.Written, result.Point.Bytes()
		outcome.Key, outcome.Damage, outcome.Problems = result.Point.Key != nil, len(result.Point.Damage), len(result.Problems)
	}
	return b.catalog.Installation.NoteBackup(context.WithoutCancel(ctx), outcome)
}

// ErrBackupDamaged says that a backup does not hold what was written to it.
var ErrBackupDamaged = backup.ErrDamaged
