package data

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/exporter"
	"github.com/promptuary/promptuary/internal/rest"
)

const (
	savedExportBase = "/api/public/v2/exports"
	savedExportOne  = savedExportBase + "/{export_id}"
)

// savedExports has the handlers of saved exports.
type savedExports struct{ service *exporter.Service }

func (h savedExports) operations() []rest.Op {
	notFound, conflict := []int{http.StatusNotFound}, []int{http.StatusNotFound, http.StatusConflict}
	return kit.Tagged("Saved exports", []rest.Op{
		{
			Method: http.MethodGet, Path: savedExportBase, ID: "listExports", Summary: "List saved exports", Handler: rest.Handle(h.list),
			Description: "Returns the saved exports of the workspace by name, each with its last run, and the folders that the server allows. " +
				"All operations on saved exports require the permission MANAGE_DATA.",
		},
		{
			Method: http.MethodPost, Path: savedExportBase, ID: "createExport", Summary: "Create a saved export", Handler: rest.Handle(h.create),
			Description: "Saves what is exported, in which format, where to and when. The target is a folder of the server, in one of those that its operator allows, or a " +
				"bucket of an S3-compatible service. An export that runs once is started. A dataset or an evaluation that does not exist is rejected with 404. A name that another export has is rejected with 409. " +
				"A workspace can have up to 50.",
			Status: http.StatusCreated, Also: []int{http.StatusBadRequest, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodGet, Path: savedExportOne, ID: "getExport", Summary: "Get a saved export", Handler: rest.Handle(h.get),
			Description: "Returns a saved export with its last run. Credentials are never returned.", Also: notFound,
		},
		{
			Method: http.MethodPatch, Path: savedExportOne, ID: "updateExport", Summary: "Change a saved export", Handler: rest.Handle(h.change),
			Description: "Replaces the given members and keeps the others. If the bucket, its region or its endpoint changes, the credentials have to be given again. " +
				"While the export runs, only its name, its schedule and whether it is enabled can change. An incremental export that has run needs another target if other " +
				"files would be written.",
			Also: append(conflict, http.StatusBadRequest),
		},
		{
			Method: http.MethodDelete, Path: savedExportOne, ID: "deleteExport", Summary: "Delete a saved export", Handler: rest.Handle(h.remove),
			Description: "Deletes a saved export and its history. The files that it has written stay. It is rejected with 409 while it runs.", Also: conflict,
		},
		{
			Method: http.MethodPost, Path: savedExportOne + "/run", ID: "runExport", Summary: "Run a saved export", Handler: rest.Handle(h.run),
			Description: "Starts an export now and returns immediately. It is rejected with 409 if it runs already.", Status: http.StatusAccepted, Also: conflict,
		},
		{
			Method: http.MethodPost, Path: savedExportOne + "/cancel", ID: "cancelExport", Summary: "Cancel the run of an export", Handler: rest.Handle(h.cancel),
			Description: "Ends the run that is active; has no effect if there is none. What an incremental export has written stays and is not exported again; of others, no " +
				"files stay.",
			Status: http.StatusAccepted, Also: notFound,
		},
		{
			Method: http.MethodGet, Path: savedExportOne + "/runs", ID: "listExportRuns", Summary: "List the runs of an export", Handler: rest.Handle(h.runs),
			Description: "Returns the runs of an export, the newest first. The newest 100 are kept.", Also: notFound,
		},
	})
}

func (h savedExports) list(ctx context.Context, _ *struct{}) (*savedExportList, error) {
	found, err := h.service.List(ctx, kit.Workspace(ctx))
	return &savedExportList{Success: true, Exports: kit.EachRef(found, wireSavedExport), Folders: append([]string{}, h.service.Folders()...)}, err
}

func (h savedExports) create(ctx context.Context, in *createExportRequest) (*savedExportResponse, error) {
	return answerSavedExport(h.service.Create(ctx, kit.Workspace(ctx), in.content(), in.Credentials.credentials(), kit.Author(ctx)))
}

func (h savedExports) get(ctx context.Context, in *savedExportPath) (*savedExportResponse, error) {
	return answerSavedExport(h.service.Get(ctx, kit.Workspace(ctx), in.ID))
}

func (h savedExports) change(ctx context.Context, in *updateExportRequest) (*savedExportResponse, error) {
	return answerSavedExport(h.service.Update(ctx, kit.Workspace(ctx), in.ID, in.apply, in.Credentials.credentials()))
}

func (h savedExports) remove(ctx context.Context, in *savedExportPath) (*kit.SuccessResponse, error) {
	return kit.Succeeded(h.service.Delete(ctx, kit.Workspace(ctx), in.ID))
}

func (h savedExports) run(ctx context.Context, in *savedExportPath) (*exportRunResponse, error) {
	started, err := h.service.Start(ctx, kit.Workspace(ctx), in.ID, kit.Author(ctx))
	if err != nil {
		return nil, err
	}
	return &exportRunResponse{Success: true, Run: wireExportRun(&started)}, nil
}

func (h savedExports) cancel(ctx context.Context, in *savedExportPath) (*savedExportResponse, error) {
	return answerSavedExport(h.service.Cancel(ctx, kit.Workspace(ctx), in.ID))
}

func (h savedExports) runs(ctx context.Context, in *exportRunsRequest) (*exportRunList, error) {
	found, total, err := h.service.Runs(ctx, kit.Workspace(ctx), in.ID, in.Slice())
	if err != nil {
		return nil, err
	}
	return &exportRunList{Success: true, Runs: kit.EachRef(found, wireExportRun), PageCounts: in.Counts(total)}, nil
}
