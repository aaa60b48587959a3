package api_test

import "github.com/promptuary/promptuary/internal/access"

// rule reports whether permissions suffice.
type rule func(held access.Permissions) bool

func anyone(held access.Permissions) bool { return held.Has(access.Read) }

// noKey is for operations that only people may call.
func noKey(access.Permissions) bool { return false }

func all(needed ...access.Permission) rule {
	return func(held access.Permissions) bool { return held.Covers(access.SetOf(needed...)) }
}

func one(needed ...access.Permission) rule {
	return func(held access.Permissions) bool { return held&access.SetOf(needed...) != 0 }
}

func both(a, b rule) rule {
	return func(held access.Permissions) bool { return a(held) && b(held) }
}

var (
	anyEdit   = one(access.PromptEdit, access.WorkflowEdit, access.DatasetEdit, access.ReportEdit, access.ToolEdit, access.SkillEdit)
	anyDelete = one(access.PromptDelete, access.WorkflowDelete, access.DatasetDelete, access.ReportDelete, access.ToolDelete, access.SkillDelete)
)

// sample is a request that succeeds for callers with the permission. An
// operation has several if its permission depends on the request.
type sample struct {
	op   string
	name string
	// may is the row of the permission table.
	may rule
	// path replaces the operation's path if that has parameters.
	path, body string
	// status is the success status; 0 means 200.
	status int
	// audit is the audit entry of the success: action and kind of subject. It
	// is "" for reads and if silent has a reason.
	audit  string
	silent string
	// foreign is the status for another workspace that sends the same; 0
	// means 404 if the request has a subject. 200 and 201 are for names that
	// match something of the caller's own workspace, or if a link is left
	// out.
	foreign int
}

const (
	manyLogs   = "logs tell themselves what was logged, by whom and when"
	noTrace    = "annotations are kept with the log"
	emptyGroup = "a group is a number and nothing else"
	noWork     = "it ends the session of an audited sign-in"
	asKey      = "a key has no session to end"
)

const (
	logSample   = `{"provider":"openai","model":"m","input":` + chatBody + `,"output":` + chatBody + `,"request_start_time":"2026-03-15T10:00:00Z","request_end_time":"2026-03-15T10:00:01Z"}`
	trackSample = `{"function_name":"openai.chat.completions.create","provider_type":"openai","args":[],"kwargs":{},"request_response":{},"request_start_time":1,"request_end_time":2,"prompt_id":$prompt,"group_id":$group}`
	versionOf   = `"prompt_version":{"prompt_template":` + chatBody + `}`
)

func publishBody(name, more string) string {
	return `{"prompt_template":{"prompt_name":"` + name + `"},` + versionOf + more + `}`
}

// samples returns the permission table, with a request for each row.
func samples() []sample {
	var table []sample
	table = append(table, logSamples()...)
	table = append(table, traceSamples()...)
	table = append(table, promptSamples()...)
	table = append(table, entitySamples()...)
	table = append(table, folderSamples()...)
	table = append(table, workflowSamples()...)
	table = append(table, skillSamples()...)
	table = append(table, datasetSamples()...)
	table = append(table, evaluationSamples()...)
	table = append(table, toolSamples()...)
	table = append(table, viewSamples()...)
	table = append(table, priceSamples()...)
	table = append(table, redactionSamples()...)
	table = append(table, webhookSamples()...)
	table = append(table, alertSamples()...)
	table = append(table, importSamples()...)
	table = append(table, savedExportSamples()...)
	table = append(table, versionSamples()...)
	table = append(table, playgroundSamples()...)
	return append(table, adminSamples()...)
}

