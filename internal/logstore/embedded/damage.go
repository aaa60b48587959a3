package embedded

import (
	"context"
	"errors"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
)

// tableError turns an error of a query into what the caller returns. If the
// table is damaged it is rebuilt in the background; reads fail or wait until
// then.
func (s *Store) tableError(err error) error {
	if errors.Is(err, table.ErrClosed) {
		return fault.Busy(retryAfter, err, "The log table is not available at the moment")
	}
	if !table.Damaged(err) {
		return err
	}
	select {
	case s.damage <- err:
	default: // another reader has reported it
	}
	return fault.Busy(retryAfter, err, "The log table is damaged and is being rebuilt")
}

// mend rebuilds the table after a reader found damage.
func (s *Store) mend(ctx context.Context, cause error) {
	err := s.rebuild(ctx, cause)
	select {
	case <-s.damage: // reported before it was rebuilt
	default:
	}
	s.settle(err)
	if err != nil {
		s.log.Error("cannot rebuild the log table", "error", err)
	}
}
