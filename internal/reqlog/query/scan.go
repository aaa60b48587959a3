package query

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
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

// Full reports whether a part with so many logs and bytes is full.
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
	*reqlog.Log
	// Logged is the price that the log was written with.
	Logged reqlog.Price
}

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

// Full reports whether a part with so many spans and bytes is full.
func (q *SpanScanQuery) Full(spans int, bytes int64) bool {
	return spans >= q.Limit || q.MaxBytes > 0 && bytes > q.MaxBytes
}

// ScannedSpans is a part of the spans that a SpanScanQuery selects. All spans come
// before the first end of a trace.
type ScannedSpans struct {
	// Spans have their Index.
	Spans    []*reqlog.Span
	Closures []reqlog.Closure
	// Damaged are the spans that can no longer be read.
	Damaged []reqlog.SpanRef
	// Next is the After of the next part, "" if this is the last one.
	Next string
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
