package api_test

import (
	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
)

const savedExportsPath = "/api/public/v2/exports"

func savedExportSamples() []sample {
	const one = savedExportsPath + "/$savedExport"
	manage := all(access.ManageData)
	return []sample{
		{op: "listExports", may: manage},
		{op: "createExport", may: manage, body: `{"name":"$exportName",` + quietExport, status: 201, foreign: 201, audit: "create EXPORT"},
		{op: "getExport", may: manage, path: one},
		{op: "updateExport", may: manage, path: one, body: `{"name":"$new"}`, audit: "change EXPORT"},
		{op: "deleteExport", may: manage, path: one, audit: "delete EXPORT"},
		{op: "runExport", may: manage, path: one + "/run", status: 202, audit: "export EXPORT"},
		{op: "cancelExport", may: manage, path: one + "/cancel", status: 202, silent: "nothing runs"},
		{op: "listExportRuns", may: manage, path: one + "/runs"},
	}
}

// quietExport is the body of an export that runs when it is started.
const quietExport = `"target":{"address":"/nowhere/exports"},"schedule":{"every":"once"},"enabled":false}`

// makeSavedExport creates a saved export. It makes room first: a workspace has a
// limited number.
func (s *subjects) makeSavedExport(name string) {
	s.t.Helper()
	if name != "$savedExport" && name != "$exportName" {
		return
	}
	s.awaitRuns()
	ctx := access.AsSystem(s.t.Context())
	for _, one := range check.Must(s.w.catalog.Exports.ListExports(ctx, home))(s.t) {
		check.OK(s.t, s.w.catalog.Exports.DeleteExport(ctx, one))
	}
	if name == "$exportName" {
		s.known[name] = s.unique()
		return
	}
	s.post(name, savedExportsPath, `{"name":"`+s.unique()+`",`+quietExport, "export", "id")
}
