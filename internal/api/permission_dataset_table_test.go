package api_test

import (
	"net/http"

	"github.com/promptuary/promptuary/internal/access"
)

func datasetSamples() []sample {
	create, edit := all(access.DatasetCreate), all(access.DatasetEdit)
	const groups, versions = "/api/public/v2/dataset-groups", "/api/public/v2/dataset-versions"
	return []sample{
		{op: "createDatasetGroup", may: create, body: `{"name":"$new"}`, status: 201, audit: "create dataset"},
		{op: "createDatasetGroup", name: "in a folder", may: create, body: `{"name":"$new","folder_id":$folder}`, status: 201, audit: "create dataset"},
		{op: "listDatasets", may: anyone},
		{op: "exportDataset", may: anyone, path: "/api/public/v2/datasets/$draft/export", audit: "export dataset"},
		{op: "listDatasetRows", may: anyone, path: "/api/public/v2/datasets/$draft/rows"},
		{op: "createDatasetVersionFromFile", may: edit, path: versions + "/from-file",
			body: `{"dataset_group_id":$table,"file_name":"a.csv","file_content_base64":"YQox"}`, status: 201, audit: "publish dataset"},
		{op: "createDatasetVersionFromFilterParams", may: edit, path: versions + "/from-filter-params",
			body: `{"dataset_group_id":$table,"limit":1}`, status: 201, audit: "publish dataset"},
		{op: "createDatasetVersionFromFilterParams", name: "of ids", may: edit, path: versions + "/from-filter-params",
			body: `{"dataset_group_id":$saved,"request_log_ids":[$log]}`, status: 201, audit: "publish dataset"},
		{op: "createDatasetDraft", may: edit, path: versions + "/create-draft", body: `{"dataset_group_id":$saved}`, status: 201, audit: "change dataset"},
		{op: "addRequestLogToDatasetDraft", may: edit, path: versions + "/add-request-log",
			body: `{"dataset_group_id":$table,"request_log_id":$log}`, status: 201, audit: "change dataset"},
		{op: "addTraceToDatasetDraft", may: edit, path: versions + "/add-trace", body: `{"dataset_group_id":$table,"trace_id":"$trace"}`,
			status: 201, audit: "change dataset", foreign: http.StatusBadRequest},
		{op: "addTraceToDatasetDraft", name: "to a new draft", may: edit, path: versions + "/add-trace",
			body: `{"dataset_group_id":$saved,"trace_id":"$trace"}`, status: 201, audit: "change dataset", foreign: http.StatusBadRequest},
		{op: "saveDatasetDraft", may: edit, path: versions + "/save-draft", body: `{"dataset_group_id":$table}`, status: 202, audit: "publish dataset"},
		{op: "datasetGroupAttachExternalID", may: edit, path: groups + "/$table/external-ids", body: `{"source":"s","external_id":"$new"}`,
			status: 201, audit: "attach external id dataset"},
		{op: "datasetGroupListExternalIDs", may: anyone, path: groups + "/$table/external-ids"},
		{op: "datasetGroupDeleteExternalID", may: edit, path: groups + "/$table/external-ids/seen/$tableName", audit: "detach external id dataset"},
	}
}

// makeDataset creates the subjects of samples about datasets.
func (s *subjects) makeDataset(name string) {
	const groups = "/api/public/v2/dataset-groups"
	switch name {
	case "$tableName":
		s.known[name] = s.unique()
	case "$table":
		s.post(name, groups, `{"name":"$tableName","external_ids":[{"source":"seen","external_id":"$tableName"}]}`, "dataset_group", "id")
	case "$draft":
		s.post(name, groups, `{"name":"`+s.unique()+`"}`, "dataset", "id")
	case "$saved":
		s.post(name, groups, `{"name":"`+s.unique()+`"}`, "dataset_group", "id")
		s.post("$savedDraft", "/api/public/v2/dataset-versions/save-draft", `{"dataset_group_id":$saved}`, "draft_dataset_id")
	}
}
