package embedded

import (
	"context"
	"math"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/logstore/embedded/textindex"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// maxRanked is the position up to which the text index finds the logs of a page.
const maxRanked = 10_000

// foundPage is a page of ids.
type foundPage struct {
	ids   []int64
	total int64
}

// textSearch finds the logs that match free text and text conditions: those that the
// text index is sure of, and of those that it is not, the ones whose texts in the journal
// pass. It waits for nothing that is not applied.
type textSearch struct {
	journal *journal.Journal
	texts   *texts
	index   *index
	queue   *queue
	alarms  *alarms
}

// search answers a search for free text from the text index alone, if it has no
// other conditions than times, and the usual order: logs that match exactly first,
// then the newest. Such a search does not wait for the table, and its time depends
// on the number of matches instead of that of all logs.
func (t *textSearch) search(ctx context.Context, query query.SearchQuery) (found foundPage, ok bool, err error) {
	last := query.Offset() + int64(query.PerPage)
	wanted := textindex.Wanted{Owner: query.Workspace, From: math.MinInt64, To: math.MaxInt64}
	if query.Text == "" || query.SortBy != "" || last > maxRanked || query.Filter != nil && !wantTimes(&wanted, query.Filter) {
		return found, false, nil
	}
	pending, upTo, err := t.queue.all(ctx)
	if err != nil {
		return found, true, err
	}
	text := t.texts.current()
	if err := t.texts.add(pending); err != nil {
		return found, true, err
	}
	wanted.UpTo = upTo
	sel := &table.Selection{Query: query.Query}
	if err := t.match(ctx, text, sel); err != nil || sel.Matches == nil {
		return found, err != nil, err
	}
	all, err := t.rank(text, sel, wanted, int(last))
	all.ids = all.ids[min(query.Offset(), int64(len(all.ids))):]
	return all, true, err
}

// rank returns the first n of the logs that match, and the number of all.
func (t *textSearch) rank(text *textindex.Index, sel *table.Selection, wanted textindex.Wanted, n int) (found foundPage, err error) {
	found.ids, found.total, err = text.Newest(sel.Exact, wanted, n)
	if err == nil {
		sel.Matches.AndNot(sel.Exact)
		var others foundPage
		others.ids, others.total, err = text.Newest(sel.Matches, wanted, n-len(found.ids))
		found.ids, found.total = append(found.ids, others.ids...), found.total+others.total
	}
	if err != nil {
		if damaged := t.alarms.textError(text); damaged != nil {
			return foundPage{}, damaged
		}
		return foundPage{}, fault.Busy(retryAfter, err, "The text index has been closed. Please retry")
	}
	return found, nil
}

// wantTimes reports whether a filter consists of bounds of the start time, all of
// which must be met, and adds them to what is wanted.
func wantTimes(wanted *textindex.Wanted, filter query.Node) bool {
	switch n := filter.(type) {
	case query.Group:
		if n.Any && len(n.Nodes) > 1 {
			return false
		}
		for _, child := range n.Nodes {
			if !wantTimes(wanted, child) {
				return false
			}
		}
		return true
	case query.Cond:
		from, to, ok := startBounds(n)
		wanted.From, wanted.To = max(wanted.From, from), min(wanted.To, to)
		return ok
	default:
		return false
	}
}

// startBounds returns the first and the last time that a condition on the start time
// allows.
func startBounds(c query.Cond) (from, to int64, ok bool) {
	if c.Field != query.FieldStart {
		return 0, 0, false
	}
	switch c.Op {
	case query.OpAfter:
		return int64(c.Times[0]) + 1, math.MaxInt64, true
	case query.OpBefore:
		return math.MinInt64, int64(c.Times[0]) - 1, true
	case query.OpIs:
		return int64(c.Times[0]), int64(c.Times[0]), true
	case query.OpBetween:
		return int64(c.Times[0]), int64(c.Times[1]), true
	default:
		return 0, 0, false
	}
}
