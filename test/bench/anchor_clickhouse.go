package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/test/clickhouse/clickhousetest"
)

// houseAnchor is bare ClickHouse: the same server as the program's, another
// database, one workspace, a table written in bulk.
type houseAnchor struct {
	server *clickhousetest.Server
	base   url.URL
	rows   bytes.Buffer
	inRows int
}

// houseColumns are those of duckSchema, and the words of free text.
const houseColumns = `
	id Int64, start_time Int64, end_time Int64, latency_ms Float64,
	provider LowCardinality(String), engine LowCardinality(String), api_type LowCardinality(String), function_name LowCardinality(String),
	status LowCardinality(String), error_type LowCardinality(Nullable(String)), error_message Nullable(String),
	input_tokens Int64, output_tokens Int64, cached_tokens Int64, thinking_tokens Int64, price Float64, prompt_id Nullable(Int64),
	is_json Bool, is_tool_call Bool, turns Int64, tool_calls Int64,
	tags Array(LowCardinality(String)), tool_names Array(LowCardinality(String)),
	metadata_keys Array(LowCardinality(String)), metadata_values Array(String), metadata_pairs Array(String),
	output_keys Array(LowCardinality(String)), output_pairs Array(String),
	notes String CODEC(ZSTD(1)), words Array(String), body String CODEC(ZSTD(3)),
	INDEX word_index words TYPE text(tokenizer = 'array')`

