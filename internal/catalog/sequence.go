package catalog

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/fault"
)

const (
	// maxBlock bounds one reservation, maxFloor where a sequence may be put,
	// so that no sequence can overflow.
	maxBlock = 1 << 31
	maxFloor = 1 << 62
)

// ReserveIDs takes n consecutive ids (first, first+1, …) from the named
// sequence, which starts at 1. No other call gets any of them, in whatever
// process. Within a transaction the ids are only reserved when it commits,
// and other callers wait until then. The fault is Invalid when n is not
// between 1 and 2³¹.
func (c *Catalog) ReserveIDs(ctx context.Context, sequence string, n int64) (first int64, err error) {
	if n < 1 || n > maxBlock {
		return 0, fault.New(fault.Invalid, "cannot reserve %d ids", n)
	}
	last, err := inTx(ctx, c, func(ctx context.Context) (int64, error) {
		return queryOne(ctx, c, scanInt, `
INSERT INTO id_block (name, last)
VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET last = id_block.last + excluded.last
RETURNING last`, sequence, n)
	})
	if err != nil {
		return 0, fmt.Errorf("reserve ids: %w", err)
	}
	return last - n + 1, nil
}

// EnsureIDsAbove makes sure that every id reserved from now on is greater
// than floor. A sequence that is further on stays where it is. The fault is
// Invalid when floor is negative or beyond 2⁶².
func (c *Catalog) EnsureIDsAbove(ctx context.Context, sequence string, floor int64) error {
	if floor < 0 || floor > maxFloor {
		return fault.New(fault.Invalid, "cannot continue ids above %d", floor)
	}
	err := c.InTx(ctx, func(ctx context.Context) error {
		_, err := c.exec(ctx, `
INSERT INTO id_block (name, last)
VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET last = excluded.last
WHERE id_block.last < excluded.last`, sequence, floor)
		return err
	})
	if err != nil {
		return fmt.Errorf("ensure ids above %d: %w", floor, err)
	}
	return nil
}

// nextSharedID takes an id from the sequence that entities of every kind and
// their versions share. It is a table of its own and not a row of id_block,
// so that nobody waits for another transaction to end.
func (c *Catalog) nextSharedID(ctx context.Context) (int64, error) {
	return queryOne(ctx, c, scanInt, `
INSERT INTO shared_id
DEFAULT VALUES
RETURNING id`)
}
