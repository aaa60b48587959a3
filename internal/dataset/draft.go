package dataset

import (
	"context"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
)

// copyRows is the number of rows copied per transaction.
const copyRows = 200

// CreateDraft adds a draft to a group, empty or with the rows of another
// dataset of the group. The fault is NotFound for an unknown group or source,
// Forbidden if the caller lacks the permission, and Conflict if the group has a
// draft.
func (s *Service) CreateDraft(ctx context.Context, workspace, groupID int64, sourceID *int64, creator *string) (Dataset, error) {
	if _, err := s.group(ctx, workspace, groupID); err != nil {
		return Dataset{}, err
	}
	source, err := s.source(ctx, workspace, groupID, sourceID)
	if err != nil {
		return Dataset{}, err
	}
	if err := access.Require(ctx, access.DatasetEdit); err != nil {
		return Dataset{}, err
	}
	if _, err := s.draft(ctx, workspace, groupID); !fault.Is(err, fault.NotFound) {
		return Dataset{}, orElse(err, errDraftExists)
	}
	source.Creator = creator
	return s.build(ctx, workspace, func(c *content) error { return c.copy(ctx, source) },
		func(c *content) (Stored, error) {
			source.content = c.id
			stored, err := s.store.AddDraft(ctx, workspace, groupID, source.stateOf())
			if fault.Is(err, fault.Conflict) {
				err = errDraftExists
			}
			return stored, missing(err, "Dataset group not found")
		})
}

var errDraftExists = fault.Conflictf("The dataset group already has a draft")

// orElse returns err, or other if err is nil.
func orElse(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// source returns the dataset that a draft starts from, an empty one for none.
func (s *Service) source(ctx context.Context, workspace, groupID int64, id *int64) (Dataset, error) {
	if id == nil {
		return Dataset{}, nil
	}
	found, err := s.GetLive(ctx, workspace, *id)
	if err == nil && found.GroupID != groupID {
		err = fault.NotFoundf("Source dataset not found")
	}
	// Edits can change the draft, so the filter would no longer describe its rows.
	found.Filter = nil
	return found, missing(err, "Source dataset not found")
}

// copy copies the rows of an immutable dataset.
func (c *content) copy(ctx context.Context, source Dataset) error {
	for c.count < source.RowCount {
		copied, err := c.store.CopyRows(ctx, source.content, c.id, c.count, copyRows)
		if err != nil {
			return err
		}
		if copied == 0 {
			return fault.NotFoundf("Source dataset not found")
		}
		c.count += copied
	}
	if source.RowCount == 0 {
		return nil
	}
	return c.store.CopyPrompts(ctx, source.content, c.id)
}

// AddRequestLog appends a row for a request log to the draft of a group and
// returns the draft. The columns are from LogColumns; empty for the usual ones. The fault is NotFound for an unknown group, draft or log,
// and Forbidden if the caller lacks the permission.
func (s *Service) AddRequestLog(ctx context.Context, workspace, groupID, logID int64, columns ...string) (Dataset, error) {
	if _, err := s.group(ctx, workspace, groupID); err != nil {
		return Dataset{}, err
	}
	if _, err := s.draft(ctx, workspace, groupID); err != nil {
		return Dataset{}, err
	}
	found, err := s.logs.Get(ctx, workspace, logID)
	if err != nil {
		return Dataset{}, missing(err, "Request log not found")
	}
	if err := access.Require(ctx, access.DatasetEdit); err != nil {
		return Dataset{}, err
	}
	return s.append(ctx, workspace, groupID, []logRow{rowOf(found, distinct(columns))})
}

// append appends rows to the draft.
func (s *Service) append(ctx context.Context, workspace, groupID int64, rows []logRow) (draft Dataset, err error) {
	err = s.entities.InTx(ctx, func(ctx context.Context) (err error) {
		draft, err = s.appendInTx(ctx, workspace, groupID, rows)
		return err
	})
	return draft, err
}

func (s *Service) appendInTx(ctx context.Context, workspace, groupID int64, rows []logRow) (Dataset, error) {
	if err := s.entities.LockEntity(ctx, workspace, groupID); err != nil {
		return Dataset{}, missing(err, "Dataset group not found")
	}
	draft, err := s.draft(ctx, workspace, groupID)
	if err != nil {
		return draft, err
	}
	layout := newLayout(draft.Columns)
	texts, prompts, err := layout.texts(rows)
	if err != nil {
		return draft, err
	}
	if err := s.store.AddRows(ctx, draft.content, draft.RowCount, texts); err != nil {
		return draft, err
	}
	if len(prompts) > 0 {
		if err := s.store.AddPrompts(ctx, draft.content, prompts); err != nil {
			return draft, err
		}
	}
	draft.Columns, draft.RowCount, draft.Filter = layout.columns, draft.RowCount+int64(len(rows)), nil
	stored, err := s.store.UpdateDraft(ctx, workspace, draft.ID, draft.stateOf())
	if err != nil {
		return draft, err
	}
	return datasetOf(stored)
}

// texts adds the columns of rows and returns the rows as they are stored, with the
// prompt versions that they came from.
func (l *layout) texts(rows []logRow) (texts []string, prompts []PromptVersion, err error) {
	for _, row := range rows {
		if err := l.addAll(row.cells); err != nil {
			return nil, nil, err
		}
		text := l.row(row.cells)
		if len(text) > maxRowSize {
			return nil, nil, fault.BadRequestf("The request log is too large for a row")
		}
		texts = append(texts, string(text))
		if row.prompt != nil {
			prompts = append(prompts, *row.prompt)
		}
	}
	return texts, prompts, nil
}

// SaveDraft gives the draft of a group the next number and returns it. The
// fault is NotFound for an unknown group or draft, and Forbidden if the caller
// lacks the permission.
func (s *Service) SaveDraft(ctx context.Context, workspace, groupID int64) (Dataset, error) {
	if _, err := s.group(ctx, workspace, groupID); err != nil {
		return Dataset{}, err
	}
	if _, err := s.draft(ctx, workspace, groupID); err != nil {
		return Dataset{}, err
	}
	if err := access.Require(ctx, access.DatasetEdit); err != nil {
		return Dataset{}, err
	}
	stored, err := s.store.SaveDraft(ctx, workspace, groupID)
	if err != nil {
		return Dataset{}, missing(err, "The dataset group has no draft")
	}
	return datasetOf(stored)
}
