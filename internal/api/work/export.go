package work

import (
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/export"
	"github.com/promptuary/promptuary/internal/export/format"
	"github.com/promptuary/promptuary/internal/rest"
)

// exports has the handlers of exports.
type exports struct{ service *export.Service }

func (h exports) operations() []rest.Op {
	return []rest.Op{
		{
			Method: http.MethodGet, Path: "/api/public/v2/datasets/{dataset_id}/export", ID: "exportDataset", Tag: datasetTag,
			Summary: "Export a dataset", Description: "Returns all rows of a dataset, in order. A column with the name of another one gets a number." + kit.ExportAbout,
			Also: []int{http.StatusNotFound, http.StatusServiceUnavailable}, Produces: format.MediaTypes, Handler: rest.RawBound(nil, h.dataset),
		},
		{
			Method: http.MethodGet, Path: evaluationBasePath + "/{evaluation_id}/export", ID: "exportEvaluation", Tag: evaluationTag,
			Summary: "Export the results of a run",
			Description: "Returns all rows of a run of an evaluation, in order: the columns of the dataset, the computed ones, and the errors of cells that " +
				"failed, by column. Cells that are not computed yet have no value." + kit.ExportAbout,
			Also: []int{http.StatusNotFound, http.StatusServiceUnavailable}, Produces: format.MediaTypes, Handler: rest.RawBound(nil, h.evaluation),
		},
	}
}

type exportDatasetRequest struct {
	kit.ExportQuery
	DatasetID int64 `path:"dataset_id" minimum:"1" description:"The id of the dataset."`
}

func (h exports) dataset(w http.ResponseWriter, r *rest.Request, in *exportDatasetRequest) error {
	made, err := h.service.Dataset(r.Context(), kit.Workspace(r.Context()), in.DatasetID, in.File())
	if err != nil {
		return err
	}
	return kit.Download(w, r, made)
}

type exportEvaluationRequest struct {
	kit.ExportQuery
	evaluationPath
}

func (h exports) evaluation(w http.ResponseWriter, r *rest.Request, in *exportEvaluationRequest) error {
	made, err := h.service.Evaluation(r.Context(), kit.Workspace(r.Context()), in.EvaluationID, in.File())
	if err != nil {
		return err
	}
	return kit.Download(w, r, made)
}
