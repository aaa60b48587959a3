package embedded

import (
	"context"
	"log/slog"
	"slices"
	"sync"

	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
)

// journalFolder is the folder of the journal within that of the store.
const journalFolder = "journal"

// Damage is a damaged part of the journal and the logs in it.
type Damage struct {
	journal.Damage
	// FirstID and LastID limit the ids of the logs.
	FirstID, LastID int64
	// Logs is the number of logs. It is an upper limit unless Exact.
	Logs  int64
	Exact bool
	// Spans is the number of spans that the table contains to be in it.
	Spans int64
}

// losses says what is lost with each damaged part of the journal. The applier assesses
// damage when it is found; anybody may ask for the list.
type losses struct {
	journal *journal.Journal
	table   *table.Table
	index   *index
	log     *slog.Logger

	mu    sync.Mutex
	found []Damage
}

// measure adds what is lost to the state of the store.
func (l *losses) measure(stats *Stats) {
	for _, d := range l.list() {
		stats.DamagedBlocks++
		stats.DamagedBytes += d.Bytes
		stats.DamagedLogs += d.Logs
		stats.DamagedSpans += d.Spans
	}
}

// list returns the damage of the journal that has been found.
func (l *losses) list() []Damage {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.found)
}

// assess finds out which logs are in damage that was found since the last call,
// and logs it.
func (l *losses) assess(ctx context.Context) {
	known := map[journal.Position]Damage{}
	for _, d := range l.list() {
		known[d.From] = d
	}
	var lost []Damage
	for _, found := range l.journal.Damage() {
		d, ok := known[found.From]
		if !ok {
			d = l.assessOne(ctx, found)
			l.log.Error("a part of the journal is damaged: its logs cannot be read, all others can",
				"file", d.Path, "at_byte", d.Offset, "bytes", d.Bytes,
				"first_id", d.FirstID, "last_id", d.LastID, "logs", d.Logs, "exact", d.Exact, "spans", d.Spans)
		}
		lost = append(lost, d)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.found = lost
}

// assessOne asks the table for the logs of the damage. A table that was rebuilt
// since lacks them; then the gap in the ids limits their number.
func (l *losses) assessOne(ctx context.Context, found journal.Damage) Damage {
	first, last, known := l.index.idsBetween(found.From, found.To)
	d := Damage{Damage: found, FirstID: first, LastID: last}
	var err error
	if d.Spans, err = l.table.SpansBetween(ctx, found.From, found.To); err != nil {
		l.log.Warn("cannot look up the spans of a damaged part of the journal", "error", err)
	}
	ids, err := l.table.IDs(ctx, first, last)
	switch {
	case err != nil:
		l.log.Warn("cannot look up the logs of a damaged part of the journal", "error", err)
		d.Logs = max(0, last-first+1)
	case known && len(ids) > 0:
		d.LastID, d.Logs, d.Exact = ids[len(ids)-1], int64(len(ids)), true
	default:
		if len(ids) > 0 {
			d.FirstID = ids[len(ids)-1] + 1
		}
		d.Logs = max(0, last-d.FirstID+1)
	}
	return d
}
