package main

import (
	"fmt"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/trace"
)

// spanSchema has the columns for lists of traces, with those of the logs in the
// same row. The key is a hash of the trace's id, by which the program groups.
const spanSchema = `
CREATE TABLE span (
	trace_key     BIGINT NOT NULL,
	trace_id      VARCHAR NOT NULL,
	span_id       VARCHAR NOT NULL,
	parent_id     VARCHAR,
	name          VARCHAR NOT NULL,
	kind          VARCHAR NOT NULL,
	status        VARCHAR NOT NULL,
	start_time    BIGINT NOT NULL,
	end_time      BIGINT NOT NULL,
	tool_name     VARCHAR,
	model         VARCHAR,
	user_id       VARCHAR,
	session_id    VARCHAR,
	price         DOUBLE,
	input_tokens  BIGINT,
	output_tokens BIGINT
)`

// spanAnchor is bare DuckDB with the spans of the load.
type spanAnchor struct{ *duckAnchor }

func openSpans(path string) (*spanAnchor, error) {
	duck, err := openDuck(path, spanSchema, "span")
	return &spanAnchor{duck}, err
}

// add decodes a request like the program does and adds its spans.
func (a *spanAnchor) add(body []byte) error {
	batch, err := trace.DecodeOTLP(trace.Protobuf, body)
	if err != nil {
		return fmt.Errorf("read generated spans: %w", err)
	}
	if batch.Rejected > 0 {
		return fmt.Errorf("%d generated spans are invalid: %s", batch.Rejected, batch.Reason)
	}
	for i, span := range batch.Spans {
		if err := a.addOne(span, batch.Logs[i]); err != nil {
			return fmt.Errorf("append to DuckDB: %w", err)
		}
	}
	return nil
}

func (a *spanAnchor) addOne(s *reqlog.Span, logged *reqlog.LogInput) error {
	var price, input, output any
	if logged != nil {
		price, input, output = logged.Log.Price.USD, logged.Log.Usage.Input.N, logged.Log.Usage.Output.N
	}
	return a.appender.AppendRow(reqlog.TraceKey(1, s.TraceID), s.TraceID, s.SpanID, orNull(s.ParentID), s.Name, s.Kind, s.Status, int64(s.Start), int64(s.End),
		orNull(s.Index.ToolName), orNull(s.Index.Model), orNull(s.Index.User), orNull(s.Index.Session), price, input, output)
}

// tracePage is the SQL of a list of traces.
type tracePage struct {
	having string // "true" for no condition
	order  string
}

// traceFacts are the columns of a trace on a page.
const traceFacts = `any_value(trace_id), count(*), count(*) FILTER (status = 'ERROR'), min(start_time), max(end_time),
	arg_min(name, start_time) FILTER (parent_id IS NULL), arg_min(user_id, start_time), arg_min(session_id, start_time),
	list(DISTINCT model) FILTER (model IS NOT NULL), list(DISTINCT tool_name) FILTER (tool_name IS NOT NULL),
	sum(price), sum(input_tokens), sum(output_tokens)`

// listed is a trace of a page: its id, and the numbers of its spans and of those
// that failed.
type listed struct {
	ID     string `json:"trace_id"`
	Spans  int64  `json:"span_count"`
	Failed int64  `json:"error_count"`
}

// list counts the traces, finds those of the first page and sums them up.
func (a *spanAnchor) list(page tracePage) (total int64, traces []listed, err error) {
	groups := "SELECT trace_key FROM span GROUP BY trace_key HAVING " + page.having
	if err := a.db.QueryRow("SELECT count(*) FROM (" + groups + ")").Scan(&total); err != nil {
		return 0, nil, fmt.Errorf("count in DuckDB: %w", err)
	}
	keys, err := queryIDs(a.db, groups+" ORDER BY "+page.order+fmt.Sprint(" LIMIT ", tracesPerPage))
	if err != nil {
		return 0, nil, err
	}
	byKey, err := a.sumUp(keys)
	for _, key := range keys {
		traces = append(traces, byKey[key])
	}
	return total, traces, err
}

func (a *spanAnchor) sumUp(keys []int64) (map[int64]listed, error) {
	in := "NULL"
	for _, key := range keys {
		in += fmt.Sprint(",", key)
	}
	rows, err := a.db.Query("SELECT trace_key, " + traceFacts + " FROM span WHERE trace_key IN (" + in + ") GROUP BY trace_key")
	if err != nil {
		return nil, fmt.Errorf("read traces from DuckDB: %w", err)
	}
	all, err := readAll(rows)
	found := map[int64]listed{}
	for _, row := range all {
		found[row[0].(int64)] = listed{row[1].(string), row[2].(int64), row[3].(int64)}
	}
	return found, err
}
