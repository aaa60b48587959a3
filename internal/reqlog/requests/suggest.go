package requests

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// maxSuggestions is the maximum number of suggestions.
const maxSuggestions = 100

// SuggestInput requests values for a filter on a field.
type SuggestInput struct {
	// Field is one of SuggestFields, which differ from the filter fields: values
	// under a key have a separate name.
	Field string
	// Prefix restricts to values that start with it, ignoring case.
	Prefix string
	// Key is the key of the values, if the field needs one.
	Key string
	// PromptID, if not 0, restricts the names of prompts to this one.
	PromptID int64
	// Filter restricts the logs to take values from; nil includes all.
	Filter query.Node
}

// Check returns an Invalid fault for an invalid field or key.
func (in SuggestInput) Check() error {
	var problems fault.Problems
	field := query.Suggested(in.Field)
	switch {
	case in.Field == "":
		problems.Report([]any{"query", "field"}, fault.Required)
	case field == nil:
		problems.Report([]any{"query", "field"}, fault.OneOf(query.SuggestFields...))
	case field.Type.HasKeys() && in.Key == "":
		problems.Add([]any{"query", "metadata_key"}, "missing", "Field required for %s", in.Field)
	}
	return problems.Err()
}

// Suggest returns distinct values of the field among the matching logs, most
// frequent first, then alphabetically.
func (s *Service) Suggest(ctx context.Context, workspace int64, in SuggestInput) ([]string, error) {
	if err := in.Check(); err != nil {
		return nil, err
	}
	q, err := s.query(ctx, workspace, query.Input{Filter: in.Filter})
	if err != nil {
		return nil, err
	}
	field := query.Suggested(in.Field)
	switch field.Name {
	case query.FieldPrompt:
		return s.suggestPrompts(ctx, q, in)
	case query.FieldAPIKey:
		return s.suggestNames(ctx, q, in, query.FieldAPIKeyID, func([]string) (map[string]string, error) { return s.keyNamesByText(ctx, workspace) })
	}
	suggest := query.SuggestQuery{Query: q, Field: field.Name, Prefix: in.Prefix, Limit: maxSuggestions}
	if field.Type.HasKeys() {
		suggest.Key = in.Key
	}
	return s.store.Suggest(ctx, suggest)
}

// suggestPrompts suggests names, which stores do not have: they count by id,
// and prefix, order and limit are applied to the names here. A live and a
// deleted template with the same name are one suggestion.
func (s *Service) suggestPrompts(ctx context.Context, q query.Query, in SuggestInput) ([]string, error) {
	if in.PromptID != 0 {
		q.Filter = query.And(query.Cond{Field: query.FieldPromptID, Op: query.OpIs, IDs: []int64{in.PromptID}}, q.Filter)
	}
	return s.suggestNames(ctx, q, in, query.FieldPromptID, func(ids []string) (map[string]string, error) {
		return s.promptNamesByText(ctx, q.Workspace, ids)
	})
}

// suggestNames suggests the names of the ids that logs have in a field.
func (s *Service) suggestNames(ctx context.Context, q query.Query, in SuggestInput, field query.Field, lookUp func(ids []string) (map[string]string, error)) ([]string, error) {
	rows, err := s.store.Aggregate(ctx, chart.AggregateQuery{
		Query: q, By: []chart.Dimension{{Field: field}}, Measures: []chart.Measure{{Metric: chart.MetricCount}},
	})
	if err != nil {
		return nil, err
	}
	ids := make([]string, 0, len(rows))
	for _, row := range rows {
		ids = append(ids, row.Keys[0])
	}
	names, err := lookUp(ids)
	if err != nil {
		return nil, err
	}
	requests := map[string]float64{}
	for _, row := range rows {
		name, ok := names[row.Keys[0]]
		if ok && hasPrefixFold(name, in.Prefix) && row.Values[0] != nil {
			requests[name] += *row.Values[0]
		}
	}
	return mostFrequent(requests), nil
}

// keyNamesByText returns the names of the API keys of a workspace by the text of their
// id.
func (s *Service) keyNamesByText(ctx context.Context, workspace int64) (map[string]string, error) {
	names, err := s.keys(ctx, workspace)
	byText := make(map[string]string, len(names))
	for id, name := range names {
		byText[strconv.FormatInt(id, 10)] = name
	}
	return byText, err
}

func hasPrefixFold(text, prefix string) bool {
	return strings.HasPrefix(strings.ToLower(text), strings.ToLower(prefix))
}

func mostFrequent(requests map[string]float64) []string {
	names := slices.SortedFunc(maps.Keys(requests), func(a, b string) int {
		return cmp.Or(cmp.Compare(requests[b], requests[a]), strings.Compare(a, b))
	})
	return names[:min(len(names), maxSuggestions)]
}
