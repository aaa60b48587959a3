package dataset

import (
	"bytes"
	"encoding/csv"
	"io"
	"strings"
)

// The reader of CSV makes line feeds of all line breaks, also of those in
// quotes, which are text. So carriage returns in quotes are replaced before it
// sees them, and put back into what it returns.
const (
	// shield stands for a carriage return. No UTF-8 has the byte.
	shield = 0xff
	// noText replaces the byte where a file has it. No UTF-8 has this one
	// either, so that the cell is refused as before.
	noText = 0xfe
)

// recordReader reads the records of a table with the line breaks that they have.
type recordReader struct{ csv *csv.Reader }

func newRecordReader(from io.Reader) *recordReader {
	reader := csv.NewReader(&shieldReader{from: from})
	reader.FieldsPerRecord, reader.ReuseRecord = -1, true
	return &recordReader{reader}
}

// read returns a record, which the next call writes over.
func (r *recordReader) read() ([]string, error) {
	record, err := r.csv.Read()
	for i, field := range record {
		record[i] = strings.ReplaceAll(field, "\xff", "\r")
	}
	return record, err
}

// shieldReader replaces the carriage returns in quotes.
type shieldReader struct {
	from io.Reader
	// quoted tells that the number of quotes so far is odd. That is where quotes
	// are, as a quote in quotes counts twice, and one elsewhere is refused.
	quoted bool
}

// Read gives a part of the file.
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
