package work

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/rest"
)

func (h evaluations) agreementOperation() rest.Op {
	return rest.Op{
		Method: http.MethodGet, Path: evaluationBasePath + "/{evaluation_id}/agreement", ID: "getEvaluationRunAgreement",
		Summary: "Compare judges with people",
		Description: "Returns how far each judge (LLM_ASSERTION column) of a run agrees with people (HUMAN columns that wait), " +
			"over the rows that both have judged. It compares up to 20 pairs of columns and 100,000 rows with answers.",
		Also: []int{http.StatusBadRequest, http.StatusNotFound}, Handler: rest.Handle(h.agreement),
	}
}

type agreementResponse struct {
	Success  bool            `json:"success" required:"true" description:"Always true."`
	Pairs    []agreementPair `json:"pairs" required:"true" description:"Each judge with each column that people answer."`
	Complete bool            `json:"complete" required:"true" description:"Whether all of them, and all answers, were compared."`
}

type agreementPair struct {
	JudgeID    int64  `json:"judge_column_id" required:"true" description:"The id of the column of the judge."`
	Judge      string `json:"judge_column" required:"true" description:"Name of the column of the judge."`
	PersonID   int64  `json:"person_column_id" required:"true" description:"The id of the column that people answer."`
	Person     string `json:"person_column" required:"true" description:"Name of the column that people answer."`
	Comparable bool   `json:"comparable" required:"true" description:"Whether the verdicts can be compared: both give numbers, or neither does."`
	Rows       int64  `json:"rows" required:"true" description:"Number of rows with both verdicts."`
	Agreed     int64  `json:"agreed" required:"true" description:"Number of rows with the same verdict. On different ranges of numbers: with verdicts that differ by at most 10 % of their ranges."`
	// The statistics are null if they are not defined.
	Percentage    *float64 `json:"percentage" required:"true" description:"Percentage of rows with the same verdict; null without rows."`
	Kappa         *float64 `json:"kappa" required:"true" description:"Cohen's kappa: 1 if all verdicts are the same, 0 if no more are than by chance; null for numbers, and if both always gave the same verdict."`
	Correlation   *float64 `json:"correlation" required:"true" description:"Correlation of numbers; null for other verdicts, and if one of both always gave the same number."`
	Difference    *float64 `json:"mean_difference" required:"true" description:"Mean absolute difference of numbers, in percent of the ranges if these differ; null for other verdicts."`
	Summary       string   `json:"summary" required:"true" description:"The result in plain words."`
	Disagreements []int64  `json:"disagreements" required:"true" description:"Positions of the first 1,000 rows with different verdicts, starting at 0."`
}

func (h evaluations) agreement(ctx context.Context, in *evaluationPath) (*agreementResponse, error) {
	found, err := h.service.Agreement(ctx, kit.Workspace(ctx), in.EvaluationID)
	if err != nil {
		return nil, err
	}
	return &agreementResponse{Success: true, Pairs: kit.EachRef(found.Pairs, wireAgreement), Complete: found.Complete}, nil
}

func wireAgreement(a *eval.Agreement) agreementPair {
	pair := agreementPair{
		JudgeID: a.Judge.ID, Judge: a.Judge.Name, PersonID: a.Person.ID, Person: a.Person.Name, Comparable: a.Comparable,
		Rows: a.Result.Pairs, Agreed: a.Result.Equal, Kappa: a.Result.Kappa, Correlation: a.Result.Correlation, Difference: a.Result.Difference,
		Summary: a.Summary, Disagreements: rest.NonNil(a.Disagreements),
	}
	if pair.Rows > 0 {
		pair.Percentage = new(100 * float64(pair.Agreed) / float64(pair.Rows))
	}
	return pair
}
