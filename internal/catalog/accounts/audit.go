package accounts

import (
	"context"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/entity"
)

const auditColumns = `id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, detail`

func scanAudit(r engine.Row) (audit.Entry, error) {
	var e audit.Entry
	err := r.Scan(&e.ID, &e.WorkspaceID, engine.Time(&e.At), &e.Actor.Kind, &e.Actor.ID, &e.Actor.Name, &e.Action,
		&e.Subject.Kind, &e.Subject.ID, &e.Subject.Name, (*[]byte)(&e.Detail))
	return e, err
}

// ListAudit lists audit entries.
func (s *Store) ListAudit(ctx context.Context, query audit.Query) ([]audit.Entry, error) {
	where, order := auditConditions(query), "DESC"
	if query.OldestFirst {
		order = "ASC"
	}
	found, err := engine.QueryAll(ctx, s.db, scanAudit, `
SELECT `+auditColumns+`
FROM audit_entry
WHERE `+where.SQL()+`
ORDER BY id `+order+`
LIMIT `+where.Arg(query.Limit), where.Args...)
	return engine.Wrap(found, err, "list audit entries")
}

func auditConditions(query audit.Query) engine.Where {
	var where engine.Where
	if query.WorkspaceID == nil {
		where.Add("workspace_id IS NULL")
	} else {
		where.Add("workspace_id = ?", *query.WorkspaceID)
	}
	addTexts(&where, query)
	if query.ActorID != nil {
		where.Add("actor_id = ?", *query.ActorID)
	}
	if query.SubjectID != nil {
		where.Add("subject_id = ?", *query.SubjectID)
	}
	if query.SubjectUUID != "" {
		where.Add("subject_kind = ?", entity.KindSkill)
		where.Add("subject_id = (SELECT MAX(id) FROM entity WHERE workspace_id = ? AND kind = ? AND uuid = ?)",
			query.WorkspaceID, entity.KindSkill, query.SubjectUUID)
	}
	if query.From != nil {
		where.Add("at >= ?", *query.From)
	}
	if query.Until != nil {
		where.Add("at <= ?", *query.Until)
	}
	if query.Before != 0 {
		where.Add("id < ?", query.Before)
	}
	if query.After != 0 {
		where.Add("id > ?", query.After)
	}
	return where
}

func addTexts(where *engine.Where, query audit.Query) {
	texts := []struct{ column, value string }{
		{"actor_kind", string(query.ActorKind)},
		{"actor_name", query.ActorName},
		{"action", string(query.Action)},
		{"subject_kind", query.SubjectKind},
	}
	for _, text := range texts {
		if text.value != "" {
			where.Add(text.column+" = ?", text.value)
		}
	}
}
