package source

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/csvfile"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/trace"
)

const (
	// maxColumns limits the columns of a table, and maxColumnName their names in bytes.
	maxColumns    = 1000
	maxColumnName = 500
	// maxNamed is the number of columns that messages name.
	maxNamed = 20
)

// table is a file with a name for each column in its first record.
type table struct {
	from    *textReader
	limit   *recordLimit
	records *csvfile.Reader
	columns []string
	// before is the number of lines before the header.
	before int64
	record []string
}

// newTable reads the header of a table.
func newTable(from *textReader) (*table, error) {
	limit := &recordLimit{from: from.Reader, left: MaxRow}
	t := &table{from: from, limit: limit, before: from.line - 1, records: csvfile.NewReader(limit, separator(from))}
	header, err := t.records.Read()
	if err != nil {
		return nil, t.fault(err)
	}
	if len(header) > maxColumns {
		return nil, fault.BadRequestf("The table has more than %d columns", maxColumns)
	}
	for i, name := range header {
		name = strings.TrimSpace(name)
		switch {
		case !utf8.ValidString(name):
			return nil, fault.BadRequestf("The name of column %d is not valid UTF-8", i+1)
		case len(name) > maxColumnName:
			return nil, fault.BadRequestf("The name of column %d is longer than %d bytes: the first row should have the names of the columns", i+1, maxColumnName)
		case name != "" && slices.Contains(t.columns, name):
			return nil, fault.BadRequestf("Two columns have the name %q", name)
		}
		t.columns = append(t.columns, strings.Clone(name))
	}
	return t, nil
}

// separator returns the character between cells that the header has most often.
func separator(from *textReader) rune {
	head, _ := from.Peek(4096) // a shorter file has what there is
	header, _, _ := bytes.Cut(head, []byte{'\n'})
	best, most := ',', 0
	for _, c := range ",;\t" {
		if n := bytes.Count(header, []byte{byte(c)}); n > most {
			best, most = c, n
		}
	}
	return best
}

func (t *table) next() ([]byte, int64, error) {
	t.limit.left = MaxRow
	record, err := t.records.Read()
	if err != nil {
		return nil, 0, t.fault(err)
	}
	t.record = record
	line := t.before + int64(t.records.Line())
	if len(record) > len(t.columns) {
		return nil, line, &refusedError{fmt.Sprintf("The row has %d cells, but there are %d columns", len(record), len(t.columns))}
	}
	return nil, line, nil
}

// fault returns the fault for a table that cannot be read any further: after a
// misplaced quote it is unknown where records begin.
func (t *table) fault(err error) error {
	wrong, isWrong := errors.AsType[*csv.ParseError](err)
	switch {
	case errors.Is(err, errLongRecord):
		return fault.BadRequestf("Line %d: the row is larger than %d bytes; a quote may be missing", t.before+int64(t.records.Line()), MaxRow)
	case isWrong:
		return fault.BadRequestf("Line %d: %v", t.before+int64(wrong.StartLine), wrong.Err)
	case errors.Is(err, io.EOF):
		return err
	default:
		return t.from.fault(err)
	}
}

// errLongRecord says that a record is too large.
var errLongRecord = errors.New("the record is too large")

// recordLimit limits what is read for one record.
type recordLimit struct {
	from io.Reader
	left int
}

// Read implements io.Reader.
func (l *recordLimit) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errLongRecord
	}
	n, err := l.from.Read(p)
	l.left -= n
	return n, err
}

// format tells tables of PromptLayer from others.
func (t *table) format() Format {
	known := 0
	for _, name := range []string{"request_start_time", "engine", "provider_type", "prompt_name", "request_id", "input_tokens", "tags"} {
		if slices.ContainsFunc(t.columns, func(column string) bool { return wordOf(column) == wordOf(name) }) {
			known++
		}
	}
	if known >= 3 {
		return PromptLayer
	}
	return CSV
}

// layout says which cell of a record is which field.
type layout struct {
	cells  []cell
	record []string
}

// cell is the place of a field. One of a key of the metadata has no field.
type cell struct {
	name  string
	field Field
	index int
}

