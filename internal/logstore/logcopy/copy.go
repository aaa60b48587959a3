// Package logcopy copies request logs from one store to another: from a data folder
// to ClickHouse, and back. Ids are kept. The old store stays in use until the last
// step, which compares both sides.
package logcopy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/promptuary/promptuary/internal/logstore/embedded"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// Target is a store that logs are copied to. Nobody else uses it in the meantime.
type Target interface {
	requests.Store
	// CopyState returns what was saved last about a copy to the store, nil if there
	// is none in progress.
	CopyState(ctx context.Context) ([]byte, error)
	// SaveCopyState saves how far a copy to the store is. Nil ends the copy.
	SaveCopyState(ctx context.Context, state []byte) error
}

// Progress is told how much of a stage is done. The total is 0 if it is unknown.
type Progress func(stage string, done, total int64)

// Options say how to copy.
type Options struct {
	// Installation is the id of the installation that the logs belong to.
	Installation string
	Progress     Progress
	// HeldBack is the number of the last ids that Store leaves for Finish. Servers
	// take ids in blocks, so that a log may be written after logs with higher ids.
	HeldBack int64
}

// HeldBack is a good number of ids to hold back: twenty blocks.
const HeldBack = 100_000

// Report is the outcome of a copy.
type Report struct {
	// Copied is the highest id of a log in the copy.
	Copied int64
	// Complete says that both sides were compared and are equal.
	Complete bool
	// Days are what both sides have, if they were compared.
	Days []Day
	// LostLogs and LostSpans can no longer be read in the source, and are not in the
	// copy.
	LostLogs  []int64
	LostSpans []reqlog.SpanRef
	// Damage is the damage found in the journal of the source.
	Damage []journal.Damage
}

// Unequal returns the days on which both sides differ.
func (r *Report) Unequal() (days []Day) {
	for _, day := range r.Days {
		if !day.Equal() {
			days = append(days, day)
		}
	}
	return days
}

// state is how far a copy is. It is kept in the copy.
type state struct {
	// Installation is that of the source.
	Installation string `json:"installation"`
	// Mark is the place in the journal of a folder.
	Mark *embedded.Mark `json:"mark,omitempty"`
	// Spans is the place in a scan of the spans of a store.
	Spans string `json:"spans,omitempty"`
	// Verified is the place in the journal up to which both sides were compared, and
	// Days are the logs that they had then.
	Verified *embedded.Mark `json:"verified,omitempty"`
	Days     []savedDay     `json:"days,omitempty"`
}

// copier is a copy in progress.
type copier struct {
	from     requests.Store
	to       Target
	state    state
	days     days
	report   Report
	progress Progress
	stage    string
}

// ErrUsed says that a target has logs that no copy brought there.
var ErrUsed = errors.New("the target has request logs already, which were not copied there: choose an empty one")

// resume reads how far the copy is, or begins it.
func resume(ctx context.Context, to Target, opts Options) (*copier, error) {
	c := &copier{to: to, days: days{}, progress: opts.Progress, state: state{Installation: opts.Installation}}
	saved, err := to.CopyState(ctx)
	if err != nil {
		return nil, err
	}
	if saved == nil {
		if err := unused(ctx, to); err != nil {
			return nil, err
		}
		return c, c.save(ctx)
	}
	if err := json.Unmarshal(saved, &c.state); err != nil {
		return nil, fmt.Errorf("read how far the copy is: %w", err)
	}
	if c.state.Installation != opts.Installation {
		return nil, fmt.Errorf("the target has a part of the request logs of installation %s, and these are of installation %s: choose an empty one",
			c.state.Installation, opts.Installation)
	}
	return c, nil
}

// unused returns an error if the target has something.
func unused(ctx context.Context, to Target) error {
	if to.LastID() > 0 {
		return ErrUsed
	}
	return eachPart(ctx, to, "", func(part *query.ScannedSpans) error {
		if len(part.Spans)+len(part.Closures)+len(part.Damaged) > 0 {
			return ErrUsed
		}
		return nil
	})
}

func (c *copier) save(ctx context.Context) error {
	encoded, err := json.Marshal(&c.state)
	if err != nil {
		return fmt.Errorf("save how far the copy is: %w", err)
	}
	return c.to.SaveCopyState(ctx, encoded)
}

