package logstoretest

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Suggest implements chart.Analyser.
func (n *naive) Suggest(ctx context.Context, q query.SuggestQuery) ([]string, error) {
	logs, err := n.selected(ctx, q.Query)
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	for _, l := range logs {
		for _, value := range suggestions(l, q.Field, q.Key) {
			if value != "" && strings.HasPrefix(strings.ToLower(value), strings.ToLower(q.Prefix)) {
				counts[value]++
			}
		}
	}
	values := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	return values[:min(len(values), q.Limit)], nil
}

// suggestions returns the log's distinct values of a field.
func suggestions(l *reqlog.Log, field query.Field, key string) []string {
	switch field.Type() {
	case query.TypeNested, query.TypeScore:
		return valuesUnder(pairsOf(l, field), key)
	case query.TypeIdentifier:
		id, ok := wholeOf(l, field)
		if !ok {
			return nil
		}
		return []string{strconv.FormatInt(id, 10)}
	}
	return textsOf(l, field)
}
