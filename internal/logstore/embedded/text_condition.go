package embedded

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/logstore/embedded/textindex"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

var textFields = map[query.Field]int{
	query.FieldInputText: textInput, query.FieldOutputText: textOutput, query.FieldThinkingText: textThinking,
}

// match finds the logs that match the query's free text. Text without any
// word, such as {}, is searched for literally.
func (t *textSearch) match(ctx context.Context, index *textindex.Index, sel *table.Selection) error {
	text := sel.Query.Text
	if strings.TrimSpace(text) == "" {
		return nil
	}
	all, exact, ok := index.Match(text, textInput, textOutput)
	if ok {
		t.index.dropHidden(all, nil)
		t.index.dropHidden(exact, nil)
		sel.Matches, sel.Exact = all, exact
		return nil
	}
	lowered := strings.ToLower(text)
	found, candidates := &textindex.Set{}, &textindex.Set{}
	var conditions []*textCondition
	for _, field := range []int{textInput, textOutput} {
		c := &textCondition{field: field, test: func(text string) bool { return strings.Contains(text, lowered) }, found: found}
		_, c.maybe = index.Contains(field, text)
		candidates.Or(c.maybe)
		conditions = append(conditions, c)
	}
	sel.Matches, sel.Exact = found, found
	err := t.verify(ctx, candidates, conditions)
	t.index.dropHidden(found, nil)
	return err
}

// textCondition is a text condition being resolved: the logs that are known to
// match, and those whose text has to be read.
type textCondition struct {
	field int
	test  func(text string) bool
	found *textindex.Set
	maybe *textindex.Set
}

// resolve finds the logs that match each text condition of the filter. The
// texts that have to be read are read once for all conditions.
func (t *textSearch) resolve(ctx context.Context, sel *table.Selection) error {
	var conditions []*textCondition
	candidates := &textindex.Set{}
	for c := range query.Conds(sel.Query.Filter) {
		c, _ = c.Positive()
		if c.Field.Type() != query.TypeText || sel.Texts[table.TextKey(c)] != nil {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		condition := t.condition(c)
		sel.Texts[table.TextKey(c)] = condition.found
		conditions = append(conditions, condition)
		candidates.Or(condition.maybe)
	}
	err := t.verify(ctx, candidates, conditions)
	for _, c := range conditions {
		t.index.dropHidden(c.found, c.test)
	}
	return err
}

// condition asks the text index for the logs whose text may pass the
// condition.
func (t *textSearch) condition(c query.Cond) *textCondition {
	field, value := textFields[c.Field], c.Texts[0]
	condition := &textCondition{field: field, test: c.TextTest(), found: &textindex.Set{}}
	switch c.Op {
	case query.OpStartsWith:
		condition.maybe = t.texts.current().Prefix(field, value)
	case query.OpEndsWith:
		condition.maybe = t.texts.current().Suffix(field, value)
	default:
		condition.found, condition.maybe = t.texts.current().Contains(field, value)
	}
	return condition
}

// candidateBlock is a journal block with the candidates that it holds.
type candidateBlock struct {
	at  journal.Position
	ids []int64
}

// verify reads the texts of the candidates and adds those that pass a condition
// to what it has found, and those that can no longer be read.
func (t *textSearch) verify(ctx context.Context, candidates *textindex.Set, conditions []*textCondition) error {
	blocks := t.index.locate(candidates)
	var mu sync.Mutex // guards what the conditions have found
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, block := range blocks {
		if groupCtx.Err() != nil {
			break
		}
		group.Go(guard.Task("search", func() error {
			passed, err := t.verifyBlock(groupCtx, block, conditions)
			mu.Lock()
			defer mu.Unlock()
			for i, ids := range passed {
				for _, id := range ids {
					conditions[i].found.Add(id)
				}
			}
			return err
		}))
	}
	return errors.Join(group.Wait(), ctx.Err())
}

// verifyBlock returns the candidates of a block that pass each condition.
func (t *textSearch) verifyBlock(ctx context.Context, candidates candidateBlock, conditions []*textCondition) ([][]int64, error) {
	passed := make([][]int64, len(conditions))
	check := func(id int64, texts *logTexts) {
		for i, c := range conditions {
			if c.maybe.Has(id) && (texts == nil || c.test(texts[c.field])) {
				passed[i] = append(passed[i], id)
			}
		}
	}
	block, err := t.journal.Read(candidates.at)
	if errors.Is(err, journal.ErrDamaged) {
		for _, id := range candidates.ids {
			check(id, nil) // found as damaged logs
		}
		return passed, nil
	}
	if err != nil {
		return nil, err
	}
	wanted := candidates.ids
	for _, raw := range block.Records {
		r := record(raw)
		if len(wanted) == 0 || !r.valid() || r.kind() != recordLog || r.id() != wanted[0] {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		parts, err := r.parts()
		if err != nil {
			return nil, err
		}
		texts := parts.texts()
		for i := range texts {
			texts[i] = strings.ToLower(texts[i])
		}
		check(wanted[0], &texts)
		wanted = wanted[1:]
	}
	return passed, nil
}
