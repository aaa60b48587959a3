package logcopy

import (
	"context"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

const (
	// partLogs and partBytes limit the logs that are compared at once.
	partLogs  = 2_000
	partBytes = 16 << 20
)

// compareLogs goes through the logs that a scan selects in both stores, in the
// order of their ids. What the copy lacks is written to it, and so are notes and
// prices that have changed since. Then both sides are counted.
func (c *copier) compareLogs(ctx context.Context, scan query.ScanQuery) error {
	scan.Limit, scan.MaxBytes = partLogs, partBytes
	for last := scan.Last; ; {
		scan.Last = last
		part, err := c.from.ScanLogs(ctx, scan)
		if err != nil {
			return fmt.Errorf("read request logs: %w", err)
		}
		if part.Next != 0 {
			scan.Last = part.Next
		}
		if err := c.comparePart(ctx, part, scan); err != nil {
			return err
		}
		c.progress(c.stage, scan.Last, last)
		if scan.After = part.Next; scan.After == 0 {
			return nil
		}
	}
}

// comparePart compares the logs of a scan.
func (c *copier) comparePart(ctx context.Context, part *query.Scanned, scan query.ScanQuery) error {
	copied, err := c.copied(ctx, scan)
	if err != nil {
		return err
	}
	batch, err := c.missing(part, copied)
	if err != nil {
		return err
	}
	if len(batch.Logs)+len(batch.Changes)+len(batch.Prices) > 0 {
		if err := c.write(ctx, batch); err != nil {
			return err
		}
		if copied, err = c.copied(ctx, scan); err != nil {
			return err
		}
	}
	return c.count(part, copied)
}

// copied returns the logs of a scan in the copy.
func (c *copier) copied(ctx context.Context, scan query.ScanQuery) (map[int64]query.ScannedLog, error) {
	logs := map[int64]query.ScannedLog{}
	for {
		part, err := c.to.ScanLogs(ctx, scan)
		if err != nil {
			return nil, fmt.Errorf("read the copied request logs: %w", err)
		}
		for _, l := range part.Logs {
			logs[l.ID] = l
		}
		if scan.After = part.Next; scan.After == 0 {
			return logs, nil
		}
	}
}

// missing returns what the copy lacks to have the logs in their current state.
func (c *copier) missing(part *query.Scanned, copied map[int64]query.ScannedLog) (batch reqlog.Batch, err error) {
	lastID := c.to.LastID()
	for _, l := range part.Logs {
		have, ok := copied[l.ID]
		switch {
		case ok:
			addChanges(&batch, l, have)
		case l.ID > lastID:
			addLog(&batch, l)
		default:
			return batch, &lateError{l.ID, lastID}
		}
	}
	return batch, nil
}

// lateError says that a log cannot be copied any more, because stores take logs in
// the order of their ids only.
type lateError struct{ id, last int64 }

// Error implements error.
func (e *lateError) Error() string {
	return fmt.Sprintf("request log %d is not in the copy, which has logs up to %d already, and logs are copied in the order of their ids: "+
		"a server wrote it after logs with higher ids had been copied. Empty the target, and run the command again", e.id, e.last)
}

// addLog adds a log with the price that it was written with, and the change to
// the price that it has now.
func addLog(b *reqlog.Batch, l query.ScannedLog) {
	own := *l.Log
	own.Price = l.Logged
	reqlog.Derive(&own)
	b.Logs = append(b.Logs, &own)
	addPrice(b, l, l.Logged)
}

// addPrice adds the change from one price to that of the log.
func addPrice(b *reqlog.Batch, l query.ScannedLog, from reqlog.Price) {
	change := reqlog.PriceChange{Workspace: l.Workspace, Repricing: l.Price.Repricing}
	switch {
	case l.Price == from:
		return
	case change.Repricing != 0:
		change.Prices = []reqlog.NewPrice{{ID: l.ID, USD: l.Price.USD}}
	default: // it has returned to the price that it was written with
		change.Repricing, change.First, change.Last = from.Repricing, l.ID, l.ID
	}
	if n := len(b.Prices); n > 0 && joins(&b.Prices[n-1], &change) {
		b.Prices[n-1].Prices = append(b.Prices[n-1].Prices, change.Prices...)
		return
	}
	b.Prices = append(b.Prices, change)
}

// joins reports whether the new prices of two changes can be one change.
func joins(a, b *reqlog.PriceChange) bool {
	return a.Workspace == b.Workspace && a.Repricing == b.Repricing && len(a.Prices) > 0 && len(b.Prices) > 0
}

// addChanges adds the changes from the state that the copy has to that of the log.
func addChanges(b *reqlog.Batch, l, have query.ScannedLog) {
	add := func(a reqlog.Annotation) {
		b.Changes = append(b.Changes, reqlog.Change{Workspace: l.Workspace, ID: l.ID, Annotation: a})
	}
	if !sameMembers(l.Metadata, have.Metadata) {
		addMembers(l.Metadata, have.Metadata, add)
	}
	scores := map[string]int64{}
	var removed []string
	for _, score := range have.Scores {
		scores[score.Name] = score.Value
		if !slices.ContainsFunc(l.Scores, func(other reqlog.Score) bool { return other.Name == score.Name }) {
			removed = append(removed, score.Name)
		}
	}
	if len(removed) > 0 {
		add(reqlog.Annotation{RemovedScores: removed})
	}
	for _, score := range l.Scores {
		if value, ok := scores[score.Name]; !ok || value != score.Value {
			add(reqlog.Annotation{Score: &score})
		}
	}
	if l.Prompt != nil && !sameLink(l.Log, have.Log) {
		add(reqlog.Annotation{Prompt: l.Prompt, Variables: l.Variables})
	}
	if l.GroupID != have.GroupID && l.GroupID != 0 {
		add(reqlog.Annotation{GroupID: l.GroupID})
	}
	addPrice(b, l, have.Price)
}

// addMembers adds the changes from the metadata that the copy has to that of the log.
func addMembers(members, have []reqlog.Member, add func(reqlog.Annotation)) {
	var removed []string
	for _, one := range have {
		if !slices.ContainsFunc(members, func(other reqlog.Member) bool { return other.Key == one.Key }) {
			removed = append(removed, one.Key)
		}
	}
	if len(removed) > 0 {
		add(reqlog.Annotation{RemovedKeys: removed})
	}
	if len(members) > 0 {
		add(reqlog.Annotation{Metadata: members})
	}
}

// count adds the logs to the digests of both sides. A copied log that can no longer
// be read where it comes from counts on neither.
func (c *copier) count(part *query.Scanned, copied map[int64]query.ScannedLog) error {
	for _, l := range part.Logs {
		if err := c.addHash(l, func(d *Day) *Digest { return &d.Source }); err != nil {
			return err
		}
	}
	for _, id := range part.Damaged {
		if _, ok := copied[id]; !ok {
			c.report.LostLogs = append(c.report.LostLogs, id)
		}
		delete(copied, id)
	}
	for _, l := range copied {
		if err := c.addHash(l, func(d *Day) *Digest { return &d.Copy }); err != nil {
			return err
		}
	}
	return nil
}

func (c *copier) addHash(l query.ScannedLog, side func(*Day) *Digest) error {
	hash, err := hashLog(l)
	if err != nil {
		return fmt.Errorf("request log %d: %w", l.ID, err)
	}
	side(c.days.of(Logs, l.Workspace, l.Start)).add(hash)
	return nil
}
