package data

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"strconv"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/importer"
	"github.com/promptuary/promptuary/internal/rest"
)

const (
	importBase = "/api/public/v2/imports"
	importOne  = importBase + "/{import_id}"
	octets     = "application/octet-stream"
	jsonLines  = "application/x-ndjson"
)

// imports has the handlers of imports.
type imports struct{ service *importer.Service }

func (h imports) operations() []rest.Op {
	notFound, conflict := []int{http.StatusNotFound}, []int{http.StatusNotFound, http.StatusConflict}
	return kit.Tagged("Imports", []rest.Op{
		{
			Method: http.MethodPost, Path: importBase, ID: "createImport", Handler: rest.Handle(h.create), Summary: "Create an import",
			Description: "Begins the import of a file of request logs. Upload the file next, in parts. A workspace can have 10 imports that have not ended. " +
				"All operations on imports require the permission MANAGE_DATA.",
			Status: http.StatusCreated, Also: []int{http.StatusBadRequest, http.StatusConflict},
		},
		{
			Method: http.MethodPost, Path: importBase + "/from-server", ID: "createServerImport", Handler: rest.Handle(h.createFromServer), Summary: "Create an import from a server",
			Description: "Begins the import of prompts, workflows, datasets and request logs of another server: PromptLayer, or another installation of this program. Check it next: " +
				"the check lists what would be imported and what the workspace has already. The API key is stored encrypted until the import ends. Besides MANAGE_DATA, " +
				"it requires the permissions to create, edit and release what is imported.",
			Status: http.StatusCreated, Also: []int{http.StatusBadRequest, http.StatusConflict},
		},
		{
			Method: http.MethodPut, Path: importOne + "/parts/{number}", ID: "uploadImportPart", Handler: rest.RawBound(importResponse{}, h.upload), Summary: "Upload a part of a file",
			Description: "Adds up to 8 MiB to the file of an import. Parts are numbered from 1 and sent in this order; the last one may be sent again. " +
				"The file may be compressed with gzip or zstd. It can have 4 GiB. The body is the part itself, or JSON with the part in base64.",
			Accept: []string{"application/json", octets}, MaxBody: importer.MaxPart, Also: append(conflict, http.StatusBadRequest),
		},
		{
			Method: http.MethodPatch, Path: importOne, ID: "updateImport", Handler: rest.Handle(h.change), Summary: "Change how a file is read",
			Description: "Replaces the format, the columns and the default values of an import that has not been started. The file has to be checked again.",
			Also:        append(conflict, http.StatusBadRequest),
		},
		{
			Method: http.MethodGet, Path: importOne + "/preview", ID: "previewImport", Handler: rest.Handle(h.preview), Summary: "Preview a file",
			Description: "Reads the first rows of what was uploaded, and returns its format, its columns, and the request logs that the rows would become.", Also: conflict,
		},
		{
			Method: http.MethodPost, Path: importOne + "/check", ID: "checkImport", Handler: rest.Handle(h.check), Summary: "Check a file",
			Description: "Starts to check every row of the file as if it were logged, and returns immediately. Nothing is written. The workspace can check or write one " +
				"import at a time.",
			Status: http.StatusAccepted, Also: conflict,
		},
		{
			Method: http.MethodPost, Path: importOne + "/start", ID: "startImport", Handler: rest.Handle(h.start), Summary: "Start an import", EmptyBody: true,
			Description: "Starts to write the request logs of a file that was checked, and returns immediately. It is rejected with 409 if rows are refused and skip_refused is not " +
				"set, and if the same file was imported before and again is not set.",
			Status: http.StatusAccepted, Also: conflict,
		},
		{
			Method: http.MethodGet, Path: importBase, ID: "listImports", Handler: rest.Handle(h.list), Summary: "List imports",
			Description: "Returns the imports of the workspace, the newest first.",
		},
		{
			Method: http.MethodGet, Path: importOne, ID: "getImport", Handler: rest.Handle(h.get), Summary: "Get an import",
			Description: "Returns an import with its progress and the first rows that were not imported.", Also: notFound,
		},
		{
			Method: http.MethodGet, Path: importOne + "/report", ID: "getImportReport", Handler: rest.RawBound(nil, h.report), Summary: "Get the report of an import",
			Description: "Returns every row that was refused, ignored, found in the workspace already, or imported without its prompt, with the reason: of the import, " +
				"or of the check before it is started.",
			Produces: []string{jsonLines, "text/csv"}, Also: notFound,
		},
		{
			Method: http.MethodPost, Path: importOne + "/cancel", ID: "cancelImport", Handler: rest.Handle(h.cancel), Summary: "Cancel an import",
			Description: "Ends the check or the import that runs; has no effect on others. Request logs that were written stay.", Status: http.StatusAccepted, Also: notFound,
		},
		{
			Method: http.MethodDelete, Path: importOne, ID: "deleteImport", Handler: rest.Handle(h.remove), Summary: "Delete an import",
			Description: "Deletes an import with its file and its report. Request logs that were written stay.", Also: conflict,
		},
	})
}

