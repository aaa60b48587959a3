package kit

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/export"
	"github.com/promptuary/promptuary/internal/export/format"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/rest"
)

// ExportAbout describes what all exports have in common.
const ExportAbout = " The response is a file that is written as it is read, of any size. The trailers X-Export-Rows and X-Export-Damaged have the number of rows, " +
	"and of those that can no longer be read and are left out. If the export fails midway, the connection is closed without them, so that the download fails. " +
	"Of a workspace, two exports run at a time, and others wait. Each export is in the audit log."

// ExportFormat has the parameters of all exports.
type ExportFormat struct {
	Compression string `query:"compression" enum:"none,gzip,zstd" description:"Compression; defaults to zstd inside of Parquet files, and to none otherwise."`
	Columns     string `query:"columns" maxLength:"20000" description:"Names of the columns in the order of the file, separated by commas; defaults to all."`
	Formulas    string `query:"formulas" enum:"escape,keep" default:"escape" description:"Whether texts in CSV that a spreadsheet would evaluate get an apostrophe in front, or stay as they are."`
}

// File returns how to write the export in a format.
func (q *ExportFormat) File(name string) export.File {
	file := export.File{Options: format.Options{
		Format: format.Format(name), Compression: format.Compression(q.Compression), KeepFormulas: q.Formulas == "keep",
	}}
	if q.Columns != "" {
		file.Columns = strings.Split(q.Columns, ",")
	}
	return file
}

// ExportQuery is how to write an export, and of which workspace.
type ExportQuery struct {
	WorkspaceQuery
	ExportFormat
	Format string `query:"format" enum:"jsonl,csv,parquet" default:"jsonl" description:"Format of the file: JSON lines, CSV or Parquet."`
}

// File returns how to write the export.
func (q *ExportQuery) File() export.File { return q.ExportFormat.File(q.Format) }

// SearchText is the body of a search as the text of a parameter.
type SearchText string

// Parse reads the query with parse. It also returns the JSON, nil if there is none.
func (q SearchText) Parse(parse func(jsontree.Value, *fault.Problems) (query.Input, error)) (in query.Input, text []byte, err error) {
	if q == "" {
		return in, nil, nil
	}
	body, err := jsontree.Parse([]byte(q))
	if err != nil {
		return in, nil, fault.BadRequestf("query is not valid JSON: %v", err)
	}
	if body.Kind() != jsontree.Object {
		return in, nil, fault.BadRequestf("query should be a valid object")
	}
	var problems fault.Problems
	in, err = parse(body, &problems)
	if invalid := problems.Err(); invalid != nil {
		return in, nil, invalid
	}
	return in, body.Raw(), err
}

// The trailers of exports.
const (
	rowsTrailer    = "X-Export-Rows"
	damagedTrailer = "X-Export-Damaged"
)

// Download responds with an export.
func Download(w http.ResponseWriter, r *rest.Request, e *export.Export) error {
	to := &download{ResponseWriter: w, export: e}
	result, err := e.Write(r.Context(), to)
	if to.failed != nil {
		return fault.Wrap(fault.BadRequest, to.failed, "The client did not receive the export")
	}
	if err != nil {
		return err
	}
	to.begin() // also an empty file is one
	w.Header().Set(rowsTrailer, strconv.FormatInt(result.Rows, 10))
	w.Header().Set(damagedTrailer, strconv.FormatInt(result.Damaged, 10))
	return nil
}

// download is a response that begins with the first byte of the file, so that an
// export that fails before can still be answered with an error.
type download struct {
	http.ResponseWriter
	export *export.Export
	begun  bool
	failed error
}

func (d *download) begin() {
	if d.begun {
		return
	}
	d.begun = true
	header := d.Header()
	header.Set("Content-Type", d.export.MediaType())
	header.Set("Content-Disposition", `attachment; filename="`+d.export.FileName()+`"`)
	if d.export.LastID != nil {
		header.Set("X-Export-Last-Id", strconv.FormatInt(*d.export.LastID, 10))
	}
	header.Set("Trailer", rowsTrailer+", "+damagedTrailer)
	d.WriteHeader(http.StatusOK)
}

// Write implements io.Writer.
func (d *download) Write(p []byte) (int, error) {
	d.begin()
	n, err := d.ResponseWriter.Write(p)
	if err != nil {
		d.failed = err
	}
	return n, err
}
