package exporter_test

import (
	"testing"

	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/exporter"
)

// TestRunsDoNotDelayOtherWorkspaces takes all slots that a workspace gets for its
// runs, as exports to a slow bucket would.
func TestRunsDoNotDelayOtherWorkspaces(t *testing.T) {
	w := newWorld(t, catalogtest.SQLite(t))
	queue := w.service.Queue()
	ends := make([]func(), queue.Stats().Each)
	for i := range ends {
		ends[i] = check.Must(queue.Acquire(w.ctx, w.home))(t)
	}
	export := w.create(content(w.folder))
	run := check.Must(w.service.Start(w.ctx, w.home, export.ID, nil))(t)
	check.Eventually(t, "the run waits", func() bool { return queue.Stats().Waiting == 1 })

	c := content(w.folder + "/other")
	second := check.Must(w.service.Create(w.ctx, w.other, c, nil, nil))(t)
	check.Must(w.service.Start(w.ctx, w.other, second.ID, nil))(t)
	check.Eventually(t, "the run of the other workspace ends", func() bool {
		runs, _, err := w.service.Runs(w.ctx, w.other, second.ID, entity.Page{Limit: 1})
		check.OK(t, err)
		return len(runs) == 1 && runs[0].State == exporter.Done
	})
	_, waiting := queue.StatsOf(w.home)
	check.Equal(t, "runs that wait", waiting, 1)
	for _, end := range ends {
		end()
	}
	check.Equal(t, "state", w.ended(export.ID, run.ID).State, exporter.Done)
}