// layout returns the cells of the fields. The fault is BadRequest if a column does
// not exist, or if none has the input.
func (t *table) layout(columns, defaults map[string]string) (*layout, error) {
	l := &layout{}
	for _, name := range sortedKeys(columns) {
		index := slices.Index(t.columns, strings.TrimSpace(columns[name]))
		if index < 0 || columns[name] == "" {
			return nil, fault.BadRequestf("The table has no column %q for %s; it has %s", columns[name], name, t.names())
		}
		l.cells = append(l.cells, cell{name, fieldNamed(name), index})
	}
	for _, name := range []string{fieldInput, fieldModel} {
		if columns[name] == "" && defaults[name] == "" {
			return nil, fault.BadRequestf("No column is the %s: map one of %s", name, t.names())
		}
	}
	return l, nil
}

// names returns the names of the first columns for a message.
func (t *table) names() string {
	if len(t.columns) > maxNamed {
		return join(t.columns[:maxNamed]) + ", …"
	}
	return join(t.columns)
}

// recognise returns the columns whose names say what they are. Those with a prefix
// for metadata are keys of it.
func (t *table) recognise() map[string]string {
	found := map[string]string{}
	for _, f := range fields {
		for _, name := range f.names {
			i := slices.IndexFunc(t.columns, func(column string) bool { return wordOf(column) == name })
			if i >= 0 && found[f.Name] == "" {
				found[f.Name] = t.columns[i]
			}
		}
	}
	for _, column := range t.columns {
		if key, ok := strings.CutPrefix(column, metadataPrefix); ok && key != "" {
			found[column] = column
		}
	}
	return found
}

// text returns the text of a field, "" if there is none.
func (l *layout) text(name string) string {
	for _, c := range l.cells {
		if c.name == name && c.index < len(l.record) {
			return l.record[c.index]
		}
	}
	return ""
}

// read returns the body of a record.
func (l *layout) read(record []string) (converted, error) {
	l.record = record
	for _, c := range l.cells {
		if c.index < len(record) && !utf8.ValidString(record[c.index]) {
			return converted{}, &refusedError{c.name + ": the text is not valid UTF-8"}
		}
	}
	b := &body{}
	if err := l.readCall(b); err != nil {
		return converted{}, err
	}
	l.readTimes(b)
	for _, c := range l.cells {
		text := l.text(c.name)
		if strings.TrimSpace(text) == "" || b.has(c.field.member) && c.field.member != "" {
			continue
		}
		if key, ok := strings.CutPrefix(c.name, metadataPrefix); ok {
			b.addMetadata(key, quoted(text))
			continue
		}
		if err := c.field.set(b, text); err != nil {
			return converted{}, &refusedError{c.name + ": " + err.Error()}
		}
	}
	return converted{strings.Clone(l.text(fieldID)), 0, b}, nil
}

// readCall reads the input, the output and what belongs to them.
func (l *layout) readCall(b *body) error {
	parameters := jsontree.MustParse(`{}`)
	if text := l.text(fieldParameters); strings.TrimSpace(text) != "" {
		object, err := objectIn(text)
		if err != nil {
			return &refusedError{fieldParameters + ": " + err.Error()}
		}
		parameters = object
	}
	model := strings.TrimSpace(l.text(fieldModel))
	record := conversation(model, parameters, valueIn(l.text(fieldInput)), valueIn(l.text(fieldOutput)))
	record.Provider, record.FunctionName, record.APIType = "", "", ""
	if l.text("provider") == "" {
		record.Provider = trace.ProviderOf(model)
	}
	b.addRecord(record)
	return nil
}

// valueIn returns the JSON in a cell, or its text as a JSON string.
func valueIn(text string) jsontree.Value {
	if text == "" {
		return jsontree.Value{}
	}
	return unpacked(parsed(quoted(text)))
}

// readTimes reads the end from the latency if there is no column for it.
func (l *layout) readTimes(b *body) {
	start := l.text(fieldStart)
	if start == "" || strings.TrimSpace(l.text(fieldEnd)) != "" {
		return
	}
	latency := 0.0
	if millis := parsed(numberIn(l.text(fieldLatency))); millis.Kind() == jsontree.Number {
		latency, _ = millis.Float() // one that is too large is none
	}
	b.endAfter(parsed(quoted(start)), latency)
}
