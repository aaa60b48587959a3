package app

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/promptuary/promptuary/internal/app/storage"
)

const (
	// catalogCheckPause is the time between two checks of the catalog, and
	// catalogCheckRetry that after a check that failed.
	catalogCheckPause = 24 * time.Hour
	catalogCheckRetry = time.Hour
	// maxToldProblems limits the problems of the catalog in the log: damage of one page
	// can cause hundreds.
	maxToldProblems = 10
)

// catalogCheck is what the background check of the catalog has found.
type catalogCheck struct {
	// problems is the number of problems that the last check found, and passes that of
	// completed checks.
	problems, passes atomic.Int64
}

// scrub checks the file of the catalog now and once a day, until ctx ends, so
// that damage is found before a user needs the data, and while there are backups
// from before.
func (c *installed) scrub(ctx context.Context) {
	if c.cfg.ScrubRate == 0 || c.cfg.Catalog != "sqlite" {
		return
	}
	for {
		wait := catalogCheckPause
		problems, err := c.Scrub(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			c.log.Error("the background check of the catalog failed", "error", err)
			wait = catalogCheckRetry
		default:
			c.check.problems.Store(int64(len(problems)))
			c.check.passes.Add(1)
		}
		if len(problems) > 0 {
			c.log.Error("the catalog is damaged: restore it from a backup", "file", storage.CatalogFile, "problems", len(problems),
				"first", problems[:min(len(problems), maxToldProblems)])
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}
