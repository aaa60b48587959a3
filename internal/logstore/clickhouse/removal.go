package clickhouse

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/reqlog"
)

const (
	// removalLogs is the number of logs that are annotated or rewritten at once.
	removalLogs = 1_000
	// removalSlot is the number of the first annotation of a deletion in its commit,
	// after those that clients have made.
	removalSlot = 1 << 32
)

// remove removes metadata or scores of logs, by annotations. So a server that
// annotates one of them at the same time removes the same.
func (c *commit) remove(ctx context.Context, number int, d *reqlog.Deletion) error {
	slot := int64(removalSlot + number*reqlog.MaxDeleted)
	for from := 0; from < len(d.Logs); from += removalLogs {
		part := d.Logs[from:min(from+removalLogs, len(d.Logs))]
		changes := make([]reqlog.Change, len(part))
		for i, id := range part {
			changes[i] = reqlog.Change{Workspace: d.Workspace, ID: id, Annotation: d.Removal()}
		}
		what := "removal " + strconv.Itoa(number) + "." + strconv.Itoa(from)
		if err := c.annotatePart(ctx, what, slot+int64(from), changes); err != nil {
			return err
		}
	}
	return nil
}

// noteRemovals notes the logs of which annotations remove something, before any read
// lacks it. Then Reclaim finds them, also if this server is lost.
func (c *commit) noteRemovals(ctx context.Context, what string, changes []reqlog.Change, logs map[int64]*annotatedLog) error {
	var b block
	for i := range changes {
		change := &changes[i]
		if l := logs[change.ID]; l == nil || l.Workspace != change.Workspace || !change.Annotation.Removes() {
			continue
		}
		b.int(change.Workspace)
		b.int(change.ID)
		b.rows++
	}
	return c.insert(ctx, what, insertInto("removal", []string{"workspace", "id"}), &b)
}

