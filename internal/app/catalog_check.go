package app

import (
	"context"
	"sync/atomic"
	"time"
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

// scrubCatalog checks the file of the catalog now and once a day, until ctx ends, so
// that damage is found before a user needs the data, and while there are backups
// from before.
func (a *App) scrubCatalog(ctx context.Context) {
	if a.cfg.ScrubRate == 0 || a.cfg.Catalog != "sqlite" {
		return
	}
	for {
		wait := catalogCheckPause
		problems, err := a.catalog.Scrub(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			a.log.Error("the background check of the catalog failed", "error", err)
			wait = catalogCheckRetry
		default:
			a.catalogCheck.problems.Store(int64(len(problems)))
			a.catalogCheck.passes.Add(1)
		}
		if len(problems) > 0 {
			a.log.Error("the catalog is damaged: restore it from a backup", "file", catalogFile, "problems", len(problems),
				"first", problems[:min(len(problems), maxToldProblems)])
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}