func (h imports) create(ctx context.Context, in *createImportRequest) (*importResponse, error) {
	return answerImport(h.service.Create(ctx, kit.Workspace(ctx), in.FileName, in.options(), kit.Author(ctx)))
}

func (h imports) createFromServer(ctx context.Context, in *createServerImportRequest) (*importResponse, error) {
	return answerImport(h.service.CreateFromServer(ctx, kit.Workspace(ctx), in.server(), in.APIKey, kit.Author(ctx)))
}

func (h imports) upload(w http.ResponseWriter, r *rest.Request, in *importPartRequest) (err error) {
	part, ctx := r.Bytes, r.Context()
	if r.MediaType != octets {
		if part, err = base64.StdEncoding.DecodeString(in.Content); err != nil {
			return fault.BadRequestf("content_base64 is not valid base64")
		}
	}
	answer, err := answerImport(h.service.Upload(ctx, kit.Workspace(ctx), in.ID, in.Number, part))
	if err != nil {
		return err
	}
	return rest.WriteJSON(w, http.StatusOK, answer)
}

func (h imports) change(ctx context.Context, in *updateImportRequest) (*importResponse, error) {
	return answerImport(h.service.Change(ctx, kit.Workspace(ctx), in.ID, in.options()))
}

func (h imports) preview(ctx context.Context, in *importPath) (*importPreview, error) {
	p, err := h.service.Preview(ctx, kit.Workspace(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	return wireImportPreview(&p), nil
}

func (h imports) check(ctx context.Context, in *importPath) (*importResponse, error) {
	return answerImport(h.service.StartCheck(ctx, kit.Workspace(ctx), in.ID))
}

func (h imports) start(ctx context.Context, in *startImportRequest) (*importResponse, error) {
	return answerImport(h.service.Start(ctx, kit.Workspace(ctx), in.ID, in.SkipRefused, in.Again))
}

func (h imports) list(ctx context.Context, in *kit.Paging) (*kit.Page[importItem], error) {
	page := in.Slice()
	found, total, err := h.service.List(ctx, kit.Workspace(ctx), page.Offset, page.Limit)
	if err != nil {
		return nil, err
	}
	return kit.NewPage(*in, total, found, wireImport), nil
}

func (h imports) get(ctx context.Context, in *importPath) (*importResponse, error) {
	return answerImport(h.service.Get(ctx, kit.Workspace(ctx), in.ID))
}

func (h imports) cancel(ctx context.Context, in *importPath) (*importResponse, error) {
	return answerImport(h.service.Cancel(ctx, kit.Workspace(ctx), in.ID))
}

func (h imports) remove(ctx context.Context, in *importPath) (*kit.SuccessResponse, error) {
	return kit.Succeeded(h.service.Delete(ctx, kit.Workspace(ctx), in.ID))
}

func (h imports) report(w http.ResponseWriter, r *rest.Request, in *importReportQuery) error {
	report, err := h.service.Report(r.Context(), kit.Workspace(r.Context()), in.ID)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Disposition", `attachment; filename="import-`+strconv.FormatInt(in.ID, 10)+`.`+in.Format+`"`)
	if in.Format == "csv" {
		w.Header().Set("Content-Type", "text/csv; charset=utf-8")
		return writeReportTable(w, report)
	}
	w.Header().Set("Content-Type", jsonLines)
	_, err = io.Copy(w, report)
	return err
}

// writeReportTable writes the lines of a report as a table.
func writeReportTable(w io.Writer, report io.Reader) error {
	table := csv.NewWriter(w)
	if err := table.Write([]string{"row", "line", "id", "status", "reason"}); err != nil {
		return err
	}
	lines := json.NewDecoder(bufio.NewReader(report))
	for lines.More() {
		var e importer.Entry
		if err := lines.Decode(&e); err != nil {
			return err
		}
		row := []string{strconv.FormatInt(e.Row, 10), strconv.FormatInt(e.Line, 10), kit.Harmless(e.ID), string(e.Status), kit.Harmless(e.Reason)}
		if err := table.Write(row); err != nil {
			return err
		}
	}
	table.Flush()
	return table.Error()
}
