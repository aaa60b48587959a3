package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/promptuary/promptuary/internal/backup"
	"github.com/promptuary/promptuary/internal/blob"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/config"
	"github.com/promptuary/promptuary/internal/durable"
	"github.com/promptuary/promptuary/internal/logstore/embedded"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/secret"
)

// RestoreOptions say what to restore.
type RestoreOptions struct {
	// Source is a folder, or s3://bucket/prefix.
	Source string
	// Data is the data folder to create.
	Data string
	// Point is the id of a point. If it is empty, it is the last one, or that which
	// At needs.
	Point string
	// At limits the request logs: a time, or a block of the journal such as 3:1024.
	// Empty for all.
	At string
	// Passphrase decrypts the secret key. WithoutKey leaves the key out.
	Passphrase string
	WithoutKey bool
	Progress   func(done, total int64)
}

// Restored is the outcome of a restore.
type Restored struct {
	Point *backup.Point
	// End is the block at which the request logs end, "" if there are none.
	End string
	// Key says whether the secret key was restored.
	Key bool
}

// Restore creates a data folder from a backup. It writes to another folder beside
// it, which gets the name of the data folder when everything is complete and
// compared with its checksums.
func Restore(ctx context.Context, opts RestoreOptions) (_ *Restored, err error) {
	if err := checkVacant(opts.Data); err != nil {
		return nil, err
	}
	store, err := openBackup(opts.Source)
	if err != nil {
		return nil, err
	}
	r := &restoring{opts: opts, store: store, folder: filepath.Clean(opts.Data) + ".restoring", restored: &Restored{}}
	if err := r.choose(ctx); err != nil {
		return nil, err
	}
	if err := r.prepare(); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.end()) }()
	if err := r.fill(ctx); err != nil {
		return nil, err
	}
	return r.restored, r.publish()
}

// checkVacant returns an error unless a folder is empty or does not exist.
func checkVacant(folder string) error {
	entries, err := os.ReadDir(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("data folder: %w", err)
	case len(entries) > 0:
		return fmt.Errorf("the data folder %s is not empty: restore to another folder, which this command creates; nothing was changed", folder)
	}
	return nil
}

// restoring is a restore in progress.
type restoring struct {
	opts     RestoreOptions
	store    blob.Store
	folder   string
	lock     *os.File
	restored *Restored
	// time and block are what At says. Both are nil without it.
	time  *time.Time
	block *journal.Position
}

// choose chooses the point.
func (r *restoring) choose(ctx context.Context) (err error) {
	if err := r.parseAt(); err != nil {
		return err
	}
	if r.opts.Point != "" {
		r.restored.Point, err = backup.Read(ctx, r.store, r.opts.Point)
		return err
	}
	ids, err := backup.IDs(ctx, r.store)
	if err == nil && len(ids) == 0 {
		err = fmt.Errorf("%s has no backup", r.store)
	}
	if err != nil {
		return err
	}
	if r.time == nil && r.block == nil {
		r.restored.Point, err = backup.Read(ctx, r.store, ids[len(ids)-1])
		return err
	}
	for _, id := range ids {
		point, err := backup.Read(ctx, r.store, id)
		if err != nil {
			return err
		}
		if r.covers(point) {
			r.restored.Point = point
			return nil
		}
	}
	return fmt.Errorf("the last point of %s, %s, was made before %s", r.store, ids[len(ids)-1], r.opts.At)
}

// covers reports whether a point has everything that At asks for. A catalog that is
// older than the request logs could give ids of theirs to other things.
func (r *restoring) covers(point *backup.Point) bool {
	if r.time != nil {
		return !point.Time.Before(*r.time)
	}
	end, err := parseBlock(point.End)
	return err == nil && end >= *r.block
}

func (r *restoring) parseAt() error {
	if r.opts.At == "" {
		return nil
	}
	if at, err := time.Parse(time.RFC3339, r.opts.At); err == nil {
		r.time = &at
		return nil
	}
	block, err := parseBlock(r.opts.At)
	if err != nil {
		return fmt.Errorf("%q is neither a time, such as 2026-01-31T12:00:00Z, nor a block, such as 3:1024", r.opts.At)
	}
	r.block = &block
	return nil
}

// parseBlock undoes formatBlock.
func parseBlock(text string) (journal.Position, error) {
	first, second, ok := strings.Cut(text, ":")
	segment, err := strconv.ParseInt(first, 10, 31)
	offset, offsetErr := strconv.ParseInt(second, 10, 33)
	if !ok || err != nil || offsetErr != nil || segment < 0 || offset < 0 || offset > 1<<32-1 {
		return 0, errors.New("not a block")
	}
	return journal.At(segment, offset), nil
}

