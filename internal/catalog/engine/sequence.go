package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/fault"
)

const (
	// maxBlock limits one reservation, and maxFloor the start of a sequence, so
	// that no sequence can overflow.
	maxBlock = 1 << 31
	maxFloor = 1 << 62
)

// ReserveIDs takes n consecutive ids from the named sequence, which starts at 1,
// and returns the first. No other call in any process gets one of them. Inside a
// transaction the ids are reserved when it commits, and other callers wait until
// then. The fault is Invalid when n is not between 1 and 2³¹.
func ReserveIDs(ctx context.Context, db *DB, sequence string, n int64) (first int64, err error) {
	if n < 1 || n > maxBlock {
		return 0, fault.New(fault.Invalid, "cannot reserve %d ids", n)
	}
	last, err := Transact(ctx, db, func(ctx context.Context) (int64, error) {
		return ExecOne(ctx, db, ScanInt, table.IDBlock.Insert(`
(name, last, reserved_at)
VALUES ($1, $2, `+Clock+`)
ON CONFLICT (name) DO UPDATE SET last = id_block.last + excluded.last, reserved_at = excluded.reserved_at,
settled = `+settled("excluded.reserved_at", "$3")+`,
marked = CASE WHEN id_block.marked_at <= excluded.reserved_at - $3 THEN id_block.last ELSE id_block.marked END,
marked_at = CASE WHEN id_block.marked_at <= excluded.reserved_at - $3 THEN excluded.reserved_at ELSE id_block.marked_at END
RETURNING last`), sequence, n, SettleTime.Microseconds())
	})
	if err != nil {
		return 0, fmt.Errorf("reserve ids: %w", err)
	}
	return last - n + 1, nil
}

// SettleTime is the time after which reserved ids must not be used any more. Those who
// rely on SettledID use them for a third of it at most, so that neither slow
// statements nor clocks that drift apart matter.
const SettleTime = 10 * time.Minute

// settled is the SQL of the id up to which, at a time, no id is used any more.
func settled(now, after string) string {
	return `CASE WHEN id_block.reserved_at <= ` + now + ` - ` + after + ` THEN id_block.last
WHEN id_block.marked_at <= ` + now + ` - ` + after + ` THEN id_block.marked ELSE id_block.settled END`
}

// SettledID returns an id up to which all ids of the sequence were reserved more than
// SettleTime ago, by whichever process. It never decreases, is the last reserved id
// after that time without reservations, and covers every id that was reserved three
// times as long ago.
func SettledID(ctx context.Context, db *DB, sequence string) (int64, error) {
	found, err := QueryAll(ctx, db, ScanInt, `
SELECT `+settled(Clock, "$2")+`
FROM id_block
WHERE name = $1`, sequence, SettleTime.Microseconds())
	if err != nil || len(found) == 0 {
		return 0, WrapError(err, "find the settled id")
	}
	return found[0], nil
}

// EnsureIDsAbove ensures that all ids reserved from now on are greater than
// floor. The fault is Invalid when floor is negative or greater than 2⁶².
func EnsureIDsAbove(ctx context.Context, db *DB, sequence string, floor int64) error {
	if floor < 0 || floor > maxFloor {
		return fault.New(fault.Invalid, "cannot continue ids above %d", floor)
	}
	err := db.InTx(ctx, func(ctx context.Context) error {
		_, err := Exec(ctx, db, table.IDBlock.Insert(`
(name, last)
VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET last = excluded.last
WHERE id_block.last < excluded.last`), sequence, floor)
		return err
	})
	if err != nil {
		return fmt.Errorf("ensure ids above %d: %w", floor, err)
	}
	return nil
}

// NextSharedID takes an id from the sequence that entities of every kind and
// their versions share. It has its own table instead of a row in id_block, so
// that nobody waits for another transaction to end.
func NextSharedID(ctx context.Context, db *DB) (int64, error) {
	return ExecOne(ctx, db, ScanInt, table.SharedID.Insert(`
DEFAULT VALUES
RETURNING id`))
}