func logSamples() []sample {
	create, edit := all(access.RequestCreate), all(access.MetadataEdit)
	return []sample{
		{op: "logRequest", may: create, body: logSample, status: 201, silent: manyLogs},
		{op: "logRequest", name: "with a prompt", may: create, body: logSample[:len(logSample)-1] + `,"prompt_id":$prompt}`, status: 201, silent: manyLogs},
		{op: "logRequests", may: create, body: `{"requests":[` + logSample + `]}`, status: 201, silent: manyLogs},
		{op: "trackRequest", may: create, body: trackSample, silent: manyLogs, foreign: 200},
		{op: "trackRequestRest", may: create, body: trackSample, silent: manyLogs, foreign: 200},
		{op: "trackMetadata", may: edit, body: `{"request_id":$log,"metadata":{"a":"b"}}`, silent: noTrace},
		{op: "trackScore", may: edit, body: `{"request_id":$log,"score":7}`, silent: noTrace},
		{op: "removeMetadata", may: edit, path: "/api/public/v2/requests/$log/metadata?key=a", silent: noTrace},
		{op: "removeScore", may: edit, path: "/api/public/v2/requests/$log/scores", silent: noTrace},
		{op: "trackPrompt", may: edit, body: `{"request_id":$log,"prompt_name":"$promptName","x":$prompt}`, silent: noTrace},
		{op: "trackGroup", may: edit, body: `{"request_id":$log,"group_id":$group}`, silent: noTrace},
		{op: "libraryTrackMetadata", may: edit, body: `{"request_id":$log,"metadata":{"a":"b"}}`, silent: noTrace},
		{op: "libraryTrackScore", may: edit, body: `{"request_id":$log,"score":7}`, silent: noTrace},
		{op: "libraryTrackPrompt", may: edit, body: `{"request_id":$log,"prompt_name":"$promptName","x":$prompt}`, silent: noTrace},
		{op: "libraryTrackGroup", may: edit, body: `{"request_id":$log,"group_id":$group}`, silent: noTrace},
		{op: "createGroup", may: create, body: `{}`, silent: emptyGroup},
		{op: "getRequest", may: anyone, path: "/api/public/v2/requests/$log"},
		{op: "suggestRequestValues", may: anyone, path: suggestPath + "?field=engine"},
		{op: "searchRequests", may: anyone, body: `{}`},
		{op: "analyzeRequests", may: anyone, body: `{}`},
		{op: "searchTraces", may: anyone, body: `{}`},
		{op: "searchSessions", may: anyone, body: `{}`},
		{op: "searchUsers", may: anyone, body: `{}`},
		{op: "chartTraces", may: anyone, body: `{"customCharts":[{"id":"a","chartType":"bar","metric":"count"}]}`},
		{op: "chartRequests", may: anyone, body: `{"customCharts":[{"id":"a","chartType":"pie","metric":"count","groupByField":"engine"}]}`},
	}
}

func promptSamples() []sample {
	create, edit, deploy := all(access.PromptCreate), all(access.PromptEdit), all(access.PromptDeploy)
	const labels = `,"release_labels":["stage"]`
	return []sample{
		{op: "listPromptTemplates", may: anyone},
		{op: "getPromptTemplate", may: anyone, path: "/prompt-templates/$prompt"},
		{op: "getPromptTemplate", name: "by name", may: anyone, path: "/prompt-templates/$labelled?label=prod&x=$live"},
		{op: "runPromptTemplate", may: anyone, path: "/prompt-templates/$prompt", body: `{}`},
		{op: "publishPromptTemplate", name: "creates", may: create, body: publishBody("$new", ""), status: 201, audit: "publish prompt"},
		{op: "publishPromptTemplate", name: "creates and releases", may: both(create, deploy), body: publishBody("$new", labels), status: 201, audit: "label prompt"},
		{op: "publishPromptTemplate", name: "in a folder", may: create, body: `{"prompt_template":{"prompt_name":"$new","folder_id":$folder},` + versionOf + `}`, status: 201, audit: "create prompt"},
		{op: "publishPromptTemplate", name: "adds", may: edit, body: publishBody("$promptName", `,"x":$prompt`), status: 201, audit: "publish prompt", foreign: 201},
		{op: "publishPromptTemplate", name: "adds and releases", may: both(edit, deploy), body: publishBody("$promptName", labels+`,"x":$prompt`), status: 201, audit: "label prompt", foreign: 201},
		{op: "patchPromptTemplate", may: edit, path: "/rest/prompt-templates/$prompt", body: `{}`, status: 201, audit: "publish prompt"},
		{op: "patchPromptTemplate", name: "releases", may: both(edit, deploy), path: "/rest/prompt-templates/$prompt", body: `{"release_labels":["stage"]}`, status: 201, audit: "label prompt"},
		{op: "upsertPromptTemplate", name: "creates", may: create, path: "/prompt-templates/by-external-id/s/$newer", body: publishBody("$new", ""), status: 201, audit: "create prompt"},
		{op: "upsertPromptTemplate", name: "creates and releases", may: both(create, deploy), path: "/prompt-templates/by-external-id/s/$newer", body: publishBody("$new", labels), status: 201, audit: "label prompt"},
		{op: "upsertPromptTemplate", name: "adds by the external id", may: edit, path: "/prompt-templates/by-external-id/seen/$promptName", body: publishBody("$new", `,"x":$prompt`), audit: "publish prompt", foreign: 201},
		{op: "upsertPromptTemplate", name: "adds by the name", may: edit, path: "/prompt-templates/by-external-id/s/$newer", body: publishBody("$promptName", `,"x":$prompt`), audit: "attach external id prompt", foreign: 201},
		{op: "upsertPromptTemplate", name: "adds and releases", may: both(edit, deploy), path: "/prompt-templates/by-external-id/seen/$promptName", body: publishBody("$new", labels+`,"x":$prompt`), audit: "label prompt", foreign: 201},
		{op: "getSnippetUsage", may: anyone, path: "/prompt-templates/$prompt/snippet-usage"},
		{op: "listPromptLabels", may: anyone, path: "/prompt-templates/$prompt/labels"},
		{op: "createPromptLabel", may: deploy, path: "/prompts/$prompt/label", body: `{"name":"l","prompt_version_number":1}`, audit: "label prompt"},
		{op: "movePromptLabel", may: deploy, path: "/prompt-labels/$label", body: `{"prompt_version_number":1}`, audit: "label prompt"},
		{op: "deletePromptLabel", may: deploy, path: "/prompt-labels/$label", status: 204, audit: "unlabel prompt"},
		{op: "publishPromptTemplateText", name: "creates", may: create, body: `{"prompt_name":"$new","prompt_template":{"template":"t"}}`, audit: "create prompt"},
		{op: "publishPromptTemplateText", name: "adds", may: edit, body: `{"prompt_name":"$promptName","prompt_template":{"template":"t"},"x":$prompt}`, audit: "publish prompt", foreign: 200},
		{op: "getPromptTemplateText", may: anyone, path: "/rest/get-prompt-template?prompt_name=$textName&x=$text"},
		{op: "promptTemplateAttachExternalID", may: edit, path: "/prompt-templates/$prompt/external-ids", body: `{"source":"s","external_id":"$new"}`, status: 201, audit: "attach external id prompt"},
		{op: "promptTemplateListExternalIDs", may: anyone, path: "/prompt-templates/$prompt/external-ids"},
		{op: "promptTemplateDeleteExternalID", may: edit, path: "/prompt-templates/$prompt/external-ids/seen/$promptName", audit: "detach external id prompt"},
	}
}

