package eval

import (
	"context"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

// WaitingCell is a cell of a row that waits for a person.
type WaitingCell struct {
	ColumnID int64
	// People are the addresses of those who are asked; without any, everyone is.
	People []string
}

// Answer is the answer of a person to a cell.
type Answer struct {
	// Position is that of the row and counts from 0.
	Position, ColumnID int64
	Value              jsontree.Value
	Comment            *string
	// Author is the address of the person, or the name of the key.
	Author string
	At     time.Time
	// Revision counts the answers to the cell, from 1.
	Revision int64
	// Used reports whether the run has used the answer.
	Used bool
}

// OpenCell is a cell that waits for a person.
type OpenCell struct {
	RunID, ReportID, DatasetID int64
	RunName                    string
	// Position is that of the row and counts from 0.
	Position int64
	Column   Column
	// Question is nil if the column is no longer valid.
	Question *step.PersonQuestion
}

// OpenCellQuery selects cells that wait for a person.
type OpenCellQuery struct {
	// ReportID selects an evaluation or a run, nil all.
	ReportID *int64
	// AskedOf, unless nil, selects the cells that ask everyone or the person with
	// the address.
	AskedOf *string
	Page    entity.Page
}

// personStore stores the cells of runs that wait for people, and their answers.
type personStore interface {
	// OpenReportCells returns a page of the cells that wait for a person, without
	// questions, by run, row and position of the column, and the number of all.
	OpenReportCells(ctx context.Context, workspace int64, query OpenCellQuery) ([]OpenCell, int64, error)
	// AnswerReportCell stores an answer and queues the run. The answer gets the next
	// revision. The fault is Conflict if the run has ended or is archived, or if the
	// cell does not wait and was not answered.
	AnswerReportCell(ctx context.Context, workspace, runID int64, answer Answer) error
	// ReportAnswers returns the answers in rows with positions in [from, before),
	// ordered by row and column; with unused, only those that the run has not used.
	ReportAnswers(ctx context.Context, runID, from, before int64, unused bool) ([]Answer, error)
	// RowsWithAnswers returns up to limit positions of rows with answers, from a
	// position on, in ascending order.
	RowsWithAnswers(ctx context.Context, runID, from int64, limit int) ([]int64, error)
	// AnsweredRows returns up to limit positions of rows with unused answers, in
	// ascending order.
	AnsweredRows(ctx context.Context, runID int64, limit int) ([]int64, error)
	// PauseReportRun stores what is left to do in a run whose rows were computed as
	// far as possible: to use answers, or to wait. It returns "" if that is nothing.
	// A run that would wait but was cancelled stays as it is.
	PauseReportRun(ctx context.Context, runID int64) (State, error)
	// QueueReportRun ensures that a run has a job, and reports whether it did. It
	// does not if the run has ended.
	QueueReportRun(ctx context.Context, workspace, id int64) (bool, error)
}

// AnswerInput is an answer to be given.
type AnswerInput struct {
	// Position is that of the row and counts from 0.
	Position, ColumnID int64
	Value              jsontree.Value
	// Comment may be nil or empty.
	Comment *string
}

// AnswerCell stores the answer of the caller to a cell that waits, or replaces
// the answer while the run has not ended: then cells that depend on it are
// computed again. The fault is NotFound if the run, column or row does not exist,
// Forbidden if the caller may not edit evaluations or is not asked, Invalid if the
// value does not answer the question, and Conflict if the cell does not wait.
func (s *Service) AnswerCell(ctx context.Context, workspace, runID int64, in AnswerInput) error {
	run, err := s.getRun(ctx, workspace, runID)
	if err == nil && run.ArchivedAt != nil {
		err = fault.NotFoundf("Evaluation run not found")
	}
	if err != nil {
		return err
	}
	question, err := s.questionOf(ctx, run, in)
	if err != nil {
		return err
	}
	if err := access.Require(ctx, access.ReportEdit); err != nil {
		return err
	}
	if question == nil {
		return fault.Conflictf("The column does not wait for answers")
	}
	caller := access.CallerOf(ctx)
	if !question.Asks(caller.Email) {
		return fault.New(fault.Forbidden, "Other people are asked to answer this cell")
	}
	if err := question.Check(in.Value, fault.In("value")); err != nil {
		return err
	}
	author := caller.Email
	if author == "" {
		author = caller.Name
	}
	err = s.store.AnswerReportCell(ctx, workspace, runID, Answer{
		Position: in.Position, ColumnID: in.ColumnID, Value: in.Value, Comment: given(in.Comment), Author: author, At: s.clock(),
	})
	if err == nil {
		s.jobs.Wake()
	}
	return err
}

// questionOf returns the question of a cell, nil if its column asks nothing.
func (s *Service) questionOf(ctx context.Context, run Run, in AnswerInput) (*step.PersonQuestion, error) {
	columns, err := s.store.ReportRunColumns(ctx, run.ID)
	if err != nil {
		return nil, err
	}
	g := grid.Read(split(columns))
	at := g.Index(in.ColumnID)
	switch {
	case at < 0:
		return nil, columnNotFound()
	case in.Position >= run.Rows:
		return nil, fault.NotFoundf("Row not found")
	}
	return g.Question(at), nil
}

// OpenCells returns a page of the cells that wait for a person, oldest run first,
// and the number of all.
func (s *Service) OpenCells(ctx context.Context, workspace int64, query OpenCellQuery) ([]OpenCell, int64, error) {
	found, total, err := s.store.OpenReportCells(ctx, workspace, query)
	for i := range found {
		found[i].Question = questionIn(&found[i].Column)
	}
	return found, total, err
}

// questionIn returns the question of a column, nil if it has none.
func questionIn(c *Column) *step.PersonQuestion {
	if prepared := prepared(c); prepared != nil {
		return prepared.Question()
	}
	return nil
}

// prepared returns the step of a column, nil if the column is no longer valid.
func prepared(c *Column) *step.Step {
	kind, known := step.Find(c.Type)
	if !known {
		return nil
	}
	prepared, err := kind.Prepare(c.Configuration)
	if err != nil {
		return nil
	}
	return prepared
}

// addAnswers adds the answers to rows of a page. An answer that the run has yet
// to use is already shown.
func (t *Table) addAnswers(ctx context.Context, rows []TableRow, from, before int64) error {
	answers, err := t.service.store.ReportAnswers(ctx, t.run.ID, from, before, false)
	for _, answer := range answers {
		row, at := &rows[answer.Position-from], t.grid.Index(answer.ColumnID)
		if at < 0 {
			continue
		}
		if row.Answers == nil {
			row.Answers = map[int]Answer{}
		}
		row.Answers[at] = answer
		if !answer.Used && t.run.EndedAt == nil {
			row.Cells = t.grid.Answer(row.Cells, at, answer.Value)
		}
	}
	return err
}

// maxAnswered is the maximum number of rows that one pass continues with answers.
const maxAnswered = 1000

// findAnswered finds the rows that answers let go on.
func (x *execution) findAnswered(ctx context.Context) (err error) {
	x.resumed = true
	x.answered, err = x.service.store.AnsweredRows(ctx, x.run.ID, maxAnswered)
	return err
}

// unused returns the answers that the run has not used, by row.
func (x *execution) unused(ctx context.Context, from, before int64) (map[int64][]Answer, error) {
	if !x.asks {
		return nil, nil
	}
	answers, err := x.service.store.ReportAnswers(ctx, x.run.ID, from, before, true)
	byRow := map[int64][]Answer{}
	for _, one := range answers {
		byRow[one.Position] = append(byRow[one.Position], one)
	}
	return byRow, err
}

// withAnswers returns the cells of a row with answers.
func (x *execution) withAnswers(cells []grid.Cell, answers []Answer) []grid.Cell {
	for _, one := range answers {
		if at := x.grid.Index(one.ColumnID); at >= 0 {
			cells = x.grid.Answer(cells, at, one.Value)
		}
	}
	return cells
}

// waiting returns the cells of a row that wait for a person.
func (x *execution) waiting(cells []grid.Cell) []WaitingCell {
	if !x.asks {
		return nil
	}
	var waiting []WaitingCell
	for i := range cells {
		if cells[i].Status == grid.Waiting {
			waiting = append(waiting, WaitingCell{ColumnID: x.grid.ID(i), People: x.grid.Question(i).People})
		}
	}
	return waiting
}

// pause stores what is left to do after all rows were computed as far as
// possible, "" for nothing. If that is to wait for people, the job ends. Anyone who
// answers locks the job first, so that no answer is missed.
func (x *execution) pause(ctx context.Context) (left State, err error) {
	if !x.asks {
		return "", nil
	}
	err = x.service.entities.InTx(ctx, func(ctx context.Context) error {
		if err := x.task.Hold(ctx); err != nil {
			return err
		}
		if left, err = x.service.store.PauseReportRun(ctx, x.run.ID); err != nil || left != StateWaiting {
			return err
		}
		return x.task.End(ctx)
	})
	if err == nil && left == StateCancelled {
		return left, job.ErrCancelled
	}
	if err == nil && left != "" {
		x.run.State = left
	}
	return left, err
}
