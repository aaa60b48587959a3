package work

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/blob"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/deletion"
	"github.com/promptuary/promptuary/internal/export"
	"github.com/promptuary/promptuary/internal/exporter"
	"github.com/promptuary/promptuary/internal/importer"
	"github.com/promptuary/promptuary/internal/importer/remote"
	"github.com/promptuary/promptuary/internal/importer/target"
	"github.com/promptuary/promptuary/internal/outbound"
	"github.com/promptuary/promptuary/internal/repricing"
)

// openData builds the services that import, export, delete and price request logs.
func (w *Work) openData() error {
	logs := w.logs.Service
	w.repricings = repricing.NewService(repricing.Options{Jobs: w.jobs, Store: w.catalog.Repricings, Logs: logs, Prices: w.logs.Prices})
	w.deletions = deletion.NewService(deletion.Options{
		Jobs: w.jobs, Store: w.catalog.Deletions, Retention: w.catalog.Deletions, Logs: logs,
	})
	w.imports = importer.NewService(importer.Options{Jobs: w.jobs, Store: w.catalog.Imports, Logs: logs, Servers: w.importServers()})
	w.exports = export.NewService(export.Options{
		Store: w.catalog.Exports, Logs: logs, Datasets: w.datasets, Evaluations: w.evaluations, Audit: audit.NewService(w.catalog.Accounts),
		Settled: w.logs.Settled(), AuditDelay: w.auditDelay(),
	})
	return w.openSavedExports()
}

// auditDelay returns the time after which audit entries are complete. SQLite runs one
// transaction at a time.
func (w *Work) auditDelay() time.Duration {
	if w.cfg.Catalog == "sqlite" {
		return 0
	}
	return catalog.SettleTime
}

// bucketTimeout limits a call of the service of a bucket, such as the upload of a
// part.
const bucketTimeout = 10 * time.Minute

// openSavedExports builds the service for saved exports.
func (w *Work) openSavedExports() error {
	folders, err := exportFolders(w.cfg.ExportFolders)
	if err != nil {
		return fmt.Errorf("option export-folders: %w", err)
	}
	w.buckets = outbound.New(outbound.Options{Allow: w.allowed, Timeout: bucketTimeout, MaxRedirects: -1})
	w.savedExports = exporter.NewService(exporter.Options{
		Jobs: w.jobs, Store: w.catalog.Exports, Exports: w.exports, Box: w.box, Folders: folders, Installation: w.installation,
		CheckURL: w.buckets.CheckURL,
		OpenBucket: func(o blob.BucketOptions) (blob.Store, error) {
			o.Client = w.buckets.HTTP()
			return blob.NewBucket(o)
		},
		Logger: w.log,
	})
	return nil
}

// exportFolders returns the folders of a list that is separated by commas.
func exportFolders(list string) (folders []string, err error) {
	for path := range strings.SplitSeq(list, ",") {
		if path = strings.TrimSpace(path); path == "" {
			continue
		}
		if path, err = filepath.Abs(path); err != nil {
			return nil, err
		}
		folders = append(folders, path)
	}
	return folders, nil
}

const (
	// maxServerAnswer and serverTime limit an answer of a server that is imported from:
	// its list of objects is one answer.
	maxServerAnswer = 64 << 20
	serverTime      = 2 * time.Minute
)

// importServers returns what imports from other servers need.
func (w *Work) importServers() importer.Servers {
	calls := outbound.New(outbound.Options{Allow: w.allowed, MaxBytes: maxServerAnswer, Timeout: serverTime})
	return importer.Servers{
		Target: &target.Target{
			Entities: w.catalog.Entities, Folders: w.registry.Folders, Prompts: w.registry.Prompts,
			Workflows: w.workflows, Datasets: w.datasets,
		},
		Box:      w.box,
		CheckURL: calls.CheckURL,
		Connect: func(address, key string) *remote.Client {
			return remote.New(remote.Options{Address: address, Key: key, Calls: calls})
		},
	}
}
