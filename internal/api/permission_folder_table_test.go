package api_test

import "github.com/promptuary/promptuary/internal/access"

func folderSamples() []sample {
	const base = "/api/public/v2/folders"
	return append([]sample{
		{op: "createFolder", may: anyEdit, body: `{"name":"$new"}`, status: 201, audit: "create folder"},
		{op: "createFolder", name: "in a folder", may: anyEdit, body: `{"name":"$new","parent_id":$folder}`, status: 201, audit: "create folder"},
		{op: "listFolders", may: anyone},
		{op: "renameFolder", may: anyEdit, path: base + "/$folder", body: `{"name":"$new"}`, audit: "rename folder"},
		{op: "renameEntity", name: "prompt", may: all(access.PromptEdit), path: base + "/entities/$prompt", body: `{"name":"$new"}`, audit: "rename prompt"},
		{op: "renameEntity", name: "workflow", may: all(access.WorkflowEdit), path: base + "/entities/$workflow", body: `{"name":"$new"}`, audit: "rename workflow"},
		{op: "renameEntity", name: "tool", may: all(access.ToolEdit), path: base + "/entities/$tool", body: `{"name":"$new"}`, audit: "rename tool"},
		{op: "listFolderEntities", may: anyone, path: base + "/entities?folder_id=$folder"},
		{op: "resolveFolderPath", may: anyone, path: base + "/resolve-id?path=$folderName&x=$folder"},
		{op: "folderAttachExternalID", may: anyEdit, path: base + "/$folder/external-ids", body: `{"source":"s","external_id":"$new"}`, status: 201, audit: "attach external id folder"},
		{op: "folderListExternalIDs", may: anyone, path: base + "/$folder/external-ids"},
		{op: "folderDeleteExternalID", may: anyEdit, path: base + "/$folder/external-ids/seen/$folderName", audit: "detach external id folder"},
	}, treeSamples()...)
}

// treeSamples are moves and deletions of each kind, of several kinds
// together, and of folders with other kinds inside.
func treeSamples() []sample {
	var table []sample
	for _, kind := range []struct {
		subject, kind string
		edit, remove  rule
	}{
		{"$prompt", "prompt", all(access.PromptEdit), all(access.PromptDelete)},
		{"$test", "ab_test", all(access.PromptEdit), all(access.PromptDelete)},
		{"$set", "variable_set", all(access.PromptEdit), all(access.PromptDelete)},
		{"$workflow", "workflow", all(access.WorkflowEdit), all(access.WorkflowDelete)},
		{"$dataset", "dataset", all(access.DatasetEdit), all(access.DatasetDelete)},
		{"$report", "report", all(access.ReportEdit), all(access.ReportDelete)},
		{"$tool", "tool", nil, all(access.ToolDelete)},
		{"$folder", "folder", anyEdit, anyDelete},
	} {
		if kind.edit != nil {
			table = append(table, sample{op: "moveFolderEntities", name: kind.kind, may: kind.edit, audit: "move " + kind.kind, body: `{"entities":[{"id":` + kind.subject + `}],"folder_id":$target}`})
		}
		table = append(table, sample{op: "deleteFolderEntities", name: kind.kind, may: kind.remove, audit: "delete " + kind.kind, body: `{"entities":[{"id":` + kind.subject + `}]}`})
	}
	return append(table,
		sample{op: "moveFolderEntities", name: "prompt and workflow", may: all(access.PromptEdit, access.WorkflowEdit), audit: "move workflow", body: `{"entities":[{"id":$prompt},{"id":$workflow}],"folder_id":$target}`},
		sample{op: "moveFolderEntities", name: "folder, report and set", may: all(access.PromptEdit, access.ReportEdit), audit: "move report", body: `{"entities":[{"id":$folder},{"id":$report},{"id":$set}],"folder_id":$target}`},
		sample{op: "deleteFolderEntities", name: "prompt and dataset", may: all(access.PromptDelete, access.DatasetDelete), audit: "delete dataset", body: `{"entities":[{"id":$prompt},{"id":$dataset}]}`},
		sample{op: "deleteFolderEntities", name: "folder with prompt and workflow", may: all(access.PromptDelete, access.WorkflowDelete), audit: "delete workflow", body: `{"entities":[{"id":$full}],"cascade":true,"x":[$insideWorkflow,$insidePrompt]}`},
		sample{op: "deleteFolderEntities", name: "prompt and folder with dataset", may: all(access.PromptDelete, access.DatasetDelete), audit: "delete folder", body: `{"entities":[{"id":$prompt},{"id":$mixed}],"cascade":true,"x":$mixedDataset}`},
	)
}

