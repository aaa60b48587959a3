package embedded

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// traceReader reads the spans of a trace from the journal.
type traceReader struct {
	journal   *journal.Journal
	workspace int64
	rows      []table.FoundSpan
	spans     []*reqlog.Span // at the same places, nil if damaged
	left      int64          // bytes that may still be read
}

// spansAtOnce is the number of spans whose blocks are read together, each once.
const spansAtOnce = 5000

func (r *reader) readTrace(query query.TraceQuery, found *table.TraceRows) (*reqlog.Trace, error) {
	t := &traceReader{
		journal: r.journal, workspace: query.Workspace, rows: found.Spans, spans: make([]*reqlog.Span, len(found.Spans)),
		left: cmp.Or(query.MaxBytes, math.MaxInt64),
	}
	end, err := t.readAll()
	if err != nil {
		return nil, fmt.Errorf("read a trace: %w", err)
	}
	trace := &reqlog.Trace{Total: found.Total, Closure: found.Closure}
	for i, span := range t.spans[:end] {
		if span == nil {
			trace.Damaged = append(trace.Damaged, t.rows[i].SpanID)
			continue
		}
		trace.Spans = append(trace.Spans, span)
		trace.LogIDs = append(trace.LogIDs, t.rows[i].LogID)
	}
	return trace, nil
}

// readAll reads all spans, or as many as there is memory for, and returns their
// number.
func (r *traceReader) readAll() (end int, err error) {
	for end < len(r.rows) && r.left >= 0 {
		next, before := min(end+spansAtOnce, len(r.rows)), r.left
		if err := r.readTogether(end, next); err != nil {
			return end, err
		}
		if r.left >= 0 {
			end = next
			continue
		}
		clear(r.spans[end:next])
		r.left = before
		return r.readInOrder(end, next)
	}
	return end, nil
}

// readTogether reads spans, each block once, until there is no memory left.
func (r *traceReader) readTogether(from, to int) error {
	byBlock := map[journal.Position][]int{}
	for i := from; i < to; i++ {
		position := r.rows[i].Place.Block
		byBlock[position] = append(byBlock[position], i)
	}
	for _, position := range slices.Sorted(maps.Keys(byBlock)) {
		if err := r.readBlock(position, byBlock[position]...); err != nil {
			return err
		}
	}
	return nil
}

// readInOrder reads spans one by one, until there is no memory left, and returns
// the end of those.
func (r *traceReader) readInOrder(from, to int) (end int, err error) {
	for end = from; end < to && r.left >= 0 && err == nil; end++ {
		err = r.readBlock(r.rows[end].Place.Block, end)
	}
	return end, err
}

// readBlock reads spans of a block until there is no memory left.
func (r *traceReader) readBlock(position journal.Position, places ...int) error {
	if r.left < 0 {
		return nil
	}
	block, err := r.journal.Read(position)
	if errors.Is(err, journal.ErrDamaged) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, i := range places {
		if r.left < 0 {
			return nil
		}
		if r.spans[i], err = spanIn(block, r.rows[i], r.workspace); err != nil {
			return err
		}
		detach(r.spans[i])
		r.left -= r.spans[i].DataSize()
	}
	return nil
}

// detach copies what a span refers to, so that it does not keep its whole block in
// memory.
func detach(span *reqlog.Span) {
	for _, part := range []*json.RawMessage{&span.Attributes, &span.Resource, &span.Events, &span.Links} {
		*part = bytes.Clone(*part)
	}
}
