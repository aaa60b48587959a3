// Package source reads files of logged requests: what this program exports, logs of
// other systems, and tables. A file of any size is read row by row; what is wrong
// with a row is reported with its line, and does not end the reading.
package source

import (
	"errors"
	"io"
	"slices"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Format is what the rows of a file look like.
type Format string

// The formats.
const (
	// Promptuary is what this program exports, and the bodies of logging calls: one
	// JSON object per line.
	Promptuary Format = "promptuary"
	// PromptLayer is a table with the columns of PromptLayer.
	PromptLayer Format = "promptlayer"
	// Langfuse has the observations of Langfuse as JSON objects.
	Langfuse Format = "langfuse"
	// OpenAI has requests and responses of OpenAI's API as JSON objects.
	OpenAI Format = "openai"
	// CSV is a table whose columns are mapped to fields.
	CSV Format = "csv"
)

// Formats are all formats.
var Formats = []Format{Promptuary, PromptLayer, Langfuse, OpenAI, CSV}

// Table reports whether files of the format are tables.
func (f Format) Table() bool { return f == CSV || f == PromptLayer }

// Options say how to read a file.
type Options struct {
	// Format is found out from the first row if it is "".
	Format Format `json:"format,omitempty"`
	// Columns are the columns of a table by field. Without any, columns are
	// recognised by their names.
	Columns map[string]string `json:"columns,omitempty"`
	// Defaults are values for fields that a row lacks.
	Defaults map[string]string `json:"defaults,omitempty"`
	// Server is the server to read instead of a file, nil for files.
	Server *Server `json:"server,omitempty"`
}

// Server says what to read of another server.
type Server struct {
	Address string `json:"address"`
	// Parts are the kinds of objects.
	Parts []string `json:"parts"`
	// Conflict says what becomes of objects whose name exists.
	Conflict string `json:"conflict"`
	// Since leaves out request logs that began before it, unless it is zero.
	Since time.Time `json:"since,omitzero"`
}

// Check returns a BadRequest fault for options that do not fit together.
func (o *Options) Check() error {
	if o.Format != "" && !slices.Contains(Formats, o.Format) {
		return fault.BadRequestf("Unknown format %q; the formats are %s", o.Format, join(Formats))
	}
	if len(o.Columns) > 0 && o.Format != "" && !o.Format.Table() {
		return fault.BadRequestf("Only tables have columns to map; the format is %s", o.Format)
	}
	for _, of := range []map[string]string{o.Columns, o.Defaults} {
		for _, field := range sortedKeys(of) {
			if !isField(field) {
				return fault.BadRequestf("Unknown field %q; the fields are %s", field, join(FieldNames()))
			}
		}
	}
	return nil
}

// Row is a row of a file. Either Body is set, or what is wrong.
type Row struct {
	// Number counts rows from 1, and Line is the line where the row begins.
	Number, Line int64
	// ID identifies the request in the system that it comes from, "" if it has no id.
	// Workspace is the workspace of this program that it comes from, 0 if unknown.
	ID        string
	Workspace int64
	// Body is the log as the body of a logging call.
	Body []byte
	// Refused says why the row cannot be read, "" if it can.
	Refused string
	// Ignored says why the row is not a request, "" if it is one.
	Ignored string
}

// Reader reads the rows of a file.
type Reader struct {
	format  Format
	rows    rows
	convert func(text []byte) (converted, error)
	options Options
	number  int64
	columns []string
	mapping map[string]string
}

// rows splits a file into rows.
type rows interface {
	// next returns the text of a row and the line where it begins. The error is
	// io.EOF at the end, a refusedError for a row that cannot be read, and a fault if the
	// rest of the file cannot be read.
	next() (text []byte, line int64, err error)
}

// refusedError is an error that only affects one row.
type refusedError struct{ reason string }

// Error returns the reason.
func (e *refusedError) Error() string { return e.reason }

// ignoredError says that a row is not a request.
type ignoredError struct{ reason string }

// Error returns the reason.
func (e *ignoredError) Error() string { return e.reason }

// converted is a row in the form of a logging call.
type converted struct {
	id        string
	workspace int64
	body      *body
}

// NewReader returns a reader of a file, which may be compressed. The fault is
// BadRequest if it is no such file. Options must be checked.
func NewReader(from io.Reader, options Options) (*Reader, error) {
	text, err := open(from)
	if err != nil {
		return nil, err
	}
	r := &Reader{format: options.Format, options: options}
	first, err := firstByte(text)
	if err != nil {
		return nil, err
	}
	if first == '{' || first == '[' {
		return r, r.readJSON(text, first)
	}
	return r, r.readTable(text)
}

// readJSON prepares to read JSON objects.
func (r *Reader) readJSON(text *textReader, first byte) error {
	if r.format == "" && len(r.options.Columns) > 0 || r.format.Table() {
		return fault.BadRequestf("The file is not a table: it begins with %q", first)
	}
	if first == '[' {
		r.rows = newArray(text)
	} else {
		r.rows = &lines{from: text}
	}
	if r.format == "" {
		ahead := &aheadRows{rows: r.rows}
		r.rows = ahead
		format, err := ahead.format()
		if err != nil {
			return err
		}
		if r.format = format; format == "" {
			return fault.BadRequestf("The format of the file is not recognised: choose one of %s", join(Formats))
		}
	}
	r.convert = r.convertJSON
	return nil
}

// convertJSON converts a row that is a JSON object.
func (r *Reader) convertJSON(text []byte) (converted, error) {
	object, err := jsontree.Parse(text)
	switch {
	case err != nil:
		return converted{}, &refusedError{"Not valid JSON: " + err.Error()}
	case object.Kind() != jsontree.Object:
		return converted{}, &refusedError{"Not a JSON object, but " + object.Kind().String()}
	}
	switch r.format {
	case Langfuse:
		return readLangfuse(object)
	case OpenAI:
		return readOpenAI(object)
	default:
		return readPromptuary(object), nil
	}
}

// readTable prepares to read a table.
func (r *Reader) readTable(text *textReader) error {
	if r.format != "" && !r.format.Table() {
		return fault.BadRequestf("The file has no JSON objects, which the format %s requires", r.format)
	}
	table, err := newTable(text)
	if err != nil {
		return err
	}
	r.columns = table.columns
	if r.format == "" {
		r.format = table.format()
	}
	r.mapping = r.options.Columns
	if len(r.mapping) == 0 {
		r.mapping = table.recognise()
	}
	layout, err := table.layout(r.mapping, r.options.Defaults)
	if err != nil {
		return err
	}
	r.rows, r.convert = table, func([]byte) (converted, error) { return layout.read(table.record) }
	return nil
}

// Format returns the format of the file.
func (r *Reader) Format() Format { return r.format }

// Columns returns the names of the columns of a table, nil if it is none.
func (r *Reader) Columns() []string { return r.columns }

// Mapping returns the columns of a table by field: those of the options, or those
// that are recognised.
func (r *Reader) Mapping() map[string]string { return r.mapping }

// Next returns the next row. The error is io.EOF at the end of the file, and a
// BadRequest fault if the rest of the file cannot be read.
func (r *Reader) Next() (Row, error) {
	text, line, err := r.rows.next()
	refused, isRefused := errors.AsType[*refusedError](err)
	if err != nil && !isRefused {
		return Row{}, err
	}
	r.number++
	row := Row{Number: r.number, Line: line}
	if isRefused {
		row.Refused = refused.reason
		return row, nil
	}
	return r.fill(row, text), nil
}

// ReadRow returns a row of an export that is not in a file.
func ReadRow(number int64, text []byte) Row {
	r := &Reader{format: Promptuary}
	r.convert = r.convertJSON
	return r.fill(Row{Number: number}, text)
}

// Skip skips a row. The errors are those of Next.
func (r *Reader) Skip() error {
	_, _, err := r.rows.next()
	if _, refused := errors.AsType[*refusedError](err); err != nil && !refused {
		return err
	}
	r.number++
	return nil
}

// fill converts the text of a row.
func (r *Reader) fill(row Row, text []byte) Row {
	got, err := r.convert(text)
	ignored, isIgnored := errors.AsType[*ignoredError](err)
	switch {
	case isIgnored:
		row.Ignored = ignored.reason
	case err != nil:
		row.Refused = err.Error()
	default:
		row.ID, row.Workspace = got.id, got.workspace
		row.Body = got.body.bytes(r.options.Defaults)
	}
	return row
}

// aheadRows are rows whose first one was read to find out the format.
type aheadRows struct {
	rows
	text []byte
	line int64
	err  error
	read bool
}

// format finds out the format, "" if the first row does not tell it.
func (a *aheadRows) format() (Format, error) {
	a.text, a.line, a.err = a.rows.next()
	a.read = true
	if _, refused := errors.AsType[*refusedError](a.err); refused || errors.Is(a.err, io.EOF) {
		return "", nil
	}
	if a.err != nil {
		return "", a.err
	}
	object, err := jsontree.Parse(a.text)
	if err != nil {
		return "", nil //nolint:nilerr // what is no JSON has no format
	}
	return formatOf(object), nil
}

func (a *aheadRows) next() ([]byte, int64, error) {
	if a.read {
		a.read = false
		return a.text, a.line, a.err
	}
	return a.rows.next()
}

// formatOf finds out the format from the members of a row.
func formatOf(row jsontree.Value) Format {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return row.Get(name).Given() })
	}
	switch {
	case has("provider", "provider_type") && has("request_start_time"):
		return Promptuary
	case has("custom_id", "choices", "messages") || has("request", "input") && has("response", "output") && !has("start_time", "startTime"):
		return OpenAI
	case has("trace_id", "traceId") || has("start_time", "startTime") && has("type"):
		return Langfuse
	}
	return ""
}