func adminSamples() []sample {
	const base = "/api/admin"
	own, admin, keys := all(access.Own), all(access.Admin), all(access.ManageKeys)
	return []sample{
		{op: "listWorkspaces", may: anyone},
		{op: "createWorkspace", may: own, body: `{"name":"$new"}`, status: 201, audit: "create WORKSPACE"},
		{op: "updateWorkspace", name: "rename", may: admin, path: base + "/workspaces/1", body: `{"name":"$new"}`, audit: "rename WORKSPACE", foreign: 404},
		{op: "updateWorkspace", name: "enable", may: own, path: base + "/workspaces/1", body: `{"disabled":false}`, audit: "enable WORKSPACE", foreign: 404},
		{op: "listRoles", may: anyone},
		{op: "createRole", may: admin, body: `{"name":"$new","permissions":["READ","PROMPT_EDIT"]}`, status: 201, audit: "create ROLE"},
		{op: "updateRole", may: admin, path: base + "/roles/$role", body: `{"permissions":["READ","TOOL_EDIT"]}`, audit: "change ROLE"},
		{op: "deleteRole", may: admin, path: base + "/roles/$role", audit: "delete ROLE"},
		{op: "listUsers", may: admin},
		{op: "inviteUser", may: admin, body: `{"email":"$new@x.test","roles":["Contributor"]}`, status: 201, audit: "invite USER"},
		{op: "updateUser", name: "roles", may: admin, path: base + "/users/$user", body: `{"roles":["Editor"]}`, audit: "change USER"},
		{op: "updateUser", name: "owner", may: own, path: base + "/users/$user", body: `{"owner":true}`, audit: "change USER"},
		{op: "removeUser", may: admin, path: base + "/users/$user", audit: "remove from workspace USER"},
		{op: "createSignInLink", may: own, path: base + "/users/$user/sign-in-link", status: 201, audit: "make sign-in link USER", foreign: 403},
		{op: "listKeys", may: keys},
		{op: "createKey", may: keys, body: `{"name":"$new","roles":["Viewer"]}`, status: 201, audit: "create KEY"},
		{op: "createKey", name: "stronger", may: admin, body: `{"name":"$new","roles":["Admin"]}`, status: 201, audit: "create KEY"},
		{op: "createKey", name: "of an owner", may: own, body: `{"name":"$new","roles":["Owner"]}`, status: 201, audit: "create KEY", foreign: 403},
		{op: "rotateKey", may: keys, path: base + "/keys/$key/rotate", status: 201, audit: "rotate KEY"},
		{op: "rotateKey", name: "stronger", may: admin, path: base + "/keys/$strongKey/rotate", status: 201, audit: "rotate KEY"},
		{op: "revokeKey", may: keys, path: base + "/keys/$key", audit: "revoke KEY"},
		{op: "revokeKey", name: "stronger", may: admin, path: base + "/keys/$strongKey", audit: "revoke KEY"},
		{op: "getSession", may: anyone},
		{op: "signOut", may: anyone, silent: asKey},
		{op: "setPassword", may: noKey, body: `{"password":"long enough to be one"}`, foreign: 403},
		{op: "listAuditEntries", may: admin},
		{op: "listAuditEntries", name: "of the installation", may: own, path: base + "/audit?installation=true", foreign: 403},
		{op: "exportAuditEntries", may: admin, audit: "export AUDIT"},
		{op: "exportAuditEntries", name: "of the installation", may: own, path: base + "/audit/export?installation=true", audit: "export AUDIT", foreign: 403},
	}
}
