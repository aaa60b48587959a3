package data

import (
	"time"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/importer"
	"github.com/promptuary/promptuary/internal/importer/source"
	"github.com/promptuary/promptuary/internal/rest"
)

// importReading says how to read a file.
type importReading struct {
	Format   string            `json:"format,omitempty" enum:"promptuary,promptlayer,langfuse,openai,csv" description:"Format of the file: promptuary for exports of this program and bodies of /log-request, one per line; promptlayer for its CSV files; langfuse for its observations, openai for requests and responses, both as JSON lines or a JSON array; csv for other tables. Found out from the first row if omitted."`
	Columns  map[string]string `json:"columns,omitempty" description:"For tables: the names of columns by field, such as {\"input\": \"Question\", \"metadata.customer\": \"Customer\"}. Columns are recognised by their names if omitted."`
	Defaults map[string]string `json:"defaults,omitempty" description:"Values for fields that a row lacks, such as {\"provider\": \"openai\"}."`
}

func (in *importReading) options() source.Options {
	return source.Options{Format: source.Format(in.Format), Columns: in.Columns, Defaults: in.Defaults}
}

type createImportRequest struct {
	FileName string `json:"file_name" required:"true" minLength:"1" maxLength:"255" description:"Name of the file."`
	importReading
}

// importServer is a server to import from.
type importServer struct {
	Address  string     `json:"address" required:"true" minLength:"1" maxLength:"1000" description:"Address of the server, such as https://api.promptlayer.com."`
	Parts    []string   `json:"parts" required:"true" minItems:"1" items.enum:"prompts,workflows,datasets,requests" description:"What to import. Folders come with what is in them."`
	Conflict string     `json:"conflict" default:"skip" enum:"skip,version,refuse" description:"What becomes of an object whose name the workspace has already: skip leaves it out, version adds its versions to the existing one, refuse refuses it."`
	Since    *rest.Time `json:"since" description:"Only request logs that began after this time; all if omitted."`
}

type createServerImportRequest struct {
	importServer
	APIKey string `json:"api_key" required:"true" minLength:"1" maxLength:"1000" description:"API key of the server. It is stored encrypted, returned by no operation, and deleted when the import ends."`
}

func (in *createServerImportRequest) server() source.Server {
	from := source.Server{Address: in.Address, Parts: in.Parts, Conflict: in.Conflict}
	if from.Conflict == "" {
		from.Conflict = importer.SkipExisting
	}
	if in.Since != nil {
		from.Since = time.UnixMicro(int64(*in.Since)).UTC()
	}
	return from
}

func wireServer(from *source.Server) *importServer {
	if from == nil {
		return nil
	}
	wire := &importServer{Address: from.Address, Parts: from.Parts, Conflict: from.Conflict}
	if !from.Since.IsZero() {
		wire.Since = new(kit.Time(from.Since))
	}
	return wire
}

type importPath struct {
	ID int64 `path:"import_id" minimum:"1" description:"The id of the import."`
}

type importPartRequest struct {
	importPath
	Number  int64  `path:"number" minimum:"1" description:"Number of the part, from 1."`
	Content string `json:"content_base64" description:"The part of the file in base64, if the body is JSON."`
}

type updateImportRequest struct {
	importPath
	importReading
}

type startImportRequest struct {
	importPath
	SkipRefused bool `json:"skip_refused" description:"Whether to import the other rows if some are refused."`
	Again       bool `json:"again" description:"Whether to import a file that was imported before: its request logs are doubled."`
}

type importReportQuery struct {
	importPath
	kit.WorkspaceQuery
	Format string `query:"format" enum:"ndjson,csv" default:"ndjson" description:"Format of the report."`
}

type importEntry struct {
	Row    int64   `json:"row" required:"true" description:"Number of the row, from 1."`
	Line   int64   `json:"line" required:"true" description:"Line of the file where the row begins."`
	ID     *string `json:"id" required:"true" description:"The id of the request in the file; null if it has none."`
	Status string  `json:"status" required:"true" enum:"refused,ignored,existing,unlinked" description:"What became of the row: refused if it is not valid, ignored if it is no request to a model, existing if the workspace has it already, unlinked if it is imported without the prompt that it names."`
	Reason string  `json:"reason" required:"true" description:"Why."`
}

func wireImportEntry(e *importer.Entry) importEntry {
	return importEntry{Row: e.Row, Line: e.Line, ID: kit.OrNil(e.ID), Status: string(e.Status), Reason: e.Reason}
}

type importCounts struct {
	Rows     int64         `json:"rows" required:"true" description:"Number of rows that were read."`
	Accepted int64         `json:"accepted" required:"true" description:"Number of rows that became request logs, or would."`
	Refused  int64         `json:"refused" required:"true" description:"Number of rows that are not valid."`
	Ignored  int64         `json:"ignored" required:"true" description:"Number of rows that are no requests to models."`
	Existing int64         `json:"existing" required:"true" description:"Number of rows that the workspace has already."`
	Unlinked int64         `json:"unlinked" required:"true" description:"Number of accepted rows whose prompt the workspace does not have."`
	First    []importEntry `json:"first" required:"true" description:"The first 20 entries of the report."`
}

func wireImportCounts(p *importer.Progress) importCounts {
	return importCounts{
		Rows: p.Rows, Accepted: p.Accepted, Refused: p.Refused, Ignored: p.Ignored, Existing: p.Existing, Unlinked: p.Unlinked, First: kit.EachRef(p.First, wireImportEntry),
	}
}

