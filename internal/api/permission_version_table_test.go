package api_test

import "github.com/promptuary/promptuary/internal/access"

// versionSamples are requests for lists of versions and runs, and for rows of
// drafts.
func versionSamples() []sample {
	edit := all(access.DatasetEdit)
	const rows = "/api/public/v2/dataset-versions/draft-rows"
	return []sample{
		{op: "listPromptVersions", may: anyone, path: "/prompt-templates/$prompt/versions"},
		{op: "listWorkflowVersions", may: anyone, path: "/workflows/$flow/versions"},
		{op: "listToolVersions", may: anyone, path: toolsPath + "/$gadget/versions"},
		{op: "listSkillVersions", may: anyone, path: "/api/public/v2/skill-collections/$skill/versions"},
		{op: "listWorkflowExecutions", may: anyone, path: "/workflows/$flow/executions?x=$run"},
		{op: "listEvaluationRuns", may: anyone, path: "/api/public/v2/evaluations/$evaluation/runs"},
		{op: "changeDatasetDraftRows", may: edit, path: rows, body: `{"dataset_group_id":$table,"add_columns":["$new"],"add":[{"$new":1}]}`, audit: "change dataset"},
	}
}
