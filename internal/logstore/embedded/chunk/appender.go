// Package chunk adds rows to tables of DuckDB and reads columns of results, chunk by
// chunk. It does what the driver does, several times as fast: the driver passes each
// value as an interface, allocates for most of them, and calls C for each text, each null
// and each list. This package accesses the columns of DuckDB's chunks itself and calls C
// once per chunk. Statements that recur are prepared once.
package chunk

import (
	"database/sql/driver"
	"errors"
	"reflect"

	"github.com/duckdb/duckdb-go/v2"
	"github.com/duckdb/duckdb-go/v2/mapping"
)

// Appender adds rows to a table. The values of a row are given one after the
// other in the order of the columns, then EndRow is called. Close adds the rows
// to the table; only then are they seen, as part of the transaction of the
// connection. It is not safe for concurrent use.
type Appender struct {
	handle  mapping.Appender
	types   []mapping.LogicalType
	chunk   mapping.DataChunk
	columns []column
	texts   arena
	row     int // of the chunk, the one that is being written
	at      int // the column of the next value
}

// Open returns an appender for a table in the default database of a connection,
// which must be one of the driver. Close or Discard releases it.
func Open(conn driver.Conn, table string) (*Appender, error) {
	raw, err := connection(conn)
	if err != nil {
		return nil, err
	}
	a := &Appender{}
	if mapping.AppenderCreateExt(raw, "", "", table, &a.handle) == mapping.StateError {
		return nil, errors.Join(a.problem(), a.release())
	}
	for i := range mapping.AppenderColumnCount(a.handle) {
		a.types = append(a.types, mapping.AppenderColumnType(a.handle, i))
	}
	a.chunk = mapping.CreateDataChunk(a.types)
	a.columns = make([]column, len(a.types))
	for i := range a.columns {
		if err := a.columns[i].setType(a.types[i]); err != nil {
			return nil, errors.Join(err, a.release())
		}
	}
	a.begin()
	return a, nil
}

var errConnection = errors.New("not an open connection of the DuckDB driver")

// connection returns DuckDB's connection, which the driver keeps in an
// unexported field.
func connection(conn driver.Conn) (mapping.Connection, error) {
	own, ok := conn.(*duckdb.Conn)
	if !ok || own == nil {
		return mapping.Connection{}, errConnection
	}
	field := reflect.ValueOf(own).Elem().FieldByName("conn")
	if !field.IsValid() || field.Type() != reflect.TypeFor[mapping.Connection]() {
		return mapping.Connection{}, errConnection
	}
	raw := mapping.Connection{Ptr: field.FieldByName("Ptr").UnsafePointer()}
	if raw.Ptr == nil {
		return raw, errConnection
	}
	return raw, nil
}

// chunkRows is the number of rows of a chunk.
var chunkRows = int(mapping.VectorSize())

// begin makes the chunk ready for its first row.
func (a *Appender) begin() {
	a.row = 0
	for i := range a.columns {
		a.columns[i].reset(mapping.DataChunkGetVector(a.chunk, mapping.IdxT(i)))
	}
}

// EndRow ends a row, for which all values were given.
func (a *Appender) EndRow() error {
	if a.at != len(a.columns) {
		panic("chunk: a row lacks values")
	}
	a.at = 0
	if a.row++; a.row < chunkRows {
		return nil
	}
	err := a.send()
	if err == nil {
		mapping.DataChunkReset(a.chunk)
		a.begin()
	}
	return err
}

// send gives the rows of the chunk to DuckDB, which copies them.
func (a *Appender) send() error {
	mapping.DataChunkSetSize(a.chunk, mapping.IdxT(a.row))
	for i := range a.columns {
		a.columns[i].finish()
	}
	if mapping.AppendDataChunk(a.handle, a.chunk) == mapping.StateError {
		return a.problem()
	}
	a.texts.release()
	return nil
}

// Close adds the rows to the table and releases the appender. After an error
// none of them are added, and the transaction must be rolled back.
func (a *Appender) Close() error {
	if a.row > 0 {
		if err := a.send(); err != nil {
			return errors.Join(err, a.Discard())
		}
	}
	if mapping.AppenderFlush(a.handle) == mapping.StateError {
		return errors.Join(a.problem(), a.Discard())
	}
	return a.release()
}

// Discard releases the appender without adding the rows that DuckDB still
// holds.
func (a *Appender) Discard() error {
	if mapping.AppenderClear(a.handle) == mapping.StateError {
		return errors.Join(a.problem(), a.release())
	}
	return a.release()
}

func (a *Appender) release() error {
	mapping.DestroyDataChunk(&a.chunk)
	for i := range a.types {
		mapping.DestroyLogicalType(&a.types[i])
	}
	a.texts.release()
	if mapping.AppenderDestroy(&a.handle) == mapping.StateError {
		return errors.New("release the appender: DuckDB reports a failure")
	}
	return nil
}

// problem returns the error of the last call as the driver would.
func (a *Appender) problem() error {
	data := mapping.AppenderErrorData(a.handle)
	defer mapping.DestroyErrorData(&data)
	return &duckdb.Error{Type: duckdb.ErrorType(mapping.ErrorDataErrorType(data)), Msg: mapping.ErrorDataMessage(data)}
}
