package api_test

import "github.com/promptuary/promptuary/internal/access"

const workflowNodes = `"nodes":[{"name":"a","node_type":"VARIABLE","configuration":{"value":1},"is_output_node":true}]`

// ranAlready is why runs are not audited.
const ranAlready = "a run keeps who started it and when"

func workflowSamples() []sample {
	create, edit, deploy, run := all(access.WorkflowCreate), all(access.WorkflowEdit), all(access.WorkflowDeploy), all(access.WorkflowRun)
	const one = "/rest/workflows/$flow"
	const labels = `"release_labels":["stage"]`
	return []sample{
		{op: "createWorkflow", name: "creates", may: create, body: `{"name":"$new",` + workflowNodes + `}`, status: 201, audit: "create workflow"},
		{op: "createWorkflow", name: "in a folder", may: create, body: `{"name":"$new","folder_id":$folder,` + workflowNodes + `}`, status: 201, audit: "create workflow"},
		{op: "createWorkflow", name: "creates and releases", may: both(create, deploy), body: `{"name":"$new",` + labels + `,` + workflowNodes + `}`, status: 201, audit: "label workflow"},
		{op: "createWorkflow", name: "adds", may: edit, body: `{"workflow_id":$flow,` + workflowNodes + `}`, status: 201, audit: "publish workflow"},
		{op: "createWorkflow", name: "adds and releases", may: both(edit, deploy), body: `{"workflow_id":$flow,` + labels + `,` + workflowNodes + `}`, status: 201, audit: "label workflow"},
		{op: "patchWorkflow", may: edit, path: one, body: `{}`, status: 201, audit: "publish workflow"},
		{op: "patchWorkflow", name: "releases", may: both(edit, deploy), path: one, body: `{` + labels + `}`, status: 201, audit: "label workflow"},
		{op: "listWorkflows", may: anyone},
		{op: "getWorkflow", may: anyone, path: "/workflows/$flow"},
		{op: "listWorkflowLabels", may: anyone, path: "/workflows/$flow/labels"},
		{op: "putWorkflowReleaseLabel", may: deploy, path: "/workflows/$flow" + "/release-labels/stage/one", body: `{"version_number":1}`, audit: "label workflow"},
		{op: "putWorkflowReleaseLabel", name: "again", may: deploy, path: "/workflows/$flow" + "/release-labels/seen", body: `{"version_number":1}`, audit: "label workflow"},
		{op: "deleteWorkflowReleaseLabel", may: deploy, path: "/workflows/$flow" + "/release-labels/seen", audit: "unlabel workflow"},
		{op: "workflowAttachExternalID", may: edit, path: "/workflows/$flow/external-ids", body: `{"source":"s","external_id":"$new"}`, status: 201, audit: "attach external id workflow"},
		{op: "workflowListExternalIDs", may: anyone, path: "/workflows/$flow/external-ids"},
		{op: "workflowDeleteExternalID", may: edit, path: "/workflows/$flow/external-ids/seen/$flowName", audit: "detach external id workflow"},
		{op: "runWorkflow", may: run, path: "/workflows/$flow/run", body: `{}`, status: 201, silent: ranAlready},
		{op: "dryRunWorkflow", may: both(edit, run), path: "/workflows/$flow/dry-run", body: `{` + workflowNodes + `}`, status: 201, silent: ranAlready},
		{op: "getWorkflowExecution", may: anyone, path: "/api/public/v2/workflow-executions/$run"},
		{op: "getWorkflowExecutionResults", may: anyone, path: "/workflow-version-execution-results?workflow_version_execution_id=$run"},
		{op: "cancelWorkflowExecution", may: run, path: "/api/public/v2/workflow-executions/$run/cancel", status: 202, silent: ranAlready},
		// A token gives access only to channels of the caller's workspace.
		{op: "createLiveToken", may: anyone, path: "/ws-token-request-library?capability=workflow_updates:1", status: 201},
	}
}
