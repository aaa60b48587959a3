package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

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
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(d)
	return strings.TrimSuffix(text.String(), "\n"), err
}

// about adds the UUID of a skill collection: clients know it by nothing else.
func (d detail) about(e Entity) detail {
	if e.Kind != KindSkill {
		return d
	}
	more := detail{"uuid": e.Variant}
	maps.Copy(more, d)
	return more
}

// note adds an entry to the audit log of a workspace, nil for that of the
// installation, within the transaction of the change.
func (c *Catalog) note(
	ctx context.Context, workspaceID *int64, action audit.Action, subject audit.Subject, more detail,
) error {
	text, err := more.text()
	if err != nil {
		return err
	}
	args, err := c.noteArgs(ctx, workspaceID, action, text)
	if err != nil {
		return err
	}
	_, err = c.exec(ctx, insertAudit+`
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, append(args, subject.Kind, subject.ID, subject.Name)...)
	return err
}

// noteEntity is note for an entity of a workspace.
func (c *Catalog) noteEntity(ctx context.Context, e Entity, action audit.Action, more detail) error {
	return c.note(ctx, &e.WorkspaceID, action, audit.SubjectOf(e), more.about(e))
}

// noteEntities adds an entry for each of the entities, which are still there.
func (c *Catalog) noteEntities(
	ctx context.Context, workspaceID int64, ids []int64, action audit.Action, more detail,
) error {
	return c.noteEach(ctx, workspaceID, ids, action, func(Entity) detail { return more })
}

// noteEach is noteEntities with something of its own to know of each.
func (c *Catalog) noteEach(
	ctx context.Context, workspaceID int64, ids []int64, action audit.Action, more func(e Entity) detail,
) error {
	return inChunks(distinct(ids), func(ids []int64) error {
		told, err := c.whatToTell(ctx, ids, more)
		if err != nil {
			return err
		}
		for _, entities := range told {
			if err := c.noteAlike(ctx, workspaceID, entities, action); err != nil {
				return err
			}
		}
		return nil
	})
}

// alike are entities of which the same is to be known.
type alike struct {
	detail string
	ids    []int64
}

// whatToTell sorts entities by what is to be known of them: mostly it is the
// same of all.
func (c *Catalog) whatToTell(ctx context.Context, ids []int64, more func(e Entity) detail) ([]alike, error) {
	var where conditions
	addList(&where, "id", ids)
	entities, err := queryAll(ctx, c, scanEntity, `
SELECT `+entityColumns+`
FROM entity
WHERE `+where.where()+`
ORDER BY id`, where.args...)
	if err != nil {
		return nil, err
	}
	var told []alike
	places := map[string]int{}
	for _, e := range entities {
		text, err := more(e).about(e).text()
		if err != nil {
			return nil, err
		}
		i, known := places[text]
		if !known {
			i = len(told)
			places[text] = i
			told = append(told, alike{detail: text})
		}
		told[i].ids = append(told[i].ids, e.ID)
	}
	return told, nil
}

func (c *Catalog) noteAlike(ctx context.Context, workspaceID int64, entities alike, action audit.Action) error {
	args, err := c.noteArgs(ctx, &workspaceID, action, entities.detail)
	if err != nil {
		return err
	}
	where := conditions{args: args}
	addList(&where, "id", entities.ids)
	_, err = c.exec(ctx, insertAudit+`
SELECT CAST($1 AS BIGINT), CAST($2 AS BIGINT), $3, CAST($4 AS BIGINT), $5, $6, $7, kind, id, name
FROM entity
WHERE `+where.where()+`
ORDER BY id`, where.args...)
	return err
}

// noteArgs returns the values that all entries of one action share.
func (c *Catalog) noteArgs(ctx context.Context, workspaceID *int64, action audit.Action, detail string) ([]any, error) {
	current := c.current(ctx)
	if current == nil {
		return nil, errors.New("catalog: the audit log is written within a transaction only")
	}
	current.noted, current.unaudited = true, false
	actor := audit.ActorOf(ctx)
	return []any{workspaceID, c.now(), string(actor.Kind), actor.ID, actor.Name, string(action), detail}, nil
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
	if query.SubjectUUID != "" {
		where.add("subject_kind = ?", KindSkill)
		where.add("subject_id = (SELECT MAX(id) FROM entity WHERE workspace_id = ? AND kind = ? AND variant = ?)",
			query.WorkspaceID, KindSkill, query.SubjectUUID)
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
