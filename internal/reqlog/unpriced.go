package reqlog

import "context"

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
var unpriced = Group{Nodes: []Node{Cond{Field: FieldCost, Op: OpIsNull}, Cond{Field: FieldTotalTokens, Op: OpGt, Numbers: []float64{0}}}}

// Unpriced returns the models whose logs have tokens and no price, those with
// the most logs first, at most MaxUnpriced.
func (s *Service) Unpriced(ctx context.Context, workspace int64) ([]Unpriced, error) {
	rows, err := s.store.Aggregate(ctx, AggregateQuery{
		Query: Query{Workspace: workspace, Filter: unpriced},
		By:    []Dimension{{Field: FieldProvider}, {Field: FieldEngine}},
		Measures: []Measure{
			{Metric: MetricCount}, {Metric: MetricSum, Field: FieldInputTokens}, {Metric: MetricSum, Field: FieldOutputTokens},
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
