package clickhouse

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/admission"
	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/logstore/embedded/textindex"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Write implements reqlog.Store. Each table gets one insert, which the server
// stores as a whole. Their order makes a commit that fails in the middle harmless:
// words, spans, annotations and prices may be written twice, and a client that
// repeats its call does that. Logs come after them, in one insert. Only the ends
// of traces come later, because their spans could not be sent again.
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
	stored := c.addLogs(slices.Concat(batch.Logs, spans.Logs), batch.Changes)
	prices := c.addPrices(batch.Prices)
	if err := c.encode(); err != nil {
		return err
	}
	for _, step := range []func() error{
		func() error { return c.insertTerms(ctx) },
		func() error { return c.insertWords(ctx) },
		func() error { return c.insertSpans(ctx, spans.Spans) },
		func() error { return c.annotate(ctx, stored) },
		func() error { return c.setPrices(ctx, prices) },
		func() error { return c.insertLogs(ctx) },
		func() error { return c.insertClosures(ctx, spans.Closures) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	spans.Report(batch.Spans)
	return nil
}

// addLogs adds rows for the logs, with the annotations of the batch. It returns
// the annotations of other logs.
func (c *commit) addLogs(logs []*reqlog.Log, changes []reqlog.Change) (stored []reqlog.Change) {
	for _, l := range logs {
		own := *l // the caller may still read it
		r := &row{Log: &own, logged: l.Price}
		c.rows, c.at[l.ID] = append(c.rows, r), r
	}
	slices.SortFunc(c.rows, func(a, b *row) int { return cmp.Compare(a.ID, b.ID) })
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
		r.words = textindex.Terms(x.InputText, x.OutputText)
	}
	return nil
}

func (c *commit) insertLogs(ctx context.Context) error {
	var b block
	for _, r := range c.rows {
		for i := range logColumns {
			logColumns[i].write(&b, r)
		}
		b.rows++
	}
	if err := c.insert(ctx, "log", logInsert, &b); err != nil {
		return err
	}
	for _, r := range c.rows {
		c.sawID(r.ID)
	}
	return nil
}

// insert inserts the rows of a table, once for each commit.
func (c *commit) insert(ctx context.Context, table, sql string, b *block) error {
	if b.rows == 0 {
		return nil
	}
	settings := c.writeSettings()
	settings.Set("insert_deduplicate", "1")
	settings.Set("insert_deduplication_token", c.token)
	if err := c.persist(ctx, statement{sql: sql, rows: b.bytes, settings: settings}); err != nil {
		return fmt.Errorf("insert into %s: %w", table, err)
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

// patience is how long a store tries to write what may be stored already.
type patience struct {
	attempt time.Duration // for each attempt
	total   time.Duration // after which there is no other
	pause   time.Duration // between attempts
}

var usualPatience = patience{attempt: 30 * time.Second, total: 20 * time.Second, pause: 250 * time.Millisecond}

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

// admitSpans decides what to store of batches of spans.
func (s *Store) admitSpans(ctx context.Context, batches []*reqlog.SpanBatch) (*admission.Admission, error) {
	known := admission.Known{Closed: map[int64]bool{}, LogIDs: map[int64]int64{}}
	closures, logs := admission.Keys(batches)
	if len(closures) > 0 {
		q := newQuery("SELECT DISTINCT key FROM closure WHERE key IN ")
		q.write(q.bindInts(closures))
		if err := s.read(ctx, q, func(rows *rowReader) error {
			var key int64
			err := rows.scan(&key)
			known.Closed[key] = true
			return err
		}); err != nil {
			return nil, fmt.Errorf("look up closed traces: %w", err)
		}
	}
	if len(logs) > 0 {
		q := newQuery("SELECT span_key, min(id) FROM log WHERE span_key IN ")
		q.write(q.bindInts(logs), " GROUP BY span_key")
		if err := s.read(ctx, q, func(rows *rowReader) error {
			var key, id int64
			err := rows.scan(&key, &id)
			known.LogIDs[key] = id
			return err
		}); err != nil {
			return nil, fmt.Errorf("look up logs of spans: %w", err)
		}
	}
	return admission.Admit(batches, known), nil
}
