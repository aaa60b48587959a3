package clickhouse

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// deletionTables have rows that belong to logs. Rows of the log table are deleted by
// updates, as its other changes are.
var deletionTables = []string{"log", "change", "span", "closure"}

// deleteAll makes deletions. They come before the new logs of a commit, and may be
// made twice. No read sees a part of one: the rows of logs go last.
func (c *commit) deleteAll(ctx context.Context, deletions []reqlog.Deletion) error {
	for i := range deletions {
		d := &deletions[i]
		if err := c.deleteTraces(ctx, d); err != nil {
			return err
		}
		if len(d.Logs) == 0 {
			continue
		}
		if err := c.readable(ctx, d); err != nil {
			return err
		}
		if d.KeepsLogs() {
			if err := c.deleteParts(ctx, i, d); err != nil {
				return err
			}
			continue
		}
		if err := c.deleteRows(ctx, "change", deleteQuery("change", "id", d.Workspace, d.Logs)); err != nil {
			return err
		}
		if err := c.delete(ctx, []int64{d.Workspace}, d.Logs); err != nil {
			return err
		}
	}
	return nil
}

// deleteParts deletes texts, metadata or scores of logs. The deletion has a number in
// the commit.
func (c *commit) deleteParts(ctx context.Context, number int, d *reqlog.Deletion) error {
	if d.Removes() {
		return c.remove(ctx, number, d)
	}
	return c.dropTexts(ctx, d)
}

// readable notes the highest id that is deleted, because there may be no other row
// that proves it.
func (c *commit) readable(ctx context.Context, d *reqlog.Deletion) error {
	_, err := c.readLastID(ctx)
	if err != nil {
		return fmt.Errorf("look up the last log: %w", err)
	}
	d.Logs = slices.DeleteFunc(slices.Clone(d.Logs), func(id int64) bool { return id > c.lastID.Load() })
	return nil
}

// deleteTraces deletes the traces of the logs, and those that are named.
func (c *commit) deleteTraces(ctx context.Context, d *reqlog.Deletion) error {
	traces := make([]int64, len(d.Traces))
	for i, id := range d.Traces {
		traces[i] = reqlog.TraceKey(d.Workspace, id)
	}
	if len(d.Logs) > 0 && d.TakesTraces() {
		q := newQuery()
		workspace := q.bindInt(d.Workspace)
		q.write("SELECT DISTINCT trace_key FROM span WHERE workspace = ", workspace, " AND log_key IN (SELECT span_key FROM log WHERE workspace = ", workspace,
			" AND span_key <> 0 AND id IN ", q.bindInts(d.Logs), ")")
		if err := c.read(ctx, q, func(rows *rowReader) error {
			var key int64
			err := rows.scan(&key)
			traces = append(traces, key)
			return err
		}); err != nil {
			return fmt.Errorf("find the traces of logs: %w", err)
		}
	}
	for _, part := range []struct {
		table, column string
		keys          []int64
	}{{"span", "trace_key", traces}, {"closure", "trace_key", traces}, {"span", "key", d.SpanKeys}, {"closure", "key", d.ClosureKeys}} {
		if len(part.keys) == 0 {
			continue
		}
		if err := c.deleteRows(ctx, part.table, deleteQuery(part.table, part.column, d.Workspace, part.keys)); err != nil {
			return err
		}
	}
	return nil
}

func deleteQuery(table, column string, workspace int64, keys []int64) *sqlQuery {
	q := newQuery("DELETE FROM ", table, " WHERE workspace = ")
	q.write(q.bindInt(workspace), " AND ", column, " IN ", q.bindInts(keys))
	return q
}

// deleteRows runs a DELETE that may be run twice, and waits until no read finds the
// rows.
func (c *commit) deleteRows(ctx context.Context, table string, q *sqlQuery) error {
	settings := c.writeSettings()
	settings.Set("lightweight_deletes_sync", "2")
	if err := c.persist(ctx, statement{sql: q.text(), values: q.values, settings: settings}); err != nil {
		return fmt.Errorf("delete from %s: %w", table, err)
	}
	return nil
}

