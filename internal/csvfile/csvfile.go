// Package csvfile reads the records of CSV files and preserves line breaks in cells.
package csvfile

import (
	"bytes"
	"encoding/csv"
	"io"
	"strings"
)

// The CSV reader turns all line breaks into line feeds, even those in quotes,
// which are text. Therefore carriage returns in quotes are replaced before it
// reads them, and restored in its results.
const (
	// shield replaces a carriage return. The byte does not occur in UTF-8.
	shield = 0xff
	// noText replaces the shield byte in the file itself. It does not occur in
	// UTF-8 either, so that the cell is still rejected.
	noText = 0xfe
)

// Reader reads the records of a table.
type Reader struct{ csv *csv.Reader }

// NewReader returns a reader of a file in UTF-8 with the given character between
// cells. Records may have any number of cells.
func NewReader(from io.Reader, comma rune) *Reader {
	reader := csv.NewReader(&shieldReader{from: from})
	reader.FieldsPerRecord, reader.ReuseRecord, reader.Comma = -1, true, comma
	return &Reader{reader}
}

// Line returns the line where the last record began.
func (r *Reader) Line() int {
	line, _ := r.csv.FieldPos(0)
	return line
}

// Read returns a record that is valid until the next call. The error is io.EOF, a
// *csv.ParseError, or one of reading the file.
func (r *Reader) Read() ([]string, error) {
	record, err := r.csv.Read()
	for i, field := range record {
		record[i] = strings.ReplaceAll(field, "\xff", "\r")
	}
	return record, err
}

// shieldReader replaces carriage returns in quotes.
type shieldReader struct {
	from io.Reader
	// quoted reports whether the number of quotes until now is odd. This is inside of
	// quotes, because an escaped quote counts twice and a quote elsewhere is
	// rejected.
	quoted bool
}

// Read reads a part of the file.
func (r *shieldReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	replace(p[:n], shield, noText)
	for rest := p[:n]; len(rest) > 0; {
		part, after, isQuote := bytes.Cut(rest, []byte{'"'})
		if r.quoted {
			replace(part, '\r', shield)
		}
		r.quoted = r.quoted != isQuote
		rest = after
	}
	return n, err
}

func replace(text []byte, from, to byte) {
	for at := bytes.IndexByte(text, from); at >= 0; at = bytes.IndexByte(text, from) {
		text[at] = to
		text = text[at+1:]
	}
}
