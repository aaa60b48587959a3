package requests

import (
	"context"
	"strconv"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// SearchInput requests one page of logs.
type SearchInput struct {
	query.Input
	// Page counts from 1.
	Page    int
	PerPage int
	// IncludePromptName requests the names of the prompts of the page's logs.
	IncludePromptName bool
}

// SearchResult is one page of logs.
type SearchResult struct {
	query.Found
	// PromptNames has the names of the items' prompts by id, if they still exist.
	// It is empty unless requested.
	PromptNames map[int64]string
}

// Analysis is the analytics payload with the names of its prompts.
type Analysis struct {
	*chart.Analytics
	// PromptNames has the names of the ranked prompts by the text of their id, as
	// in the lists.
	PromptNames map[string]string
}

// Get returns the log in its current state, or a NotFound fault. The caller
// must not modify it.
func (s *Service) Get(ctx context.Context, workspace, id int64) (*reqlog.Log, error) {
	return s.store.Get(ctx, workspace, id)
}

// InferenceClient returns the name of the inference client that the version of
// the log's prompt sets, "" if there is none or the prompt was deleted.
func (s *Service) InferenceClient(ctx context.Context, l *reqlog.Log) (string, error) {
	if l.Prompt == nil {
		return "", nil
	}
	link, err := s.prompts.Resolve(ctx, l.Workspace, reqlog.PromptRef{ID: l.Prompt.ID, Version: l.Prompt.Version})
	if fault.Is(err, fault.NotFound) {
		return "", nil
	}
	return link.InferenceClient, err
}

// Search returns one page of the matching logs.
func (s *Service) Search(ctx context.Context, workspace int64, in SearchInput) (SearchResult, error) {
	q, err := s.query(ctx, workspace, in.Input)
	if err != nil {
		return SearchResult{}, err
	}
	found, err := s.store.Search(ctx, query.SearchQuery{
		Query: q, SortBy: in.SortBy, SortKey: in.SortKey, Ascending: in.Ascending, Page: in.Page, PerPage: in.PerPage,
	})
	if err != nil || !in.IncludePromptName {
		return SearchResult{Found: found}, err
	}
	var ids []int64
	for _, l := range found.Items {
		if l.Prompt != nil {
			ids = append(ids, l.Prompt.ID)
		}
	}
	names, err := s.promptNames(ctx, workspace, ids)
	return SearchResult{Found: found, PromptNames: names}, err
}

// Analyze returns the fixed analytics payload over the matching logs, in
// buckets chosen for their time range.
func (s *Service) Analyze(ctx context.Context, workspace int64, in query.Input) (Analysis, error) {
	q, err := s.query(ctx, workspace, in)
	if err != nil {
		return Analysis{}, err
	}
	bucket := chart.ChooseBucket(q.Filter, reqlog.At(s.clock()))
	analytics, err := s.store.Analyze(ctx, chart.AnalyzeQuery{Query: q, Bucket: bucket, BreakdownKey: in.BreakdownKey})
	if err != nil {
		return Analysis{}, err
	}
	var texts []string
	for _, p := range analytics.MostUsedPrompts {
		texts = append(texts, p.Name)
	}
	for _, p := range analytics.Prompts {
		texts = append(texts, p.Name)
	}
	names, err := s.promptNamesByText(ctx, workspace, texts)
	return Analysis{Analytics: analytics, PromptNames: names}, err
}

// Charts computes custom charts over the matching logs, in order.
func (s *Service) Charts(ctx context.Context, workspace int64, in query.Input, charts []chart.Chart) ([]chart.Result, error) {
	q, err := s.query(ctx, workspace, in)
	if err != nil {
		return nil, err
	}
	names := func(ctx context.Context, ids []int64) (map[int64]string, error) {
		return s.promptNames(ctx, workspace, ids)
	}
	keys := func(ctx context.Context) (map[int64]string, error) { return s.keys(ctx, workspace) }
	return chart.Build(ctx, charts, s.store.Aggregate, chart.Names{Prompts: names, Keys: keys}, q, reqlog.At(s.clock()))
}

// Measure groups the matching logs that started from a time until another, which is
// excluded, and computes measures for each group.
func (s *Service) Measure(
	ctx context.Context, workspace int64, in query.Input, from, until time.Time, by []chart.Dimension, measures ...chart.Measure,
) ([]chart.AggregateRow, error) {
	q, err := s.query(ctx, workspace, in)
	if err != nil {
		return nil, err
	}
	// Both operators exclude their bound.
	q.Filter = query.And(
		query.Cond{Field: query.FieldStart, Op: query.OpAfter, Times: []reqlog.Micros{reqlog.At(from) - 1}},
		query.Cond{Field: query.FieldStart, Op: query.OpBefore, Times: []reqlog.Micros{reqlog.At(until)}},
		q.Filter,
	)
	return s.store.Aggregate(ctx, chart.AggregateQuery{Query: q, By: by, Measures: measures})
}

// query converts the input of a client to a query for a store.
func (s *Service) query(ctx context.Context, workspace int64, in query.Input) (query.Query, error) {
	filter, err := query.Resolve(ctx, workspace, in.Filter, s.prompts, s.keys)
	return query.Query{Workspace: workspace, Filter: filter, Text: in.Text}, err
}

func (s *Service) promptNames(ctx context.Context, workspace int64, ids []int64) (map[int64]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return s.prompts.Names(ctx, workspace, ids)
}

// promptNamesByText is promptNames for ids in text form.
func (s *Service) promptNamesByText(ctx context.Context, workspace int64, texts []string) (map[string]string, error) {
	ids := make([]int64, 0, len(texts))
	for _, text := range texts {
		if id, err := strconv.ParseInt(text, 10, 64); err == nil {
			ids = append(ids, id)
		}
	}
	names, err := s.promptNames(ctx, workspace, ids)
	byText := make(map[string]string, len(names))
	for id, name := range names {
		byText[strconv.FormatInt(id, 10)] = name
	}
	return byText, err
}
