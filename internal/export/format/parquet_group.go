package format

import (
	"fmt"
	"unsafe"

	"github.com/parquet-go/parquet-go"

	"github.com/promptuary/promptuary/internal/guard"
)

// rowGroup is a row group of a Parquet file: first values, then encoded columns.
type rowGroup struct {
	to      *parquet.ConcurrentRowGroupWriter
	columns [][]parquet.Value
	texts   arena
	rows    int
	bytes   int
	encoded chan error
}

func (w *parquetRows) newGroup() *rowGroup {
	return &rowGroup{to: w.to.BeginRowGroup(), columns: make([][]parquet.Value, len(w.columns)), encoded: make(chan error, 1)}
}

// add adds a row, whose texts are copied.
func (g *rowGroup) add(columns []Column, row []Value) {
	for i := range columns {
		v := g.value(columns[i].Type, &row[i])
		g.columns[i] = append(g.columns[i], v.Level(0, defined(&row[i]), i))
		g.bytes += int(unsafe.Sizeof(v)) + len(row[i].text)
	}
	g.rows++
}

// defined returns the definition level of a value.
func defined(v *Value) int {
	if v.given {
		return 1
	}
	return 0
}

func (g *rowGroup) value(t Type, v *Value) parquet.Value {
	switch {
	case !v.given:
		return parquet.NullValue()
	case t == Int, t == Time:
		return parquet.Int64Value(v.number)
	case t == Float:
		return parquet.DoubleValue(v.float)
	case t == Bool:
		return parquet.BooleanValue(v.number != 0)
	case t == Any:
		return parquet.ByteArrayValue(g.texts.copy(v.plain()))
	}
	return parquet.ByteArrayValue(g.texts.copy(v.text))
}

// encode encodes the rows in the background.
func (g *rowGroup) encode() {
	guard.Go(encoding, func() { g.encoded <- guard.Run(encoding, g.encodeColumns) })
}

// encoding names what may panic.
const encoding = "export to Parquet"

func (g *rowGroup) encodeColumns() error {
	for i, column := range g.to.ColumnWriters() {
		if err := encodeColumn(column, g.columns[i]); err != nil {
			return fmt.Errorf("encode column %d: %w", i, err)
		}
	}
	return g.to.Flush()
}

// encodeColumn encodes values. The library ends a page only between the values that it
// is given together.
func encodeColumn(to *parquet.ColumnWriter, values []parquet.Value) error {
	for len(values) > 0 {
		count, bytes := 0, 0
		for count < len(values) && bytes < pageSize/4 {
			bytes += 8
			if v := values[count]; v.Kind() == parquet.ByteArray {
				bytes += len(v.ByteArray())
			}
			count++
		}
		if _, err := to.WriteRowValues(values[:count]); err != nil {
			return err
		}
		values = values[count:]
	}
	return nil
}

// commit writes the group to the file, once it is encoded, and empties it.
func (g *rowGroup) commit() error {
	if err := <-g.encoded; err != nil {
		return err
	}
	if _, err := g.to.Commit(); err != nil {
		return err
	}
	for i := range g.columns {
		clear(g.columns[i]) // of what they refer to
		g.columns[i] = g.columns[i][:0]
	}
	g.texts.reset()
	g.rows, g.bytes = 0, 0
	return nil
}

// arena has the texts of a row group in a few large pieces of memory, which the next
// group uses again.
type arena struct {
	pieces [][]byte
	at     int // the piece that is being filled
}

// pieceSize is the size of a piece. Longer texts have one of their own.
const pieceSize = 1 << 20

// copy returns a copy of a text.
func (a *arena) copy(text string) []byte {
	if len(text) > pieceSize/4 {
		return []byte(text)
	}
	if a.at < len(a.pieces) && len(a.pieces[a.at])+len(text) > pieceSize {
		a.at++
	}
	if a.at == len(a.pieces) {
		a.pieces = append(a.pieces, make([]byte, 0, pieceSize))
	}
	start := len(a.pieces[a.at])
	a.pieces[a.at] = append(a.pieces[a.at], text...)
	return a.pieces[a.at][start:]
}

// reset forgets the texts.
func (a *arena) reset() {
	for i := range a.pieces {
		a.pieces[i] = a.pieces[i][:0]
	}
	a.at = 0
}