// dropTexts deletes the texts of logs, and those of their annotations.
func (c *commit) dropTexts(ctx context.Context, d *reqlog.Deletion) error {
	if err := c.dropVariables(ctx, d); err != nil {
		return err
	}
	removed, err := c.removedOf(ctx, d)
	if err != nil {
		return err
	}
	q := newQuery()
	q.write("SELECT id, head, notes FROM log WHERE workspace = ", q.bindInt(d.Workspace), " AND id IN ", q.bindInts(d.Logs), " AND NOT texts_deleted ORDER BY id")
	var ids []int64
	var heads, notes []string
	err = c.read(ctx, q, func(rows *rowReader) error {
		var id int64
		var head, note []byte
		if err := rows.scan(&id, &head, &note); err != nil {
			return err
		}
		head, note, err := withoutTexts(head, note, removed[id])
		ids, heads, notes = append(ids, id), append(heads, string(head)), append(notes, string(note))
		return err
	})
	if err != nil {
		return fmt.Errorf("read logs whose texts are deleted: %w", err)
	}
	if len(ids) == 0 {
		return nil
	}
	return c.update(ctx, textsUpdate(d.Workspace, ids, heads, notes))
}

// withoutTexts returns the head and the notes of a log without texts. The head also
// loses what was removed: it could be written without that at the same time.
func withoutTexts(head, notes []byte, removed reqlog.Annotation) (newHead, newNotes []byte, err error) {
	l, err := document.DecodeLog(head)
	if err != nil {
		return nil, nil, err
	}
	l.DropTexts()
	removed.RemoveFrom(l)
	if newHead, err = document.EncodeLog(l); err != nil || len(notes) == 0 {
		return newHead, nil, err
	}
	current, err := document.DecodeNotes(notes)
	if err != nil {
		return nil, nil, err
	}
	current.Variables = nil
	newNotes, err = document.EncodeNotes(&current)
	return newHead, newNotes, err
}

// textsUpdate writes the statement that deletes the texts of logs, as
// reqlog.Log.DropTexts does.
func textsUpdate(workspace int64, ids []int64, heads, notes []string) *sqlQuery {
	q := newQuery("UPDATE log SET ")
	list := q.bindInts(ids)
	place := "[indexOf(" + list + ", id)]"
	for _, column := range []string{"input", "output"} {
		q.write(column, " = if(JSONExtractString(", column, `, 'type') = 'completion', '{"type":"completion","content":[]}', '{"type":"chat","messages":[]}'), `)
	}
	for _, column := range []string{"parameters", "input_text", "output_text", "thinking_text"} {
		q.write(column, " = '', ")
	}
	for _, field := range []query.Field{query.FieldOutputKeys, query.FieldOutput, query.FieldVariableKeys, query.FieldVariables} {
		q.write(field.Spec().Column, " = [], ")
	}
	q.write("words = [], head = ", q.bindTexts(heads), place, ", notes = ", q.bindTexts(notes), place, ", texts_deleted = true WHERE workspace = ",
		q.bindInt(workspace), " AND id IN ", list)
	return q
}

// dropVariables deletes the input variables of annotations.
func (c *commit) dropVariables(ctx context.Context, d *reqlog.Deletion) error {
	q := newQuery("SELECT ", changeKey, ", document FROM change WHERE workspace = ")
	q.write(q.bindInt(d.Workspace), " AND id IN ", q.bindInts(d.Logs))
	var keys, documents []string
	err := c.read(ctx, q, func(rows *rowReader) error {
		var key string
		var encoded []byte
		if err := rows.scan(&key, &encoded); err != nil {
			return err
		}
		change, err := document.DecodeAnnotation(encoded)
		if err != nil || len(change.Variables) == 0 {
			return err
		}
		change.Variables = nil
		encoded, err = document.EncodeAnnotation(change)
		keys, documents = append(keys, key), append(documents, string(encoded))
		return err
	})
	if err != nil {
		return fmt.Errorf("read annotations whose texts are deleted: %w", err)
	}
	if len(keys) == 0 {
		return nil
	}
	return c.setDocuments(ctx, d.Workspace, d.Logs, keys, documents)
}

