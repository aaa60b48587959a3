package work

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/step"
)

func (h evaluations) personOperations() []rest.Op {
	return []rest.Op{
		{
			Method: http.MethodGet, Path: evaluationBasePath + "/open-cells", ID: "listOpenEvaluationCells", Summary: "List cells that wait for people",
			Description: "Returns a page of the cells of HUMAN columns that wait for an answer, with their questions, oldest run first. " +
				"A column waits if its configuration has wait; otherwise its cells are null.",
			Handler: rest.Handle(h.openCells),
		},
		{
			Method: http.MethodPost, Path: evaluationBasePath + "/{evaluation_id}/answers", ID: "answerEvaluationCell", Summary: "Answer a cell",
			Description: "Answers a cell that waits for a person; the run continues with the answer. While the run has not ended, " +
				"the answer can be changed: then the cells that depend on it are computed again.",
			Also:    []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
			Handler: rest.Handle(h.answer),
		},
	}
}

type openCellsQuery struct {
	kit.WorkspaceQuery
	kit.VersionPaging
	ReportID  *int64 `query:"report_id" minimum:"1" description:"The id of an evaluation or a run; defaults to all."`
	AskedOfMe bool   `query:"asked_of_me" default:"false" description:"Whether to omit the cells that ask only other people."`
}

type openCell struct {
	RunID     int64          `json:"run_id" required:"true" description:"The id of the run."`
	RunName   string         `json:"run_name" required:"true" description:"Name of the run."`
	ReportID  int64          `json:"report_id" required:"true" description:"The id of the evaluation."`
	DatasetID int64          `json:"dataset_id" required:"true" description:"The id of the dataset."`
	Position  int64          `json:"position" required:"true" description:"Position of the row, starting at 0."`
	ColumnID  int64          `json:"column_id" required:"true" description:"The id of the column of the run."`
	Column    string         `json:"column_name" required:"true" description:"Name of the column."`
	Question  *personDetails `json:"question" required:"true" description:"What is asked; null if the column has become invalid."`
}

// personDetails is the question of a column.
type personDetails struct {
	Text    string   `json:"prompt" required:"true" description:"The question."`
	Kind    string   `json:"input_type" required:"true" enum:"number,text,choice,thumbs" description:"Kind of answer: a number, a text, one of the choices, or true or false for thumbs up or down."`
	Min     *float64 `json:"min" required:"true" description:"Least number; null if there is no limit."`
	Max     *float64 `json:"max" required:"true" description:"Greatest number; null if there is no limit."`
	Choices []string `json:"choices" required:"true" description:"Texts of which the answer is one."`
	People  []string `json:"people" required:"true" description:"Email addresses of those who may answer; empty if everyone may who can edit evaluations."`
	Comment bool     `json:"ask_comment" required:"true" description:"Whether a comment is asked for."`
}

func wireQuestion(q *step.PersonQuestion) *personDetails {
	if q == nil {
		return nil
	}
	return &personDetails{
		Text: q.Text, Kind: string(q.Kind), Min: q.Min, Max: q.Max, Choices: rest.NonNil(q.Choices), People: rest.NonNil(q.People), Comment: q.Comment,
	}
}

func (h evaluations) openCells(ctx context.Context, in *openCellsQuery) (*kit.Page[openCell], error) {
	page := in.Paging()
	query := eval.OpenCellQuery{ReportID: in.ReportID, Page: page.Slice()}
	if in.AskedOfMe {
		query.AskedOf = new(access.CallerOf(ctx).Email)
	}
	found, total, err := h.service.OpenCells(ctx, kit.Workspace(ctx), query)
	if err != nil {
		return nil, err
	}
	return kit.NewPage(page, total, found, func(c *eval.OpenCell) openCell {
		return openCell{
			RunID: c.RunID, RunName: c.RunName, ReportID: c.ReportID, DatasetID: c.DatasetID, Position: c.Position,
			ColumnID: c.Column.ID, Column: c.Column.Name, Question: wireQuestion(c.Question),
		}
	}), nil
}

type answerCellRequest struct {
	EvaluationID int64          `path:"evaluation_id" minimum:"1" description:"The id of the run."`
	Position     int64          `json:"position" required:"true" minimum:"0" description:"Position of the row, starting at 0."`
	ColumnID     int64          `json:"column_id" required:"true" minimum:"1" description:"The id of the column of the run."`
	Value        jsontree.Value `json:"value" required:"true" description:"The answer: a number, a text, or true or false for thumbs up or down."`
	Comment      *string        `json:"comment" maxLength:"10000" description:"Comment on the answer."`
}

func (h evaluations) answer(ctx context.Context, in *answerCellRequest) (*kit.DoneResponse, error) {
	return kit.Done("The answer was stored", h.service.AnswerCell(ctx, kit.Workspace(ctx), in.EvaluationID, eval.AnswerInput{
		Position: in.Position, ColumnID: in.ColumnID, Value: in.Value, Comment: in.Comment,
	}))
}

// personAnswer documents what rowsWriter.answer writes.
type personAnswer struct {
	By      string    `json:"answered_by" required:"true" description:"Email address of the person, or the name of the API key."`
	At      rest.Time `json:"answered_at" required:"true" description:"When it was answered."`
	Comment *string   `json:"comment" required:"true" description:"Comment on the answer; null if there is none."`
}

// answer writes who answered a cell.
func (w *rowsWriter) answer(a *eval.Answer) {
	w.Key("answer").Object(func() {
		w.Key("answered_by").String(a.Author)
		w.Key("answered_at").String(kit.Time(a.At).String())
		w.Key("comment")
		if a.Comment == nil {
			w.Null()
			return
		}
		w.String(*a.Comment)
	})
}
