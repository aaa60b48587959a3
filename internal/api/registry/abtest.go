package registry

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/rest"
)

const abTestTag = "A/B tests"

func (h prompts) abTestOperations() []rest.Op {
	const one = "/api/public/v2/ab-tests/{ab_test_id}"
	notFound := []int{http.StatusNotFound}
	return kit.Tagged(abTestTag, []rest.Op{
		{
			Method: http.MethodPost, Path: "/api/public/v2/ab-tests", ID: "createABTest",
			Summary: "Create an A/B test",
			Description: "Creates an A/B test for a release label: from then on, getting the template to run by that label returns one of several versions. " +
				"The first segment that matches all its keys in `metadata_filters` determines the weights; otherwise the test's own weights apply. " +
				"Requests with equal `metadata_filters` always get the same version; without them the choice is random.",
			Status: http.StatusCreated, Also: []int{http.StatusNotFound, http.StatusConflict}, Handler: rest.Handle(h.createABTest),
		},
		{
			Method: http.MethodGet, Path: "/api/public/v2/ab-tests", ID: "listABTests",
			Summary: "List A/B tests", Description: "Returns all A/B tests, or those of one template.",
			Handler: rest.Handle(h.listABTests),
		},
		{
			Method: http.MethodGet, Path: one, ID: "getABTest",
			Summary: "Get an A/B test", Description: "Returns one A/B test.", Also: notFound, Handler: rest.Handle(h.getABTest),
		},
		{
			Method: http.MethodPatch, Path: one, ID: "changeABTest",
			Summary: "Change an A/B test", Description: "Replaces the weights and segments of an A/B test. The change applies to the next request.",
			Also: notFound, Handler: rest.Handle(h.changeABTest),
		},
		{
			Method: http.MethodDelete, Path: one, ID: "deleteABTest",
			Summary: "Delete an A/B test", Description: "Deletes an A/B test. Its label then selects the version that it points at again.",
			Also: notFound, Handler: rest.Handle(h.deleteABTest),
		},
	})
}

// split is how an A/B test divides requests.
type split struct {
	Weights  []weight  `json:"weights" required:"true" minItems:"1" maxItems:"100" description:"Share of each version. The shares add up to 100."`
	Segments []segment `json:"segments" maxItems:"100" description:"Weights for subsets of requests. The first matching segment applies."`
	Guard    *guard    `json:"guard" description:"Stops the test when a version does worse than agreed: all requests then get the baseline. Versions are compared once a minute; a version must be clearly worse, with 95 % confidence, and by more than the bound. When a test is changed without it, the guard stays; one without bounds removes it."`
}

// guard has the bounds of prompt.Guard.
type guard struct {
	ErrorRate *float64 `json:"max_error_rate_increase" minimum:"0" maximum:"1" description:"How much higher the error rate may be than that of the baseline: 0.02 allows two percentage points."`
	Cost      *float64 `json:"max_cost_increase" minimum:"0" maximum:"1000" description:"How much higher the median cost may be, as a share of the baseline's: 0.2 allows 20 %."`
	Latency   *float64 `json:"max_latency_increase" minimum:"0" maximum:"1000" description:"How much higher the median latency may be, as a share of the baseline's."`
	Score     *float64 `json:"max_score_drop" minimum:"0" maximum:"100" description:"How much lower the mean of the score may be than that of the baseline, in points."`
	ScoreName string   `json:"score_name" maxLength:"255" description:"Name of the score. Required by max_score_drop."`
}

type weight struct {
	Version int64   `json:"version_number" required:"true" minimum:"1" description:"The version."`
	Share   float64 `json:"weight" required:"true" minimum:"0" maximum:"100" description:"Share in percent."`
}

type segment struct {
	Name    string              `json:"name" maxLength:"255" description:"Name."`
	Match   map[string][]string `json:"match" required:"true" description:"Values that belong to the segment, by key of metadata_filters."`
	Weights []weight            `json:"weights" required:"true" minItems:"1" maxItems:"100" description:"Share of each version. The shares add up to 100."`
}

func (s *split) domain() prompt.Split {
	out := prompt.Split{Weights: domainWeights(s.Weights), Guard: (*prompt.Guard)(s.Guard)}
	for _, one := range s.Segments {
		out.Segments = append(out.Segments, prompt.Segment{Name: one.Name, Match: one.Match, Weights: domainWeights(one.Weights)})
	}
	return out
}

func domainWeights(weights []weight) []prompt.Weight {
	return kit.Each(weights, func(w weight) prompt.Weight { return prompt.Weight(w) })
}

// Validate checks that the weights of each list add up to 100.
func (s *split) Validate(problems *fault.Problems) {
	in := s.domain()
	in.Check(kit.BodyLoc, problems)
}

