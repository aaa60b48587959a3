package requests

import (
	"context"

	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// The size of the parts of a scan for clients: ids, and bytes of bodies.
const (
	scanLogs  = 5000
	scanBytes = 8 << 20
)

// Scan calls each with the matching logs of a range, part by part, in the order of
// their ids, with their bodies. Each part waits for its turn among the queries of
// all workspaces.
func (s *Service) Scan(ctx context.Context, workspace int64, in query.Input, ids query.Range, each func(part *query.Scanned) error) error {
	q, err := s.query(ctx, workspace, in)
	if err != nil {
		return err
	}
	scan := query.ScanQuery{Query: q, After: ids.After, Last: ids.Last, Limit: scanLogs, MaxBytes: scanBytes}
	ctx, cancel := context.WithCancel(ctx)
	next := s.scanAhead(ctx, scan)
	defer func() {
		cancel()
		<-next // closed if nothing is read any more
	}()
	for {
		read := <-next
		if read.err != nil {
			return read.err
		}
		if scan.After = read.part.Next; scan.After != 0 {
			next = s.scanAhead(ctx, scan)
		}
		if err := each(read.part); err != nil || scan.After == 0 {
			return err
		}
	}
}

// scanRead is a part that was read.
type scanRead struct {
	part *query.Scanned
	err  error
}

// scanAhead reads a part while the caller is busy with the one before.
func (s *Service) scanAhead(ctx context.Context, q query.ScanQuery) <-chan scanRead {
	ahead := make(chan scanRead, 1)
	guard.Go("scan of request logs", func() {
		defer close(ahead)
		var read scanRead
		read.err = guard.Run("scan of request logs", func() (err error) {
			read.part, err = s.store.ScanLogs(ctx, q)
			return err
		})
		ahead <- read
	})
	return ahead
}

// PromptNames returns the names of prompts that still exist, by id.
func (s *Service) PromptNames(ctx context.Context, workspace int64, ids []int64) (map[int64]string, error) {
	return s.promptNames(ctx, workspace, ids)
}

// ScanSpans calls each with the spans of a workspace, part by part, in the order in
// which they were last written. Each part waits for its turn.
func (s *Service) ScanSpans(ctx context.Context, workspace int64, each func(part *query.ScannedSpans) error) error {
	scan := query.SpanScanQuery{Workspace: workspace, Limit: scanLogs, MaxBytes: scanBytes}
	for {
		part, err := s.store.ScanSpans(ctx, scan)
		if err != nil {
			return err
		}
		// The ends of traces come after all spans.
		if err := each(part); err != nil || part.Next == "" || len(part.Closures) > 0 {
			return err
		}
		scan.After = part.Next
	}
}

// tracePage is the number of traces that EachTrace has in memory.
const tracePage = 20_000

// EachTrace calls each with the matching traces, by their start. It continues after
// the last one instead of counting pages, which others would move.
func (s *Service) EachTrace(ctx context.Context, workspace int64, in query.Input, each func(query.TraceFacts) error) error {
	var last reqlog.Micros
	seen := 0 // the traces that start with the last one
	for first := true; ; first = false {
		q := query.SearchQuery{
			Query: query.Query{Workspace: workspace, Filter: in.Filter, Text: in.Text}, SortBy: query.FieldTraceStart, Ascending: true, Page: 1, PerPage: tracePage + seen,
		}
		if !first {
			q.Filter = notBefore(in.Filter, last)
		}
		found, err := s.store.SearchTraces(ctx, q)
		if err != nil {
			return err
		}
		for _, one := range found.Items[min(seen, len(found.Items)):] {
			if one.Start != last || first {
				last, seen, first = one.Start, 0, false
			}
			seen++
			if err := each(one); err != nil {
				return err
			}
		}
		if len(found.Items) < q.PerPage {
			return nil
		}
	}
}

// notBefore adds to a filter of traces that they do not start before a time.
func notBefore(filter query.Node, start reqlog.Micros) query.Node {
	return query.And(query.Cond{Field: query.FieldTraceStart, Op: query.OpAfter, Times: []reqlog.Micros{start - 1}}, filter)
}
