package engine

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/table"
)

// errUnaudited is the error of a transaction that changed something without an
// audit entry, so that a method that forgets it fails in its first test.
var errUnaudited = errors.New("catalog: something was changed without an entry in the audit log")

// wrote records that rows of a table were changed; an audit entry may be added
// before or after the change.
func (db *DB) wrote(ctx context.Context, to table.Table, rows int) {
	if rows == 0 || !to.Audited {
		return
	}
	if current := db.current(ctx); current != nil {
		current.unaudited = !current.audited
	}
}

// auditColumns are the columns of an audit entry. The first seven have the
// values of noteArgs.
const auditColumns = `(workspace_id, at, actor_kind, actor_id, actor_name, action, detail, subject_kind, subject_id, subject_name)`

// Detail holds further facts about an action.
type Detail map[string]any

// JSON returns the detail as an audit entry stores it.
func (d Detail) JSON() (string, error) {
	if len(d) == 0 {
		return "{}", nil
	}
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(d)
	return strings.TrimSuffix(text.String(), "\n"), err
}

// Note adds an entry to the audit log of a workspace, or to that of the
// installation when workspaceID is nil, in the transaction of the change.
func Note(
	ctx context.Context, db *DB, workspaceID *int64, action audit.Action, subject audit.Subject, detail Detail,
) error {
	text, err := detail.JSON()
	if err != nil {
		return err
	}
	args, err := noteArgs(ctx, db, workspaceID, action, text)
	if err != nil {
		return err
	}
	_, err = Exec(ctx, db, table.AuditEntry.Insert(auditColumns+`
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`), append(args, subject.Kind, subject.ID, subject.Name)...)
	return err
}

// NoteEntities is Note for each of the entities with the ids, which must exist
// and be at most Chunk. detail is the JSON of their common detail.
func NoteEntities(
	ctx context.Context, db *DB, workspaceID int64, action audit.Action, ids []int64, detail string,
) error {
	args, err := noteArgs(ctx, db, &workspaceID, action, detail)
	if err != nil {
		return err
	}
	where := Where{Args: args}
	AddList(&where, "id", ids)
	_, err = Exec(ctx, db, table.AuditEntry.Insert(auditColumns+`
SELECT CAST($1 AS BIGINT), CAST($2 AS BIGINT), $3, CAST($4 AS BIGINT), $5, $6, $7, kind, id, name
FROM entity
WHERE `+where.SQL()+`
ORDER BY id`), where.Args...)
	return err
}

// noteArgs returns the values that all entries of one action share.
func noteArgs(ctx context.Context, db *DB, workspaceID *int64, action audit.Action, detail string) ([]any, error) {
	current := db.current(ctx)
	if current == nil {
		return nil, errors.New("catalog: audit entries can be written in a transaction only")
	}
	current.audited, current.unaudited = true, false
	actor := audit.ActorOf(ctx)
	return []any{workspaceID, db.now(), string(actor.Kind), actor.ID, actor.Name, string(action), detail}, nil
}
