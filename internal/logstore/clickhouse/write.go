package clickhouse

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/logstore/admission"
	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/logstore/words"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Write implements reqlog.Writer. Each table gets one insert, which the server
// stores as a whole. What may be written twice comes first, because a client that
// repeats its call does that. The logs of calls that are not repeatable come last,
// so that nothing fails after them.
func (s *Store) Write(ctx context.Context, batch reqlog.Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.closed {
		return fault.Busy(retryAfter, nil, "The server is shutting down")
	}
	return s.explain(s.commit(ctx, batch))
}

// commit is a batch on its way to the tables.
type commit struct {
	*Store
	token string
	rows  []*row
	// at finds the rows by id.
	at map[int64]*row
}

func (s *Store) commit(ctx context.Context, batch reqlog.Batch) error {
	spans, err := s.admitSpans(ctx, batch.Spans)
	if err != nil {
		return err
	}
	s.batches++
	c := &commit{Store: s, token: s.writer + "-" + strconv.FormatInt(s.batches, 10), at: map[int64]*row{}}
	c.addLogs(batch.Logs, false)
	c.addLogs(spans.Logs, true)
	changes := c.annotateRows(batch.Changes)
	prices := c.addPrices(batch.Prices)
	if err := c.encode(); err != nil {
		return err
	}
	if err := together(ctx,
		c.insertTerms,
		func(ctx context.Context) error { return c.insertSpans(ctx, spans.Spans) },
		func(ctx context.Context) error { return c.change(ctx, changes, prices) },
	); err != nil {
		return err
	}
	if err := c.deleteAll(ctx, batch.Deletions); err != nil {
		return err
	}
	if err := c.finish(ctx, batch.Logs, spans); err != nil {
		return err
	}
	spans.Report(batch.Spans)
	return nil
}

// together runs steps whose order does not matter at the same time.
func together(ctx context.Context, steps ...func(context.Context) error) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, step := range steps {
		group.Go(guard.Task("statement for ClickHouse", func() error { return step(ctx) }))
	}
	return group.Wait()
}

// change changes stored logs. Both kinds of changes update the same rows.
func (c *commit) change(ctx context.Context, changes []reqlog.Change, prices []reqlog.PriceChange) error {
	if err := c.annotate(ctx, changes); err != nil {
		return err
	}
	return c.setPrices(ctx, prices)
}

// finish inserts the logs and the ends of traces. An end comes after the logs of
// its trace, because closed traces take no more. The logs that could not be sent
// again come last.
func (c *commit) finish(ctx context.Context, logs []*reqlog.Log, spans *admission.Admission) error {
	if err := c.insertLogs(ctx, "logs of spans", spans.Logs); err != nil {
		return err
	}
	if err := c.keepFirst(ctx, spans); err != nil {
		return err
	}
	if err := c.insertClosures(ctx, spans.Closures); err != nil {
		return err
	}
	return c.insertLogs(ctx, "logs", logs)
}

// addLogs adds rows for logs, those of the calls to log or those of spans.
func (c *commit) addLogs(logs []*reqlog.Log, ofSpans bool) {
	for _, l := range logs {
		own := *l // the caller may still read it
		r := &row{Log: &own, logged: l.Price, ofSpan: ofSpans}
		c.rows, c.at[l.ID] = append(c.rows, r), r
	}
}

// annotateRows annotates the new logs, and returns the annotations of other logs.
func (c *commit) annotateRows(changes []reqlog.Change) (stored []reqlog.Change) {
	for _, change := range changes {
		if r := c.at[change.ID]; r == nil {
			stored = append(stored, change)
		} else if r.Workspace == change.Workspace {
			change.Annotation.Apply(r.Log)
		}
	}
	return stored
}

// encode computes what the rows have besides the columns of fields.
func (c *commit) encode() (err error) {
	for _, r := range c.rows {
		if r.head, err = document.EncodeLog(r.Log); err != nil {
			return err
		}
		x := &r.Index
		r.texts = [3]string{strings.ToLower(x.InputText), strings.ToLower(x.OutputText), strings.ToLower(x.ThinkingText)}
		r.words = words.Terms(x.InputText, x.OutputText)
	}
	return nil
}

// insertLogs inserts the rows of logs.
func (c *commit) insertLogs(ctx context.Context, what string, logs []*reqlog.Log) error {
	var b block
	for _, l := range logs {
		for i := range logColumns {
			logColumns[i].write(&b, c.at[l.ID])
		}
		b.rows++
	}
	if err := c.insert(ctx, what, logInsert, &b); err != nil {
		return err
	}
	for _, l := range logs {
		c.sawID(l.ID)
	}
	return nil
}

// insert inserts rows, once for each commit: if a commit inserts into a table
// twice, it names two things.
func (c *commit) insert(ctx context.Context, what, sql string, b *block) error {
	if b.rows == 0 {
		return nil
	}
	settings := c.writeSettings()
	settings.Set("insert_deduplicate", "1")
	settings.Set("insert_deduplication_token", c.token+" "+what)
	if err := c.persist(ctx, statement{sql: sql, rows: b.bytes, settings: settings}); err != nil {
		return fmt.Errorf("insert %s: %w", what, err)
	}
	return nil
}

// writeSettings make the server answer when everything is stored, as one block.
func (s *Store) writeSettings() url.Values {
	settings := url.Values{
		"async_insert": {"0"}, "max_insert_block_size": {"10000000"}, "min_insert_block_size_rows": {"10000000"}, "min_insert_block_size_bytes": {"1000000000"},
		"max_partitions_per_insert_block": {"0"},
	}
	if s.quorum != "" {
		settings.Set("insert_quorum", s.quorum)
		settings.Set("insert_quorum_parallel", "0")
	}
	return settings
}

// patience is how long a store tries to write what may be stored already. The total
// is longer than an attempt: if ClickHouse stores rows and gives no answer, the next
// attempt finds that out.
type patience struct {
	attempt time.Duration // for each attempt
	total   time.Duration // after which there is no other
	pause   time.Duration // between attempts
}

var usualPatience = patience{attempt: 15 * time.Second, total: 40 * time.Second, pause: 250 * time.Millisecond}

// persist runs a statement that may be run twice. If it is not known whether it
// was run, it is run again.
func (s *Store) persist(ctx context.Context, st statement) error {
	for start := time.Now(); ; {
		attempt, cancel := context.WithTimeoutCause(ctx, s.patience.attempt, &awayError{sent: true, cause: errSlow})
		err := s.exec(attempt, st)
		cancel()
		if err == nil || !isOpen(err) || time.Since(start) > s.patience.total {
			return err
		}
		s.log.Warn("a write to ClickHouse failed and is repeated", "error", err)
		select {
		case <-ctx.Done():
			return err
		case <-time.After(s.patience.pause):
		}
	}
}
