package dataset

import (
	"context"
	"encoding/json"
	"time"

	"github.com/promptuary/promptuary/internal/entity"
)

// Store is what the service needs of the catalog. The methods on entities
// promise what those of catalog.Catalog do.
//
// The rows of a dataset are its content. Content is written before any dataset
// has it, in short transactions of its own, and nobody sees it then; a dataset
// gets it in one step. What no dataset gets is removed.
type Store interface {
	InTx(ctx context.Context, fn func(ctx context.Context) error) error
	CreateEntity(ctx context.Context, input entity.New) (entity.Entity, error)
	GetEntity(ctx context.Context, workspace, id int64) (entity.Entity, error)
	LockEntity(ctx context.Context, workspace, id int64) error
	AttachExternalID(ctx context.Context, workspace, entity int64, ref entity.ExternalRef) error
	ExternalIDsByEntity(ctx context.Context, workspace int64, entities []int64) (map[int64][]entity.ExternalID, error)

	// CreateContent returns the id of a content without rows that no dataset
	// has. The fault is NotFound when there is no such workspace.
	CreateContent(ctx context.Context, workspace int64) (int64, error)
	// AddRows stores rows from a position on, which must be the next one. The
	// fault is NotFound when the content is being removed.
	AddRows(ctx context.Context, content, position int64, rows []string) error
	// AddPrompts notes which versions of prompts the rows came from; those
	// that are noted already count once.
	AddPrompts(ctx context.Context, content int64, prompts []PromptVersion) error
	// CopyRows adds rows of another content, which both have at the same
	// positions: limit rows from a position on. It returns how many there were.
	CopyRows(ctx context.Context, source, target, position, limit int64) (int64, error)
	// CopyPrompts adds all that another content has noted.
	CopyPrompts(ctx context.Context, source, target int64) error
	// ReadRows returns rows from a position on: limit rows at most, and no
	// further one once they have more than maxBytes. There is one at least
	// unless the content ends there.
	ReadRows(ctx context.Context, content, position, limit, maxBytes int64) ([]string, error)
	// SetRow replaces the row at a position; the fault is NotFound when there is
	// none.
	SetRow(ctx context.Context, content, position int64, cells string) error
	// RemoveRows removes the rows at the positions and moves those behind them
	// up. The fault is NotFound when one of them is not there.
	RemoveRows(ctx context.Context, content int64, positions []int64) error
	// RowBytes returns how many bytes the rows from a position on take.
	RowBytes(ctx context.Context, content, position int64) (int64, error)
	// DropContent removes a content that no dataset has, in short transactions.
	DropContent(ctx context.Context, content int64) error
	// LooseContent returns some contents that no dataset has and that nobody
	// has written to since before.
	LooseContent(ctx context.Context, before time.Time) ([]int64, error)

	// AddDraft gives a live group a draft. The fault is NotFound when there is
	// no such group, Conflict when it has one, and Unavailable when the content
	// is being removed.
	AddDraft(ctx context.Context, workspace, group int64, state State) (Stored, error)
	// UpdateDraft replaces all that a draft has; another content becomes loose.
	// The fault is NotFound when there is no such draft.
	UpdateDraft(ctx context.Context, workspace, id int64, state State) (Stored, error)
	// SaveDraft gives the draft of a live group the next number. The fault is
	// NotFound when there is none.
	SaveDraft(ctx context.Context, workspace, group int64) (Stored, error)
	// AddNumbered adds a dataset with the next number to a live group; faults
	// are those of AddDraft.
	AddNumbered(ctx context.Context, workspace, group int64, state State) (Stored, error)
	// GetDataset returns a dataset, also one of a deleted group; the fault is
	// NotFound when the workspace has none.
	GetDataset(ctx context.Context, workspace, id int64) (Stored, error)
	// FindDataset returns the dataset of a live group by its number, the one
	// with the highest number when that is 0; the fault is NotFound when there
	// is none.
	FindDataset(ctx context.Context, workspace, group, number int64) (Stored, error)
	// ListDatasets returns the page of datasets that match and how many match
	// in all.
	ListDatasets(ctx context.Context, query ListQuery) ([]Stored, int64, error)
}

// Stored is a dataset as the catalog keeps it: a version of its group, and
// what datasets have beside.
type Stored struct {
	Version   entity.Version
	Group     entity.Entity
	ContentID int64
	RowCount  int64
	UpdatedAt time.Time
}

// State is all that a dataset has but its number.
type State struct {
	Body      json.RawMessage
	ContentID int64
	RowCount  int64
	Creator   *string
}

// PromptVersion names a version of a prompt.
type PromptVersion struct{ PromptID, Number int64 }

// ListQuery selects datasets of one workspace; all conditions must hold and
// the zero value of each does not restrict, except for the status.
type ListQuery struct {
	// Filters are those that lists of all kinds share. The name, the status
	// and the external id are those of the group, all else the dataset's own.
	// What else a query of entities has does not count.
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
