package storage

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/config"
	"github.com/promptuary/promptuary/internal/durable"
	"github.com/promptuary/promptuary/internal/secret"
)

// LogFolder is the folder of the request logs in the data folder.
const LogFolder = "logs"

// dataFolder is what a data folder says about the installation it belongs to.
// Ids are empty where an earlier version, or nobody, has written.
type dataFolder struct {
	path string
	// keyPath is the path of the key file, empty if the key is an option.
	keyPath string
	logs    string
	key     string
	// hasLogs reports whether the journal has content.
	hasLogs bool
}

func readDataFolder(cfg config.Config) (folder dataFolder, err error) {
	folder.path = cfg.Data
	if folder.logs, err = readInstallation(folder.logsFile()); err != nil {
		return folder, err
	}
	if folder.hasLogs, err = hasContent(filepath.Join(cfg.Data, LogFolder, "journal")); err != nil {
		return folder, fmt.Errorf("read the journal folder: %w", err)
	}
	if cfg.SecretKey == "" {
		folder.keyPath = filepath.Join(cfg.Data, KeyFile)
		folder.key, err = secret.KeyInstallation(folder.keyPath)
	}
	return folder, err
}

// logsFile returns the path of the file that names the installation of the
// request logs.
func (f dataFolder) logsFile() string { return filepath.Join(f.path, LogFolder, "installation") }

// used reports whether the folder belongs to an installation.
func (f dataFolder) used() bool { return f.hasLogs || f.logs != "" || f.key != "" }

func readInstallation(path string) (string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the installation of the request logs: %w", err)
	}
	id := strings.TrimSpace(string(text))
	if id == "" {
		return "", fmt.Errorf("the file %s is empty: put it back from a backup", path)
	}
	return id, nil
}

// hasContent reports whether a folder has a file that is not empty.
func hasContent(folder string) (bool, error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			return false, err
		}
		if info.Size() > 0 {
			return true, nil
		}
	}
	return false, err
}

// refuseNewCatalog is the error for a new catalog beside the data of an existing
// installation: its first workspace would read the logs of another's.
func refuseNewCatalog(state, data string) error {
	return fmt.Errorf("the catalog %s, but the data folder %s belongs to an existing installation: restore the catalog from a backup, "+
		"or correct the options catalog and data; to begin a new installation, choose another data folder with --data and keep this one", state, data)
}

// checkMissing returns an error if the file of the catalog does not exist although
// the data folder belongs to an installation. Otherwise opening the catalog would
// create the file, and a backup would be restored over it.
func checkMissing(path string, cfg config.Config) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	folder, err := readDataFolder(cfg)
	if err != nil {
		return err
	}
	if folder.used() {
		return refuseNewCatalog(path+" is missing", cfg.Data)
	}
	return nil
}

// check returns an error if the folder belongs to another installation than the
// catalog. Logs without an id are accepted only if adopt is set.
func (f dataFolder) check(id string, adopt bool) error {
	logs := filepath.Dir(f.logsFile())
	switch {
	case f.logs == "" && f.hasLogs && !adopt:
		return fmt.Errorf("the request logs in %s do not name their installation, and the catalog belongs to installation %s: correct the options "+
			"catalog and data; if you restored these logs from a backup that an earlier version made of this installation, write %s to %s",
			logs, id, id, f.logsFile())
	case f.logs != "" && f.logs != id:
		return differ("request logs in "+logs+" belong", f.logs, id)
	case f.key != "" && f.key != id:
		return differ("secret key in "+f.keyPath+" belongs", f.key, id)
	}
	return nil
}

func differ(what, id, catalog string) error {
	return fmt.Errorf("the %s to installation %s, but the catalog belongs to installation %s: correct the options catalog and data, "+
		"or restore what belongs together from a backup, and keep what you replace", what, id, catalog)
}

// nameInstallation writes the id of the installation that the request logs in the
// folder belong to.
func nameInstallation(folder dataFolder, id string) error {
	if err := os.MkdirAll(filepath.Dir(folder.logsFile()), 0o700); err != nil {
		return fmt.Errorf("create log folder: %w", err)
	}
	if err := durable.WriteFile(folder.logsFile(), []byte(id+"\n")); err != nil {
		return fmt.Errorf("write the installation of the request logs: %w", err)
	}
	return nil
}

// Bind ensures that the catalog, the request logs and the key file belong to one
// installation, and returns its id. It gives one to a new installation and to one of an earlier
// version. A start that is interrupted is completed by the next one: a new
// catalog gets its id before the files, an existing one after them.
func Bind(ctx context.Context, cfg config.Config, c *catalog.Catalog, log *slog.Logger) (id string, err error) {
	folder, err := readDataFolder(cfg)
	if err != nil {
		return "", err
	}
	known, used, err := c.Installation.ID(ctx)
	if err != nil {
		return "", err
	}
	if !used {
		if folder.used() {
			return "", refuseNewCatalog("is empty", folder.path)
		}
		if known, err = c.Installation.SetID(ctx, rand.Text()); err != nil {
			return "", err
		}
	}
	adopt := known == ""
	id = cmp.Or(known, folder.logs, folder.key, rand.Text())
	if err := folder.check(id, adopt); err != nil {
		return "", err
	}
	if err := folder.complete(id, log); err != nil || !adopt {
		return id, err
	}
	adopted, err := c.Installation.SetID(ctx, id)
	if err == nil && adopted != id {
		err = differ("data folder "+folder.path+" belongs", id, adopted)
	}
	return id, err
}

// complete writes the id to the files that lack it. A key file that does not
// exist yet gets the id when it is created.
func (f dataFolder) complete(id string, log *slog.Logger) error {
	if f.logs == "" {
		if err := nameInstallation(f, id); err != nil {
			return err
		}
	}
	if f.key != "" || f.keyPath == "" {
		return nil
	}
	// The key works without an id, and its file may be read-only by intention.
	if err := secret.SetKeyInstallation(f.keyPath, id); err != nil {
		log.Warn("cannot write the installation to the key file", "file", f.keyPath, "error", err)
	}
	return nil
}

// HasLogs reports whether the data folder has request logs.
func HasLogs(cfg config.Config) (bool, error) {
	folder, err := readDataFolder(cfg)
	return folder.hasLogs, err
}
