package export

import (
	"context"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/export/format"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// auditColumns are the columns of the audit log.
var auditColumns = []format.Column{
	{Name: "id", Type: format.Int}, {Name: "workspace_id", Type: format.Int}, {Name: "at", Type: format.Time},
	{Name: "actor_kind", Type: format.Text}, {Name: "actor_id", Type: format.Int}, {Name: "actor", Type: format.Text},
	{Name: "action", Type: format.Text}, {Name: "subject_kind", Type: format.Text}, {Name: "subject_id", Type: format.Int},
	{Name: "subject_name", Type: format.Text}, {Name: "detail", Type: format.JSON},
}

// AuditColumns are the names of the columns of the audit log.
var AuditColumns = columnNames(auditColumns, func(c *format.Column) string { return c.Name })

// Audit returns an export of the entries of the audit log that match, newest first.
// The fault is that of audit.Service.
func (s *Service) Audit(ctx context.Context, query audit.Query, file File) (*Export, error) {
	if _, err := s.audit.List(ctx, audit.Query{WorkspaceID: query.WorkspaceID, Limit: 1}); err != nil {
		return nil, err
	}
	subject := audit.Subject{Kind: audit.SubjectAudit, ID: access.CallerOf(ctx).Workspace, Name: "audit of the installation"}
	if query.WorkspaceID != nil {
		subject.ID, subject.Name = *query.WorkspaceID, "audit"
	}
	// It is noted in the audit log of the installation: reading the log of a
	// workspace does not change it.
	return s.newExport(ctx, nil, s.auditTable(query), file, Note{Subject: subject})
}

// AuditPart returns an export of the entries of a workspace with a range of ids that
// match, in the order of their ids. It is a part of an export that was noted before,
// by somebody who may read the audit log.
func (s *Service) AuditPart(workspace int64, query audit.Query, ids query.Range, file File) (*Export, error) {
	query.WorkspaceID, query.After, query.Before, query.OldestFirst = &workspace, ids.After, ids.Last+1, true
	t := s.auditTable(query)
	read := t.rows
	t.rows = func(ctx context.Context, each func([]format.Value) error) (int64, error) {
		return read(access.AsSystem(ctx), each)
	}
	return s.part(workspace, t, file)
}

// LastEntry returns the id of the newest entry of the audit log of a workspace, 0
// without any.
func (s *Service) LastEntry(ctx context.Context, workspace int64) (int64, error) {
	return s.newestEntry(ctx, audit.Query{WorkspaceID: &workspace})
}

// SettledEntry returns the id up to which the audit log of a workspace is complete:
// with several transactions at a time, an entry with a lower id than the newest may
// still appear.
func (s *Service) SettledEntry(ctx context.Context, workspace int64) (int64, error) {
	query := audit.Query{WorkspaceID: &workspace}
	if s.auditDelay > 0 {
		query.Until = new(time.Now().Add(-s.auditDelay))
	}
	return s.newestEntry(ctx, query)
}

func (s *Service) newestEntry(ctx context.Context, query audit.Query) (int64, error) {
	query.Limit = 1
	found, err := s.audit.List(access.AsSystem(ctx), query)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	return found[0].ID, nil
}

// auditTable returns the matching entries as a table.
func (s *Service) auditTable(query audit.Query) table {
	t := table{columns: auditColumns}
	t.rows = func(ctx context.Context, each func([]format.Value) error) (int64, error) {
		return 0, s.audit.Export(ctx, query, func(e audit.Entry) error {
			return each([]format.Value{
				format.IntOf(e.ID), optional(e.WorkspaceID), format.TimeOf(e.At.UnixMicro()),
				format.TextOf(string(e.Actor.Kind)), optional(e.Actor.ID), format.TextOf(e.Actor.Name),
				format.TextOf(string(e.Action)), format.TextOf(e.Subject.Kind), format.IntOf(e.Subject.ID),
				format.TextOf(e.Subject.Name), format.JSONOf(e.Detail),
			})
		})
	}
	return t
}

func optional(n *int64) format.Value {
	if n == nil {
		return format.Value{}
	}
	return format.IntOf(*n)
}
