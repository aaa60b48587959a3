// Package eval stores and runs evaluations. An evaluation is a blueprint:
// columns to compute for each row of a dataset, and a scoring. A run is a copy
// of it with a value for each row and column. Runs are stored as they progress,
// so that clients can read them in the meantime and another process can continue a
// run if this one is lost.
package eval

import (
	"time"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Evaluation is a blueprint of runs.
type Evaluation struct {
	// Entity has the name, tags, folder and timestamps.
	Entity    entity.Entity
	DatasetID int64
	Comment   *string
	// Scoring is nil unless code computes the score.
	Scoring     *Scoring
	ExternalIDs []entity.ExternalID
	// Runs are the newest runs, and RunCount is the number of all; only lists
	// that include runs set them.
	Runs     []Run
	RunCount int64
}

// Patch changes what describes an evaluation or a run; nil leaves it unchanged.
type Patch struct {
	Name *string
	Tags []string
	// Comment replaces the comment; an empty text removes it.
	Comment *string
}

// given returns nil for an empty text.
func given(text *string) *string {
	if text != nil && *text == "" {
		return nil
	}
	return text
}

// Scoring is code that computes a score.
type Scoring struct {
	Code string
	// Language is PYTHON or JAVASCRIPT.
	Language string
}

// TypeDataset is the type of dataset columns.
const TypeDataset = "DATASET"

// Column is a column of an evaluation or of a run. Dataset columns come first.
type Column struct {
	ID int64
	// Position counts from 1.
	Position      int64
	Type          string
	Name          string
	Configuration jsontree.Value
	// Scored reports whether the column is part of the score.
	Scored bool
	// Score is a JSON number, or "" for none.
	Score string
}

// Counts are the numbers of cells by state.
type Counts struct{ Completed, Failed, Queued, Running, Waiting int64 }

// State is what is left to do in a run that has not ended.
type State string

// The states of runs.
const (
	// StateRows means that not all rows were computed as far as possible.
	StateRows State = "ROWS"
	// StateAnswers means that answers of people have yet to be used.
	StateAnswers State = "ANSWERS"
	// StateWaiting means that nothing can be done without people.
	StateWaiting State = "WAITING"
	// StateCancelled means that the run was cancelled and has to end. It is not
	// stored.
	StateCancelled State = "CANCELLED"
)

// Run is one run of an evaluation.
type Run struct {
	ID        int64
	Workspace int64
	// ReportID is the id of the evaluation.
	ReportID  int64
	DatasetID int64
	Name      string
	Tags      []string
	Comment   *string
	Scoring   *Scoring
	// Revision counts changes of the scoring.
	Revision int64
	// Rows is the number of rows of the dataset, Cells the number of cells to
	// compute.
	Rows, Cells int64
	Counts      Counts
	State       State
	// Result is empty until the run has ended.
	Result  Result
	Creator *string
	// CreatorID is the account that had the creator's address at the time, nil if
	// there was none.
	CreatorID *int64
	CreatedAt time.Time
	UpdatedAt time.Time
	// EndedAt is nil while the run is active.
	EndedAt *time.Time
	// EndNote explains why some cells are not final, "" if all are.
	EndNote string
	// ArchivedAt is nil unless the run is archived.
	ArchivedAt *time.Time
}

// Result is the result of a run.
type Result struct {
	// Score is a JSON object, "" until the run has ended.
	Score string
	// Matrix is a JSON array, "" unless code returned one.
	Matrix string
	// Failure explains why there is no score, "" if nothing failed.
	Failure string
}

// Overall returns the overall score, nil if there is none.
func (r *Result) Overall() *float64 {
	score, err := jsontree.Parse([]byte(r.Score))
	if err != nil {
		return nil
	}
	value, ok := score.Get("overall_score").Float()
	if !ok {
		return nil
	}
	return &value
}

// Row is a stored row of a run.
type Row struct {
	// Position counts from 0.
	Position int64
	// Cells is the text of the cells, as package grid writes it.
	Cells string
	// Final reports whether all cells are final.
	Final bool
	// Waiting are the cells that wait for a person; only saving uses it.
	Waiting []WaitingCell
	// Used are the answers in the cells; only saving uses it.
	Used []Answer
}

// Progress is the change since the last stored progress.
type Progress struct {
	// Completed and Failed are the numbers of cells that reached these states.
	Completed, Failed int64
	// Running is the change in the number of running cells.
	Running int64
	// Waiting is the change in the number of cells that wait for a person.
	Waiting int64
	// Workflows are the versions of workflows that ran, each once.
	Workflows []UsedWorkflow
}

// End describes how a run ended.
type End struct {
	At     time.Time
	Note   string
	Result Result
	// Scores are the column scores by column id.
	Scores map[int64]string
	// Revision is the revision of the run when its score was computed.
	Revision int64
}

// ScoreCard is a new scoring of a run.
type ScoreCard struct {
	// Scored are the ids of the columns that are part of the score.
	Scored  []int64
	Scoring *Scoring
	// Result and Scores are the new result, nil while the run is active.
	Result *Result
	Scores map[int64]string
}
