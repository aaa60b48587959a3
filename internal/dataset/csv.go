package dataset

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/csvfile"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// readCSV reads a table whose first record names the columns. All values are
// strings; missing fields of a short record are null.
func readCSV(file *Upload, rows *fileRows) ([]string, error) {
	limits, from, err := openRows(file)
	if err != nil {
		return nil, err
	}
	reader := csvfile.NewReader(from, ',')
	columns, err := readHeader(reader)
	if err != nil {
		return nil, err
	}
	var cells []byte
	for {
		limits.next()
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return columns, nil
		}
		if err != nil {
			return nil, csvFault(err)
		}
		if cells, err = appendRecord(cells[:0], record, len(columns)); err != nil {
			return nil, invalidFile("line %d: %v", reader.Line(), err)
		}
		if err := rows.add(cells); err != nil {
			return nil, err
		}
	}
}

// csvFault distinguishes an invalid file from a failure to read it.
func csvFault(err error) error {
	if wrong, ok := errors.AsType[*csv.ParseError](err); ok {
		return invalidFile("line %d: %v", wrong.Line, wrong.Err)
	}
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return err
	}
	return fmt.Errorf("read an upload: %w", err)
}

func readHeader(reader *csvfile.Reader) ([]string, error) {
	header, err := reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, invalidFile("there is no header")
	}
	if err != nil {
		return nil, csvFault(err)
	}
	if len(header) > MaxColumns {
		return nil, invalidFile("there are more than %d columns", MaxColumns)
	}
	layout := newLayout(nil)
	for i, name := range header {
		if strings.TrimSpace(name) == "" {
			return nil, invalidFile("the name of column %d is empty", i+1)
		}
		if !utf8.ValidString(name) {
			return nil, invalidFile("the header is not UTF-8")
		}
		layout.put(layout.freeName(header, strings.Clone(name)))
	}
	return layout.columns, nil
}

// freeName returns the name, with a number if an earlier column has it. It
// avoids all names in the header.
func (l *layout) freeName(header []string, name string) string {
	if _, taken := l.at[name]; !taken {
		return name
	}
	named := make(map[string]bool, len(header))
	for _, other := range header {
		named[other] = true
	}
	for number := 2; ; number++ {
		free := name + "_" + strconv.Itoa(number)
		if _, taken := l.at[free]; !taken && !named[free] {
			return free
		}
	}
}

// appendRecord appends the JSON array of the fields.
func appendRecord(dst []byte, record []string, columns int) ([]byte, error) {
	if len(record) > columns {
		return nil, fmt.Errorf("there are %d fields but %d columns", len(record), columns)
	}
	for _, field := range record {
		if !utf8.ValidString(field) {
			return nil, errors.New("the text is not UTF-8")
		}
	}
	w := jsontree.NewWriter(dst)
	w.Strings(record)
	return w.Bytes(), nil
}