func (c *copier) write(ctx context.Context, batch reqlog.Batch) error {
	if err := c.to.Write(ctx, batch); err != nil {
		return fmt.Errorf("write to the copy: %w", err)
	}
	return nil
}

// Folder copies everything from the journal of a folder that the copy lacks. A
// server may be using the folder, unless the journal is settled.
func Folder(ctx context.Context, from *embedded.Follower, to Target, opts Options) (*Report, error) {
	c, err := resume(ctx, to, opts)
	if err != nil {
		return nil, err
	}
	if c.state.Mark == nil {
		c.state.Mark = &embedded.Mark{}
	}
	total, done := from.Left(*c.state.Mark), int64(0)
	start := *c.state.Mark
	// What an interrupted copy wrote last may not be marked yet.
	start.LastID = max(start.LastID, to.LastID())
	opts.Progress("bytes of the journal", 0, total)
	err = from.Parts(ctx, start, func(part embedded.Part) error {
		if err := c.write(ctx, part.Batch); err != nil {
			return err
		}
		c.state.Mark = &part.End
		done += part.Bytes
		opts.Progress("bytes of the journal", done, total)
		return c.save(ctx)
	})
	if errors.Is(err, embedded.ErrRewritten) {
		err = fmt.Errorf("%w, as after a restore: empty the target, and run the command again", err)
	}
	c.report.Damage, c.report.Copied = from.Damage(), to.LastID()
	return &c.report, err
}

// Store copies the logs and spans of a store that servers may be using.
func Store(ctx context.Context, from requests.Store, to Target, opts Options) (*Report, error) {
	c, err := resume(ctx, to, opts)
	if err != nil {
		return nil, err
	}
	c.from, c.stage = from, "request logs"
	if last := from.LastID() - opts.HeldBack; last > to.LastID() {
		if err := c.compareLogs(ctx, query.ScanQuery{All: true, After: to.LastID(), Last: last}); err != nil {
			return nil, err
		}
	}
	if c.state.Spans, err = c.copySpans(ctx, c.state.Spans); err != nil {
		return nil, err
	}
	c.report.Copied = to.LastID()
	return &c.report, c.save(ctx)
}

// Finish completes a copy that Folder or Store made, once nobody uses the source:
// it writes what the copy lacks, compares both sides, and ends the copy if they are
// equal. The journal is that of a folder, nil for another store. Days that Verify
// has compared, and that were not touched since, are not compared again.
func Finish(ctx context.Context, from requests.Store, journal *embedded.Follower, to Target, opts Options) (*Report, error) {
	c, err := resume(ctx, to, opts)
	if err != nil {
		return nil, err
	}
	c.from, c.stage = from, "compared request logs"
	if journal != nil && c.state.Verified != nil {
		err = c.compareTouched(ctx, journal)
	} else {
		err = c.compareLogs(ctx, c.everything())
	}
	if err != nil {
		return nil, err
	}
	if err := c.finishSpans(ctx); err != nil {
		return nil, err
	}
	c.report.Days, c.report.Copied = c.days.sorted(), to.LastID()
	if len(c.report.Unequal()) > 0 {
		return &c.report, nil
	}
	c.report.Complete = true
	return &c.report, to.SaveCopyState(ctx, nil)
}

// everything selects all logs.
func (c *copier) everything() query.ScanQuery {
	return query.ScanQuery{All: true, Last: max(c.from.LastID(), c.to.LastID())}
}

// finishSpans copies the spans again if both sides differ, and the ends of traces.
func (c *copier) finishSpans(ctx context.Context) error {
	if c.state.Mark == nil { // the journal has the spans of a folder
		if _, err := c.copySpans(ctx, c.state.Spans); err != nil {
			return err
		}
	}
	if err := c.compareSpans(ctx); err != nil {
		return err
	}
	if !c.days.equal(Spans) {
		if _, err := c.copySpans(ctx, ""); err != nil {
			return err
		}
		if err := c.compareSpans(ctx); err != nil {
			return err
		}
	}
	return c.compareClosures(ctx)
}

func (d days) equal(kind Kind) bool {
	for key, day := range d {
		if key.kind == kind && !day.Equal() {
			return false
		}
	}
	return true
}
