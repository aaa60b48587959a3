package format

import (
	"io"
	"reflect"
	"runtime"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
)

// A row group is in memory until it is written. It ends at one of these.
const (
	groupRows  = 50_000
	groupBytes = 12 << 20
)

// pageSize is about the size of a page, which readers have in memory as a whole.
const pageSize = 512 << 10

// maxEncoders bounds the row groups that are encoded at the same time, and with them
// the memory of an export.
const maxEncoders = 4

// parquetRows writes Parquet. Every column is optional. Full row groups are encoded and
// compressed by goroutines of their own, which takes most of the time of an export, and
// are written in their order by the caller's.
type parquetRows struct {
	to       *parquet.GenericWriter[any]
	columns  []Column
	filling  *rowGroup
	encoding []*rowGroup // the oldest first
	encoders int
}

func newParquet(to io.Writer, columns []Column, compression Compression) *parquetRows {
	options := []parquet.WriterOption{
		newSchema(columns), parquet.Compression(codec(compression)), parquet.CreatedBy("promptuary", "", ""),
		parquet.PageBufferSize(pageSize),
	}
	for _, c := range columns {
		if c.Type == Text || c.Type == JSON || c.Type == Any {
			// The bounds of a page would repeat whole texts.
			options = append(options, parquet.SkipPageBounds(c.Name))
		}
	}
	w := &parquetRows{to: parquet.NewGenericWriter[any](to, options...), columns: columns, encoders: min(runtime.GOMAXPROCS(0), maxEncoders)}
	w.filling = w.newGroup()
	return w
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
	if w.filling.add(w.columns, row); w.filling.rows < groupRows && w.filling.bytes < groupBytes {
		return nil
	}
	return w.encode()
}

// encode begins to encode the rows, and provides a group for the next ones.
func (w *parquetRows) encode() error {
	w.filling.encode()
	if w.encoding = append(w.encoding, w.filling); len(w.encoding) < w.encoders {
		w.filling = w.newGroup()
		return nil
	}
	return w.commit()
}

// commit writes the oldest group, which can be filled again.
func (w *parquetRows) commit() error {
	w.filling, w.encoding = w.encoding[0], w.encoding[1:]
	return w.filling.commit()
}

func (w *parquetRows) close() error {
	if w.filling.rows > 0 {
		if err := w.encode(); err != nil {
			return err
		}
	}
	for len(w.encoding) > 0 {
		if err := w.commit(); err != nil {
			return err
		}
	}
	return w.to.Close()
}

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
