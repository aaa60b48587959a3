package api_test

import (
	"errors"
	"os"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// scratchFile is a file that is deleted when closed.
type scratchFile struct{ *os.File }

func (f scratchFile) Close() error { return errors.Join(f.File.Close(), os.Remove(f.Name())) }

// newDatasets returns the dataset service, with uploads in a folder.
func newDatasets(c *catalog.Catalog, logs *requests.Service, dir string, clock *check.Clock) *dataset.Service {
	return dataset.NewService(dataset.Options{
		Entities: c.Entities, Store: c.Datasets, Logs: logs, Reports: c.Evaluations, Clock: clock.Now,
		Scratch: func() (dataset.Scratch, error) {
			file, err := os.CreateTemp(dir, "upload-")
			return scratchFile{file}, err
		},
	})
}
