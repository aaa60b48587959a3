package api_test

import "github.com/promptuary/promptuary/internal/access"

const (
	toolsPath = "/api/public/v2/tool-registry"
	toolParts = `"tool_definition":{"type":"function","function":{"name":"f"}},"execution":{"type":"code","language":"javascript","code":"return args"}`
)

// nothingLeft is why test executions of tools are not audited.
const nothingLeft = "a trial changes nothing"

func toolSamples() []sample {
	create, edit, deploy := all(access.ToolCreate), all(access.ToolEdit), all(access.ToolDeploy)
	const one, labels = toolsPath + "/$gadget", `"release_labels":["stage"]`
	return []sample{
		{op: "listTools", may: anyone},
		{op: "createTool", name: "creates", may: create, body: `{"name":"$new",` + toolParts + `}`, status: 201, audit: "create tool"},
		{op: "createTool", name: "in a folder", may: create, body: `{"name":"$new","folder_id":$folder,` + toolParts + `}`, status: 201, audit: "publish tool"},
		{op: "createTool", name: "creates and releases", may: both(create, deploy), body: `{"name":"$new",` + labels + `,` + toolParts + `}`, status: 201, audit: "label tool"},
		{op: "getTool", may: anyone, path: one},
		{op: "createToolVersion", may: edit, path: one + "/versions", body: `{` + toolParts + `}`, status: 201, audit: "publish tool"},
		{op: "createToolVersion", name: "releases", may: both(edit, deploy), path: one + "/versions", body: `{` + labels + `,` + toolParts + `}`, status: 201, audit: "label tool"},
		// Code can read the variables that it runs with.
		{op: "testExecuteTool", may: edit, path: one + "/test-execute", body: `{}`, silent: nothingLeft},
		{op: "putToolReleaseLabel", may: deploy, path: one + "/release-labels/stage/one", body: `{"version_number":1}`, audit: "label tool"},
		{op: "putToolReleaseLabel", name: "again", may: deploy, path: one + "/release-labels/seen", body: `{"version_number":1}`, audit: "label tool"},
		{op: "deleteToolReleaseLabel", may: deploy, path: one + "/release-labels/seen", audit: "unlabel tool"},
		{op: "toolAttachExternalID", may: edit, path: one + "/external-ids", body: `{"source":"s","external_id":"$new"}`, status: 201, audit: "attach external id tool"},
		{op: "toolListExternalIDs", may: anyone, path: one + "/external-ids"},
		{op: "toolDeleteExternalID", may: edit, path: one + "/external-ids/seen/$gadgetName", audit: "detach external id tool"},
		{op: "listToolEnvVars", may: anyone, path: one + "/env-vars"},
		{op: "createToolEnvVar", may: edit, path: one + "/env-vars", body: `{"key":"$new","value":"v"}`, status: 201, audit: "create ENV_VAR"},
		{op: "updateToolEnvVar", may: edit, path: one + "/env-vars/$gadgetVar", body: `{"value":"w"}`, audit: "change ENV_VAR"},
		{op: "deleteToolEnvVar", may: edit, path: one + "/env-vars/$gadgetVar", audit: "delete ENV_VAR"},
	}
}
