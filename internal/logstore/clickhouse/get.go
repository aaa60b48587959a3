package clickhouse

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/reqlog"
)

func errNoLog() error { return fault.NotFoundf("Request not found") }

// Exists implements query.Reader.
func (s *Store) Exists(ctx context.Context, workspace, id int64) error {
	q := newQuery()
	q.write("SELECT id FROM log WHERE workspace = ", q.bindInt(workspace), " AND id = ", q.bindInt(id))
	found, err := s.readRow(ctx, q, &id)
	switch {
	case err != nil:
		return s.explain(fmt.Errorf("look up log %d: %w", id, err))
	case !found:
		return errNoLog()
	}
	return nil
}

// itemColumns are what a log is read from, without its bodies.
const itemColumns = "id, workspace, head, notes, price, price_source, repricing"

// item is a log being read.
type item struct {
	id, workspace int64
	head, notes   []byte
	price         reqlog.Price
	source        string
}

func (i *item) targets() []any {
	return []any{&i.id, &i.workspace, &i.head, &i.notes, &i.price.USD, &i.source, &i.price.Repricing}
}

func (i *item) log() (*reqlog.Log, error) {
	l, err := document.DecodeLog(i.head)
	if err != nil {
		return nil, fmt.Errorf("log %d: %w", i.id, err)
	}
	l.ID, l.Workspace, l.Price = i.id, i.workspace, i.price
	l.Price.Source = reqlog.PriceSourceOf(i.source)
	if len(i.notes) > 0 {
		if l.Notes, err = document.DecodeNotes(i.notes); err != nil {
			return nil, fmt.Errorf("log %d: %w", i.id, err)
		}
	}
	return l, nil
}

// Get implements query.Reader.
func (s *Store) Get(ctx context.Context, workspace, id int64) (*reqlog.Log, error) {
	q := newQuery()
	q.write("SELECT ", itemColumns, ", input, output, parameters FROM log WHERE workspace = ", q.bindInt(workspace), " AND id = ", q.bindInt(id))
	var found item
	var input, output, parameters []byte
	ok, err := s.readRow(ctx, q, append(found.targets(), &input, &output, &parameters)...)
	switch {
	case err != nil:
		return nil, s.explain(fmt.Errorf("read log %d: %w", id, err))
	case !ok:
		return nil, errNoLog()
	}
	l, err := found.log()
	if err != nil {
		return nil, err
	}
	l.Input, l.Output, l.Parameters = orNil(input), orNil(output), orNil(parameters)
	return l, s.addTraces(ctx, workspace, []*reqlog.Log{l})
}

func orNil(text []byte) json.RawMessage {
	if len(text) == 0 {
		return nil
	}
	return text
}

// addTraces sets the traces of logs that have a span id.
func (s *Store) addTraces(ctx context.Context, workspace int64, logs []*reqlog.Log) error {
	var keys []int64
	for _, l := range logs {
		if l.SpanID != "" {
			keys = append(keys, reqlog.LogKey(workspace, l.SpanID))
		}
	}
	if len(keys) == 0 {
		return nil
	}
	traces := make(map[int64]string, len(keys))
	err := s.read(ctx, tracesQuery(workspace, keys), func(rows *rowReader) error {
		var key int64
		var id string
		err := rows.scan(&key, &id)
		traces[key] = id
		return err
	})
	for _, l := range logs {
		l.TraceID = traces[reqlog.LogKey(workspace, l.SpanID)]
	}
	if err != nil {
		return s.explain(fmt.Errorf("look up traces of logs: %w", err))
	}
	return nil
}

func tracesQuery(workspace int64, keys []int64) *sqlQuery {
	q := newQuery()
	q.write("SELECT log_key, min(trace_id) FROM span FINAL WHERE workspace = ", q.bindInt(workspace), " AND log_key IN ", q.bindInts(keys), " GROUP BY log_key")
	return q
}
