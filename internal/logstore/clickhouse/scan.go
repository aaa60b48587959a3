package clickhouse

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// ScanLogs implements query.Reader. The ids of the part and the sizes of the logs
// are asked for first, because sorting them costs a fraction of sorting logs.
func (s *Store) ScanLogs(ctx context.Context, scan query.ScanQuery) (*query.Scanned, error) {
	var sel *selection
	if !scan.All {
		var err error
		if sel, err = s.selection(ctx, scan.Query); err != nil {
			return nil, err
		}
	}
	ids, next, err := s.scanIDs(ctx, sel, scan)
	if err != nil {
		return nil, s.explain(fmt.Errorf("scan logs: %w", err))
	}
	if len(ids) == 0 {
		return &query.Scanned{}, nil
	}
	found, err := s.scanRows(ctx, scan, ids)
	if err != nil {
		return nil, s.explain(fmt.Errorf("scan logs: %w", err))
	}
	found.Next = next
	return found, s.addAllTraces(ctx, found.Logs)
}

// scanWindow is how many ids are looked at first for each log that is wanted. Ids
// are dense, as a rule, and an index leads to the rows with these.
const scanWindow = 16

// scanIDs returns the ids of the part, and the last one if it is full.
func (s *Store) scanIDs(ctx context.Context, sel *selection, scan query.ScanQuery) (ids []int64, next int64, err error) {
	near := scan
	near.Last = min(scan.Last, scan.After+scanWindow*int64(scan.Limit))
	if ids, next, err = s.idsOf(ctx, scanQuery(sel, near), near); err != nil || next != 0 || near.Last == scan.Last {
		return ids, next, err
	}
	return s.idsOf(ctx, scanQuery(sel, scan), scan)
}

func (s *Store) idsOf(ctx context.Context, q *sqlQuery, scan query.ScanQuery) (ids []int64, next int64, err error) {
	bytes := int64(0)
	err = s.read(ctx, q, func(rows *rowReader) error {
		var id, size int64
		if err := rows.scan(&id, &size); err != nil || next != 0 {
			return err
		}
		ids = append(ids, id)
		if bytes += size; scan.Full(len(ids), bytes) {
			next = id
		}
		return nil
	})
	return ids, next, err
}

func scanQuery(sel *selection, scan query.ScanQuery) *sqlQuery {
	q := newQuery("SELECT id, length(input) + length(output) + length(parameters) FROM log WHERE ")
	if sel != nil {
		q.write(sel.where(q))
		q.write(" AND ")
	}
	q.write("id > ", q.bindInt(scan.After), " AND id <= ", q.bindInt(scan.Last), " ORDER BY id LIMIT ", q.bindInt(int64(scan.Limit)))
	return q
}

// scanRows reads the logs with the ids.
func (s *Store) scanRows(ctx context.Context, scan query.ScanQuery, ids []int64) (*query.Scanned, error) {
	found := &query.Scanned{Logs: make([]query.ScannedLog, 0, len(ids))}
	err := s.read(ctx, scanRowsQuery(scan, ids), func(rows *rowReader) error {
		var one item
		var input, output, parameters []byte
		var logged *float64
		var source string
		if err := rows.scan(append(one.targets(), &input, &output, &parameters, &logged, &source)...); err != nil {
			return err
		}
		l, err := one.log()
		if err != nil {
			return err
		}
		l.Input, l.Output, l.Parameters = orNil(input), orNil(output), orNil(parameters)
		price := reqlog.Price{Source: reqlog.PriceSourceOf(source)}
		if logged != nil {
			price.USD = *logged
		}
		found.Logs = append(found.Logs, query.ScannedLog{Log: l, Logged: price})
		return nil
	})
	return found, err
}

func scanRowsQuery(scan query.ScanQuery, ids []int64) *sqlQuery {
	q := newQuery("SELECT ", itemColumns, ", input, output, parameters, logged_price, logged_price_source FROM log WHERE ")
	if !scan.All {
		q.write("workspace = ", q.bindInt(scan.Workspace), " AND ")
	}
	q.write("id BETWEEN ", q.bindInt(ids[0]), " AND ", q.bindInt(ids[len(ids)-1]), " AND id IN ", q.bindInts(ids), " ORDER BY id")
	return q
}

// addAllTraces sets the traces of logs of any workspaces.
func (s *Store) addAllTraces(ctx context.Context, logs []query.ScannedLog) error {
	byWorkspace := map[int64][]*reqlog.Log{}
	for _, l := range logs {
		byWorkspace[l.Workspace] = append(byWorkspace[l.Workspace], l.Log)
	}
	for workspace, own := range byWorkspace {
		if err := s.addTraces(ctx, workspace, own); err != nil {
			return err
		}
	}
	return nil
}
