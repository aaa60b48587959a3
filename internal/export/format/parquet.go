package format

import (
	"io"
	"reflect"
	"unsafe"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
)

// A row group is in memory until it is written. It ends at one of these.
const (
	groupRows  = 50_000
	groupBytes = 16 << 20
)

// parquetRows writes Parquet. Every column is optional.
type parquetRows struct {
	to      *parquet.GenericWriter[any]
	columns []Column
	row     parquet.Row
	rows    int
	bytes   int
}

func newParquet(to io.Writer, columns []Column, compression Compression) *parquetRows {
	options := []parquet.WriterOption{
		newSchema(columns), parquet.Compression(codec(compression)), parquet.CreatedBy("promptuary", "", ""),
		parquet.PageBufferSize(256 << 10),
	}
	for _, c := range columns {
		if c.Type == Text || c.Type == JSON || c.Type == Any {
			// The bounds of a page would repeat whole texts.
			options = append(options, parquet.SkipPageBounds(c.Name))
		}
	}
	return &parquetRows{to: parquet.NewGenericWriter[any](to, options...), columns: columns, row: make(parquet.Row, len(columns))}
}

func codec(compression Compression) compress.Codec {
	switch compression {
	case Gzip:
		return &parquet.Gzip
	case Zstd:
		return &parquet.Zstd
	}
	return &parquet.Uncompressed
}

func (w *parquetRows) write(row []Value) error {
	for i := range w.columns {
		w.row[i] = w.value(w.columns[i].Type, &row[i]).Level(0, defined(&row[i]), i)
		w.bytes += 8 + len(row[i].text)
	}
	if _, err := w.to.WriteRows([]parquet.Row{w.row}); err != nil {
		return err
	}
	if w.rows++; w.rows < groupRows && w.bytes < groupBytes {
		return nil
	}
	w.rows, w.bytes = 0, 0
	return w.to.Flush()
}

// defined returns the definition level of a value.
func defined(v *Value) int {
	if v.given {
		return 1
	}
	return 0
}

func (w *parquetRows) value(t Type, v *Value) parquet.Value {
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
		return parquet.ByteArrayValue([]byte(v.plain()))
	}
	return parquet.ByteArrayValue(unsafe.Slice(unsafe.StringData(v.text), len(v.text)))
}

func (w *parquetRows) close() error { return w.to.Close() }

// group is a group whose fields keep their order.
type group struct {
	parquet.Group
	fields []parquet.Field
}

// Fields returns the fields.
func (g *group) Fields() []parquet.Field { return g.fields }

// field is a field of a group.
type field struct {
	parquet.Node
	name string
}

// Name returns the name.
func (f *field) Name() string { return f.name }

// Value is not used: rows are not Go structs.
func (f *field) Value(base reflect.Value) reflect.Value {
	return base.MapIndex(reflect.ValueOf(f.name))
}

func newSchema(columns []Column) *parquet.Schema {
	g := &group{Group: parquet.Group{}, fields: make([]parquet.Field, len(columns))}
	for i, c := range columns {
		node := parquet.Optional(newNode(c.Type))
		g.Group[c.Name], g.fields[i] = node, &field{node, c.Name}
	}
	return parquet.NewSchema("export", g)
}

func newNode(t Type) parquet.Node {
	switch t {
	case Int:
		return parquet.Leaf(parquet.Int64Type)
	case Float:
		return parquet.Leaf(parquet.DoubleType)
	case Bool:
		return parquet.Leaf(parquet.BooleanType)
	case Time:
		return parquet.Timestamp(parquet.Microsecond)
	case JSON:
		return parquet.JSON()
	}
	return parquet.String()
}
