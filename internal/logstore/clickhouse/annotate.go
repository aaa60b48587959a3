package clickhouse

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// annotate changes stored logs. Annotations are inserted first, then all of a log
// are read, those of other servers included, and the row gets the state after
// them. Of two servers that annotate the same log at once, at least one reads both
// annotations; the state after more annotations wins. Annotations of logs that the
// workspace does not have are ignored.
func (c *commit) annotate(ctx context.Context, changes []reqlog.Change) error {
	return c.annotatePart(ctx, "annotations", 0, changes)
}

// annotatePart is annotate for a part of the annotations of a commit, which has a
// name. Slot is the number of the first one in the commit.
func (c *commit) annotatePart(ctx context.Context, what string, slot int64, changes []reqlog.Change) error {
	if len(changes) == 0 {
		return nil
	}
	logs, err := c.annotated(ctx, changes)
	if err != nil || len(logs) == 0 {
		return err
	}
	if err := c.noteRemovals(ctx, what, changes, logs); err != nil {
		return err
	}
	if err := c.insertChanges(ctx, what, slot, changes, logs); err != nil {
		return err
	}
	if err := c.applyAll(ctx, logs); err != nil {
		return err
	}
	return c.setNotes(ctx, logs)
}

// annotatedLog is a stored log, with the annotations applied until now.
type annotatedLog struct {
	*reqlog.Log
	changes int64
}

