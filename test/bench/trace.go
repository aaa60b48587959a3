package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/promptuary/promptuary/internal/trace"
)

const (
	// exporters is the number of connections that send spans.
	exporters = 8
	// tracesPerPage is the size of a page of traces, the default.
	tracesPerPage = 25
	tracesPath    = "/api/public/v2/traces/"
)

// measureTraces loads spans into an installation of their own, so that its
// memory is that of the spans, and compares lists of traces.
func (b *bench) measureTraces() (err error) {
	server, err := startProgram(b.program, b.path("trace-data"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	source := spanSource{start: b.report.Started.Add(-24 * time.Hour)}
	if err := b.loadSpans(server, source); err != nil {
		return err
	}
	if err := b.measureLargeTrace(server); err != nil {
		return err
	}
	if err := b.compareTraces(server, source); err != nil {
		return err
	}
	return b.measurePlainSpans(server, source)
}

// exportSpans sends a request of OTLP.
func exportSpans(c *client, body []byte) (int64, error) {
	c.media = trace.Protobuf
	_, err := c.expect(http.StatusOK, http.MethodPost, "/v1/traces", body)
	return 0, err
}

// spanTimes are how long the program and the plain server took.
type spanTimes struct{ ours, anchor time.Duration }

// export sends spans to the plain server, and then to the program.
func (b *bench) export(server *server, source spanSource, first, count int) (took spanTimes, err error) {
	set, err := source.bodies(first, count)
	if err != nil {
		return took, err
	}
	anchor, err := load(exporters, b.http.address, set, exportSpans)
	if err != nil {
		return took, err
	}
	ours, err := load(exporters, server.address, set, exportSpans)
	if err != nil {
		return took, err
	}
	b.progress("spans %d to %d: %.0f/s, longest request %v; plain server %.0f/s", first, first+count,
		perSecond(count, ours.elapsed).Value, ours.longest().Round(time.Millisecond), perSecond(count, anchor.elapsed).Value)
	return spanTimes{ours.elapsed, anchor.elapsed}, nil
}

// loadSpans loads all spans, and compares the memory after all of them with that
// after a fifth.
func (b *bench) loadSpans(server *server, source spanSource) error {
	idle, _, err := server.memory()
	if err != nil {
		return err
	}
	b.report.info("memory, before spans", megabytes(idle))
	used, err := cpuOf(b.http.process, server.process)
	if err != nil {
		return err
	}
	var all spanTimes
	var fifth, now int64
	for part := range loadParts {
		from, to := b.spans*part/loadParts, b.spans*(part+1)/loadParts
		took, err := b.export(server, source, from, to-from)
		if err != nil {
			return err
		}
		all.ours, all.anchor = all.ours+took.ours, all.anchor+took.anchor
		if now, _, err = server.memory(); err != nil {
			return err
		}
		if part == loadParts/5-1 {
			fifth = now
		}
	}
	b.report.atLeast(fmt.Sprintf("spans, %d exporters of %d", exporters, exporterBatch), perSecond(b.spans, all.ours), perSecond(b.spans, all.anchor), 0.5)
	if err := b.applySpans(server); err != nil {
		return err
	}
	if err := used.report(b.report, "CPU per span", b.spans); err != nil {
		return err
	}
	b.report.below(fmt.Sprintf("memory, after loading %d spans", b.spans), megabytes(now), 1024)
	b.report.atMost("memory, growth from a fifth of the spans", megabytes(now), megabytes(fifth), 2)
	return nil
}

// applySpans reads a trace, which waits until all spans are in the table.
func (b *bench) applySpans(server *server) error {
	c, err := server.connect()
	if err != nil {
		return err
	}
	defer c.close()
	_, err = c.expect(http.StatusOK, http.MethodGet, fmt.Sprintf("%s%x", tracesPath, traceID(largeTrace)), nil)
	return err
}

// measurePlainSpans sends spans without model calls. It comes last, because
// DuckDB does not have them.
func (b *bench) measurePlainSpans(server *server, source spanSource) error {
	source.plain = true
	count := b.spans / loadParts
	used, err := cpuOf(b.http.process, server.process)
	if err != nil {
		return err
	}
	took, err := b.export(server, source, b.spans, count)
	if err != nil {
		return err
	}
	b.report.atLeast("spans, none of them model calls", perSecond(count, took.ours), perSecond(count, took.anchor), 0.5)
	if err := b.applySpans(server); err != nil {
		return err
	}
	return used.report(b.report, "CPU per span, none of them model calls", count)
}

// measureLargeTrace reads the largest trace.
func (b *bench) measureLargeTrace(server *server) error {
	c, err := server.connect()
	if err != nil {
		return err
	}
	defer c.close()
	path := fmt.Sprintf("%s%x", tracesPath, traceID(0))
	answer, err := c.expect(http.StatusOK, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	var found struct {
		Total int64
		Spans []struct{}
	}
	if err := json.Unmarshal(answer, &found); err != nil {
		return fmt.Errorf("read the large trace: %w", err)
	}
	b.report.same("spans of the large trace", fmt.Sprint(found.Total, len(found.Spans)), fmt.Sprint(largeTrace, largeTrace))
	took, err := medianOf(func() error {
		_, err := c.expect(http.StatusOK, http.MethodGet, path, nil)
		return err
	})
	if err != nil {
		return err
	}
	b.report.below(fmt.Sprintf("trace of %d spans, read", largeTrace), milliseconds(took), 500)
	_, peak, err := server.memory()
	b.report.info("memory, highest with spans", megabytes(peak))
	return err
}

// traceCase is a list of traces as a request and as SQL.
type traceCase struct {
	name, body string
	tracePage
}

var traceCases = []traceCase{
	{"everything", `{}`, tracePage{"true", "min(start_time) DESC, any_value(trace_id) DESC"}},
	{"failed", `{"filters":[{"field":"span_status","operator":"is","value":"ERROR"}]}`,
		tracePage{"bool_or(status = 'ERROR')", "min(start_time) DESC, any_value(trace_id) DESC"}},
	{"calls of a tool", `{"filters":[{"field":"span_tool_name","operator":"is","value":"refund"}]}`,
		tracePage{"bool_or(tool_name = 'refund')", "min(start_time) DESC, any_value(trace_id) DESC"}},
	{"longest first", `{"sort_by":"trace_duration_ms","sort_order":"desc"}`,
		tracePage{"true", "max(end_time) - min(start_time) DESC, any_value(trace_id) DESC"}},
}

// compareTraces compares the times and results of lists with bare DuckDB.
func (b *bench) compareTraces(server *server, source spanSource) (err error) {
	duck, err := b.loadSpanAnchor(source)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, duck.close()) }()
	c, err := server.connect()
	if err != nil {
		return err
	}
	defer c.close()
	for _, one := range traceCases {
		if err := b.compareTraceCase(c, duck, one); err != nil {
			return fmt.Errorf("%s: %w", one.name, err)
		}
	}
	return nil
}

func (b *bench) loadSpanAnchor(source spanSource) (*spanAnchor, error) {
	duck, err := openSpans(b.path("anchor-spans.duckdb"))
	if err != nil {
		return nil, err
	}
	for part := range loadParts {
		from, to := b.spans*part/loadParts, b.spans*(part+1)/loadParts
		set, err := source.bodies(from, to-from)
		if err != nil {
			return nil, err
		}
		for i := range set.len() {
			if err := duck.add(set.at(i)); err != nil {
				return nil, err
			}
		}
	}
	return duck, duck.finish()
}

func (b *bench) compareTraceCase(c *client, duck *spanAnchor, one traceCase) error {
	total, page, err := duck.list(one.tracePage)
	if err != nil {
		return err
	}
	found, err := searchTraces(c, one.body)
	if err != nil {
		return err
	}
	b.report.same("total of traces: "+one.name, found.Total, total)
	b.report.same("page of traces: "+one.name, fmt.Sprint(found.Items), fmt.Sprint(page))
	return b.timeTraceCase(c, duck, one)
}

func (b *bench) timeTraceCase(c *client, duck *spanAnchor, one traceCase) error {
	anchor, err := medianOf(func() error {
		_, _, err := duck.list(one.tracePage)
		return err
	})
	if err != nil {
		return err
	}
	ours, err := medianOf(func() error {
		_, err := c.expect(http.StatusOK, http.MethodPost, tracesPath+"search", []byte(one.body))
		return err
	})
	if err != nil {
		return err
	}
	b.report.atMost("traces: "+one.name, milliseconds(ours), milliseconds(anchor), 1.3)
	return nil
}

// foundTraces is the used part of a page of traces.
type foundTraces struct {
	Total int64
	Items []listed
}

func searchTraces(c *client, body string) (found foundTraces, err error) {
	answer, err := c.expect(http.StatusOK, http.MethodPost, tracesPath+"search", []byte(body))
	if err != nil {
		return found, err
	}
	if err := json.Unmarshal(answer, &found); err != nil {
		return found, fmt.Errorf("read the found traces: %w", err)
	}
	return found, nil
}
