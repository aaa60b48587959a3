package ingest_test

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/ingest"
)

// TestIngestSaysHowManySpansFit counts the logs of spans too, and says so.
func TestIngestSaysHowManySpansFit(t *testing.T) {
	t.Parallel()
	g := newIngester(t, &faultStore{}, ingest.Options{MaxLogs: 3, MaxBytes: 1 << 20})
	batch := &reqlog.SpanBatch{Spans: []*reqlog.Span{{SpanID: "a"}, {SpanID: "b"}}, Logs: logsOf("", "")}
	check.Refused(t, g.AppendSpans(t.Context(), batch), fault.TooLarge, "too much for one call: at most 3 spans and request logs together and 1048576 bytes")
	check.Refused(t, g.Append(t.Context(), logsOf("", "", "", "")...), fault.TooLarge, "too much for one call: at most 3 logs and 1048576 bytes")
	batch.Logs[1] = nil
	check.OK(t, g.AppendSpans(t.Context(), batch))
}
