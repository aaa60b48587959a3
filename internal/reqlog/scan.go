package reqlog

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/guard"
)

// ScanQuery requests whole logs, part by part.
type ScanQuery struct {
	// Query selects the logs.
	Query
	// All selects the logs of all workspaces. Query is not used then.
	All bool
	// After and Last limit the logs: their ids are greater than After, and not
	// greater than Last.
	After, Last int64
	// Limit is the maximum number of logs. MaxBytes limits their bodies: the log that
	// exceeds it is the last one; 0 is no limit.
	Limit    int
	MaxBytes int64
}

// Full reports whether a part with so many logs and bytes takes no more.
func (q *ScanQuery) Full(logs int, bytes int64) bool {
	return logs >= q.Limit || q.MaxBytes > 0 && bytes > q.MaxBytes
}

// Scanned is a part of the logs that a ScanQuery selects.
type Scanned struct {
	// Logs are in the order of their ids.
	Logs []ScannedLog
	// Damaged are the ids of logs that can no longer be read.
	Damaged []int64
	// Next is the After of the next part, 0 if this is the last one.
	Next int64
}

// ScannedLog is a log in its current state. Its Index may be left empty.
type ScannedLog struct {
	*Log
	// Logged is the price that the log was written with.
	Logged Price
}

// BodySize returns the size of the input, output and parameters in bytes.
func (l *Log) BodySize() int64 { return int64(len(l.Input) + len(l.Output) + len(l.Parameters)) }

// SpanScanQuery requests whole spans and the ends of traces, part by part.
type SpanScanQuery struct {
	Workspace int64
	// All selects the spans of all workspaces. Workspace is not used then.
	All bool
	// After is the Next of the part before, "" for the first part.
	After string
	// Limit is the maximum number of spans or ends of traces. MaxBytes limits the
	// data of spans: the span that exceeds it is the last one; 0 is no limit.
	Limit    int
	MaxBytes int64
}

// Full reports whether a part with so many spans and bytes takes no more.
func (q *SpanScanQuery) Full(spans int, bytes int64) bool {
	return spans >= q.Limit || q.MaxBytes > 0 && bytes > q.MaxBytes
}

// ScannedSpans is a part of the spans that a SpanScanQuery selects. All spans come
// before the first end of a trace.
type ScannedSpans struct {
	// Spans have their Index.
	Spans    []*Span
	Closures []Closure
	// Damaged are the spans that can no longer be read.
	Damaged []SpanRef
	// Next is the After of the next part, "" if this is the last one.
	Next string
}

// SpanRef identifies a span.
type SpanRef struct {
	Workspace       int64
	TraceID, SpanID string
}

// SpanCursor is where a scan of spans is, for stores.
type SpanCursor struct {
	// Closures says that all spans were returned. The ends of traces follow, in the
	// order of their keys.
	Closures bool
	// A and B are the last place: of a span in the order in which the store returns
	// them, or the key of the end of a trace in A.
	A, B int64
}

// String returns the cursor as the text that ParseSpanCursor reads.
func (c SpanCursor) String() string {
	kind := "s"
	if c.Closures {
		kind = "c"
	}
	return fmt.Sprintf("%s.%d.%d", kind, c.A, c.B)
}

// ParseSpanCursor undoes String. The cursor of the first part is "".
func ParseSpanCursor(text string) (c SpanCursor, err error) {
	if text == "" {
		return SpanCursor{A: -1, B: -1}, nil
	}
	kind, places, _ := strings.Cut(text, ".")
	first, second, _ := strings.Cut(places, ".")
	a, errA := strconv.ParseInt(first, 10, 64)
	b, errB := strconv.ParseInt(second, 10, 64)
	if kind != "s" && kind != "c" || errA != nil || errB != nil {
		return c, fault.New(fault.Invalid, "%q is not a place in a scan of spans", text)
	}
	return SpanCursor{Closures: kind == "c", A: a, B: b}, nil
}

// Range limits the ids of logs: greater than After, and not greater than Last.
type Range struct{ After, Last int64 }

// The size of the parts of a scan for clients: ids, and bytes of bodies.
const (
	scanLogs  = 5000
	scanBytes = 8 << 20
)

// Scan calls each with the matching logs of a range, part by part, in the order of
// their ids, with their bodies. Each part waits for its turn among the queries of
// all workspaces.
func (s *Service) Scan(ctx context.Context, workspace int64, in QueryInput, ids Range, each func(part *Scanned) error) error {
	q, err := s.query(ctx, workspace, in)
	if err != nil {
		return err
	}
	scan := ScanQuery{Query: q, After: ids.After, Last: ids.Last, Limit: scanLogs, MaxBytes: scanBytes}
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
	part *Scanned
	err  error
}

// scanAhead reads a part while the caller is busy with the one before.
func (s *Service) scanAhead(ctx context.Context, q ScanQuery) <-chan scanRead {
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
func (s *Service) ScanSpans(ctx context.Context, workspace int64, each func(part *ScannedSpans) error) error {
	scan := SpanScanQuery{Workspace: workspace, Limit: scanLogs, MaxBytes: scanBytes}
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

// EachTrace calls each with the matching traces, by their start. It goes on behind
// the last one instead of counting pages, which others would move.
func (s *Service) EachTrace(ctx context.Context, workspace int64, in QueryInput, each func(TraceFacts) error) error {
	var last Micros
	seen := 0 // the traces that start with the last one
	for first := true; ; first = false {
		q := SearchQuery{
			Query: Query{Workspace: workspace, Filter: in.Filter, Text: in.Text}, SortBy: FieldTraceStart, Ascending: true, Page: 1, PerPage: tracePage + seen,
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
func notBefore(filter Node, start Micros) Node {
	return And(Cond{Field: FieldTraceStart, Op: OpAfter, Times: []Micros{start - 1}}, filter)
}
