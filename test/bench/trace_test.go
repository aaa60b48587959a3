package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/trace"
)

func TestGeneratedSpans(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		plain bool
		logs  int
	}{{false, 300}, {true, 0}} {
		set, err := spanSource{start: time.Unix(1_700_000_000, 0), plain: tc.plain}.bodies(largeTrace-500, 1000)
		if err != nil {
			t.Fatal(err)
		}
		spans, logs, traces := 0, 0, map[string]int{}
		for i := range set.len() {
			batch, err := trace.DecodeOTLP(trace.Protobuf, set.at(i))
			if err != nil || batch.Rejected > 0 {
				t.Fatal(err, batch.Reason)
			}
			for i, span := range batch.Spans {
				spans++
				traces[span.TraceID]++
				if batch.Logs[i] != nil {
					logs++
				}
			}
		}
		large := fmt.Sprintf("%x", traceID(0))
		if set.len() != 2 || spans != 1000 || logs != tc.logs || len(traces) != 51 || traces[large] != 500 {
			t.Errorf("plain %v: %d requests, %d spans, %d logs, %d traces, of which the large one has %d spans", tc.plain, set.len(), spans, logs, len(traces), traces[large])
		}
	}
}

func TestSpanAnchor(t *testing.T) {
	t.Parallel()
	a, err := openSpans(t.TempDir() + "/spans")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.close() }()
	set, err := spanSource{start: time.Unix(1_700_000_000, 0)}.bodies(largeTrace-20, 140)
	if err != nil {
		t.Fatal(err)
	}
	for i := range set.len() {
		if err := a.add(set.at(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.finish(); err != nil {
		t.Fatal(err)
	}
	id := func(span int) string { return fmt.Sprintf("%x", traceID(span)) }
	for name, want := range map[string][]listed{
		"failed":          {{id(largeTrace + 55), 10, 1}},
		"calls of a tool": {{id(largeTrace + 100), 10, 0}, {id(largeTrace + 60), 10, 0}, {id(largeTrace + 20), 10, 0}, {id(0), 20, 0}},
	} {
		for _, one := range traceCases {
			if one.name != name {
				continue
			}
			total, page, err := a.list(one.tracePage)
			if diff := cmp.Diff(want, page); err != nil || diff != "" || total != int64(len(want)) {
				t.Errorf("%s: %d traces, %v (-want +got):\n%s", name, total, err, diff)
			}
		}
	}
}