// prepare creates the folder to write to. One that a restore left which was
// killed is replaced.
func (r *restoring) prepare() (err error) {
	if r.lock, err = Lock(r.folder); err != nil {
		return fmt.Errorf("another restore is running: %w", err)
	}
	entries, err := os.ReadDir(r.folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if path := filepath.Join(r.folder, entry.Name()); path != r.lock.Name() {
			if err := os.RemoveAll(path); err != nil {
				return fmt.Errorf("remove what an interrupted restore has left: %w", err)
			}
		}
	}
	return nil
}

// end removes the folder, unless it was published.
func (r *restoring) end() error {
	err := r.lock.Close()
	if _, statErr := os.Stat(r.folder); statErr == nil {
		err = errors.Join(err, os.RemoveAll(r.folder))
	}
	return err
}

func (r *restoring) fill(ctx context.Context) error {
	point, logs := r.restored.Point, filepath.Join(r.folder, LogFolder)
	catalogPath := filepath.Join(r.folder, CatalogFile)
	if err := backup.Restore(ctx, r.store, point, catalogPath, embedded.JournalFolder(logs), r.opts.Progress); err != nil {
		return err
	}
	if err := r.checkCatalog(ctx); err != nil {
		return err
	}
	if err := nameInstallation(dataFolder{path: r.folder}, point.Installation); err != nil {
		return err
	}
	if err := r.cut(ctx, logs); err != nil {
		return err
	}
	return r.addKey(ctx)
}

// checkCatalog checks the catalog, and whose it is.
func (r *restoring) checkCatalog(ctx context.Context) (err error) {
	path := filepath.Join(r.folder, CatalogFile)
	problems, err := engine.CheckFile(ctx, path)
	if err == nil && len(problems) > 0 {
		err = fmt.Errorf("%w: the catalog: %s", backup.ErrDamaged, strings.Join(problems, "; "))
	}
	if err != nil {
		return err
	}
	c, err := catalog.Open(ctx, "sqlite:"+path)
	if err != nil {
		return err
	}
	id, _, err := c.Installation.ID(ctx)
	if err == nil && id != r.restored.Point.Installation {
		err = fmt.Errorf("%w: its catalog belongs to installation %s instead of %s", backup.ErrDamaged, id, r.restored.Point.Installation)
	}
	return errors.Join(err, c.Close())
}

// cut removes the request logs that At excludes.
func (r *restoring) cut(ctx context.Context, logs string) (err error) {
	r.restored.End = r.restored.Point.End
	if r.time != nil && len(r.restored.Point.Journal) > 0 {
		at, err := embedded.JournalAt(ctx, logs, *r.time)
		if err != nil {
			return err
		}
		r.block = &at
	}
	if r.block == nil {
		return nil
	}
	r.restored.End = formatBlock(*r.block)
	return embedded.CutJournal(logs, *r.block)
}

// addKey restores the secret key.
func (r *restoring) addKey(ctx context.Context) error {
	point := r.restored.Point
	switch {
	case point.Key == nil && r.opts.Passphrase != "":
		return fmt.Errorf("the point %s does not have the secret key: leave the passphrase out", point.ID)
	case point.Key == nil || r.opts.WithoutKey:
		return nil
	case r.opts.Passphrase == "":
		return fmt.Errorf("the point %s has the secret key, encrypted: give the passphrase with --passphrase-file or %s, or leave the key out with --without-key", point.ID, config.PassphraseEnv)
	}
	sealed, err := backup.Key(ctx, r.store, point)
	if err != nil {
		return err
	}
	key, err := backup.OpenKey(sealed, r.opts.Passphrase)
	if err != nil {
		return err
	}
	if _, err := secret.ParseKey(string(key)); err != nil {
		return fmt.Errorf("%w: the secret key %w", backup.ErrDamaged, err)
	}
	r.restored.Key = true
	return durable.WriteFile(filepath.Join(r.folder, KeyFile), append(bytes.TrimSpace(key), '\n'))
}

// publish gives the folder its name. It fails if the data folder is no longer
// empty.
func (r *restoring) publish() error {
	if err := durable.SyncFolder(r.folder); err != nil {
		return err
	}
	// Unlike that of package os, it replaces an empty folder.
	if err := unix.Rename(r.folder, r.opts.Data); err != nil {
		return fmt.Errorf("%s cannot become the data folder %s: %w", r.folder, r.opts.Data, err)
	}
	return durable.SyncFolder(filepath.Dir(filepath.Clean(r.opts.Data)))
}

// VerifyBackup reads everything that a backup has.
func VerifyBackup(ctx context.Context, source string, progress func(done, total int64)) (*backup.Checked, error) {
	store, err := openBackup(source)
	if err != nil {
		return nil, err
	}
	return backup.Verify(ctx, store, progress)
}

// BackupPoints reads the points of a backup, oldest first.
func BackupPoints(ctx context.Context, source string) (points []*backup.Point, problems []error, err error) {
	store, err := openBackup(source)
	if err != nil {
		return nil, nil, err
	}
	return backup.Points(ctx, store)
}
