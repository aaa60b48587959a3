package logstoretest

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// testScanLogs goes through the logs of queries, and of all workspaces, at once
// and in parts.
func testScanLogs(s *suite) {
	for _, q := range questions() {
		s.scans(query.ScanQuery{Query: q, Last: everything, Limit: 10_000})
	}
	all := s.scans(query.ScanQuery{All: true, Last: everything, Limit: 1_000_000})
	end := all.Logs[len(all.Logs)-5].ID
	for _, part := range []query.ScanQuery{{Limit: 137}, {Limit: 300, MaxBytes: 50_000}, {Limit: 1, After: end}, {Limit: 1000, MaxBytes: 1, After: end}} {
		part.All, part.Last = true, everything
		s.scansParts(part)
		part.All, part.Query = false, home(nil, "refund")
		s.scansParts(part)
	}
	middle := all.Logs[len(all.Logs)/2].ID
	s.scans(query.ScanQuery{All: true, After: middle - 20, Last: middle, Limit: 1000})
	s.scans(query.ScanQuery{Query: home(nil, ""), After: middle, Last: middle, Limit: 1000})
	for _, workspace := range []int64{0, -1, 3} {
		found, err := s.Store.ScanLogs(s.ctx, query.ScanQuery{Query: query.Query{Workspace: workspace}, Last: everything, Limit: 10})
		s.ok(err)
		s.equal("a scan of another workspace", found, &query.Scanned{}, exact)
	}
}

// scans compares one part of a scan.
func (s *suite) scans(q query.ScanQuery) *query.Scanned {
	s.t.Helper()
	want, err := s.want.ScanLogs(s.ctx, q)
	s.ok(err)
	got, err := s.Store.ScanLogs(s.ctx, q)
	s.ok(err)
	s.equal(fmt.Sprintf("scan %+v", q), got, want, scanned)
	return want
}

// scanned compares logs that may lack their index.
var scanned = append(slices.Clone(exact), cmpopts.IgnoreTypes(reqlog.Index{}))

// scansParts compares all parts of a scan.
func (s *suite) scansParts(q query.ScanQuery) {
	s.t.Helper()
	for parts := 0; ; parts++ {
		if q.After = s.scans(q).Next; q.After == 0 {
			return
		}
		if parts > 10_000 {
			s.t.Fatal("the scan does not end")
		}
	}
}

// testScanSpans goes through all spans and ends of traces in parts.
func testScanSpans(s *suite) {
	for _, q := range []query.SpanScanQuery{
		{All: true, Limit: 10_000}, {All: true, Limit: 7}, {All: true, Limit: 100, MaxBytes: 1_000}, {Workspace: Home, Limit: 5}, {Workspace: Away, Limit: 5}, {Workspace: 3, Limit: 5},
	} {
		s.scansSpans(q)
	}
	for _, wrong := range []string{"x", "s.1", "s.1.x", "q.1.2", "s.99999999999999999999.1"} {
		_, err := s.Store.ScanSpans(s.ctx, query.SpanScanQuery{After: wrong, Limit: 1})
		s.fails(err, fault.Invalid)
	}
}

func (s *suite) scansSpans(q query.SpanScanQuery) {
	s.t.Helper()
	s.equal(fmt.Sprintf("scan of spans %+v", q), s.allSpans(s.Store, q), s.allSpans(s.want, q), exact)
}

// allSpans returns what all parts of a scan have, in an order that all engines
// share.
func (s *suite) allSpans(store requests.Store, q query.SpanScanQuery) (all query.ScannedSpans) {
	s.t.Helper()
	for range 10_000 {
		part, err := store.ScanSpans(s.ctx, q)
		s.ok(err)
		if len(part.Spans) > 0 && len(part.Closures) > 0 || len(all.Closures) > 0 && len(part.Spans) > 0 || len(part.Spans) > q.Limit {
			s.t.Fatalf("a part has %d spans and %d ends of traces", len(part.Spans), len(part.Closures))
		}
		all.Spans, all.Closures = append(all.Spans, part.Spans...), append(all.Closures, part.Closures...)
		all.Damaged = append(all.Damaged, part.Damaged...)
		if q.After = part.Next; q.After == "" {
			slices.SortFunc(all.Spans, func(a, b *reqlog.Span) int { return cmp.Compare(a.Key(), b.Key()) })
			return all
		}
	}
	s.t.Fatal("the scan does not end")
	return all
}

// testScansOfChanges scans logs whose notes and prices have changed, and spans
// that were replaced.
func testScansOfChanges(s *suite) {
	var logs []*reqlog.Log
	for i := range int64(40) {
		l := plain(1+i*i, fmt.Sprint("refund ", i)) // with gaps
		if i%2 == 0 {
			l.Price = reqlog.Price{USD: float64(i), Source: reqlog.PriceSent}
		}
		logs = append(logs, l)
	}
	s.append(logs...)
	for i, l := range logs {
		for _, change := range changes(i) {
			s.annotate(Home, l.ID, change)
		}
	}
	s.write(Repricing(Home, 5, reqlog.NewPrice{ID: logs[2].ID, USD: 7}, reqlog.NewPrice{ID: logs[3].ID, USD: 0}, reqlog.NewPrice{ID: logs[9].ID, USD: 1}))
	s.write(Restoring(Home, 5, logs[9].ID, logs[9].ID))
	for _, text := range []string{"first", "second"} {
		for i := range 5 {
			span := newSpan(Home, "trace", fmt.Sprint("span ", i))
			span.Name = text
			s.writeSpans(spans(span))
		}
	}
	s.writeSpans(&reqlog.SpanBatch{Workspace: Home, Close: []reqlog.Closure{closing(Home, "trace"), closing(Home, "a trace without spans")}})
	check := func() {
		s.t.Helper()
		s.scans(query.ScanQuery{All: true, Last: everything, Limit: 1000})
		s.scansParts(query.ScanQuery{Query: home(nil, ""), Last: everything, Limit: 3})
		s.scansSpans(query.SpanScanQuery{All: true, Limit: 2})
	}
	check()
	s.Store = s.Reopen()
	check()
}
