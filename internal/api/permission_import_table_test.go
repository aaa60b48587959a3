package api_test

import (
	"encoding/base64"
	"net/http"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
)

const importsPath = "/api/public/v2/imports"

func importSamples() []sample {
	manage := all(access.ManageData)
	return []sample{
		{op: "createImport", may: manage, body: `{"file_name":"$importRoom"}`, status: 201, foreign: 201, audit: "create IMPORT"},
		{
			op: "createServerImport", may: manage, path: importsPath + "/from-server", status: 201, foreign: 201, audit: "create IMPORT",
			body: `{"address":"https://$importRoom.example.com","api_key":"pl_there","parts":["requests"]}`,
		},
		{op: "uploadImportPart", may: manage, path: importsPath + "/$import/parts/2", body: `{"content_base64":"eA=="}`, silent: "the start is audited"},
		{op: "updateImport", may: manage, path: importsPath + "/$import", body: `{"format":"openai"}`, silent: "the start is audited"},
		{op: "previewImport", may: manage, path: importsPath + "/$import/preview"},
		{op: "checkImport", may: manage, path: importsPath + "/$import/check", status: 202, silent: "the start is audited"},
		{op: "startImport", may: manage, path: importsPath + "/$checkedImport/start", status: 202, audit: "import IMPORT"},
		{op: "listImports", may: manage},
		{op: "getImport", may: manage, path: importsPath + "/$import"},
		{op: "getImportReport", may: manage, path: importsPath + "/$import/report"},
		{op: "cancelImport", may: manage, path: importsPath + "/$import/cancel", status: 202, silent: "nothing runs"},
		{op: "deleteImport", may: manage, path: importsPath + "/$import", audit: "delete IMPORT"},
	}
}

// makeImport creates an import with a file, or one that was checked.
func (s *subjects) makeImport(name string) {
	s.t.Helper()
	switch name {
	case "$importRoom":
		s.removeImports()
		s.known[name] = s.unique()
	case "$import":
		s.removeImports()
		s.post(name, importsPath, `{"file_name":"f.jsonl"}`, "import", "id")
		row := logSample[:len(logSample)-1] + `,"function_name":"` + s.unique() + `"}`
		s.send(http.MethodPut, importsPath+"/"+s.known[name]+"/parts/1", `{"content_base64":"`+base64.StdEncoding.EncodeToString([]byte(row))+`"}`)
	case "$checkedImport":
		s.makeImport("$import")
		s.known[name] = s.known["$import"]
		s.send(http.MethodPost, importsPath+"/"+s.known[name]+"/check", "")
		s.awaitRuns()
	}
}

func (s *subjects) send(method, path, body string) {
	s.t.Helper()
	got := check.Must(s.w.send("root", method, path, []byte(body)))(s.t)
	if got.status >= http.StatusBadRequest {
		s.t.Fatalf("%s %s is answered with %d %s", method, path, got.status, clip(string(got.body)))
	}
}

// removeImports makes room: a workspace has a limited number, and one job at a time.
func (s *subjects) removeImports() {
	s.t.Helper()
	s.awaitRuns()
	list, _, err := s.w.catalog.Imports.ListImports(s.t.Context(), home, 0, 100)
	check.OK(s.t, err)
	for _, one := range list {
		check.OK(s.t, s.w.catalog.Imports.DeleteImport(access.AsSystem(s.t.Context()), one))
	}
}
