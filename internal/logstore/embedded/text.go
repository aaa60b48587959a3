package embedded

import (
	"context"
	"errors"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/logstore/embedded/textindex"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// textFolder is where the text index lies within the data folder.
const textFolder = "text"

// The fields of the text index.
const (
	textInput = iota
	textOutput
	textThinking
)

var textFields = map[reqlog.Field]int{
	reqlog.FieldInputText: textInput, reqlog.FieldOutputText: textOutput, reqlog.FieldThinkingText: textThinking,
}

// selection waits for everything acknowledged and finds the ids that the
// query's free text and its text conditions match.
func (s *Store) selection(ctx context.Context, query reqlog.Query) (*table.Selection, error) {
	upTo, err := s.catchUp(ctx)
	if err != nil {
		return nil, err
	}
	sel := &table.Selection{Query: query, Texts: map[string]*textindex.Set{}, UpTo: upTo, Alone: s.only(query.Workspace)}
	if query.Text == "" && query.Filter == nil {
		return sel, nil
	}
	text := s.text.Load()
	if err := s.matchText(ctx, sel); err != nil {
		return nil, err
	}
	if err := s.resolveTexts(ctx, sel); err != nil {
		return nil, err
	}
	return sel, s.textError(text)
}

// matchText finds the logs for the query's free text. Text without a single
// word, such as {}, is looked for as it stands.
func (s *Store) matchText(ctx context.Context, sel *table.Selection) error {
	text := sel.Query.Text
	if strings.TrimSpace(text) == "" {
		return nil
	}
	all, exact, ok := s.text.Load().Match(text, textInput, textOutput)
	if ok {
		sel.Matches, sel.Exact = all, exact
		return nil
	}
	lowered := strings.ToLower(text)
	_, candidates := s.text.Load().Contains(textInput, text)
	_, inOutput := s.text.Load().Contains(textOutput, text)
	candidates.Or(inOutput)
	found, err := s.verify(ctx, candidates, func(texts [3]string) bool {
		return strings.Contains(texts[textInput], lowered) || strings.Contains(texts[textOutput], lowered)
	})
	sel.Matches, sel.Exact = found, found
	return err
}

// resolveTexts finds the logs that match each text condition of the filter.
func (s *Store) resolveTexts(ctx context.Context, sel *table.Selection) error {
	for c := range reqlog.Conds(sel.Query.Filter) {
		c, _ = c.Positive()
		if c.Field.Type() != reqlog.TypeText || sel.Texts[table.TextKey(c)] != nil {
			continue
		}
		set, err := s.textCondition(ctx, c)
		if err != nil {
			return err
		}
		sel.Texts[table.TextKey(c)] = set
	}
	return nil
}

// textCondition returns exactly the logs whose text passes the condition. The
// index returns candidates; those it is not sure of are checked against their
// texts.
func (s *Store) textCondition(ctx context.Context, c reqlog.Cond) (*textindex.Set, error) {
	field, value := textFields[c.Field], c.Texts[0]
	var sure, maybe *textindex.Set
	switch c.Op {
	case reqlog.OpStartsWith:
		maybe = s.text.Load().Prefix(field, value)
	case reqlog.OpEndsWith:
		maybe = s.text.Load().Suffix(field, value)
	default:
		sure, maybe = s.text.Load().Contains(field, value)
	}
	test := c.TextTest()
	found, err := s.verify(ctx, maybe, func(texts [3]string) bool { return test(texts[field]) })
	if err == nil && sure != nil {
		found.Or(sure)
	}
	return found, err
}

// candidateBlock is a journal block with the candidates that it holds.
type candidateBlock struct {
	at  journal.Position
	ids []int64
}

// verify keeps the candidates whose lower-cased texts pass the test, and those
// whose texts can no longer be read.
func (s *Store) verify(ctx context.Context, candidates *textindex.Set, test func(texts [3]string) bool) (*textindex.Set, error) {
	blocks := s.candidateBlocks(candidates)
	passed := make([][]int64, len(blocks))
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, block := range blocks {
		if groupCtx.Err() != nil {
			break
		}
		group.Go(func() (err error) {
			passed[i], err = s.verifyBlock(block, test)
			return err
		})
	}
	if err := errors.Join(group.Wait(), ctx.Err()); err != nil {
		return nil, err
	}
	found := &textindex.Set{}
	for _, ids := range passed {
		for _, id := range ids {
			found.Add(id)
		}
	}
	return found, nil
}

func (s *Store) candidateBlocks(candidates *textindex.Set) []candidateBlock {
	s.mu.Lock()
	defer s.mu.Unlock()
	var blocks []candidateBlock
	for id := range candidates.Each() {
		at, ok := s.blocks.find(id)
		if !ok {
			continue
		}
		if n := len(blocks); n == 0 || blocks[n-1].at != at {
			blocks = append(blocks, candidateBlock{at: at})
		}
		last := &blocks[len(blocks)-1]
		last.ids = append(last.ids, id)
	}
	return blocks
}

func (s *Store) verifyBlock(candidates candidateBlock, test func(texts [3]string) bool) ([]int64, error) {
	block, err := s.journal.Read(candidates.at)
	if errors.Is(err, journal.ErrDamaged) {
		return candidates.ids, nil // found as damaged logs
	}
	if err != nil {
		return nil, err
	}
	wanted := candidates.ids
	var passed []int64
	for _, raw := range block.Records {
		r := record(raw)
		if len(wanted) == 0 || !r.valid() || r.kind() != recordLog || r.id() != wanted[0] {
			continue
		}
		parts, err := r.parts()
		if err != nil {
			return nil, err
		}
		lowered := [3]string{
			strings.ToLower(string(parts[partInputText])), strings.ToLower(string(parts[partOutputText])), strings.ToLower(string(parts[partThinkingText])),
		}
		if test(lowered) {
			passed = append(passed, wanted[0])
		}
		wanted = wanted[1:]
	}
	return passed, nil
}