type importItem struct {
	ID          int64             `json:"id" required:"true" description:"The id of the import. Its request logs have it in their metadata, as import.id."`
	FileName    string            `json:"file_name" required:"true" description:"Name of the file, or the host of the server."`
	State       string            `json:"state" required:"true" enum:"uploading,checking,checked,running,done,cancelled,failed" description:"How far it is."`
	Error       *string           `json:"error" required:"true" description:"Why the check or the import failed; null otherwise."`
	Format      *string           `json:"format" required:"true" description:"Format of the file; null if it is not known yet."`
	Server      *importServer     `json:"server" required:"true" description:"The server that it reads; null for a file."`
	Columns     map[string]string `json:"columns" required:"true" description:"Columns by field, as given."`
	Defaults    map[string]string `json:"defaults" required:"true" description:"Values for fields that a row lacks, as given."`
	Parts       int64             `json:"parts" required:"true" description:"Number of parts that were uploaded."`
	Size        int64             `json:"size" required:"true" description:"Size of the file in bytes; for a server, the number of objects and request logs that the check found."`
	SHA256      *string           `json:"sha256" required:"true" description:"Hash of the file; null until it was checked."`
	SkipRefused bool              `json:"skip_refused" required:"true" description:"Whether rows that are refused are skipped."`
	Progress    float64           `json:"progress" required:"true" description:"The part of the check or of the import that is done, from 0 to 1."`
	Check       importCounts      `json:"check" required:"true" description:"Outcome of the check."`
	Result      importCounts      `json:"result" required:"true" description:"Current outcome of the import."`
	CreatedBy   *string           `json:"created_by" required:"true" description:"Email address of who created it; null for a key without an owner."`
	CreatedAt   rest.Time         `json:"created_at" required:"true" description:"When it was created."`
	EndedAt     *rest.Time        `json:"ended_at" required:"true" description:"When it ended; null before."`
}

func wireImport(i *importer.Import) importItem {
	format := i.Options.Format
	if i.Check.Format != "" {
		format = i.Check.Format
	}
	item := importItem{
		ID: i.ID, FileName: i.Name, Server: wireServer(i.Options.Server), State: string(i.State), Error: kit.OrNil(i.Failure), Format: kit.OrNil(string(format)),
		Columns: orEmpty(i.Options.Columns), Defaults: orEmpty(i.Options.Defaults), Parts: i.Parts, Size: i.Size, SHA256: kit.OrNil(i.Hash),
		SkipRefused: i.SkipRefused, Progress: i.Part(), Check: wireImportCounts(&i.Check), Result: wireImportCounts(&i.Run),
		CreatedBy: i.CreatedBy, CreatedAt: kit.Time(i.CreatedAt),
	}
	if i.EndedAt != nil {
		item.EndedAt = new(kit.Time(*i.EndedAt))
	}
	return item
}

func orEmpty(of map[string]string) map[string]string {
	if of == nil {
		return map[string]string{}
	}
	return of
}

type importResponse struct {
	Success bool       `json:"success" required:"true" description:"Always true."`
	Import  importItem `json:"import" required:"true" description:"The import."`
}

func answerImport(i importer.Import, err error) (*importResponse, error) {
	return &importResponse{Success: true, Import: wireImport(&i)}, err
}

type importPreviewRow struct {
	Row  int64          `json:"row" required:"true" description:"Number of the row, from 1."`
	Line int64          `json:"line" required:"true" description:"Line of the file where the row begins."`
	Log  rest.RawObject `json:"log" required:"true" description:"The request log that the row would become, as the body of /log-request; empty if there is none."`
	Note *importEntry   `json:"note" required:"true" description:"What is wrong with the row; null if nothing."`
}

type importPreview struct {
	Success bool               `json:"success" required:"true" description:"Always true."`
	Format  *string            `json:"format" required:"true" description:"Format of the file; null if it is not recognised."`
	Columns []string           `json:"columns" required:"true" description:"Names of the columns of a table."`
	Mapping map[string]string  `json:"mapping" required:"true" description:"The columns of a table by field: as given, or as recognised by their names."`
	Fields  []importField      `json:"fields" required:"true" description:"Fields that columns can be mapped to. Besides them, metadata.KEY is a key of the metadata."`
	Rows    []importPreviewRow `json:"rows" required:"true" description:"The first rows."`
	Error   *string            `json:"error" required:"true" description:"Why the file cannot be read; null if it can."`
}

type importField struct {
	Name        string `json:"name" required:"true" description:"Name of the field."`
	Description string `json:"description" required:"true" description:"What it is."`
}

// maxPreviewLog is the size of logs that a preview shows.
const maxPreviewLog = 20_000

func wireImportPreview(p *importer.Preview) *importPreview {
	return &importPreview{
		Success: true, Format: kit.OrNil(string(p.Format)), Columns: append([]string{}, p.Columns...), Mapping: orEmpty(p.Mapping), Error: kit.OrNil(p.Failure),
		Fields: kit.Each(source.Fields(), func(f source.Field) importField { return importField{Name: f.Name, Description: f.Doc} }),
		Rows: kit.EachRef(p.Rows, func(r *importer.PreviewRow) importPreviewRow {
			row := importPreviewRow{Row: r.Number, Line: r.Line, Log: rest.RawObject(`{}`)}
			if len(r.Body) > 0 && len(r.Body) <= maxPreviewLog {
				row.Log = rest.RawObject(r.Body)
			}
			if r.Entry != nil {
				row.Note = new(wireImportEntry(r.Entry))
			}
			return row
		}),
	}
}
