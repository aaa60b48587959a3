package main

import (
	"bytes"
	"fmt"
	"slices"
	"time"
)

// scrolledTrace is the number of spans of the trace that is scrolled. The trace
// that is opened has largeTrace.
const scrolledTrace = 10_000

// tracePageMeasures is the output of the browser script of the trace page.
type tracePageMeasures struct {
	Clicks webTimes `json:"clicks"`
	Links  webTimes `json:"links"`
	// Rows are the rows of the trees of both traces.
	Rows []int `json:"rows"`
	scrollMeasures
}

// measureTracePage opens a large trace in Chromium and scrolls another one.
func (b *bench) measureTracePage() error {
	opened, err := b.sendTrace(traceID(0), largeTrace)
	if err != nil {
		return err
	}
	scrolled, err := b.sendTrace(traceID(largeTrace), scrolledTrace)
	if err != nil {
		return err
	}
	var measured tracePageMeasures
	if err := b.browse("speed/trace.mjs", &measured, "WEB_OPENED="+opened, "WEB_SCROLLED="+scrolled); err != nil {
		return err
	}
	b.report.same("rows of the trace pages", fmt.Sprint(measured.Rows), fmt.Sprint([]int{largeTrace, scrolledTrace}))
	b.reportOpening("from the list", measured.Clicks)
	b.reportOpening("by its URL with an empty cache", measured.Links)
	b.reportScroll(fmt.Sprintf("a scroll through a trace of %d spans", scrolledTrace), measured.scrollMeasures)
	return nil
}

func (b *bench) reportOpening(how string, times webTimes) {
	name := fmt.Sprintf("web app: trace of %d spans opened %s", largeTrace, how)
	b.report.below(name+", median", milliseconds(median(times.durations())), 1000)
	b.report.info(name+", fastest", quantity{slices.Min(times), "ms"})
}

// sendTrace sends the first spans of a source as one trace with an id, and
// returns the id as text.
func (b *bench) sendTrace(id []byte, spans int) (string, error) {
	set, err := spanSource{start: b.report.Started.Add(-24 * time.Hour)}.bodies(0, spans)
	if err != nil {
		return "", err
	}
	// Ids have the same length, so the encoding stays valid.
	set.text = bytes.ReplaceAll(set.text, traceID(0), id)
	_, err = load(exporters, b.server.address, set, exportSpans)
	return fmt.Sprintf("%x", id), err
}
