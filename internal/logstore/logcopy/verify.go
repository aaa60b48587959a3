package logcopy

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/embedded"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// savedDay is what both sides had of a day when they were compared.
type savedDay struct {
	Workspace int64     `json:"workspace"`
	Day       string    `json:"day"`
	Count     int64     `json:"count"`
	Sum       [2]uint64 `json:"sum"`
}

// Verify compares what Folder has copied until now with the source as it was then,
// while servers go on using it, so that Finish has less to compare. The function
// opens the source as it was at a mark.
func Verify(ctx context.Context, open func(embedded.Mark) (*embedded.Snapshot, error), to Target, opts Options) (report *Report, err error) {
	c, err := resume(ctx, to, opts)
	if err != nil {
		return nil, err
	}
	if c.state.Mark == nil {
		return nil, errors.New("nothing was copied yet")
	}
	snapshot, err := open(*c.state.Mark)
	if err != nil {
		return nil, fmt.Errorf("open the source as it was: %w", err)
	}
	defer func() { err = errors.Join(err, snapshot.Close()) }()
	c.from, c.stage = snapshot, "compared request logs"
	if err := c.compareLogs(ctx, c.everything()); err != nil {
		return nil, err
	}
	if err := c.finishSpans(ctx); err != nil {
		return nil, err
	}
	c.report.Days, c.report.Copied = c.days.sorted(), to.LastID()
	// What a server knows besides a damaged journal, only Finish can compare.
	if len(c.report.Unequal()) > 0 || snapshot.Damaged() {
		return &c.report, nil
	}
	c.state.Verified, c.state.Days = c.state.Mark, nil
	for _, day := range c.report.Days {
		if day.Kind == Logs {
			c.state.Days = append(c.state.Days, savedDay{day.Workspace, day.Day, day.Copy.Count, day.Copy.sum})
		}
	}
	return &c.report, c.save(ctx)
}

// compareTouched compares the days whose logs were written or changed since both
// sides were compared.
func (c *copier) compareTouched(ctx context.Context, journal *embedded.Follower) error {
	touched, err := c.touched(ctx, journal)
	if err != nil {
		return err
	}
	if len(journal.Damage()) > 0 {
		return c.compareLogs(ctx, c.everything())
	}
	for _, saved := range c.state.Days {
		key := dayKey{saved.Workspace, saved.Day, Logs}
		if !touched[key] {
			equal := Digest{Count: saved.Count, sum: saved.Sum}
			c.days[key] = &Day{Workspace: saved.Workspace, Day: saved.Day, Kind: Logs, Source: equal, Copy: equal}
		}
	}
	for key := range touched {
		first, err := time.Parse(time.DateOnly, key.day)
		if err != nil {
			return fmt.Errorf("day %s: %w", key.day, err)
		}
		scan := c.everything()
		scan.All, scan.Query = false, query.Query{Workspace: key.workspace, Filter: query.Cond{
			Field: query.FieldStart, Op: query.OpBetween, Times: []reqlog.Micros{reqlog.At(first), reqlog.At(first.AddDate(0, 0, 1)) - 1},
		}}
		if err := c.compareLogs(ctx, scan); err != nil {
			return err
		}
	}
	return nil
}

// touched returns the days of the logs that the journal names behind the place up
// to which both sides were compared.
func (c *copier) touched(ctx context.Context, journal *embedded.Follower) (map[dayKey]bool, error) {
	days := map[dayKey]bool{}
	add := func(workspace int64, at reqlog.Micros) {
		days[dayKey{workspace, at.Time().Format(time.DateOnly), Logs}] = true
	}
	err := journal.Parts(ctx, *c.state.Verified, func(part embedded.Part) error {
		for _, l := range part.Batch.Logs {
			add(l.Workspace, l.Start)
		}
		for _, change := range part.Batch.Changes {
			l, err := c.from.Get(ctx, change.Workspace, change.ID)
			if err == nil {
				add(change.Workspace, l.Start)
			} else if !fault.Is(err, fault.NotFound) && !fault.Is(err, fault.Damaged) {
				return fmt.Errorf("read request log %d: %w", change.ID, err)
			}
		}
		for i := range part.Batch.Prices {
			if err := c.priced(ctx, &part.Batch.Prices[i], add); err != nil {
				return err
			}
		}
		return nil
	})
	return days, err
}

// priced adds the days of all logs between the first and the last that a change of
// prices can be about.
func (c *copier) priced(ctx context.Context, change *reqlog.PriceChange, add func(int64, reqlog.Micros)) error {
	after, last := change.First-1, change.Last
	if n := len(change.Prices); n > 0 {
		after, last = change.Prices[0].ID-1, change.Prices[n-1].ID
	}
	for {
		part, err := c.from.Usages(ctx, query.UsageQuery{Query: query.Query{Workspace: change.Workspace}, After: after, Last: last, Limit: partLogs})
		if err != nil {
			return fmt.Errorf("read changed prices: %w", err)
		}
		for _, one := range part {
			add(change.Workspace, one.Start)
		}
		if len(part) < partLogs {
			return nil
		}
		after = part[len(part)-1].ID
	}
}
