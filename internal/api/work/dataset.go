package work

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/rest"
)

// datasets has the handlers of datasets.
type datasets struct{ service *dataset.Service }

const (
	datasetTag          = "Datasets"
	datasetVersionsPath = "/api/public/v2/dataset-versions"
)

// maxDatasetBody is enough for the largest file in base64 and the rest of the
// body.
const maxDatasetBody = 150_000_000

func (h datasets) operations() []rest.Op {
	notFound := []int{http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound}
	noDraft := []int{http.StatusAccepted, http.StatusForbidden, http.StatusNotFound, http.StatusConflict}
	return kit.Tagged(datasetTag, []rest.Op{
		{
			Method: http.MethodPost, Path: "/api/public/v2/dataset-groups", ID: "createDatasetGroup", Summary: "Create a dataset group",
			Description: "Creates a dataset group with an empty draft, whose version number is -1.",
			Status:      http.StatusCreated, Also: append(notFound, http.StatusConflict), Handler: rest.Handle(h.create),
		},
		{
			Method: http.MethodGet, Path: "/api/public/v2/datasets", ID: "listDatasets", Summary: "List datasets",
			Description: "Returns a page of datasets, newest first: one for each version of a dataset group, including drafts.",
			Also:        notFound[:1], Handler: rest.Handle(h.list),
		},
		{
			Method: http.MethodGet, Path: "/api/public/v2/datasets/{dataset_id}/rows", ID: "listDatasetRows", Summary: "List the rows of a dataset",
			Description: "Returns a page of the rows of a dataset in order. With q, only rows with a cell that contains the text.",
			Also:        []int{http.StatusBadRequest, http.StatusNotFound}, Handler: rest.RawBound(datasetRowsResponse{}, h.rows),
		},
		{
			Method: http.MethodPost, Path: datasetVersionsPath + "/from-file", ID: "createDatasetVersionFromFile",
			Summary: "Create a dataset from a file",
			Description: "Creates the next version of a dataset group from a CSV file, whose first record has the column names, or from a JSON file " +
				"with an array of objects. A draft of the group becomes that version, with its rows replaced. " +
				"Files are limited to 100 MiB, 2,000,000 rows and 2,000 columns. Nothing is changed if the request is rejected.",
			Status: http.StatusCreated, Also: append(notFound, http.StatusServiceUnavailable),
			MaxBody: maxDatasetBody, Stream: true, Handler: rest.Raw(datasetFileRequest{}, datasetQueuedResponse{}, h.fromFile),
		},
		{
			Method: http.MethodPost, Path: datasetVersionsPath + "/from-filter-params", ID: "createDatasetVersionFromFilterParams",
			Summary: "Create a dataset from request logs",
			Description: "Creates the next version of a dataset group from the request logs with the given ids, or from those that a search with the " +
				"same filter finds; at most 50,000. The members id, status, start_time, end_time and those about prompts, tags, metadata and scores are a " +
				"short form of filters; together with filter_group and q they must all match. A draft of the group becomes that version, with its rows replaced.",
			Status: http.StatusCreated, Also: append(notFound, http.StatusServiceUnavailable),
			Handler: rest.Raw(datasetFilterRequest{}, datasetFilterResponse{}, h.fromFilter),
		},
		{
			Method: http.MethodPost, Path: datasetVersionsPath + "/create-draft", ID: "createDatasetDraft", Summary: "Create a draft",
			Description: "Creates a draft of a dataset group: empty, or with source_dataset_id with the rows of another version of the group.",
			Status:      http.StatusCreated, Also: noDraft, Handler: rest.Handle(h.createDraft),
		},
		{
			Method: http.MethodPost, Path: datasetVersionsPath + "/add-request-log", ID: "addRequestLogToDatasetDraft",
			Summary:     "Add a request log to the draft",
			Description: "Adds a row from a request log to the draft of a dataset group. Missing columns are added on the right.",
			Status:      http.StatusCreated, Also: notFound, Handler: rest.Handle(h.addRequestLog),
		},
		{
			Method: http.MethodPost, Path: datasetVersionsPath + "/add-trace", ID: "addTraceToDatasetDraft", Summary: "Add a trace to the draft",
			Description: "Adds rows from a trace to the draft of a dataset group: its input and output, or its request logs. " +
				"If the group has no draft, one is created with the rows of its newest version.",
			Status: http.StatusCreated, Also: notFound, Handler: rest.Handle(h.addTrace),
		},
		{
			Method: http.MethodPost, Path: datasetVersionsPath + "/save-draft", ID: "saveDatasetDraft", Summary: "Save the draft",
			Description: "Saves the draft of a dataset group as the next version. It keeps its id and becomes immutable.",
			Status:      http.StatusAccepted, Also: notFound[1:], Handler: rest.Handle(h.saveDraft),
		},
		{
			Method: http.MethodPost, Path: datasetVersionsPath + "/draft-rows", ID: "changeDatasetDraftRows",
			Summary: "Edit rows of the draft",
			Description: "Adds columns on the right, sets cells, deletes rows and adds rows at the end, in this order, all or nothing, " +
				"with at most 1,000 changes. Rows are identified by the ids that the list of rows returns with include_ids, which are valid until rows " +
				"are deleted; a stale id is rejected with 409.",
			Also:    []int{http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
			Handler: rest.Handle(h.changeRows),
		},
	})
}

func (h datasets) create(ctx context.Context, in *createDatasetGroupRequest) (*datasetGroupResponse, error) {
	made, err := h.service.Create(ctx, kit.Workspace(ctx), dataset.CreateInput{
		Name: in.Name, FolderID: in.FolderID, ExternalIDs: kit.ExternalRefs(in.ExternalIDs), Creator: kit.Author(ctx),
	})
	if err != nil {
		return nil, err
	}
	return wireCreatedGroup(&made), nil
}

func (h datasets) list(ctx context.Context, in *listDatasetsQuery) (*datasetPage, error) {
	found, total, err := h.service.List(ctx, in.listQuery(kit.Workspace(ctx)))
	if err != nil {
		return nil, err
	}
	return &datasetPage{Success: true, Message: "success", Datasets: kit.EachRef(found, wireDataset), listCounts: wireCounts(in.Counts(total))}, nil
}

func (h datasets) createDraft(ctx context.Context, in *createDraftRequest) (*draftResponse, error) {
	made, err := h.service.CreateDraft(ctx, kit.Workspace(ctx), in.GroupID, in.SourceID, kit.Author(ctx))
	if err != nil {
		return nil, err
	}
	if in.SourceID != nil {
		return &draftResponse{true, "Draft created; rows are being copied from the source dataset", made.ID, http.StatusAccepted}, nil
	}
	return &draftResponse{true, "Draft dataset version created", made.ID, http.StatusCreated}, nil
}

func (h datasets) addRequestLog(ctx context.Context, in *addRequestLogRequest) (*draftResponse, error) {
	draft, err := h.service.AddRequestLog(ctx, kit.Workspace(ctx), in.GroupID, in.LogID, in.Columns...)
	if err != nil {
		return nil, err
	}
	return &draftResponse{true, "Request log added to draft dataset", draft.ID, http.StatusCreated}, nil
}

func (h datasets) addTrace(ctx context.Context, in *addTraceRequest) (*traceRowResponse, error) {
	draft, added, err := h.service.AddTrace(ctx, kit.Workspace(ctx), in.GroupID, dataset.TraceInput{
		TraceID: in.TraceID, SpanID: kit.OrZero(in.SpanID), Calls: in.Rows == "model_calls", Creator: kit.Author(ctx),
	})
	if err != nil {
		return nil, err
	}
	mode := "trace"
	if in.SpanID != nil {
		mode = "span"
	}
	return &traceRowResponse{Success: true, DraftID: draft.ID, Mode: mode, Rows: added}, nil
}

func (h datasets) saveDraft(ctx context.Context, in *saveDraftRequest) (*draftResponse, error) {
	saved, err := h.service.SaveDraft(ctx, kit.Workspace(ctx), in.GroupID)
	if err != nil {
		return nil, err
	}
	return &draftResponse{true, "Dataset save job queued", saved.ID, http.StatusAccepted}, nil
}

func (h datasets) fromFilter(w http.ResponseWriter, r *rest.Request) error {
	var problems fault.Problems
	selection, wrong := dataset.ParseSelection(r.Body, &problems)
	if fault.Is(wrong, fault.BadRequest) {
		return wrong
	}
	var in datasetFilterRequest
	if err := r.Bind(&in); err != nil {
		return err
	}
	if err := problems.Err(); err != nil {
		return err
	}
	ctx := r.Context()
	made, err := h.service.CreateFromLogs(ctx, kit.Workspace(ctx), in.GroupID, selection, kit.Author(ctx))
	if err != nil {
		return err
	}
	return rest.WriteJSON(w, http.StatusCreated, datasetFilterResponse{
		Success: true, Message: "Dataset version creation queued", DatasetID: made.ID, GroupID: made.GroupID, Number: dataset.DraftNumber,
	})
}

var datasetRoutes = kit.EntityRoutes{
	Kind: entity.KindDataset, ID: "DatasetGroup", Noun: "dataset group", Tag: datasetTag,
	Base: "/api/public/v2/dataset-groups/{dataset_group_id}",
}

// datasetPath is the path of one dataset group.
type datasetPath struct {
	ID int64 `path:"dataset_group_id" minimum:"1" description:"The id of the dataset group."`
}

// EntityKey implements kit.EntityPath.
func (p datasetPath) EntityKey() (int64, string) { return p.ID, "" }

// The inputs with an external id in the body or in the path.
type (
	attachDatasetExternalID struct {
		datasetPath
		kit.ExternalID
	}
	deleteDatasetExternalID struct {
		datasetPath
		kit.ExternalIDPath
	}
)
