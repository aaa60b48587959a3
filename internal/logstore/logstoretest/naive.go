package logstoretest

import (
	"cmp"
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// naive is a store that keeps logs in a slice and goes through all of them for
// every question. It is what engines are compared with, so it prefers being
// obviously right to being fast.
type naive struct {
	mu   sync.RWMutex
	logs []*reqlog.Log // in the order of their ids
	// words are what free text looks for in each log; annotations leave them
	// alone.
	words    map[int64][]string
	spans    []*reqlog.Span
	traces   map[spanRef]string // of logs
	closures []reqlog.Closure
	// logged are the prices that logs were written with, of those that were priced
	// again.
	logged map[int64]reqlog.Price
	lastID int64 // the highest that there ever was
}

var _ requests.Store = (*naive)(nil)

// Write implements reqlog.Writer.
func (n *naive) Write(ctx context.Context, batch reqlog.Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, l := range batch.Logs {
		n.addLog(l)
	}
	for _, c := range batch.Changes {
		if i := n.find(c.Workspace, c.ID); i >= 0 {
			n.logs[i] = annotated(n.logs[i], c.Annotation)
		}
	}
	n.writeSpans(batch.Spans)
	for _, c := range batch.Prices {
		n.reprice(c)
	}
	for _, d := range batch.Deletions {
		n.delete(d)
	}
	return nil
}

func (n *naive) addLog(l *reqlog.Log) {
	n.logs = append(n.logs, copyOf(l))
	n.lastID = max(n.lastID, l.ID)
	if n.words == nil {
		n.words = map[int64][]string{}
	}
	n.words[l.ID] = append(tokens(l.Index.InputText), tokens(l.Index.OutputText)...)
}

// find returns the place of a log of the workspace, -1 when there is none.
func (n *naive) find(workspace, id int64) int {
	return slices.IndexFunc(n.logs, func(l *reqlog.Log) bool { return l.ID == id && l.Workspace == workspace })
}

// Backlog implements reqlog.Writer.
func (n *naive) Backlog() float64 { return 0 }

// Exists implements query.Reader.
func (n *naive) Exists(_ context.Context, workspace, id int64) error {
	n.mu.RLock()
	defer n.mu.RUnlock()
	if n.find(workspace, id) < 0 {
		return fault.NotFoundf("Request not found")
	}
	return nil
}

// in returns the logs of a workspace.
func (n *naive) in(workspace int64) (logs []*reqlog.Log) {
	for _, l := range n.logs {
		if l.Workspace == workspace {
			logs = append(logs, n.withTrace(l))
		}
	}
	return logs
}

// copyOf returns a log that shares nothing with l which anybody changes.
func copyOf(l *reqlog.Log) *reqlog.Log {
	c := *l
	c.Tags = slices.Clone(l.Tags)
	c.Metadata = slices.Clone(l.Metadata)
	c.Scores = slices.Clone(l.Scores)
	if l.Prompt != nil {
		link := *l.Prompt
		c.Prompt = &link
	}
	return &c
}

func annotated(l *reqlog.Log, change reqlog.Annotation) *reqlog.Log {
	c := copyOf(l)
	for _, m := range change.Metadata {
		setMember(&c.Metadata, m.Key, m.Value)
	}
	if score := change.Score; score != nil {
		setNamed(&c.Scores, *score)
		if score.Name == "default" {
			c.Score = score.Value
		}
	}
	if change.Prompt != nil {
		c.Prompt, c.Variables = change.Prompt, change.Variables
	}
	if change.GroupID != 0 {
		c.GroupID = change.GroupID
	}
	for _, key := range change.RemovedKeys {
		c.Metadata = slices.DeleteFunc(c.Metadata, func(m reqlog.Member) bool { return m.Key == key })
	}
	for _, name := range change.RemovedScores {
		c.Scores = slices.DeleteFunc(c.Scores, func(s reqlog.Score) bool { return s.Name == name })
		if name == "default" {
			c.Score = 0
		}
	}
	for _, path := range change.RemovedPaths {
		c.Metadata = withoutPath(c.Metadata, strings.Split(path, "."))
	}
	before := c.Index
	reqlog.Derive(c)
	if c.TextsDeleted { // what was derived from them stays, but for words
		metadata := c.Index.Metadata
		c.Variables, c.Index = nil, before
		c.Index.Metadata = metadata
	}
	return c
}

// withoutPath returns members without what is under a path. It writes the values that
// have it anew, with sorted keys.
func withoutPath(members []reqlog.Member, path []string) (left []reqlog.Member) {
	for _, m := range members {
		var value any
		if err := json.Unmarshal(m.Value, &value); err != nil {
			panic(err) // the corpus is JSON
		}
		whole := map[string]any{m.Key: value}
		dropPath(whole, path)
		value, keeps := whole[m.Key]
		if !keeps {
			continue
		}
		if text, err := json.Marshal(value); err != nil {
			panic(err)
		} else if !jsonEqual(text, m.Value) {
			m.Value = text
		}
		left = append(left, m)
	}
	return left
}

// dropPath removes the members of a tree whose keys, with dots between them, begin
// with the path. A key may have dots itself.
func dropPath(tree any, path []string) {
	switch tree := tree.(type) {
	case []any:
		for _, element := range tree {
			dropPath(element, path)
		}
	case map[string]any:
		for key, value := range tree {
			parts := strings.Split(key, ".")
			switch n := min(len(parts), len(path)); {
			case !slices.Equal(parts[:n], path[:n]):
			case n == len(path):
				delete(tree, key)
			default:
				dropPath(value, path[n:])
			}
		}
	}
}

func jsonEqual(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

func setMember(members *[]reqlog.Member, key string, value json.RawMessage) {
	for i := range *members {
		if (*members)[i].Key == key {
			(*members)[i].Value = value
			return
		}
	}
	*members = append(*members, reqlog.Member{Key: key, Value: value})
}

func setNamed(scores *[]reqlog.Score, score reqlog.Score) {
	for i := range *scores {
		if (*scores)[i].Name == score.Name {
			(*scores)[i] = score
			return
		}
	}
	*scores = append(*scores, score)
}

// Get implements query.Reader.
func (n *naive) Get(ctx context.Context, workspace, id int64) (*reqlog.Log, error) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	for _, l := range n.logs {
		if l.ID == id && l.Workspace == workspace {
			return n.withTrace(copyOf(l)), nil
		}
	}
	return nil, fault.NotFoundf("Request not found")
}

// Close implements reqlog.Writer.
func (n *naive) Close() error { return nil }

// selected returns the logs that the query selects, in the order of their ids.
func (n *naive) selected(ctx context.Context, q query.Query) ([]*reqlog.Log, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	text := newFreeText(q.Text)
	var logs []*reqlog.Log
	for _, l := range n.logs {
		l = n.withTrace(l)
		if l.Workspace == q.Workspace && text.matches(l, n.words[l.ID]) && holds(q.Filter, l) {
			logs = append(logs, l)
		}
	}
	return logs, nil
}

// Search implements query.Reader.
func (n *naive) Search(ctx context.Context, q query.SearchQuery) (query.Found, error) {
	logs, err := n.selected(ctx, q.Query)
	if err != nil {
		return query.Found{}, err
	}
	n.sort(logs, q)
	found := query.Found{Total: int64(len(logs))}
	if q.Page-1 > len(logs)/q.PerPage {
		return found, nil
	}
	from := min((q.Page-1)*q.PerPage, len(logs))
	for _, l := range logs[from:min(from+q.PerPage, len(logs))] {
		found.Items = append(found.Items, itemOf(l))
	}
	return found, nil
}

// itemOf returns a log as a page of a search shows it.
func itemOf(l *reqlog.Log) *reqlog.Log {
	c := copyOf(l)
	c.Input, c.Output, c.Parameters, c.Index = nil, nil, nil, reqlog.Index{}
	return c
}

func (n *naive) sort(logs []*reqlog.Log, q query.SearchQuery) {
	if q.SortBy != "" {
		slices.SortFunc(logs, func(a, b *reqlog.Log) int { return compareBy(a, b, q) })
		return
	}
	exact := n.exact(logs, newFreeText(q.Text))
	slices.SortFunc(logs, func(a, b *reqlog.Log) int {
		return cmp.Or(
			compareBools(exact[b.ID], exact[a.ID]), cmp.Compare(b.Start, a.Start), cmp.Compare(b.ID, a.ID))
	})
}

// exact tells which of the logs have every word of the text.
func (n *naive) exact(logs []*reqlog.Log, text freeText) map[int64]bool {
	n.mu.RLock()
	defer n.mu.RUnlock()
	exact := map[int64]bool{}
	for _, l := range logs {
		exact[l.ID] = text.exactly(n.words[l.ID])
	}
	return exact
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// compareBy compares by the field of a search, nulls last, then by id.
func compareBy(a, b *reqlog.Log, q query.SearchQuery) int {
	var order int
	field := q.SortBy
	switch field.Type() {
	case query.TypeStatus:
		order = cmp.Compare(a.Status, b.Status)
	case query.TypeDatetime:
		order = cmp.Compare(instantOf(a, field), instantOf(b, field))
	default:
		x, hasX := numberOf(a, field, q.SortKey)
		y, hasY := numberOf(b, field, q.SortKey)
		if hasX != hasY {
			return compareBools(hasY, hasX)
		}
		order = cmp.Compare(x, y) // both are 0 when there is no value
		if field.Type() == query.TypeNumeric && !fractional(field) {
			x, _ := wholeOf(a, field)
			y, _ := wholeOf(b, field)
			order = cmp.Compare(x, y)
		}
	}
	order = cmp.Or(order, cmp.Compare(a.ID, b.ID))
	if q.Ascending {
		return order
	}
	return -order
}
