package work

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/promptuary/promptuary/internal/dataset"
)

// openDatasets builds the service for datasets and removes the files of
// interrupted uploads.
func (w *Work) openDatasets(ctx context.Context, orLater func(context.Context, string, func(context.Context) error) error) error {
	uploads := filepath.Join(w.cfg.Data, "uploads")
	if err := os.RemoveAll(uploads); err != nil {
		return fmt.Errorf("remove old uploads: %w", err)
	}
	if err := os.Mkdir(uploads, 0o700); err != nil && !errors.Is(err, unix.ENOSPC) {
		return fmt.Errorf("create upload folder: %w", err)
	}
	w.datasets = dataset.NewService(dataset.Options{
		Entities: w.catalog.Entities, Store: w.catalog.Datasets, Logs: w.logs.Service, Reports: w.catalog.Evaluations,
		Scratch: func() (dataset.Scratch, error) { return newScratch(uploads) },
	})
	return orLater(ctx, "remove unused rows of datasets", w.datasets.Sweep)
}

// scratchFile is a file that is removed when it is closed.
type scratchFile struct{ *os.File }

// newScratch creates a file. The folder is missing if the disk was full at the
// start.
func newScratch(folder string) (scratchFile, error) {
	err := os.MkdirAll(folder, 0o700)
	if err != nil {
		return scratchFile{}, err
	}
	file, err := os.CreateTemp(folder, "upload-")
	return scratchFile{file}, err
}

// Close closes and removes the file.
func (f scratchFile) Close() error { return errors.Join(f.File.Close(), os.Remove(f.Name())) }
