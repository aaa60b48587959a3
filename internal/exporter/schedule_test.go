package exporter_test

import (
	"net"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/exporter"
)

func listen(t *testing.T, address string) net.Listener {
	t.Helper()
	return check.Must((&net.ListenConfig{}).Listen(t.Context(), "tcp", address))(t)
}

// TestNextRun expects exports to be due at the times of their schedules. The clock
// shows noon on a Sunday.
func TestNextRun(t *testing.T) {
	w := newWorld(t, catalogtest.SQLite(t))
	for i, test := range []struct {
		schedule exporter.Schedule
		next     time.Duration
	}{
		{exporter.Schedule{Every: exporter.Hourly}, time.Hour},
		{exporter.Schedule{Every: exporter.Hourly, Minute: 1}, time.Minute},
		{exporter.Schedule{Every: exporter.Hourly, Minute: 59, Hour: 3}, 59 * time.Minute},
		{exporter.Schedule{Every: exporter.Daily, Hour: 12}, 24 * time.Hour},
		{exporter.Schedule{Every: exporter.Daily, Hour: 12, Minute: 1}, time.Minute},
		{exporter.Schedule{Every: exporter.Daily, Hour: 11, Weekday: time.Monday}, 23 * time.Hour},
		{exporter.Schedule{Every: exporter.Weekly, Hour: 12, Weekday: time.Sunday}, 7 * 24 * time.Hour},
		{exporter.Schedule{Every: exporter.Weekly, Hour: 13, Weekday: time.Sunday}, time.Hour},
		{exporter.Schedule{Every: exporter.Weekly, Hour: 12, Weekday: time.Saturday}, 6 * 24 * time.Hour},
		{exporter.Schedule{Every: exporter.Weekly, Weekday: time.Monday}, 12 * time.Hour},
	} {
		c := content(w.folder)
		c.Name, c.Enabled, c.Schedule = string(rune('a'+i)), true, test.schedule
		check.Equal(t, c.Name, w.create(c).NextAt.Sub(noon), test.next)
	}
}