// startHouse starts ClickHouse and creates the database of the program and the
// table.
func startHouse() (*houseAnchor, error) {
	server, err := clickhousetest.Launch("-durable")
	if err != nil {
		return nil, err
	}
	a := &houseAnchor{server: server}
	address, err := url.Parse(server.Address)
	if err != nil {
		return nil, err
	}
	a.base = url.URL{Scheme: "http", Host: address.Host, User: address.User, Path: "/"}
	for _, statement := range []string{
		"CREATE DATABASE program", "CREATE DATABASE bare",
		"CREATE TABLE bare.log (" + houseColumns + ") ENGINE = MergeTree ORDER BY (start_time, id)",
		"CREATE TABLE bare.small AS bare.log",
	} {
		if _, err := a.run(statement, nil); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// address is the database of the program.
func (a *houseAnchor) address() string { return a.server.Address + "/program" }

func (a *houseAnchor) close() error { return a.server.Stop() }

// run runs a statement with the rows of an insert, and returns the answer.
func (a *houseAnchor) run(statement string, rows []byte) ([]byte, error) {
	target := a.base
	target.RawQuery = url.Values{"query": {statement}, "max_threads": {strconv.Itoa(runtime.NumCPU())}}.Encode()
	response, err := http.Post(target.String(), "", bytes.NewReader(rows))
	if err != nil {
		return nil, fmt.Errorf("ask ClickHouse: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("ClickHouse answered %s: %.500s %w", response.Status, answer, err)
	}
	return answer, nil
}

// houseRow is a row of the table.
type houseRow struct {
	ID             int64    `json:"id"`
	Start          int64    `json:"start_time"`
	End            int64    `json:"end_time"`
	Latency        float64  `json:"latency_ms"`
	Provider       string   `json:"provider"`
	Engine         string   `json:"engine"`
	APIType        string   `json:"api_type"`
	Function       string   `json:"function_name"`
	Status         string   `json:"status"`
	ErrorType      any      `json:"error_type"`
	ErrorMessage   any      `json:"error_message"`
	Input          int64    `json:"input_tokens"`
	Output         int64    `json:"output_tokens"`
	Cached         int64    `json:"cached_tokens"`
	Thinking       int64    `json:"thinking_tokens"`
	Price          float64  `json:"price"`
	Prompt         any      `json:"prompt_id"`
	IsJSON         bool     `json:"is_json"`
	IsToolCall     bool     `json:"is_tool_call"`
	Turns          int64    `json:"turns"`
	ToolCalls      int64    `json:"tool_calls"`
	Tags           []string `json:"tags"`
	ToolNames      []string `json:"tool_names"`
	MetadataKeys   []string `json:"metadata_keys"`
	MetadataValues []string `json:"metadata_values"`
	MetadataPairs  []string `json:"metadata_pairs"`
	OutputKeys     []string `json:"output_keys"`
	OutputPairs    []string `json:"output_pairs"`
	Notes          string   `json:"notes"`
	Words          []string `json:"words"`
	Body           string   `json:"body"`
}

func newHouseRow(l *reqlog.Log) (houseRow, error) {
	notes, err := notesText(l)
	return houseRow{
		ID: l.ID, Start: int64(l.Start), End: int64(l.End), Latency: l.LatencyMS(), Provider: l.Provider, Engine: l.Engine, APIType: l.APIType,
		Function: l.FunctionName, Status: l.Status, ErrorType: orNull(l.ErrorType), ErrorMessage: orNull(l.ErrorMessage),
		Input: l.Usage.Input.N, Output: l.Usage.Output.N, Cached: l.Usage.CacheRead.N, Thinking: l.Usage.Reasoning.N, Price: l.Price.USD, Prompt: promptID(l),
		IsJSON: l.Index.IsJSON, IsToolCall: l.Index.IsToolCall, Turns: l.Index.TurnCount, ToolCalls: l.Index.ToolCallCount,
		Tags: list(l.Tags), ToolNames: list(l.Index.ToolNames), MetadataKeys: list(reqlog.Keys(l.Index.Metadata)),
		MetadataValues: pairValues(l.Index.Metadata), MetadataPairs: pairTexts(l.Index.Metadata),
		OutputKeys: list(reqlog.Keys(l.Index.Output)), OutputPairs: pairTexts(l.Index.Output),
		Notes: notes, Words: tokens(l), Body: l.Index.InputText + l.Index.OutputText,
	}, err
}

// houseBlock is the number of rows of an insert in bulk.
const houseBlock = 10_000

func (a *houseAnchor) add(l *reqlog.Log) error {
	if err := a.append(l); err != nil {
		return err
	}
	if a.inRows++; a.inRows < houseBlock {
		return nil
	}
	return a.flush("bare.log")
}

func (a *houseAnchor) append(l *reqlog.Log) error {
	row, err := newHouseRow(l)
	if err != nil {
		return fmt.Errorf("encode notes: %w", err)
	}
	return json.NewEncoder(&a.rows).Encode(row)
}

func (a *houseAnchor) flush(table string) error {
	_, err := a.run("INSERT INTO "+table+" FORMAT JSONEachRow", a.rows.Bytes())
	a.rows.Reset()
	a.inRows = 0
	return err
}

func (a *houseAnchor) finish() error {
	if err := a.flush("bare.log"); err != nil {
		return err
	}
	_, err := a.run("OPTIMIZE TABLE bare.log FINAL", nil)
	return err
}

// cpu returns the CPU time that ClickHouse has used.
func (a *houseAnchor) cpu() (time.Duration, error) { return cpuOfProcess(a.server.PID()) }

// inserted is what inserts took.
type inserted struct{ took, cpu time.Duration }

// insertEqual inserts blocks of so many of the program's own rows into a table like
// the program's, one after the other, as the program does with that many clients.
func (a *houseAnchor) insertEqual(logs, each int) (inserted, error) {
	for _, statement := range []string{"DROP TABLE IF EXISTS bare.equal SYNC", "CREATE TABLE bare.equal AS program.log"} {
		if _, err := a.run(statement, nil); err != nil {
			return inserted{}, err
		}
	}
	blocks, err := a.storedBlocks(logs, each)
	if err != nil {
		return inserted{}, err
	}
	return a.insertBlocks("bare.equal FORMAT RowBinary", blocks)
}

// storedBlocks reads the first logs of the program.
func (a *houseAnchor) storedBlocks(logs, each int) (blocks [][]byte, err error) {
	answer, err := a.run("SELECT id FROM program.log ORDER BY id LIMIT "+strconv.Itoa(logs), nil)
	if err != nil {
		return nil, err
	}
	for ids := range slices.Chunk(strings.Fields(string(answer)), each) {
		block, err := a.run("SELECT * FROM program.log WHERE id BETWEEN "+ids[0]+" AND "+ids[len(ids)-1]+" FORMAT RowBinary", nil)
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, block)
	}
	return blocks, nil
}

// insertPlain inserts blocks of so many logs into the table of the anchor, which has
// fewer columns and is not flushed.
func (a *houseAnchor) insertPlain(logs []*reqlog.Log, each int) (inserted, error) {
	var blocks [][]byte
	for some := range slices.Chunk(logs, each) {
		for _, l := range some {
			if err := a.append(l); err != nil {
				return inserted{}, err
			}
		}
		blocks = append(blocks, bytes.Clone(a.rows.Bytes()))
		a.rows.Reset()
	}
	return a.insertBlocks("bare.small FORMAT JSONEachRow", blocks)
}

// insertBlocks inserts one block after the other. The CPU time includes that of the
// merges in the meantime.
func (a *houseAnchor) insertBlocks(into string, blocks [][]byte) (all inserted, err error) {
	before, err := a.cpu()
	if err != nil {
		return all, err
	}
	began := time.Now()
	for _, block := range blocks {
		if _, err := a.run("INSERT INTO "+into, block); err != nil {
			return all, err
		}
	}
	all.took = time.Since(began)
	after, err := a.cpu()
	all.cpu = after - before
	return all, err
}

// dialect turns conditions of DuckDB into those of ClickHouse.
var dialect = strings.NewReplacer("list_contains(", "has(", "list_has_any(", "hasAny(")

// search asks what duckAnchor.search asks.
func (a *houseAnchor) search(page duckPage) error {
	where := dialect.Replace(page.where)
	if _, err := a.run("SELECT count() FROM bare.log WHERE "+where, nil); err != nil {
		return err
	}
	return a.page(where, page.order)
}

// page reads the ids of a page, and then its rows.
func (a *houseAnchor) page(where, order string) error {
	ids, err := a.run("SELECT id, start_time FROM bare.log WHERE "+where+" ORDER BY "+order+" LIMIT 10", nil)
	if err != nil || len(ids) == 0 {
		return err
	}
	var in []string
	for _, line := range strings.Split(strings.TrimSpace(string(ids)), "\n") {
		id, start, _ := strings.Cut(line, "\t")
		in = append(in, "("+start+","+id+")")
	}
	_, err = a.run("SELECT "+pageColumns+", body FROM bare.log WHERE (start_time, id) IN ("+strings.Join(in, ",")+")", nil)
	return err
}

// text asks for the logs with one of the terms of each word.
func (a *houseAnchor) text(words [][]string) error {
	conditions := []string{"1"}
	for _, terms := range words {
		quoted := make([]string, len(terms))
		for i, term := range terms {
			quoted[i] = "'" + term + "'"
		}
		conditions = append(conditions, "hasAny(words, ["+strings.Join(quoted, ",")+"])")
	}
	where := strings.Join(conditions, " AND ")
	if _, err := a.run("SELECT count() FROM bare.log WHERE "+where, nil); err != nil {
		return err
	}
	return a.page(where, newestFirst)
}
