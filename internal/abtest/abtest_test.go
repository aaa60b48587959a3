package abtest

import (
	"context"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// oneTest is a test of versions 2, 5 and, in a segment, 3.
type oneTest struct {
	Tests
	labelled int64
}

func (o oneTest) ABTest(context.Context, int64, int64) (*prompt.ABTest, error) {
	return &prompt.ABTest{ABTest: entity.ABTest{PromptID: 7, LabelID: 1}, Split: prompt.Split{
		Weights:  []prompt.Weight{{Version: 5, Share: 50}, {Version: 2, Share: 50}},
		Segments: []prompt.Segment{{Weights: []prompt.Weight{{Version: 3, Share: 50}, {Version: 2, Share: 50}}}},
	}}, nil
}

func (o oneTest) Labels(context.Context, int64, string) ([]entity.Label, error) {
	return []entity.Label{{ID: 9, VersionNumber: 5}, {ID: 1, VersionNumber: o.labelled}}, nil
}

type noLogs struct{}

func (noLogs) Measure(context.Context, int64, query.Input, time.Time, time.Time, []chart.Dimension, ...chart.Measure) ([]chart.AggregateRow, error) {
	return nil, nil
}

func TestBaseline(t *testing.T) {
	t.Parallel()
	for labelled, want := range map[int64]int64{3: 3, 5: 5, 8: 2} {
		got, err := NewService(Options{Tests: oneTest{labelled: labelled}, Logs: noLogs{}}).Results(t.Context(), 1, 1, nil)
		check.OK(t, err)
		check.Equal(t, "baseline", got.Baseline, want)
		versions := []int64{}
		for _, arm := range got.Arms {
			versions = append(versions, arm.Version)
		}
		check.Equal(t, "versions", len(versions), 3)
		check.Equal(t, "first", versions[0], 2)
	}
}
