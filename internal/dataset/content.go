package dataset

import (
	"context"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

const (
	// batchRows and batchBytes limit one transaction, so that other writers do not
	// wait long, and limit the memory of content being written.
	batchRows  = 500
	batchBytes = 1 << 20
)

// content is the rows of a dataset being created.
type content struct {
	store Store
	id    int64
	// count and size are the number and the total size of all rows, stored or not.
	count, size int64
	// prompts are the prompt versions that the rows came from.
	prompts map[PromptVersion]bool

	pending      []string
	pendingBytes int
}

// build fills new content and passes it to use, which gives it to a dataset. If
// either fails, the content is removed. It waits for the turn of the workspace
// first.
func (s *Service) build(
	ctx context.Context, workspace int64, fill func(c *content) error, use func(c *content) (Stored, error),
) (Dataset, error) {
	end, err := s.builds.Acquire(ctx, workspace)
	if err != nil {
		return Dataset{}, err
	}
	defer end()
	id, err := s.store.CreateContent(ctx, workspace)
	if err != nil {
		return Dataset{}, err
	}
	c := &content{store: s.store, id: id, prompts: map[PromptVersion]bool{}}
	stored, err := c.finish(ctx, fill, use)
	s.tidy(ctx, func(ctx context.Context) error {
		if err != nil {
			return s.store.DropContent(ctx, id)
		}
		return s.Sweep(ctx)
	})
	if err != nil {
		return Dataset{}, err
	}
	return datasetOf(stored)
}

func (c *content) finish(ctx context.Context, fill func(c *content) error, use func(c *content) (Stored, error)) (Stored, error) {
	if err := fill(c); err != nil {
		return Stored{}, err
	}
	if err := c.flush(ctx); err != nil {
		return Stored{}, err
	}
	if err := c.savePrompts(ctx); err != nil {
		return Stored{}, err
	}
	return use(c)
}

// tidyTime limits the cleanup of a request. What remains is removed later.
const tidyTime = 10 * time.Second

// tidy cleans up, even after the request was cancelled. The request succeeds or
// fails independently of it.
func (s *Service) tidy(ctx context.Context, clean func(ctx context.Context) error) {
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidyTime)
	defer cancel()
	_ = clean(limited)
}

// add appends a row, the JSON array of its cells.
func (c *content) add(ctx context.Context, cells []byte) error {
	if len(cells) > maxRowSize {
		return fault.BadRequestf("A row takes %d bytes, more than %d", len(cells), maxRowSize)
	}
	c.pending = append(c.pending, string(cells))
	c.pendingBytes += len(cells)
	c.count++
	c.size += int64(len(cells))
	if len(c.pending) < batchRows && c.pendingBytes < batchBytes {
		return nil
	}
	return c.flush(ctx)
}

// flush stores the pending rows.
func (c *content) flush(ctx context.Context) error {
	if len(c.pending) == 0 {
		return nil
	}
	err := c.store.AddRows(ctx, c.id, c.count-int64(len(c.pending)), c.pending)
	clear(c.pending)
	c.pending, c.pendingBytes = c.pending[:0], 0
	return err
}

func (c *content) savePrompts(ctx context.Context) error {
	list := make([]PromptVersion, 0, min(len(c.prompts), batchRows))
	for prompt := range c.prompts {
		if list = append(list, prompt); len(list) == batchRows {
			if err := c.store.AddPrompts(ctx, c.id, list); err != nil {
				return err
			}
			list = list[:0]
		}
	}
	if len(list) == 0 {
		return nil
	}
	return c.store.AddPrompts(ctx, c.id, list)
}

// looseFor is how long content without a dataset is kept: longer than any pause
// while content is written, and than any read of replaced content.
const looseFor = time.Hour

// Sweep removes rows that an interrupted import left behind, and replaced rows.
// Call it at startup; after that, every new dataset sweeps.
func (s *Service) Sweep(ctx context.Context) error {
	loose, err := s.store.LooseContent(ctx, s.clock().Add(-looseFor))
	for _, id := range loose {
		if err == nil {
			err = s.store.DropContent(ctx, id)
		}
	}
	return err
}

// publish adds the next numbered dataset to a group. A draft becomes that
// dataset, and its content is replaced.
func (s *Service) publish(ctx context.Context, workspace, groupID int64, made Dataset) (stored Stored, err error) {
	err = s.entities.InTx(ctx, func(ctx context.Context) error {
		if err := s.entities.LockEntity(ctx, workspace, groupID); err != nil {
			return missing(err, "Dataset group not found")
		}
		draft, err := s.draft(ctx, workspace, groupID)
		if fault.Is(err, fault.NotFound) {
			stored, err = s.store.AddNumbered(ctx, workspace, groupID, made.stateOf())
			return err
		}
		if err != nil {
			return err
		}
		if _, err := s.store.UpdateDraft(ctx, workspace, draft.ID, made.stateOf()); err != nil {
			return err
		}
		stored, err = s.store.SaveDraft(ctx, workspace, groupID)
		return err
	})
	return stored, err
}
