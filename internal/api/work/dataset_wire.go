package work

import (
	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/rest"
)

type createDatasetGroupRequest struct {
	Name string `json:"name" required:"true" minLength:"1" maxLength:"255" description:"Name of the dataset group, unique in the workspace."`
	kit.WorkspaceBody
	FolderID    *int64           `json:"folder_id" minimum:"1" description:"The id of the folder; defaults to the root."`
	ExternalIDs []kit.ExternalID `json:"external_ids" maxItems:"1000" description:"External ids to attach to the dataset group."`
}

type datasetGroupResponse struct {
	Success     bool             `json:"success" required:"true" description:"Always true."`
	Message     string           `json:"message" required:"true" description:"Result message."`
	Group       datasetGroupItem `json:"dataset_group" required:"true" description:"The dataset group."`
	Dataset     newDatasetItem   `json:"dataset" required:"true" description:"The draft."`
	ExternalIDs []kit.ExternalID `json:"external_ids" required:"true" description:"The external ids."`
}

type datasetGroupItem struct {
	ID          int64  `json:"id" required:"true" description:"The id of the dataset group."`
	Name        string `json:"name" required:"true" description:"Name."`
	WorkspaceID int64  `json:"workspace_id" required:"true" description:"The id of the workspace."`
	IsDeleted   bool   `json:"is_deleted" required:"true" description:"Whether it was deleted."`
}

type newDatasetItem struct {
	ID        int64           `json:"id" required:"true" description:"The id of the dataset."`
	GroupID   int64           `json:"dataset_group_id" required:"true" description:"The id of the dataset group."`
	Number    int64           `json:"version_number" required:"true" description:"Version number; -1 for a draft."`
	Columns   []string        `json:"column_names" required:"true" description:"The columns."`
	Filter    *rest.RawObject `json:"filter_params" required:"true" description:"Filter that selected the rows; null if there was none."`
	IsDeleted bool            `json:"is_deleted" required:"true" description:"Whether the group was deleted."`
	UserID    *int64          `json:"user_id" required:"true" description:"The id of the account that created it; null if unknown."`
}

func wireCreatedGroup(made *dataset.Created) *datasetGroupResponse {
	return &datasetGroupResponse{
		Success: true, Message: "Dataset group created successfully",
		Group:   datasetGroupItem{ID: made.Group.ID, Name: made.Group.Name, WorkspaceID: made.Group.WorkspaceID},
		Dataset: wireNewDataset(&made.Draft), ExternalIDs: kit.WireExternalIDs(made.ExternalIDs),
	}
}

func wireNewDataset(d *dataset.Dataset) newDatasetItem {
	return newDatasetItem{
		ID: d.ID, GroupID: d.GroupID, Number: d.Number, Columns: rest.NonNil(d.Columns), Filter: kit.RawOrNull(d.Filter), IsDeleted: d.Deleted, UserID: d.CreatorID,
	}
}

// listDatasetsQuery selects a page of datasets.
type listDatasetsQuery struct {
	GroupID         *int64 `query:"dataset_group_id" minimum:"1" description:"Only datasets of this group."`
	PromptID        *int64 `query:"prompt_id" minimum:"1" description:"Only datasets with rows from request logs of this prompt template."`
	PromptVersionID *int64 `query:"prompt_version_id" minimum:"1" description:"Only datasets with rows from request logs of this version of a template."`
	PromptLabelID   *int64 `query:"prompt_label_id" minimum:"1" description:"Only datasets with rows from request logs of the version that this release label points at."`
	ReportID        *int64 `query:"report_id" minimum:"1" description:"Only the dataset of this evaluation and those of its runs."`
	Name            string `query:"name" description:"Part of the group's name, ignoring case."`
	Status          string `query:"status" enum:"active,deleted,all" default:"active" description:"Whether to list datasets of deleted groups."`
	kit.ShortPaging
	kit.EntityFilters
}

func (in *listDatasetsQuery) listQuery(workspace int64) dataset.ListQuery {
	filters := in.Query(workspace)
	filters.NameContains, filters.Status = in.Name, kit.Statuses[in.Status]
	filters.Page = in.Slice()
	return dataset.ListQuery{
		Filters: filters, GroupID: in.GroupID, PromptID: in.PromptID, PromptVersionID: in.PromptVersionID,
		PromptLabelID: in.PromptLabelID, ReportID: in.ReportID,
	}
}

