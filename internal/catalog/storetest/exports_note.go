package storetest

import (
	"encoding/json"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/export"
	"github.com/promptuary/promptuary/internal/export/format"
)

var exportCases = []testCase{
	{"an export is in the audit log of its workspace", func(s *store) {
		subject := audit.Subject{Kind: audit.SubjectRequests, Name: "request logs"}
		s.ok(s.Exports.NoteExport(s.ctx, &s.workspace, export.Note{Subject: subject, Format: format.CSV}))
		s.ok(s.Exports.NoteExport(s.ctx, &s.workspace, export.Note{
			Subject: subject, Format: format.JSONL, Compression: format.Gzip, Columns: []string{"id"}, Query: json.RawMessage(`{"q": "日本"}`),
		}))
		found := check.Must(s.Accounts.ListAudit(s.ctx, audit.Query{WorkspaceID: &s.workspace, Action: audit.Export, Limit: 10}))(s.t)
		s.equal(len(found), 2)
		s.equal(found[0].Subject, subject)
		s.equal(string(found[0].Detail), `{"columns":["id"],"compression":"gzip","format":"jsonl","query":{"q":"日本"}}`)
		s.equal(string(found[1].Detail), `{"format":"csv"}`)
		s.ok(s.Exports.NoteExport(s.ctx, nil, export.Note{Subject: subject, Format: format.Parquet}))
		s.equal(len(check.Must(s.Accounts.ListAudit(s.ctx, audit.Query{Action: audit.Export, Limit: 10}))(s.t)), 1)
	}},
}
