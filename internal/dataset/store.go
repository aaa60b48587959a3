package dataset

import (
	"context"
	"encoding/json"
	"time"

	"github.com/promptuary/promptuary/internal/entity"
)

// Store stores datasets and their rows. Its methods join the transaction of the
// context, if any. A dataset of another workspace is treated as nonexistent.
//
// The rows of a dataset are its content. Content is written before it belongs
// to a dataset, in separate short transactions, and becomes visible when a
// dataset gets it in one step. Content without a dataset is loose and gets
// removed.
type Store interface {
	// CreateContent returns the id of a new loose content without rows. The
	// fault is NotFound when the workspace does not exist.
	CreateContent(ctx context.Context, workspace int64) (int64, error)
	// AddRows stores rows from a position on, which must be the next one. The
	// fault is NotFound when the content does not exist or is being removed,
	// Conflict when the position has a row, and Invalid when a row has text that
	// cannot be stored.
	AddRows(ctx context.Context, content, position int64, rows []string) error
	// AddPrompts records the versions of prompts that the rows came from;
	// duplicates are ignored. The fault is NotFound as for AddRows.
	AddPrompts(ctx context.Context, content int64, prompts []PromptVersion) error
	// CopyRows copies up to limit rows from a position on to the same positions
	// of another content, and returns their number. The fault is NotFound as for
	// AddRows.
	CopyRows(ctx context.Context, source, target, position, limit int64) (int64, error)
	// CopyPrompts copies all prompt versions of another content. The fault is
	// NotFound as for AddRows.
	CopyPrompts(ctx context.Context, source, target int64) error
	// ReadRows returns up to limit rows from a position on, and stops after the
	// row with which they exceed maxBytes. The result is empty only at the end
	// of the content.
	ReadRows(ctx context.Context, content, position, limit, maxBytes int64) ([]string, error)
	// SetRow replaces the row at a position. The fault is NotFound when there is
	// none, or as for AddRows, and Invalid when the row has text that cannot be
	// stored.
	SetRow(ctx context.Context, content, position int64, cells string) error
	// RemoveRows removes the rows at the positions, which may be in any order,
	// and moves later rows up. The fault is NotFound when one of them does not
	// exist, or as for AddRows; then nothing is changed.
	RemoveRows(ctx context.Context, content int64, positions []int64) error
	// RowBytes returns the number of bytes of the rows from a position on.
	RowBytes(ctx context.Context, content, position int64) (int64, error)
	// DropContent removes a loose content in short transactions. Calling it
	// again continues an interrupted removal. It does nothing to a content that
	// a dataset has.
	DropContent(ctx context.Context, content int64) error
	// LooseContent returns some loose contents that have not been written to
	// since before.
	LooseContent(ctx context.Context, before time.Time) ([]int64, error)

	// AddDraft adds a draft to a live group. The fault is NotFound when there is
	// no such group, Conflict when it has a draft, Invalid when the body is not
	// JSON, and Unavailable when the content is being removed.
	AddDraft(ctx context.Context, workspace, group int64, state State) (Stored, error)
	// UpdateDraft replaces everything in a draft of a live group and returns it;
	// a replaced content becomes loose. The fault is NotFound when there is no
	// such draft.
	UpdateDraft(ctx context.Context, workspace, id int64, state State) (Stored, error)
	// SaveDraft gives the draft of a live group the next number and returns it;
	// the fault is NotFound when there is none.
	SaveDraft(ctx context.Context, workspace, group int64) (Stored, error)
	// AddNumbered adds a dataset with the next number to a live group. Faults
	// are those of AddDraft, except for Conflict.
	AddNumbered(ctx context.Context, workspace, group int64, state State) (Stored, error)
	// GetDataset returns a dataset, even one of a deleted group, or a NotFound
	// fault.
	GetDataset(ctx context.Context, workspace, id int64) (Stored, error)
	// FindDataset returns the dataset of a live group with the number, or with
	// the highest number when it is 0; the fault is NotFound when there is none.
	FindDataset(ctx context.Context, workspace, group, number int64) (Stored, error)
	// ListDatasets returns a page of the matching datasets and the number of all
	// matching datasets. A page past the end is empty. The fault is Invalid when
	// the query has more than 1,000 ids.
	ListDatasets(ctx context.Context, query ListQuery) ([]Stored, int64, error)
}

// Stored is a dataset as stored in the catalog: a version of its group, and the
// fields that only datasets have.
type Stored struct {
	Version   entity.Version
	Group     entity.Entity
	ContentID int64
	RowCount  int64
	UpdatedAt time.Time
}

// State is everything that a dataset has except its number.
type State struct {
	Body      json.RawMessage
	ContentID int64
	RowCount  int64
	Creator   *string
}

// PromptVersion identifies a version of a prompt.
type PromptVersion struct{ PromptID, Number int64 }

// ListQuery selects datasets of one workspace; all conditions must hold and
// the zero value of each does not restrict, except for the status.
type ListQuery struct {
	// Filters are those that lists of all kinds share. The name, the status and
	// the external id are those of the group, the others those of the dataset.
	// Other fields of the query are ignored.
	Filters entity.Query
	GroupID *int64
	// IDs are datasets.
	IDs []int64
	// PromptID, PromptVersionID and PromptLabelID select datasets with rows
	// from logs of the prompt, of the version, and of the version that the
	// label points at.
	PromptID, PromptVersionID, PromptLabelID *int64
	// ReportID selects the datasets of an evaluation and of its runs.
	ReportID *int64
}
