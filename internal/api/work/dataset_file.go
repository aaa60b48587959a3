package work

import (
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/rest"
)

// datasetFileRequest is an uploaded file. The content is not bound: it is
// extracted from the body, and a placeholder is bound instead.
type datasetFileRequest struct {
	GroupID  int64  `json:"dataset_group_id" required:"true" minimum:"1" description:"The id of the dataset group."`
	FileName string `json:"file_name" required:"true" minLength:"1" maxLength:"255" description:"Name of the file, ending in .csv or .json."`
	Content  string `json:"file_content_base64" required:"true" minLength:"1" description:"Content of the file in base64."`
}

type datasetQueuedResponse struct {
	Success   bool   `json:"success" required:"true" description:"Always true."`
	Message   string `json:"message" required:"true" description:"Result message."`
	DatasetID int64  `json:"dataset_id" required:"true" description:"The id of the dataset."`
}

// fromFile creates a dataset from an uploaded file. Neither is ever in memory
// as a whole.
func (h datasets) fromFile(w http.ResponseWriter, r *rest.Request) (err error) {
	ctx := r.Context()
	upload, err := h.service.NewUpload(ctx, kit.Workspace(ctx))
	if err != nil {
		return err
	}
	defer func() { _ = upload.Close() }() // the dataset is in the catalog by now
	body, err := r.ParseStream("file_content_base64", upload.ReadBase64)
	if err != nil {
		return err
	}
	var in datasetFileRequest
	if err := rest.BindBody(body, &in); err != nil {
		return err
	}
	made, err := h.service.CreateFromFile(ctx, kit.Workspace(ctx), dataset.FileInput{
		GroupID: in.GroupID, Name: in.FileName, File: upload, Creator: kit.Author(ctx),
	})
	if err != nil {
		return err
	}
	return rest.WriteJSON(w, http.StatusCreated, datasetQueuedResponse{
		Success: true, Message: "Dataset version creation job queued", DatasetID: made.ID,
	})
}
