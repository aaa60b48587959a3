package embedded

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// hold keeps the store from applying anything until the returned function is called.
func hold(t *testing.T, s *Store) (release func()) {
	t.Helper()
	held, end := make(chan struct{}), make(chan struct{})
	done := make(chan error, 1)
	go func() {
		done <- s.applier.do(context.Background(), func() error {
			close(held)
			<-end
			return nil
		})
	}()
	<-held
	release = sync.OnceFunc(func() {
		close(end)
		check.OK(t, <-done)
	})
	t.Cleanup(release)
	return release
}

// TestSearchesDoNotWait searches logs of which the table has all, some and none, while it
// gets none, and afterwards.
func TestSearchesDoNotWait(t *testing.T) {
	t.Parallel()
	for name, applied := range map[string]int{"all recent": 0, "most recent": 30, "half": 200, "few recent": 390, "one recent": 399} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openAt(t, t.TempDir())
			t.Cleanup(func() { closeStore(t, s) })
			logs := logstoretest.Corpus()[:400]
			if applied > 0 {
				check.OK(t, s.Write(t.Context(), reqlog.Batch{Logs: logs[:applied]}))
			}
			check.Must(s.queue.await(t.Context()))(t)
			release := hold(t, s)
			check.OK(t, s.Write(t.Context(), reqlog.Batch{Logs: logs[applied:]}))

			var early []query.Found
			var asked []query.SearchQuery
			for _, q := range logstoretest.Searches(logs, uint64(applied), 200) {
				if !table.Evaluates(q.Filter) {
					continue
				}
				asked = append(asked, q)
				early = append(early, check.Must(s.Search(t.Context(), q))(t))
			}
			release()
			check.Must(s.queue.await(t.Context()))(t)
			some := 0
			for i, q := range asked {
				late := check.Must(s.Search(t.Context(), q))(t)
				if diff := cmp.Diff(late, early[i], cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(reqlog.Log{})); diff != "" {
					t.Fatalf("%+v: applied -, recent +\n%s", q, diff)
				}
				if len(late.Items) > 0 {
					some++
				}
			}
			if some < 50 {
				t.Errorf("only %d of %d searches find anything", some, len(asked))
			}
		})
	}
}

// searching is a search that continues, or has ended.
type searching struct {
	s      *Store
	done   chan struct{}
	cancel context.CancelFunc
	found  query.Found
	err    error
}

func search(t *testing.T, s *Store, q query.Query) *searching {
	t.Helper()
	s.queue.mu.Lock()
	s.queue.wanted = 0 // nobody waits
	s.queue.mu.Unlock()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	one := &searching{s: s, done: make(chan struct{}), cancel: cancel}
	go func() {
		defer close(one.done)
		one.found, one.err = s.Search(ctx, query.SearchQuery{Query: q, SortBy: query.FieldStart, Page: 1, PerPage: 5})
	}()
	return one
}

// waits reports whether the search waits for the table. Otherwise, it ends.
func (one *searching) waits(t *testing.T) (waits bool) {
	t.Helper()
	check.Eventually(t, "the search waits or ends", func() bool {
		one.s.queue.mu.Lock()
		waits = one.s.queue.wanted > 0
		one.s.queue.mu.Unlock()
		select {
		case <-one.done:
			return true
		default:
			return waits
		}
	})
	return waits
}

// total ends a search that waits for nothing any more.
func (one *searching) total(t *testing.T) int64 {
	t.Helper()
	<-one.done
	check.OK(t, one.err)
	return one.found.Total
}

// TestSearchesThatWait asks for what only the table contains: they wait until it has
// everything.
func TestSearchesThatWait(t *testing.T) {
	t.Parallel()
	s := openAt(t, t.TempDir())
	t.Cleanup(func() { closeStore(t, s) })
	logs := logstoretest.Corpus()[:20]
	check.OK(t, s.Write(t.Context(), reqlog.Batch{Logs: logs[:10]}))
	check.Must(s.queue.await(t.Context()))(t)
	release := hold(t, s)
	check.OK(t, s.Write(t.Context(), reqlog.Batch{Logs: logs[10:]}))
	waits := func(what string, q query.Query, want bool) {
		t.Helper()
		one := search(t, s, q)
		check.Equal(t, what+": waits", one.waits(t), want)
		one.cancel()
		if <-one.done; want && !errors.Is(one.err, context.Canceled) || !want && one.err != nil {
			t.Errorf("%s: %v", what, one.err)
		}
	}
	home := func(filter query.Node) query.Query {
		return query.Query{Workspace: logstoretest.Home, Filter: filter}
	}
	waits("a condition on traces", home(query.Cond{Field: query.FieldHasTrace, Op: query.OpIsTrue}), true)
	waits("a condition on a text", home(query.Cond{Field: query.FieldInputText, Op: query.OpContains, Texts: []string{"a"}}), true)
	waits("free text", query.Query{Workspace: logstoretest.Home, Text: "refund"}, true)
	waits("everything", home(nil), false)
	check.OK(t, s.Write(t.Context(), reqlog.Batch{Changes: []reqlog.Change{{
		Workspace: logs[0].Workspace, ID: logs[0].ID, Annotation: reqlog.Annotation{Score: &reqlog.Score{Name: "default", Value: 7}},
	}}}))
	waits("everything, while an annotation is pending", home(nil), true)
	release()
}

