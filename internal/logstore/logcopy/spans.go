package logcopy

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// eachPart calls use for each part of the spans of a store behind a cursor, and
// then of the ends of traces.
func eachPart(ctx context.Context, store requests.Store, after string, use func(*query.ScannedSpans) error) error {
	for {
		part, err := store.ScanSpans(ctx, query.SpanScanQuery{All: true, After: after, Limit: partLogs, MaxBytes: partBytes})
		if err != nil {
			return fmt.Errorf("read spans: %w", err)
		}
		if err := use(part); err != nil {
			return err
		}
		if after = part.Next; after == "" {
			return nil
		}
	}
}

// copySpans writes the spans behind a cursor to the copy, but not the ends of
// traces: a trace takes no spans afterwards. It returns the cursor at the end.
func (c *copier) copySpans(ctx context.Context, after string) (string, error) {
	copied := int64(0)
	err := eachPart(ctx, c.from, after, func(part *query.ScannedSpans) error {
		var batch reqlog.Batch
		byWorkspace := map[int64]*reqlog.SpanBatch{}
		for _, span := range part.Spans {
			b := byWorkspace[span.Workspace]
			if b == nil {
				b = &reqlog.SpanBatch{Workspace: span.Workspace}
				byWorkspace[span.Workspace], batch.Spans = b, append(batch.Spans, b)
			}
			b.Spans, b.Logs = append(b.Spans, span), append(b.Logs, nil)
		}
		if cursor, err := query.ParseSpanCursor(part.Next); err == nil && part.Next != "" && !cursor.Closures {
			after = part.Next
		}
		copied += int64(len(part.Spans))
		c.progress("spans", copied, 0)
		if len(batch.Spans) == 0 {
			return nil
		}
		return c.write(ctx, batch)
	})
	return after, err
}

// compareSpans counts the spans of both sides. A copied span that can no longer be
// read where it comes from counts on neither: the copy may have it, or the one
// before.
func (c *copier) compareSpans(ctx context.Context) error {
	c.days.reset(Spans)
	c.report.LostSpans = nil
	lost := map[reqlog.SpanRef]bool{}
	err := eachPart(ctx, c.from, "", func(part *query.ScannedSpans) error {
		for _, span := range part.Spans {
			c.days.of(Spans, span.Workspace, span.Start).Source.add(hashSpan(span))
		}
		for _, ref := range part.Damaged {
			lost[ref] = true
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = eachPart(ctx, c.to, "", func(part *query.ScannedSpans) error {
		for _, span := range part.Spans {
			if ref := (reqlog.SpanRef{Workspace: span.Workspace, TraceID: span.TraceID, SpanID: span.SpanID}); lost[ref] {
				lost[ref] = false
				continue
			}
			c.days.of(Spans, span.Workspace, span.Start).Copy.add(hashSpan(span))
		}
		return nil
	})
	for ref, missing := range lost {
		if missing {
			c.report.LostSpans = append(c.report.LostSpans, ref)
		}
	}
	return err
}

// reset forgets what was counted of a kind.
func (d days) reset(kind Kind) {
	for key := range d {
		if key.kind == kind {
			delete(d, key)
		}
	}
}

// closuresOf ranges over the ends of traces of a store, in the order of their keys.
func closuresOf(ctx context.Context, store requests.Store) iter.Seq2[reqlog.Closure, error] {
	return func(yield func(reqlog.Closure, error) bool) {
		errStopped := errors.New("stopped")
		err := eachPart(ctx, store, query.SpanCursor{Closures: true}.String(), func(part *query.ScannedSpans) error {
			for _, closure := range part.Closures {
				if !yield(closure, nil) {
					return errStopped
				}
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStopped) {
			yield(reqlog.Closure{}, err)
		}
	}
}

// compareClosures writes the ends of traces that the copy lacks, and counts both
// sides.
func (c *copier) compareClosures(ctx context.Context) error {
	if err := c.copyClosures(ctx); err != nil {
		return err
	}
	for closure, err := range closuresOf(ctx, c.from) {
		if err != nil {
			return err
		}
		c.days.of(Closures, closure.Workspace, closure.At).Source.add(hashClosure(&closure))
	}
	for closure, err := range closuresOf(ctx, c.to) {
		if err != nil {
			return err
		}
		c.days.of(Closures, closure.Workspace, closure.At).Copy.add(hashClosure(&closure))
	}
	return nil
}

// copyClosures writes the ends of traces that the copy lacks.
func (c *copier) copyClosures(ctx context.Context) error {
	next, stop := iter.Pull2(closuresOf(ctx, c.to))
	defer stop()
	var batch reqlog.Batch
	have, err, ok := next()
	for closure, readErr := range closuresOf(ctx, c.from) {
		for ok && err == nil && have.Key() < closure.Key() {
			have, err, ok = next()
		}
		if err = errors.Join(err, readErr); err != nil {
			return err
		}
		if ok && have.Key() == closure.Key() {
			continue
		}
		batch.Spans = append(batch.Spans, &reqlog.SpanBatch{Workspace: closure.Workspace, Close: []reqlog.Closure{closure}})
		if len(batch.Spans) == partLogs {
			if err := c.write(ctx, batch); err != nil {
				return err
			}
			batch = reqlog.Batch{}
		}
	}
	if len(batch.Spans) == 0 {
		return err
	}
	return errors.Join(err, c.write(ctx, batch))
}
