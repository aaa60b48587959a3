// Package eval keeps evaluations and runs them. An evaluation is a blueprint:
// columns that are computed over each row of a dataset, and how that is scored.
// A run is a copy of it with a value for each row and column. It is stored as
// it goes on, so that it can be read meanwhile, and another process can go on
// with it when this one is lost.
package eval

import (
	"time"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Evaluation is a blueprint of runs.
type Evaluation struct {
	// Entity has its name, tags, folder and times.
	Entity    entity.Entity
	DatasetID int64
	Comment   *string
	// Scoring is nil unless code computes the score.
	Scoring     *Scoring
	ExternalIDs []entity.ExternalID
	// Runs are its newest runs; only a list that is asked for them has any.
	Runs []Run
}

// Scoring is code that computes a score.
type Scoring struct {
	Code string
	// Language is PYTHON or JAVASCRIPT.
	Language string
}

// TypeDataset is the type of columns that a dataset has.
const TypeDataset = "DATASET"

// Column is a column of an evaluation or of a run. Those of the dataset come
// first.
type Column struct {
	ID int64
	// Position counts from 1.
	Position      int64
	Type          string
	Name          string
	Configuration jsontree.Value
	// Scored says that the column is part of the score.
	Scored bool
	// Score is a JSON number, "" where there is none.
	Score string
}

// Counts says how many cells are in which state.
type Counts struct{ Completed, Failed, Queued, Running int64 }

// Run is one run of an evaluation.
type Run struct {
	ID        int64
	Workspace int64
	// ReportID is the evaluation.
	ReportID  int64
	DatasetID int64
	Name      string
	Tags      []string
	Comment   *string
	Scoring   *Scoring
	// Revision counts the changes of what decides the score.
	Revision int64
	// Rows is how many rows the dataset has, Cells how many cells are to be
	// computed in all.
	Rows, Cells int64
	Counts      Counts
	// Result is what it came to, empty until it has ended.
	Result  Result
	Creator *string
	// CreatorID is the account that had the creator's address then, nil where
	// none had.
	CreatorID *int64
	CreatedAt time.Time
	UpdatedAt time.Time
	// EndedAt is when it ended, nil before.
	EndedAt *time.Time
	// EndNote says why cells that are not final will never be, "" where all
	// are.
	EndNote string
	// ArchivedAt is when it was hidden, nil for one that is not.
	ArchivedAt *time.Time
}

// Result is what a run came to.
type Result struct {
	// Score is a JSON object, "" before the run has ended.
	Score string
	// Matrix is a JSON array, "" where no code made one.
	Matrix string
	// Failure says why there is no score, "" where nothing went wrong.
	Failure string
}

// Row is what is known of one row of a run.
type Row struct {
	// Position counts from 0.
	Position int64
	// Cells is the text of the cells, as package grid writes it.
	Cells string
	// Final says that nothing more happens to the row.
	Final bool
}

// Progress is how far a run has come since it was last told of.
type Progress struct {
	// Completed and Failed are how many more cells are in these states.
	Completed, Failed int64
	// Running is how many cells are under way.
	Running int64
}

// End is how a run has ended.
type End struct {
	At     time.Time
	Note   string
	Result Result
	// Scores are those of the columns, by their ids.
	Scores map[int64]string
	// Revision is that of the run when its score was computed.
	Revision int64
}

// ScoreCard is another way to score a run.
type ScoreCard struct {
	// Scored are the ids of the columns that are part of the score.
	Scored  []int64
	Scoring *Scoring
	// Result and Scores are what that comes to, nil while the run goes on.
	Result *Result
	Scores map[int64]string
}
