package chunk

import (
	"context"
	"database/sql/driver"
	"fmt"
	"unsafe"

	"github.com/duckdb/duckdb-go/v2/mapping"
)

// Chunk is a part of the rows of a result. Everything in it is DuckDB's memory, and
// valid until the function that it was given to returns. The value at a null is
// undefined, so queries replace nulls. Asking for the values of a column of another type
// is a bug.
type Chunk struct {
	Rows    int
	handle  mapping.DataChunk
	columns []column
}

// Read runs a query on a connection, which must be one of the driver, and calls each
// with the parts of its result. The result is complete before the first call.
func Read(ctx context.Context, conn driver.Conn, query string, args []any, each func(*Chunk) error) error {
	raw, err := connection(conn)
	if err != nil {
		return err
	}
	var statement mapping.PreparedStatement
	defer mapping.DestroyPrepare(&statement)
	if mapping.Prepare(raw, query, &statement) == mapping.StateError {
		return problem(mapping.PrepareError(statement))
	}
	for i, arg := range args {
		if bind(statement, mapping.IdxT(i+1), arg) == mapping.StateError {
			return problem(mapping.PrepareError(statement))
		}
	}
	var result mapping.Result
	defer mapping.DestroyResult(&result)
	if err := run(ctx, raw, statement, &result); err != nil {
		return err
	}
	return chunks(result, each)
}

func bind(statement mapping.PreparedStatement, at mapping.IdxT, arg any) mapping.State {
	switch arg := arg.(type) {
	case int:
		return mapping.BindInt64(statement, at, int64(arg))
	case int64:
		return mapping.BindInt64(statement, at, arg)
	case float64:
		return mapping.BindDouble(statement, at, arg)
	case string:
		return mapping.BindVarcharLength(statement, at, arg, mapping.IdxT(len(arg)))
	case []byte:
		return mapping.BindBlob(statement, at, arg)
	default:
		panic(fmt.Sprintf("chunk: cannot bind a value of type %T", arg))
	}
}

// chunks calls each with the parts of a result.
func chunks(result mapping.Result, each func(*Chunk) error) error {
	var c Chunk
	for i := range mapping.ColumnCount(&result) {
		t := mapping.ColumnLogicalType(&result, i)
		defer mapping.DestroyLogicalType(&t)
		var next column
		if err := next.setType(t); err != nil {
			return err
		}
		c.columns = append(c.columns, next)
	}
	for {
		c.handle = mapping.FetchChunk(result)
		if c.handle.Ptr == nil {
			return nil
		}
		c.Rows = int(mapping.DataChunkGetSize(c.handle))
		for i := range c.columns {
			c.columns[i].vector = mapping.DataChunkGetVector(c.handle, mapping.IdxT(i))
		}
		err := each(&c)
		mapping.DestroyDataChunk(&c.handle)
		if err != nil {
			return err
		}
	}
}

// column returns a column, which must have values of a kind.
func (c *Chunk) column(at int, k kind) *column {
	if c.columns[at].kind != k {
		panic("chunk: a column has another type")
	}
	return &c.columns[at]
}

// values returns the values of a column.
func values[T any](c *Chunk, at int, k kind) []T {
	return unsafe.Slice((*T)(mapping.VectorGetData(c.column(at, k).vector)), c.Rows)
}

// Ints returns the values of a column of type BIGINT, or the bits of UBIGINT.
func (c *Chunk) Ints(at int) []int64 { return values[int64](c, at, intKind) }

// Floats returns the values of a column of type DOUBLE.
func (c *Chunk) Floats(at int) []float64 { return values[float64](c, at, floatKind) }

// Bools returns the values of a column of type BOOLEAN.
func (c *Chunk) Bools(at int) []bool { return values[bool](c, at, boolKind) }

// Texts returns the values of a column of type VARCHAR.
func (c *Chunk) Texts(at int) []Text { return values[Text](c, at, textKind) }

// TextLists returns the values of a column of type VARCHAR[].
func (c *Chunk) TextLists(at int) Lists[Text] { return lists[Text](c, at, textsKind) }

// IntLists returns the values of a column of type BIGINT[].
func (c *Chunk) IntLists(at int) Lists[int64] { return lists[int64](c, at, intsKind) }

// Lists are the values of a column of lists.
type Lists[T any] struct {
	rows     []List
	elements []T
}

// Of returns the elements of a row.
func (l *Lists[T]) Of(row int) []T {
	at := &l.rows[row]
	return l.elements[at.offset:][:at.length]
}

func lists[T any](c *Chunk, at int, k kind) Lists[T] {
	vector := c.column(at, k).vector
	child := mapping.ListVectorGetChild(vector)
	return Lists[T]{values[List](c, at, k), unsafe.Slice((*T)(mapping.VectorGetData(child)), mapping.ListVectorGetSize(vector))}
}
