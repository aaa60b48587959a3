package dataset

import (
	"context"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

const (
	// batchRows and batchBytes bound one transaction, so that nobody waits long
	// for it, and what a content that is written takes in memory.
	batchRows  = 500
	batchBytes = 1 << 20
)

// content is the rows of a dataset that is being made.
type content struct {
	store Store
	id    int64
	// count is how many rows there are, stored or not, and size their bytes.
	count, size int64
	// prompts are the versions of prompts that rows came from.
	prompts map[PromptVersion]bool

	pending      []string
	pendingBytes int
}

// build makes a content with fill and gives it to a dataset with use. Nothing
// is left of it when either fails.
func (s *Service) build(
	ctx context.Context, workspace int64, fill func(c *content) error, use func(c *content) (Stored, error),
) (Dataset, error) {
	if err := wait(ctx, s.builds); err != nil {
		return Dataset{}, err
	}
	defer func() { <-s.builds }()
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

// wait takes a token.
func wait(ctx context.Context, tokens chan struct{}) error {
	select {
	case tokens <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// tidyTime is how long a request may clean up. What it cannot remove in that
// time is removed later.
const tidyTime = 10 * time.Second

// tidy cleans up, also after a request that was given up. Whether it succeeds
// does not matter to the request.
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

// flush stores the rows that were not stored yet.
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

// looseFor is how long a content that no dataset has stays: longer than any
// pause of one that is being written, and than any reader of one that was
// replaced.
const looseFor = time.Hour

// Sweep removes the rows that an import left behind when its process ended, and
// those that were replaced. It is called at the start; after that, every new
// dataset sweeps.
func (s *Service) Sweep(ctx context.Context) error {
	loose, err := s.store.LooseContent(ctx, s.clock().Add(-looseFor))
	for _, id := range loose {
		if err == nil {
			err = s.store.DropContent(ctx, id)
		}
	}
	return err
}

// publish gives a group the next numbered dataset: its draft becomes it where
// there is one, with all that it had replaced.
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
