package requests

import (
	"context"

	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// MaxUnpriced limits the list of models without a price.
const MaxUnpriced = 1000

// Unpriced is a model whose logs have tokens and no price.
type Unpriced struct {
	Provider, Model string
	// Requests counts the logs without a price, InputTokens and OutputTokens sum
	// up their tokens.
	Requests, InputTokens, OutputTokens int64
}

// unpriced selects the logs that have tokens and no price.
var unpriced = query.Group{Nodes: []query.Node{query.Cond{Field: query.FieldCost, Op: query.OpIsNull}, query.Cond{Field: query.FieldTotalTokens, Op: query.OpGt, Numbers: []float64{0}}}}

// Unpriced returns the models whose logs have tokens and no price, those with
// the most logs first, at most MaxUnpriced.
func (s *Service) Unpriced(ctx context.Context, workspace int64) ([]Unpriced, error) {
	rows, err := s.store.Aggregate(ctx, chart.AggregateQuery{
		Query: query.Query{Workspace: workspace, Filter: unpriced},
		By:    []chart.Dimension{{Field: query.FieldProvider}, {Field: query.FieldEngine}},
		Measures: []chart.Measure{
			{Metric: chart.MetricCount}, {Metric: chart.MetricSum, Field: query.FieldInputTokens}, {Metric: chart.MetricSum, Field: query.FieldOutputTokens},
		},
		Limit: MaxUnpriced,
	})
	if err != nil {
		return nil, err
	}
	models := make([]Unpriced, len(rows))
	for i, row := range rows {
		models[i] = Unpriced{row.Keys[0], row.Keys[1], whole(row.Values[0]), whole(row.Values[1]), whole(row.Values[2])}
	}
	return models, nil
}

func whole(n *float64) int64 {
	if n == nil {
		return 0
	}
	return int64(*n)
}