type datasetPage struct {
	Success  bool          `json:"success" required:"true" description:"Always true."`
	Message  string        `json:"message" required:"true" description:"Always \"success\"."`
	Datasets []datasetItem `json:"datasets" required:"true" description:"The datasets."`
	listCounts
}

// listCounts is kit.PageCounts with the members in the order in which lists of
// datasets and evaluations have them.
type listCounts struct {
	Page    int64 `json:"page" required:"true" description:"Page number."`
	PerPage int64 `json:"per_page" required:"true" description:"Page size."`
	Total   int64 `json:"total" required:"true" description:"Number of elements on all pages."`
	Pages   int64 `json:"pages" required:"true" description:"Number of pages."`
}

func wireCounts(c kit.PageCounts) listCounts {
	return listCounts{Page: c.Page, PerPage: c.PerPage, Total: c.Total, Pages: c.Pages}
}

type datasetItem struct {
	newDatasetItem
	Group       datasetGroupItem `json:"dataset_group" required:"true" description:"The dataset group."`
	ExternalIDs []kit.ExternalID `json:"external_ids" required:"true" description:"The external ids of the group."`
	CreatedAt   rest.Time        `json:"created_at" required:"true" description:"When it was created."`
	UpdatedAt   rest.Time        `json:"updated_at" required:"true" description:"When it was last changed."`
}

func wireDataset(d *dataset.Dataset) datasetItem {
	return datasetItem{
		newDatasetItem: wireNewDataset(d),
		Group:          datasetGroupItem{ID: d.GroupID, Name: d.GroupName, WorkspaceID: d.Workspace, IsDeleted: d.Deleted},
		ExternalIDs:    kit.WireExternalIDs(d.ExternalIDs),
		CreatedAt:      kit.Time(d.CreatedAt), UpdatedAt: kit.Time(d.UpdatedAt),
	}
}

// datasetFilterRequest documents what dataset.ParseSelection reads, and the
// group.
type datasetFilterRequest struct {
	GroupID int64   `json:"dataset_group_id" required:"true" minimum:"1" description:"The id of the dataset group."`
	LogIDs  []int64 `json:"request_log_ids" maxItems:"50000" items.minimum:"1" description:"The ids of the request logs, in the order of the rows. They take precedence over the filter."`
	kit.WorkspaceBody
	FilterGroup *kit.FilterGroup `json:"filter_group" description:"Filter group, as in the search for request logs. All filters must match."`
	Q           *string          `json:"q" description:"Free text, as in the search for request logs."`
	ID          jsontree.Value   `json:"id" description:"The id of a request log."`
	PromptID    jsontree.Value   `json:"prompt_id" description:"The id or the name of a prompt template."`
	StartTime   jsontree.Value   `json:"start_time" description:"Earliest start of a request."`
	EndTime     jsontree.Value   `json:"end_time" description:"Latest start of a request."`
	VersionID   *int64           `json:"prompt_version_id" minimum:"1" description:"The id of a version of a prompt template."`
	LabelID     *int64           `json:"prompt_label_id" minimum:"1" description:"The id of a release label of a prompt template: the requests of the version that it points to now."`
	Tags        jsontree.Value   `json:"tags" description:"A list of tags that a request log must all have."`
	TagsAnd     jsontree.Value   `json:"tags_and" description:"The same as tags."`
	TagsOr      jsontree.Value   `json:"tags_or" description:"A list of tags, one of which a request log must have."`
	Metadata    jsontree.Value   `json:"metadata" description:"Metadata that a request log must have: an object, or a list of objects with key and value."`
	MetadataAnd jsontree.Value   `json:"metadata_and" description:"The same as metadata."`
	MetadataOr  jsontree.Value   `json:"metadata_or" description:"Metadata as above, one of which a request log must have."`
	Scores      jsontree.Value   `json:"scores" description:"A list of objects with name, operator (>, >=, <, <= or =) and value, an integer; a request log must have all these scores."`
	Status      jsontree.Value   `json:"status" description:"A list of statuses, one of which a request log must have."`
	Include     jsontree.Value   `json:"prompt_templates_include" description:"A list of prompt templates, one of which the request must have used: names, or objects with name and version_numbers."`
	Exclude     jsontree.Value   `json:"prompt_templates_exclude" description:"A list of prompt templates as above, none of which the request may have used."`
	SortBy      *kit.SortField   `json:"sort_by" description:"Sort key; defaults to newest first."`
	SortKey     *string          `json:"sort_nested_key" minLength:"1" maxLength:"255" description:"The name of the score to sort by. Required by sort_by scores."`
	SortOrder   *string          `json:"sort_order" enum:"asc,desc" description:"Sort direction; requires sort_by."`
	Variables   []string         `json:"variables_to_parse" maxItems:"50000" description:"Input variables that become columns; defaults to all."`
	Columns     []string         `json:"columns" maxItems:"19" items.enum:"request_url,input,output,status,error_type,error_message,provider,model,start_time,latency_ms,cost,input_tokens,output_tokens,metadata,scores,tags,promptlayer_url,prompt,response" description:"Columns of the rows besides those of input variables, in order. Defaults to metadata, scores, tags, promptlayer_url, prompt and response, of which the last three are other names of request_url, input and output."`
	Limit       *int64           `json:"limit" minimum:"1" description:"Maximum number of request logs."`
}