// annotated returns the stored logs that changes are about, as they were written.
func (c *commit) annotated(ctx context.Context, changes []reqlog.Change) (map[int64]*annotatedLog, error) {
	logs := map[int64]*annotatedLog{}
	q := newQuery("SELECT id, workspace, head FROM log WHERE (workspace, id) IN (SELECT arrayJoin(arrayZip(")
	var ids, owners []int64
	for _, change := range changes {
		ids, owners = append(ids, change.ID), append(owners, change.Workspace)
	}
	q.write(q.bindInts(owners), ", ", q.bindInts(ids), "))) AND workspace IN ", q.bindInts(owners), " AND id IN ", q.bindInts(ids))
	err := c.read(ctx, q, func(rows *rowReader) error {
		var id, workspace int64
		var head []byte
		if err := rows.scan(&id, &workspace, &head); err != nil {
			return err
		}
		l, err := document.DecodeLog(head)
		if err != nil {
			return fmt.Errorf("log %d: %w", id, err)
		}
		l.ID, l.Workspace = id, workspace
		l.Index.Metadata, l.Index.Variables = reqlog.FlattenMembers(l.Metadata), reqlog.FlattenVariables(&l.Notes)
		logs[id] = &annotatedLog{Log: l}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read annotated logs: %w", err)
	}
	return logs, nil
}

func (c *commit) insertChanges(ctx context.Context, what string, slot int64, changes []reqlog.Change, logs map[int64]*annotatedLog) error {
	var b block
	for i, change := range changes {
		if l := logs[change.ID]; l == nil || l.Workspace != change.Workspace {
			continue
		}
		encoded, err := document.EncodeAnnotation(change.Annotation)
		if err != nil {
			return err
		}
		b.int(change.Workspace)
		b.int(change.ID)
		b.text(c.token)
		b.int(slot + int64(i))
		b.raw(encoded)
		b.rows++
	}
	return c.insert(ctx, what, insertInto("change", []string{"workspace", "id", "writer", "slot", "document"}), &b)
}

// applyAll applies all annotations of the logs.
func (c *commit) applyAll(ctx context.Context, logs map[int64]*annotatedLog) error {
	q := newQuery("SELECT id, document FROM change WHERE ")
	c.ofLogs(q, logs)
	q.write(" ORDER BY workspace, id, at, writer, slot")
	err := c.read(ctx, q, func(rows *rowReader) error {
		var id int64
		var encoded []byte
		if err := rows.scan(&id, &encoded); err != nil {
			return err
		}
		change, err := document.DecodeAnnotation(encoded)
		if err != nil {
			return fmt.Errorf("annotation of log %d: %w", id, err)
		}
		logs[id].changes++
		change.Apply(logs[id].Log)
		return nil
	})
	if err != nil {
		return fmt.Errorf("read annotations: %w", err)
	}
	return nil
}

// ofLogs writes the condition that selects rows of the logs. Ids are unique across
// workspaces.
func (c *commit) ofLogs(q *sqlQuery, logs map[int64]*annotatedLog) {
	var ids, workspaces []int64
	for id, l := range logs {
		ids, workspaces = append(ids, id), append(workspaces, l.Workspace)
	}
	q.write("workspace IN ", q.bindInts(workspaces), " AND id IN ", q.bindInts(ids))
}

// noteFields are the fields that annotations change.
var noteFields = []query.Field{
	query.FieldMetadataKeys, query.FieldMetadata, query.FieldPromptID, query.FieldPromptVersion, query.FieldPromptRef,
	query.FieldScoreNames, query.FieldScores, query.FieldVariableKeys, query.FieldVariables,
}

// setNotes gives the rows of the logs their new state, unless they have a later
// one.
func (c *commit) setNotes(ctx context.Context, logs map[int64]*annotatedLog) error {
	q, err := notesUpdate(slices.SortedFunc(maps.Values(logs), func(a, b *annotatedLog) int { return cmp.Compare(a.ID, b.ID) }))
	if err != nil {
		return err
	}
	return c.update(ctx, q)
}

func notesUpdate(logs []*annotatedLog) (*sqlQuery, error) {
	q := newQuery("UPDATE log SET ")
	ids, workspaces, counts, notes := make([]int64, len(logs)), make([]int64, len(logs)), make([]int64, len(logs)), make([]string, len(logs))
	for i, l := range logs {
		encoded, err := document.EncodeNotes(&l.Notes)
		if err != nil {
			return nil, err
		}
		ids[i], workspaces[i], counts[i], notes[i] = l.ID, l.Workspace, l.changes, string(encoded)
	}
	place := "[indexOf(" + q.bindInts(ids) + ", id)]"
	for _, field := range noteFields {
		q.write(field.Spec().Column, " = ", fieldValues(q, field.Spec(), logs), place, ", ")
	}
	newer := q.bindInts(counts) + place
	q.write("notes = ", q.bindTexts(notes), place, ", changes = ", newer,
		" WHERE workspace IN ", q.bindInts(workspaces), " AND id IN ", q.bindInts(ids), " AND changes < ", newer)
	return q, nil
}

// fieldValues binds the values of a field for each of the logs.
func fieldValues(q *sqlQuery, f *query.FieldSpec, logs []*annotatedLog) string {
	switch {
	case f.Int != nil:
		return q.bindIDs(optionalValues(logs, f.Int))
	case f.Word != nil:
		return q.bindWords(optionalValues(logs, f.Word))
	}
	lists := make([][]string, len(logs))
	for i, l := range logs {
		if f.Pairs != nil {
			lists[i] = document.PairTexts(f.Pairs(l.Log))
		} else {
			lists[i] = f.List(l.Log)
		}
	}
	return q.bindLists(lists)
}

// optionalValues returns a value of each log, nil where there is none.
func optionalValues[T any](logs []*annotatedLog, read func(*reqlog.Log) (T, bool)) []*T {
	values := make([]*T, len(logs))
	for i, l := range logs {
		if value, ok := read(l.Log); ok {
			values[i] = &value
		}
	}
	return values
}

// update runs an UPDATE that may be run twice.
func (c *commit) update(ctx context.Context, q *sqlQuery) error {
	settings := c.writeSettings()
	settings.Set("enable_lightweight_update", "1")
	if err := c.persist(ctx, statement{sql: q.text(), values: q.values, settings: settings}); err != nil {
		return fmt.Errorf("update logs: %w", err)
	}
	return nil
}