type createABTestRequest struct {
	Name     string `json:"name" required:"true" minLength:"1" maxLength:"255" description:"Name of the test."`
	PromptID int64  `json:"prompt_id" required:"true" minimum:"1" description:"The id of the template."`
	Label    string `json:"release_label" required:"true" minLength:"1" maxLength:"255" description:"Name of the template's release label that the test splits."`
	FolderID *int64 `json:"folder_id" minimum:"1" description:"The id of the folder; defaults to the root."`
	split
}

type abTestResponse struct {
	Success bool       `json:"success" required:"true" description:"Always true."`
	ABTest  abTestItem `json:"ab_test" required:"true" description:"The test."`
}

type abTestItem struct {
	ID        int64     `json:"id" required:"true" description:"The id of the test."`
	Name      string    `json:"name" required:"true" description:"Name."`
	PromptID  int64     `json:"prompt_id" required:"true" description:"The id of the template."`
	LabelID   int64     `json:"release_label_id" required:"true" description:"The id of the release label of the test."`
	Label     string    `json:"release_label" required:"true" description:"Name."`
	FolderID  *int64    `json:"folder_id" required:"true" description:"The id of the folder; null at the root."`
	CreatedAt rest.Time `json:"created_at" required:"true" description:"When it was created."`
	UpdatedAt rest.Time `json:"updated_at" required:"true" description:"When it was last changed."`
	split
	Stopped *stoppedTest `json:"stopped" required:"true" description:"Why the guard has stopped the test; null if it has not."`
}

type stoppedTest struct {
	At      rest.Time `json:"stopped_at" required:"true" description:"When the guard has stopped the test."`
	Version int64     `json:"version_number" required:"true" description:"The version that did worse than agreed."`
	Reason  string    `json:"reason" required:"true" description:"The finding in a sentence."`
}

func wireStopped(s *prompt.Stopped) *stoppedTest {
	if s == nil {
		return nil
	}
	return &stoppedTest{kit.Time(s.At), s.Version, s.Reason}
}

func wireABTest(t *prompt.ABTest) abTestItem {
	return abTestItem{
		ID: t.Entity.ID, Name: t.Entity.Name, PromptID: t.PromptID, LabelID: t.LabelID, Label: t.LabelName,
		FolderID:  t.Entity.FolderID,
		CreatedAt: kit.Time(t.Entity.CreatedAt), UpdatedAt: kit.Time(t.Entity.UpdatedAt),
		split: split{Weights: wireWeights(t.Split.Weights), Segments: kit.Each(t.Split.Segments, func(s prompt.Segment) segment {
			return segment{Name: s.Name, Match: s.Match, Weights: wireWeights(s.Weights)}
		}), Guard: (*guard)(t.Split.Guard)},
		Stopped: wireStopped(t.Split.Stopped),
	}
}

func wireWeights(weights []prompt.Weight) []weight {
	return kit.Each(weights, func(w prompt.Weight) weight { return weight(w) })
}

func answerABTest(t *prompt.ABTest, err error) (*abTestResponse, error) {
	if err != nil {
		return nil, err
	}
	return &abTestResponse{Success: true, ABTest: wireABTest(t)}, nil
}

func (h prompts) createABTest(ctx context.Context, in *createABTestRequest) (*abTestResponse, error) {
	return answerABTest(h.tests.Create(ctx, kit.Workspace(ctx), prompt.NewABTest{
		Name: in.Name, PromptID: in.PromptID, Label: in.Label, FolderID: in.FolderID, Split: in.domain(), Author: kit.Author(ctx),
	}))
}

type listABTestsQuery struct {
	PromptID *int64 `query:"prompt_id" minimum:"1" description:"Only the tests of this template."`
}

type abTestList struct {
	Success bool         `json:"success" required:"true" description:"Always true."`
	ABTests []abTestItem `json:"ab_tests" required:"true" description:"The tests, oldest first."`
}

func (h prompts) listABTests(ctx context.Context, in *listABTestsQuery) (*abTestList, error) {
	tests, err := h.service.ABTests(ctx, kit.Workspace(ctx), in.PromptID)
	if err != nil {
		return nil, err
	}
	return &abTestList{Success: true, ABTests: kit.Each(tests, wireABTest)}, nil
}

type abTestPath struct {
	ID int64 `path:"ab_test_id" minimum:"1" description:"The id of the test."`
}

func (h prompts) getABTest(ctx context.Context, in *abTestPath) (*abTestResponse, error) {
	return answerABTest(h.service.ABTest(ctx, kit.Workspace(ctx), in.ID))
}

type changeABTestRequest struct {
	abTestPath
	split
}

func (h prompts) changeABTest(ctx context.Context, in *changeABTestRequest) (*abTestResponse, error) {
	return answerABTest(h.tests.Change(ctx, kit.Workspace(ctx), in.ID, in.domain(), kit.Author(ctx)))
}

func (h prompts) deleteABTest(ctx context.Context, in *abTestPath) (*kit.SuccessResponse, error) {
	return kit.Succeeded(h.service.DeleteABTest(ctx, kit.Workspace(ctx), in.ID))
}
