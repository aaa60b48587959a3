package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/audit"
)

// unaudited are the tables whose changes no entry tells of: they hold no work
// of people, or only what they need to work, or what came of it.
var unaudited = []string{
	"shared_id", "request_group", "id_block", "workspace_revision", "session", "sign_in_link", "audit_entry",
	"job", "workflow_run", "workflow_run_node", "report_run", "report_run_column", "report_row",
	"dataset_content", "dataset_row", "dataset_prompt",
	"skill_content",
}

// errUnaudited is what a transaction fails with that changed something and has
// no entry for it, so that a method which forgets it never works, not even in
// its first test.
var errUnaudited = errors.New("catalog: something was changed without an entry in the audit log")

// wrote remembers that a statement has changed something an entry must tell
// of; the entry may come before or after it.
func (c *Catalog) wrote(ctx context.Context, query string, rows int) {
	table := writtenTable(query)
	if table == "" || rows == 0 || slices.Contains(unaudited, table) {
		return
	}
	if current := c.current(ctx); current != nil {
		current.unaudited = !current.noted
	}
}

const insertAudit = `
INSERT INTO audit_entry (workspace_id, at, actor_kind, actor_id, actor_name, action, detail, subject_kind, subject_id, subject_name)
`

// detail is what else there is to know of an action.
type detail map[string]any

func (d detail) text() (string, error) {
	if len(d) == 0 {
		return "{}", nil
	}
	text, err := json.Marshal(d)
	return string(text), err
}

// note adds an entry to the audit log of a workspace, nil for that of the
// installation, within the transaction of the change.
func (c *Catalog) note(
	ctx context.Context, workspaceID *int64, action audit.Action, subject audit.Subject, more detail,
) error {
	args, err := c.noteArgs(ctx, workspaceID, action, more)
	if err != nil {
		return err
	}
	_, err = c.exec(ctx, insertAudit+`
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, append(args, subject.Kind, subject.ID, subject.Name)...)
	return err
}

// noteEntity is note for an entity of a workspace.
func (c *Catalog) noteEntity(ctx context.Context, e Entity, action audit.Action, more detail) error {
	return c.note(ctx, &e.WorkspaceID, action, audit.SubjectOf(e), more)
}

// noteEntities adds an entry for each of the entities, which are still there.
func (c *Catalog) noteEntities(
	ctx context.Context, workspaceID int64, ids []int64, action audit.Action, more detail,
) error {
	args, err := c.noteArgs(ctx, &workspaceID, action, more)
	if err != nil {
		return err
	}
	return inChunks(distinct(ids), func(ids []int64) error {
		where := conditions{args: slices.Clone(args)}
		addList(&where, "id", ids)
		_, err := c.exec(ctx, insertAudit+`
SELECT CAST($1 AS BIGINT), CAST($2 AS BIGINT), $3, CAST($4 AS BIGINT), $5, $6, $7, kind, id, name
FROM entity
WHERE `+where.where()+`
ORDER BY id`, where.args...)
		return err
	})
}

// noteArgs returns the values that all entries of one action share.
func (c *Catalog) noteArgs(ctx context.Context, workspaceID *int64, action audit.Action, more detail) ([]any, error) {
	current := c.current(ctx)
	if current == nil {
		return nil, errors.New("catalog: the audit log is written within a transaction only")
	}
	current.noted, current.unaudited = true, false
	text, err := more.text()
	actor := audit.ActorOf(ctx)
	return []any{workspaceID, c.now(), string(actor.Kind), actor.ID, actor.Name, string(action), text}, err
}

const auditColumns = `id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, detail`

func scanAudit(r row) (audit.Entry, error) {
	var e audit.Entry
	err := r.Scan(&e.ID, &e.WorkspaceID, at{&e.At}, &e.Actor.Kind, &e.Actor.ID, &e.Actor.Name, &e.Action,
		&e.Subject.Kind, &e.Subject.ID, &e.Subject.Name, (*[]byte)(&e.Detail))
	return e, err
}

// ListAudit returns the newest entries that match, newest first.
func (c *Catalog) ListAudit(ctx context.Context, query audit.Query) ([]audit.Entry, error) {
	where := auditConditions(query)
	found, err := queryAll(ctx, c, scanAudit, `
SELECT `+auditColumns+`
FROM audit_entry
WHERE `+where.where()+`
ORDER BY id DESC
LIMIT `+where.arg(query.Limit), where.args...)
	if err != nil {
		return nil, fmt.Errorf("list audit entries: %w", err)
	}
	return found, nil
}

func auditConditions(query audit.Query) conditions {
	var where conditions
	if query.WorkspaceID == nil {
		where.add("workspace_id IS NULL")
	} else {
		where.add("workspace_id = ?", *query.WorkspaceID)
	}
	for column, value := range map[string]string{
		"actor_kind": string(query.ActorKind), "actor_name": query.ActorName,
		"action": string(query.Action), "subject_kind": query.SubjectKind,
	} {
		if value != "" {
			where.add(column+" = ?", value)
		}
	}
	for column, value := range map[string]*int64{"actor_id": query.ActorID, "subject_id": query.SubjectID} {
		if value != nil {
			where.add(column+" = ?", *value)
		}
	}
	if query.From != nil {
		where.add("at >= ?", *query.From)
	}
	if query.Until != nil {
		where.add("at <= ?", *query.Until)
	}
	if query.Before != 0 {
		where.add("id < ?", query.Before)
	}
	return where
}