type datasetFilterResponse struct {
	Success   bool   `json:"success" required:"true" description:"Always true."`
	Message   string `json:"message" required:"true" description:"Result message."`
	DatasetID int64  `json:"dataset_id" required:"true" description:"The id of the dataset."`
	GroupID   int64  `json:"dataset_group_id" required:"true" description:"The id of the dataset group."`
	Number    int64  `json:"version_number" required:"true" description:"Always -1, although the dataset already has its final number."`
}

type createDraftRequest struct {
	GroupID  int64  `json:"dataset_group_id" required:"true" minimum:"1" description:"The id of the dataset group."`
	SourceID *int64 `json:"source_dataset_id" minimum:"1" description:"The id of a dataset of the group to copy rows from."`
}

type addRequestLogRequest struct {
	GroupID int64 `json:"dataset_group_id" required:"true" minimum:"1" description:"The id of the dataset group."`
	LogID   int64 `json:"request_log_id" required:"true" minimum:"1" description:"The id of the request log."`

	Columns []string `json:"columns" maxItems:"19" items.enum:"request_url,input,output,status,error_type,error_message,provider,model,start_time,latency_ms,cost,input_tokens,output_tokens,metadata,scores,tags,promptlayer_url,prompt,response" description:"Columns of the rows besides those of input variables, in order. Defaults to metadata, scores, tags, promptlayer_url, prompt and response, of which the last three are other names of request_url, input and output."`
}

type addTraceRequest struct {
	GroupID int64   `json:"dataset_group_id" required:"true" minimum:"1" description:"The id of the dataset group."`
	TraceID string  `json:"trace_id" required:"true" minLength:"1" description:"The id of the trace."`
	SpanID  *string `json:"span_id" minLength:"1" description:"The id of the span to start from; defaults to the first root of the trace."`
	Rows    string  `json:"rows" enum:"trace,model_calls" default:"trace" description:"What to add: one row with the input and the output of the span and its children, or one row for each request log at or below it, like add-request-log."`
}

type traceRowResponse struct {
	Success bool   `json:"success" required:"true" description:"Always true."`
	DraftID int64  `json:"draft_dataset_id" required:"true" description:"The id of the draft."`
	Mode    string `json:"mode" required:"true" enum:"trace,span" description:"Whether the rows come from the whole trace, or from a span of it."`
	Rows    int    `json:"row_count" required:"true" description:"Number of rows that were added."`
}

type saveDraftRequest struct {
	GroupID int64 `json:"dataset_group_id" required:"true" minimum:"1" description:"The id of the dataset group."`
}

type draftResponse struct {
	Success bool   `json:"success" required:"true" description:"Always true."`
	Message string `json:"message" required:"true" description:"Result message."`
	DraftID int64  `json:"draft_dataset_id" required:"true" description:"The id of the draft."`
	status  int
}

// HTTPStatus implements rest.StatusCoder. Some clients wait for rows if it is
// 202.
func (r *draftResponse) HTTPStatus() int { return r.status }