// setDocuments replaces the documents of the annotations with these keys.
func (c *commit) setDocuments(ctx context.Context, workspace int64, logs []int64, keys, documents []string) error {
	u := documentsUpdate(workspace, logs, keys, documents)
	settings := c.writeSettings()
	settings.Set("mutations_sync", "2")
	if err := c.persist(ctx, statement{sql: u.text(), values: u.values, settings: settings}); err != nil {
		return fmt.Errorf("write annotations again: %w", err)
	}
	return nil
}

// changeKey identifies an annotation.
const changeKey = "concat(toString(id), ' ', toString(at), ' ', writer, ' ', toString(slot))"

func documentsUpdate(workspace int64, logs []int64, keys, documents []string) *sqlQuery {
	q := newQuery("ALTER TABLE change UPDATE document = ")
	list := q.bindTexts(keys)
	q.write(q.bindTexts(documents), "[indexOf(", list, ", ", changeKey, ")] WHERE workspace = ", q.bindInt(workspace), " AND id IN ", q.bindInts(logs),
		" AND has(", list, ", ", changeKey, ")")
	return q
}

// Reclaim implements reqlog.Remover. It makes the server write the parts again that
// have deleted rows or values.
func (s *Store) Reclaim(ctx context.Context, progress reqlog.ReclaimProgress) (done reqlog.Reclaimed, err error) {
	if progress == nil {
		progress = func(float64, reqlog.Reclaimed) {}
	}
	if err := s.dropRemoved(ctx); err != nil {
		return done, s.explain(err)
	}
	all, err := s.rewritings(ctx)
	if err != nil {
		return done, s.explain(err)
	}
	for i, one := range all {
		rewritten, err := s.rewrite(ctx, one)
		if err != nil {
			return done, s.explain(fmt.Errorf("write tables again: %w", err))
		}
		done.Add(rewritten)
		progress(float64(i+1)/float64(len(all)), done)
	}
	return done, nil
}

// rewriting merges the parts of a table, or of a month of the log table.
type rewriting struct {
	table, month string // no month for a whole table
}

func (s *Store) rewrite(ctx context.Context, one rewriting) (done reqlog.Reclaimed, err error) {
	done.Files = 1
	if done.BytesBefore, err = s.diskBytes(ctx, one); err != nil {
		return done, err
	}
	settings := s.writeSettings()
	settings.Set("alter_sync", "2")
	settings.Set("optimize_throw_if_noop", "1")
	partition := ""
	if one.month != "" {
		partition = " PARTITION ID '" + one.month + "'"
	}
	if err := s.exec(ctx, statement{sql: "OPTIMIZE TABLE " + one.table + partition + " FINAL", settings: settings}); err != nil {
		return done, err
	}
	done.BytesAfter, err = s.diskBytes(ctx, one)
	return done, err
}

// rewritings returns the merges of parts of the tables, which leave out what is
// deleted. Mutations would do that for fewer parts, but may lose updates
// of rows that are made at the same time. Only the months of logs are merged that
// have updates or deleted rows.
func (s *Store) rewritings(ctx context.Context) (all []rewriting, err error) {
	q := newQuery("SELECT DISTINCT splitByChar('-', partition_id)[-1] AS month FROM system.parts WHERE active AND database = currentDatabase() AND table = 'log'",
		" AND (has_lightweight_delete OR startsWith(partition_id, 'patch-')) ORDER BY month")
	err = s.read(ctx, q, func(rows *rowReader) error {
		var month string
		err := rows.scan(&month)
		if err == nil {
			_, err = strconv.ParseUint(month, 10, 32)
		}
		all = append(all, rewriting{"log", month})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("find what to write again: %w", err)
	}
	for _, table := range deletionTables[1:] {
		all = append(all, rewriting{table: table})
	}
	return all, nil
}

// diskBytes returns the size of a table, or of a month of the log table with the
// updates of its rows.
func (s *Store) diskBytes(ctx context.Context, of rewriting) (sum int64, err error) {
	q := newQuery("SELECT toInt64(sum(bytes_on_disk)) FROM system.parts WHERE active AND database = currentDatabase() AND table = ")
	q.write(q.bind(of.table))
	if of.month != "" {
		q.write(" AND splitByChar('-', partition_id)[-1] = ", q.bind(of.month))
	}
	_, err = s.readRow(ctx, q, &sum)
	return sum, err
}
