package registry

import (
	"context"
	"maps"
	"net/http"
	"slices"

	"github.com/promptuary/promptuary/internal/abtest"
	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/rest"
)

// abTestResults has the handler that compares the versions of A/B tests.
type abTestResults struct{ service *abtest.Service }

func (h abTestResults) operations() []rest.Op {
	return kit.Tagged(abTestTag, []rest.Op{{
		Method: http.MethodGet, Path: "/api/public/v2/ab-tests/{ab_test_id}/results", ID: "getABTestResults",
		Summary: "Compare the versions of an A/B test",
		Description: "Returns requests, errors, cost, latency and scores of each version of a test, with 95 % confidence intervals, and compares them with the version " +
			"that the release label points at, or else the oldest one. Requests count that were logged with the template and version since the split was last changed, except those of the playground and of evaluations.",
		Also: []int{http.StatusNotFound}, Handler: rest.Handle(h.results),
	}})
}

type abTestResultsQuery struct {
	abTestPath
	Since *rest.Time `query:"since" description:"The earliest start of a request; by default when the split was last changed."`
}

type abTestResultsResponse struct {
	Success  bool            `json:"success" required:"true" description:"Always true."`
	ABTestID int64           `json:"ab_test_id" required:"true" description:"The id of the test."`
	From     rest.Time       `json:"from" required:"true" description:"The earliest start of the requests."`
	Until    rest.Time       `json:"until" required:"true" description:"The end of the time, excluded."`
	Baseline int64           `json:"baseline_version_number" required:"true" description:"The version that the others are compared with."`
	Versions []abTestVersion `json:"versions" required:"true" description:"The versions of the test, oldest first."`
}

type abTestVersion struct {
	Version    int64           `json:"version_number" required:"true" description:"The version."`
	Requests   int64           `json:"requests" required:"true" description:"Number of requests."`
	Errors     *estimate       `json:"error_rate" required:"true" description:"Share of requests with the status ERROR, from 0 to 1."`
	Cost       *estimate       `json:"cost" required:"true" description:"Median cost of a request in US dollars."`
	TotalCost  float64         `json:"total_cost" required:"true" description:"Sum of the costs in US dollars."`
	Latency    *estimate       `json:"latency_ms" required:"true" description:"Median latency in milliseconds."`
	LatencyP95 *float64        `json:"latency_p95_ms" required:"true" description:"95th percentile of the latency in milliseconds."`
	Scores     []scoreEstimate `json:"scores" required:"true" description:"Means of the scores that most requests have, up to 10."`
	Findings   []abTestFinding `json:"findings" required:"true" description:"Comparison with the baseline, empty for the baseline itself."`
}

type estimate struct {
	Value float64 `json:"value" required:"true" description:"The number."`
	Low   float64 `json:"low" required:"true" description:"Lower bound of the 95 % confidence interval."`
	High  float64 `json:"high" required:"true" description:"Upper bound of the 95 % confidence interval."`
	Count int64   `json:"count" required:"true" description:"Number of requests that it was computed from."`
}

type scoreEstimate struct {
	Name string `json:"name" required:"true" description:"Name of the score."`
	estimate
}

type abTestFinding struct {
	Measure    string   `json:"measure" required:"true" enum:"errors,cost,latency,score" description:"What is compared."`
	Score      *string  `json:"score_name" required:"true" description:"Name of the score; null for other measures."`
	Outcome    string   `json:"outcome" required:"true" enum:"better,worse,no clear difference,not enough requests" description:"How the version compares with the baseline. A difference is clear if its interval does not include 0 and both have 30 requests."`
	Difference estimate `json:"difference" required:"true" description:"The version minus the baseline, in the unit of the measure."`
	Text       string   `json:"text" required:"true" description:"The finding in a sentence."`
}

func (h abTestResults) results(ctx context.Context, in *abTestResultsQuery) (*abTestResultsResponse, error) {
	found, err := h.service.Results(ctx, kit.Workspace(ctx), in.ID, kit.Instant(in.Since))
	if err != nil {
		return nil, err
	}
	return &abTestResultsResponse{
		Success: true, ABTestID: in.ID, From: kit.Time(found.From), Until: kit.Time(found.Until), Baseline: found.Baseline,
		Versions: kit.EachRef(found.Arms, wireArm),
	}, nil
}

func wireArm(arm *abtest.Arm) abTestVersion {
	scores := []scoreEstimate{}
	for _, name := range slices.Sorted(maps.Keys(arm.Scores)) {
		scores = append(scores, scoreEstimate{name, wireEstimate(arm.Scores[name])})
	}
	return abTestVersion{
		Version: arm.Version, Requests: arm.Requests, TotalCost: arm.TotalCost, LatencyP95: arm.LatencyP95, Scores: scores,
		Errors: estimateOrNil(arm.Errors), Cost: estimateOrNil(arm.Cost), Latency: estimateOrNil(arm.Latency),
		Findings: kit.Each(arm.Findings, func(f abtest.Finding) abTestFinding {
			return abTestFinding{f.Measure, kit.OrNil(f.Score), string(f.Outcome), wireEstimate(f.Difference), f.Text}
		}),
	}
}

func wireEstimate(e abtest.Estimate) estimate { return estimate{e.Value, e.Low, e.High, e.Count} }

func estimateOrNil(e *abtest.Estimate) *estimate {
	if e == nil {
		return nil
	}
	return new(wireEstimate(*e))
}
