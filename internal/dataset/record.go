package dataset

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

// recordReader reads the records of a table and preserves line breaks.
type recordReader struct{ csv *csv.Reader }

func newRecordReader(from io.Reader) *recordReader {
	reader := csv.NewReader(&shieldReader{from: from})
	reader.FieldsPerRecord, reader.ReuseRecord = -1, true
	return &recordReader{reader}
}

// read returns a record that is valid until the next call.
func (r *recordReader) read() ([]string, error) {
	record, err := r.csv.Read()
	for i, field := range record {
		record[i] = strings.ReplaceAll(field, "\xff", "\r")
	}
	return record, err
}

// shieldReader replaces carriage returns in quotes.
type shieldReader struct {
	from io.Reader
	// quoted reports whether the number of quotes so far is odd. This is inside of
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
