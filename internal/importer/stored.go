package importer

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/importer/source"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// idBlocks is how many ids back the logs of another server may be: servers take ids
// in blocks, so that the next log can have a lower id than the last one.
const idBlocks = 100_000

// findStored finds the rows of a commit that were written already: the process was
// lost before it could save its progress.
func (x *execution) findStored(commit int64) error {
	query, err := parseQuery(`{"filters":[` + filterOf(x.Now.ID) + `,{"field":"metadata","operator":"key_equals","nested_key":"` + MarkKey + `.commit","value":"` +
		strconv.FormatInt(commit, 10) + `"}]}`)
	if err != nil {
		return err
	}
	x.stored = map[int64]bool{}
	for after := max(0, x.Now.Run.LastID-idBlocks); ; {
		part, err := x.service.logs.ScanPart(x.Always, x.Now.Workspace, query, after, x.service.batchRows)
		if err != nil {
			return err
		}
		for _, l := range part.Logs {
			if row := rowOf(l.Log); row > 0 {
				x.stored[row] = true
			}
		}
		if after = part.Next; after == 0 {
			return nil
		}
	}
}

func parseQuery(text string) (query.Input, error) {
	var problems fault.Problems
	query, err := query.Parse(jsontree.MustParse(text), &problems)
	if invalid := problems.Err(); invalid != nil {
		return query, invalid
	}
	return query, err
}

// rowOf returns the row that a log comes from, 0 if it says none.
func rowOf(l *reqlog.Log) int64 {
	for _, m := range l.Metadata {
		if m.Key == MarkKey {
			mark, err := jsontree.Parse(m.Value)
			row, ok := mark.Get("row").Int()
			if err == nil && ok {
				return row
			}
		}
	}
	return 0
}

// dropStored removes the rows that are stored from a batch and returns them.
func (b *batch) dropStored(stored map[int64]bool) (dropped []batchRow) {
	if len(stored) == 0 {
		return nil
	}
	var rest []batchRow
	for _, one := range b.rows {
		if stored[one.row.Number] {
			dropped = append(dropped, one)
		} else {
			rest = append(rest, one)
		}
	}
	b.rows = rest
	return dropped
}

// restore returns dropped rows to a batch, for another attempt.
func (b *batch) restore(rows []batchRow) { b.rows = append(rows, b.rows...) }

// dropExisting removes the rows that were exported from this workspace and are still
// there: the same id, times, provider and model.
func (x *execution) dropExisting(b *batch) error {
	if x.rows.Format() != source.Promptuary {
		return nil
	}
	var ids []string
	for _, one := range b.rows {
		if id, err := strconv.ParseInt(one.row.ID, 10, 64); err == nil && id > 0 && one.row.Workspace == x.Now.Workspace {
			ids = append(ids, fmt.Sprintf(`"%d"`, id))
		}
	}
	if len(ids) == 0 {
		return nil
	}
	query, err := parseQuery(`{"filters":[{"field":"pl_id","operator":"in","value":[` + strings.Join(ids, ",") + `]}]}`)
	if err != nil {
		return err
	}
	existing := map[string]*reqlog.Log{}
	for after := int64(0); ; {
		part, err := x.service.logs.ScanPart(x.Always, x.Now.Workspace, query, after, len(ids))
		if err != nil {
			return err
		}
		for _, l := range part.Logs {
			existing[strconv.FormatInt(l.ID, 10)] = l.Log
		}
		if after = part.Next; after == 0 {
			break
		}
	}
	b.dropSame(existing, x.Now.Workspace)
	return nil
}

// dropSame removes the rows that are equal to an existing log.
func (b *batch) dropSame(existing map[string]*reqlog.Log, workspace int64) {
	var rest []batchRow
	for _, one := range b.rows {
		l, have := existing[one.row.ID], one.in.Log
		if l == nil || one.row.Workspace != workspace || l.Start != have.Start || l.End != have.End || l.Engine != have.Engine || l.Provider != have.Provider {
			rest = append(rest, one)
			continue
		}
		b.remark(one.row, NoteExisting, "The workspace has the request already")
	}
	b.rows = rest
}