// answering returns a log whose output has so many values under a key.
func answering(t *testing.T, id int64, key string, values int) *reqlog.Log {
	t.Helper()
	list := make([]string, values)
	for i := range list {
		list[i] = fmt.Sprint("Value ", i)
	}
	answer := check.Must(json.Marshal(map[string][]string{key: list}))(t)
	text := check.Must(json.Marshal(string(answer)))(t)
	l := &reqlog.Log{
		ID: id, Workspace: logstoretest.Home, Provider: "openai", Engine: "gpt-4o", Status: reqlog.StatusSuccess, Start: reqlog.Micros(id), End: reqlog.Micros(id),
		Input:  json.RawMessage(`{"type":"completion","content":[{"type":"text","text":"q"}]}`),
		Output: json.RawMessage(`{"type":"completion","content":[{"type":"text","text":` + string(text) + `}]}`),
	}
	reqlog.Derive(l)
	return l
}

// TestExpensiveSearches asks for what takes long to find among recent logs: searches look at
// them up to a limit, and otherwise wait for the table.
func TestExpensiveSearches(t *testing.T) {
	t.Parallel()
	s := openAt(t, t.TempDir())
	t.Cleanup(func() { closeStore(t, s) })
	var logs []*reqlog.Log
	for id := range int64(30) {
		logs = append(logs, answering(t, id+1, "k", 1000))
	}
	logs = append(logs, answering(t, 31, "k", 10_000), answering(t, 32, "other", 1))
	check.Equal(t, "values", len(logs[30].Index.Output), 10_000)
	release := hold(t, s)
	check.OK(t, s.Write(t.Context(), reqlog.Batch{Logs: logs}))

	cond := func(op query.Op, texts ...string) query.Cond {
		return query.Cond{Field: query.FieldOutput, Op: op, Key: "k", Texts: texts}
	}
	anyOf := func(count int, c query.Cond) (group query.Group) {
		group.Any = true
		for range count {
			group.Nodes = append(group.Nodes, c)
		}
		return group
	}
	var many []string
	for i := range 999 {
		many = append(many, fmt.Sprint("no value ", i))
	}
	many = slices.Clip(many)
	noKey := query.Cond{Field: query.FieldMetadata, Op: query.OpIsNotEmpty, Key: "k"}
	late := map[string]*searching{}
	for what, tc := range map[string]struct {
		filter query.Node
		total  int64
		waits  bool
	}{
		"a huge operand":                     {cond(query.OpKeyContains, strings.Repeat("V", 1<<20)), 0, false},
		"an operand":                         {cond(query.OpKeyContains, "VALUE 9999"), 1, false},
		"many operands":                      {cond(query.OpIn, append(many, "Value 1500")...), 1, false},
		"many conditions without values":     {anyOf(500, noKey), 0, false},
		"many conditions with many values":   {anyOf(500, cond(query.OpIsEmpty)), 1, true},
		"many conditions with many operands": {anyOf(20, cond(query.OpIn, append(many, "Value 999")...)), 31, false},
		"many conditions that are all met":   {query.Group{Nodes: anyOf(100, cond(query.OpIn, append(many[:99:99], "Value 999")...)).Nodes}, 31, true},
	} {
		one := search(t, s, query.Query{Workspace: logstoretest.Home, Filter: tc.filter})
		check.Equal(t, what+": waits", one.waits(t), tc.waits)
		if tc.waits {
			late[what] = one
			continue
		}
		check.Equal(t, what, one.total(t), tc.total)
	}
	release()
	check.Equal(t, "many values under one key", late["many conditions with many values"].total(t), 1)
	check.Equal(t, "many operands and many values", late["many conditions that are all met"].total(t), 31)
}

// TestSpecialTexts searches for parts of texts that are longer or shorter in lower case, as
// the table does.
func TestSpecialTexts(t *testing.T) {
	t.Parallel()
	s := openAt(t, t.TempDir())
	t.Cleanup(func() { closeStore(t, s) })
	texts := []string{"", "k", "\u212a", "\u212a\u212a", "\u0130x", "ix", "ȺȺȺ", "ⱥⱥ", "Ⱦx", "ẞ", "ß", "Straße", "ÉÉ", "éÉx", "日本", `a\u0000b`}
	var logs []*reqlog.Log
	for i, text := range texts {
		l := answering(t, int64(i+1), "k", 1)
		l.Metadata = []reqlog.Member{{Key: "t", Value: json.RawMessage(`"` + text + `"`)}}
		reqlog.Derive(l)
		logs = append(logs, l)
	}
	release := hold(t, s)
	check.OK(t, s.Write(t.Context(), reqlog.Batch{Logs: logs}))
	ask := func() (totals []string) {
		for _, l := range logs {
			for _, operand := range []string{l.Index.Metadata[0].Value, strings.ToUpper(l.Index.Metadata[0].Value), strings.ToLower(l.Index.Metadata[0].Value)} {
				for _, op := range []query.Op{query.OpKeyContains, query.OpKeyEquals, query.OpIn} {
					c := query.Cond{Field: query.FieldMetadata, Op: op, Key: "t", Texts: []string{operand}}
					found := check.Must(s.Search(t.Context(), query.SearchQuery{Query: query.Query{Workspace: logstoretest.Home, Filter: c}, Page: 1, PerPage: 50}))(t)
					text := fmt.Sprintf("%s %q:", op, operand)
					for _, item := range found.Items {
						text += fmt.Sprint(" ", item.ID)
					}
					totals = append(totals, text)
				}
			}
		}
		return totals
	}
	early := ask()
	release()
	check.Must(s.queue.await(t.Context()))(t)
	if diff := cmp.Diff(ask(), early); diff != "" {
		t.Errorf("applied -, recent +\n%s", diff)
	}
}
