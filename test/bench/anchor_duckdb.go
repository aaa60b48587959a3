package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"net/url"
	"runtime"
	"strconv"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// duckAnchor is bare DuckDB in this process: no HTTP, no checks, one workspace,
// a table written in bulk.
type duckAnchor struct {
	connector *duckdb.Connector
	db        *sql.DB
	conn      driver.Conn
	appender  *duckdb.Appender
}

// duckSchema has the columns for filters, pages and analytics. Filters use
// pairs, analytics keys with their values, whichever is faster in DuckDB.
const duckSchema = `
CREATE TABLE log (
	id              BIGINT NOT NULL,
	start_time      BIGINT NOT NULL,
	end_time        BIGINT NOT NULL,
	latency_ms      DOUBLE NOT NULL,
	provider        VARCHAR NOT NULL,
	engine          VARCHAR NOT NULL,
	api_type        VARCHAR NOT NULL,
	function_name   VARCHAR NOT NULL,
	status          VARCHAR NOT NULL,
	error_type      VARCHAR,
	error_message   VARCHAR,
	input_tokens    BIGINT NOT NULL,
	output_tokens   BIGINT NOT NULL,
	cached_tokens   BIGINT NOT NULL,
	thinking_tokens BIGINT NOT NULL,
	price           DOUBLE NOT NULL,
	prompt_id       BIGINT,
	is_json         BOOLEAN NOT NULL,
	is_tool_call    BOOLEAN NOT NULL,
	turns           BIGINT NOT NULL,
	tool_calls      BIGINT NOT NULL,
	tags            VARCHAR[] NOT NULL,
	tool_names      VARCHAR[] NOT NULL,
	metadata_keys   VARCHAR[] NOT NULL,
	metadata_values VARCHAR[] NOT NULL,
	metadata_pairs  VARCHAR[] NOT NULL,
	output_keys     VARCHAR[] NOT NULL,
	output_pairs    VARCHAR[] NOT NULL,
	notes           VARCHAR NOT NULL
)`

// openDuck creates a table by its schema.
func openDuck(path, schema, table string) (*duckAnchor, error) {
	settings := url.Values{
		"threads":                       {strconv.Itoa(runtime.NumCPU())},
		"checkpoint_threshold":          {"1GB"},
		"storage_compatibility_version": {"latest"},
		"preserve_insertion_order":      {"false"},
	}
	connector, err := duckdb.NewConnector(path+"?"+settings.Encode(), nil)
	if err != nil {
		return nil, fmt.Errorf("open DuckDB: %w", err)
	}
	a := &duckAnchor{connector: connector, db: sql.OpenDB(connector)}
	if _, err := a.db.Exec(schema); err != nil {
		return nil, fmt.Errorf("create the DuckDB table: %w", err)
	}
	if a.conn, err = connector.Connect(context.Background()); err != nil {
		return nil, fmt.Errorf("connect to DuckDB: %w", err)
	}
	if a.appender, err = duckdb.NewAppenderFromConn(a.conn, "", table); err != nil {
		return nil, fmt.Errorf("open a DuckDB appender: %w", err)
	}
	return a, nil
}

func (a *duckAnchor) add(l *reqlog.Log) error {
	notes, err := notesText(l)
	if err != nil {
		return fmt.Errorf("encode notes: %w", err)
	}
	err = a.appender.AppendRow(
		l.ID, int64(l.Start), int64(l.End), l.LatencyMS(), l.Provider, l.Engine, l.APIType, l.FunctionName,
		l.Status, orNull(l.ErrorType), orNull(l.ErrorMessage),
		l.Usage.Input.N, l.Usage.Output.N, l.Usage.CacheRead.N, l.Usage.Reasoning.N, l.Price.USD, promptID(l),
		l.Index.IsJSON, l.Index.IsToolCall, l.Index.TurnCount, l.Index.ToolCallCount,
		list(l.Tags), list(l.Index.ToolNames),
		list(reqlog.Keys(l.Index.Metadata)), pairValues(l.Index.Metadata), pairTexts(l.Index.Metadata),
		list(reqlog.Keys(l.Index.Output)), pairTexts(l.Index.Output), notes)
	if err != nil {
		return fmt.Errorf("append to DuckDB: %w", err)
	}
	return nil
}

func promptID(l *reqlog.Log) driver.Value {
	if l.Prompt == nil {
		return nil
	}
	return l.Prompt.ID
}

func orNull(text string) driver.Value {
	if text == "" {
		return nil
	}
	return text
}

func list(values []string) []string {
	if values == nil {
		return []string{}
	}
	return values
}

// finish optimises the table: it is written to disk and read once.
func (a *duckAnchor) finish() error {
	if err := a.appender.Close(); err != nil {
		return fmt.Errorf("close the DuckDB appender: %w", err)
	}
	if err := a.conn.Close(); err != nil {
		return fmt.Errorf("close the DuckDB writer: %w", err)
	}
	if _, err := a.db.Exec("CHECKPOINT"); err != nil {
		return fmt.Errorf("checkpoint DuckDB: %w", err)
	}
	return nil
}

func (a *duckAnchor) close() error { return a.db.Close() }

// duckPage is the SQL of a search.
type duckPage struct {
	where string // without the keyword, "true" for no condition
	order string
}

// pageColumns are the columns of a log on a page.
const pageColumns = `id, start_time, end_time, latency_ms, provider, engine, api_type, function_name, status,
	error_type, error_message, input_tokens, output_tokens, cached_tokens, thinking_tokens, price, prompt_id, tags, notes`

// search counts the matches, finds the IDs of the first page and reads its ten
// rows, in three queries: one query is much slower in DuckDB.
func (a *duckAnchor) search(page duckPage) (total int64, ids []int64, err error) {
	if err := a.db.QueryRow("SELECT count(*) FROM log WHERE " + page.where).Scan(&total); err != nil {
		return 0, nil, fmt.Errorf("count in DuckDB: %w", err)
	}
	ids, err = queryIDs(a.db, "SELECT id FROM log WHERE "+page.where+" ORDER BY "+page.order+" LIMIT 10")
	if err != nil || len(ids) == 0 {
		return total, ids, err
	}
	return total, ids, a.readRows(ids)
}

func (a *duckAnchor) readRows(ids []int64) error {
	in := ""
	for _, id := range ids {
		in += "," + strconv.FormatInt(id, 10)
	}
	rows, err := a.db.Query("SELECT " + pageColumns + " FROM log WHERE id IN (" + in[1:] + ")")
	if err != nil {
		return fmt.Errorf("read rows from DuckDB: %w", err)
	}
	_, err = readAll(rows)
	return err
}

func queryIDs(db *sql.DB, query string, args ...any) ([]int64, error) {
	rows, err := db.Query(query, args...)
	if err != nil {
		return nil, fmt.Errorf("query ids: %w", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has the error of Close
	var ids []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("read id: %w", err)
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// readAll reads every value, so that the engine has to produce it.
func readAll(rows *sql.Rows) ([][]any, error) {
	defer func() { _ = rows.Close() }() // rows.Err has the error of Close
	columns, err := rows.Columns()
	if err != nil {
		return nil, fmt.Errorf("read columns: %w", err)
	}
	var all [][]any
	for rows.Next() {
		values := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, fmt.Errorf("read row: %w", err)
		}
		all = append(all, values)
	}
	return all, rows.Err()
}