// removedOf returns what annotations have removed of the logs of a deletion, by id.
func (c *commit) removedOf(ctx context.Context, d *reqlog.Deletion) (map[int64]reqlog.Annotation, error) {
	q := newQuery("SELECT id, document FROM change WHERE workspace = ")
	q.write(q.bindInt(d.Workspace), " AND id IN ", q.bindInts(d.Logs), ` AND position(document, '"removed_') > 0`)
	removed := map[int64]reqlog.Annotation{}
	err := c.read(ctx, q, func(rows *rowReader) error {
		var id int64
		var encoded []byte
		if err := rows.scan(&id, &encoded); err != nil {
			return err
		}
		change, err := document.DecodeAnnotation(encoded)
		removed[id] = withRemovals(removed[id], &change)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read what was removed: %w", err)
	}
	return removed, nil
}

// dropRemoved writes the heads and the annotations of logs again that have metadata
// or scores which were removed since. It returns when there are none left.
func (s *Store) dropRemoved(ctx context.Context) error {
	c := &commit{Store: s}
	for {
		page, err := s.pendingRemovals(ctx)
		if err != nil || len(page.ids) == 0 {
			return err
		}
		if err := c.dropFromHeads(ctx, page); err != nil {
			return err
		}
		if err := c.dropFromChanges(ctx, page); err != nil {
			return err
		}
		if err := c.deleteRows(ctx, "removal", page.forget()); err != nil {
			return err
		}
	}
}

// removalPage is a part of the rows of the table of removals, of one workspace.
type removalPage struct {
	workspace int64
	ids, at   []int64
}

func (s *Store) pendingRemovals(ctx context.Context) (page removalPage, err error) {
	q := newQuery("SELECT workspace, id, at FROM removal WHERE workspace = (SELECT min(workspace) FROM removal) ORDER BY id, at LIMIT ")
	q.write(q.bindInt(removalLogs))
	err = s.read(ctx, q, func(rows *rowReader) error {
		var id, at int64
		err := rows.scan(&page.workspace, &id, &at)
		page.ids, page.at = append(page.ids, id), append(page.at, at)
		return err
	})
	if err != nil {
		return page, fmt.Errorf("read removals: %w", err)
	}
	return page, nil
}

// forget writes the statement that deletes the rows of the page.
func (p *removalPage) forget() *sqlQuery {
	q := newQuery("DELETE FROM removal WHERE workspace = ")
	ids := q.bindInts(p.ids)
	q.write(q.bindInt(p.workspace), " AND id IN ", ids, " AND (id, at) IN (SELECT arrayJoin(arrayZip(", ids, ", ", q.bindInts(p.at), ")))")
	return q
}

// dropFromHeads writes heads again without what was removed.
func (c *commit) dropFromHeads(ctx context.Context, page removalPage) error {
	removed, err := c.removedOf(ctx, &reqlog.Deletion{Workspace: page.workspace, Logs: page.ids})
	if err != nil {
		return err
	}
	q := newQuery()
	q.write("SELECT id, head, texts_deleted FROM log WHERE workspace = ", q.bindInt(page.workspace), " AND id IN ", q.bindInts(page.ids))
	heads := map[bool]*newHeads{false: {}, true: {}}
	err = c.read(ctx, q, func(rows *rowReader) error {
		var id int64
		var head []byte
		var stripped bool
		if err := rows.scan(&id, &head, &stripped); err != nil {
			return err
		}
		head, changed, err := withoutRemoved(head, removed[id])
		if to := heads[stripped]; changed {
			to.ids, to.heads = append(to.ids, id), append(to.heads, string(head))
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("read logs with what was removed: %w", err)
	}
	for stripped, one := range heads {
		if len(one.ids) == 0 {
			continue
		}
		if err := c.update(ctx, headsUpdate(page.workspace, stripped, one)); err != nil {
			return err
		}
	}
	return nil
}

// newHeads are heads of logs.
type newHeads struct {
	ids   []int64
	heads []string
}

// headsUpdate writes the statement that replaces heads, unless texts were deleted
// since they were read.
func headsUpdate(workspace int64, stripped bool, n *newHeads) *sqlQuery {
	q := newQuery("UPDATE log SET head = ")
	list := q.bindInts(n.ids)
	condition := " AND NOT texts_deleted"
	if stripped {
		condition = ""
	}
	q.write(q.bindTexts(n.heads), "[indexOf(", list, ", id)] WHERE workspace = ", q.bindInt(workspace), " AND id IN ", list, condition)
	return q
}

// withoutRemoved returns a head without what was removed.
func withoutRemoved(head []byte, removed reqlog.Annotation) (left []byte, changed bool, err error) {
	l, err := document.DecodeLog(head)
	if err != nil {
		return head, false, err
	}
	if !removed.RemoveFrom(l) {
		return head, false, nil
	}
	left, err = document.EncodeLog(l)
	return left, true, err
}

// logChange is an annotation that is stored.
type logChange struct {
	key     string
	change  reqlog.Annotation
	changed bool
}

// dropFromChanges writes annotations again without what later ones have removed.
func (c *commit) dropFromChanges(ctx context.Context, page removalPage) error {
	q := newQuery("SELECT id, ", changeKey, ", document FROM change WHERE workspace = ")
	q.write(q.bindInt(page.workspace), " AND id IN ", q.bindInts(page.ids), " ORDER BY id, at, writer, slot")
	changes := map[int64][]logChange{}
	err := c.read(ctx, q, func(rows *rowReader) error {
		var id int64
		var key string
		var encoded []byte
		if err := rows.scan(&id, &key, &encoded); err != nil {
			return err
		}
		change, err := document.DecodeAnnotation(encoded)
		changes[id] = append(changes[id], logChange{key: key, change: change})
		return err
	})
	if err != nil {
		return fmt.Errorf("read annotations with what was removed: %w", err)
	}
	var keys, documents []string
	for _, all := range changes {
		withoutLater(all)
		for i := range all {
			if !all[i].changed {
				continue
			}
			encoded, err := document.EncodeAnnotation(all[i].change)
			if err != nil {
				return err
			}
			keys, documents = append(keys, all[i].key), append(documents, string(encoded))
		}
	}
	if len(keys) == 0 {
		return nil
	}
	return c.setDocuments(ctx, page.workspace, page.ids, keys, documents)
}

// withoutLater removes from annotations of a log what later ones remove. They stay,
// even if they are empty: their number is that of the state of the log.
func withoutLater(all []logChange) {
	var later reqlog.Annotation
	for i := range slices.Backward(all) {
		one := &all[i]
		one.change, one.changed = one.change.Without(&later)
		later = withRemovals(later, &one.change)
	}
}

// withRemovals returns an annotation that also removes what another one does.
func withRemovals(a reqlog.Annotation, other *reqlog.Annotation) reqlog.Annotation {
	a.RemovedKeys = withNames(a.RemovedKeys, other.RemovedKeys)
	a.RemovedScores = withNames(a.RemovedScores, other.RemovedScores)
	a.RemovedPaths = withNames(a.RemovedPaths, other.RemovedPaths)
	return a
}

// withNames adds the names that are not in the list yet.
func withNames(list, names []string) []string {
	for _, name := range names {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}