func entitySamples() []sample {
	create, edit, deploy, remove := all(access.PromptCreate), all(access.PromptEdit), all(access.PromptDeploy), all(access.PromptDelete)
	const tests, sets, split = "/api/public/v2/ab-tests", "/api/public/v2/input-variable-sets", `"weights":[{"version_number":1,"weight":100}]`
	return []sample{
		{op: "createABTest", may: deploy, body: `{"name":"$new","prompt_id":$live,"release_label":"prod",` + split + `}`, status: 201, audit: "create ab_test"},
		{op: "listABTests", may: anyone},
		{op: "getABTest", may: anyone, path: tests + "/$test"},
		{op: "getABTestResults", may: anyone, path: tests + "/$test/results"},
		{op: "changeABTest", may: deploy, path: tests + "/$test", body: `{` + split + `}`, audit: "publish ab_test"},
		{op: "deleteABTest", may: deploy, path: tests + "/$test", audit: "delete ab_test"},
		{op: "createInputVariableSet", may: create, body: `{"name":"$new","variables":{}}`, status: 201, audit: "create variable_set"},
		{op: "createInputVariableSet", name: "in a folder", may: create, body: `{"name":"$new","variables":{},"folder_id":$folder}`, status: 201, audit: "create variable_set"},
		{op: "listInputVariableSets", may: anyone},
		{op: "getInputVariableSet", may: anyone, path: sets + "/$set"},
		{op: "updateInputVariableSet", may: edit, path: sets + "/$set", body: `{"variables":{"a":1}}`, audit: "publish variable_set"},
		{op: "deleteInputVariableSet", may: remove, path: sets + "/$set", audit: "delete variable_set"},
		{op: "listWorkspaceEnvVars", may: anyone},
		{op: "createWorkspaceEnvVar", may: all(access.ManageEnvVars), body: `{"key":"$new","value":"v"}`, status: 201, audit: "create ENV_VAR"},
		{op: "updateWorkspaceEnvVar", may: all(access.ManageEnvVars), path: envVarsPath + "/$var", body: `{"value":"w"}`, audit: "change ENV_VAR"},
		{op: "deleteWorkspaceEnvVar", may: all(access.ManageEnvVars), path: envVarsPath + "/$var", audit: "delete ENV_VAR"},
	}
}
