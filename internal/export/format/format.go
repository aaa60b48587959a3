// Package format writes tables to files: as JSON lines, CSV or Parquet, plain or
// compressed. Rows are written as they come, and only a bounded part of them is in
// memory.
package format

import (
	"io"
	"strings"
	"time"
	"unsafe"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Type is the type of the values of a column.
type Type uint8

// The types of columns.
const (
	Text Type = iota
	Int
	Float
	Bool
	// Time is an instant in microseconds.
	Time
	// JSON is one JSON value.
	JSON
	// Any is one JSON value, too. In CSV and Parquet, strings are texts without quotes.
	Any
)

// Column is a column of a table.
type Column struct {
	Name string
	Type Type
}

// Value is a value of a row. The zero value is no value.
type Value struct {
	given  bool
	number int64
	float  float64
	text   string
}

// TextOf returns a text.
func TextOf(text string) Value { return Value{given: true, text: text} }

// TextOrNone returns a text, or no value if it is empty.
func TextOrNone(text string) Value { return Value{given: text != "", text: text} }

// IntOf returns a whole number.
func IntOf(n int64) Value { return Value{given: true, number: n} }

// IntOrNone returns a whole number, or no value if it is 0.
func IntOrNone(n int64) Value { return Value{given: n != 0, number: n} }

// FloatOf returns a number.
func FloatOf(f float64) Value { return Value{given: true, float: f} }

// BoolOf returns true or false.
func BoolOf(b bool) Value {
	if b {
		return IntOf(1)
	}
	return IntOf(0)
}

// TimeOf returns an instant in microseconds since the Unix epoch.
func TimeOf(micros int64) Value { return IntOf(micros) }

// JSONOf returns a text that is known to be one JSON value, or no value if it is
// empty. The text must not change until the row is written.
func JSONOf(text []byte) Value {
	return Value{given: len(text) > 0, text: unsafe.String(unsafe.SliceData(text), len(text))}
}

// isString reports whether the JSON value is a string.
func (v *Value) isString() bool { return strings.HasPrefix(v.text, `"`) }

// plain returns the text of a JSON string, and other JSON as it is.
func (v *Value) plain() string {
	if v.isString() {
		if text, err := jsontree.Parse([]byte(v.text)); err == nil {
			return text.Str()
		}
	}
	return v.text
}

// Format is the format of a file.
type Format string

// The formats.
const (
	JSONL   Format = "jsonl"
	CSV     Format = "csv"
	Parquet Format = "parquet"
)

// Formats are all formats.
var Formats = []Format{JSONL, CSV, Parquet}

// Compression is how a file is compressed: JSON lines and CSV as a whole, Parquet
// page by page.
type Compression string

// The compressions.
const (
	None Compression = "none"
	Gzip Compression = "gzip"
	Zstd Compression = "zstd"
)

// Compressions are all compressions.
var Compressions = []Compression{None, Gzip, Zstd}

// Options say how to write a file.
type Options struct {
	Format Format `json:"format"`
	// Compression is "" for the default: zstd for Parquet, none for the others.
	Compression Compression `json:"compression,omitempty"`
	// KeepFormulas leaves texts in CSV as they are, although a spreadsheet would
	// evaluate them.
	KeepFormulas bool `json:"keep_formulas,omitempty"`
}

// compression returns the compression or the default.
func (o Options) compression() Compression {
	switch {
	case o.Compression != "":
		return o.Compression
	case o.Format == Parquet:
		return Zstd
	}
	return None
}

// Extension returns how the names of files end, such as .csv.gz.
func (o Options) Extension() string {
	name := "." + string(o.Format)
	if o.Format == Parquet {
		return name
	}
	switch o.compression() {
	case Gzip:
		name += ".gz"
	case Zstd:
		name += ".zst"
	}
	return name
}

// The media types of files.
const (
	JSONLinesType = "application/x-ndjson"
	CSVType       = "text/csv"
	ParquetType   = "application/vnd.apache.parquet"
	GzipType      = "application/gzip"
	ZstdType      = "application/zstd"
)

// MediaTypes are the media types of all files.
var MediaTypes = []string{JSONLinesType, CSVType, ParquetType, GzipType, ZstdType}

// MediaType returns the media type of files.
func (o Options) MediaType() string {
	switch compression := o.compression(); {
	case o.Format == Parquet:
		return ParquetType
	case compression == Gzip:
		return GzipType
	case compression == Zstd:
		return ZstdType
	case o.Format == CSV:
		return CSVType + "; charset=utf-8"
	}
	return JSONLinesType
}

// rows writes the rows of one format.
type rows interface {
	write(row []Value) error
	// close writes what remains. It does not close the file.
	close() error
}

// Writer writes a table.
type Writer struct {
	rows
	packed io.WriteCloser // nil if the file is not compressed as a whole
	count  int64
}

// NewWriter returns a writer of a table with the columns.
func NewWriter(to io.Writer, columns []Column, o Options) (*Writer, error) {
	w := &Writer{}
	if o.Format == Parquet {
		w.rows = newParquet(to, columns, o.compression())
		return w, nil
	}
	var err error
	if w.packed, err = pack(to, o.compression()); err != nil {
		return nil, err
	}
	if w.packed != nil {
		to = w.packed
	}
	if o.Format == CSV {
		w.rows, err = newCSV(to, columns, !o.KeepFormulas)
	} else {
		w.rows = newJSONL(to, columns)
	}
	return w, err
}

// Write writes a row, which has a value for each column. It does not keep the
// values.
func (w *Writer) Write(row []Value) error {
	w.count++
	return w.write(row)
}

// Count returns the number of rows.
func (w *Writer) Count() int64 { return w.count }

// Close completes the file. Without it, readers find the file to be cut off, unless
// it is JSON lines or CSV without compression.
func (w *Writer) Close() error {
	if err := w.close(); err != nil || w.packed == nil {
		return err
	}
	return w.packed.Close()
}

// timeLayout is how texts show instants.
const timeLayout = "2006-01-02T15:04:05.999999Z"

func appendTime(dst []byte, micros int64) []byte {
	return time.UnixMicro(micros).UTC().AppendFormat(dst, timeLayout)
}
