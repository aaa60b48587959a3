package embedded

import (
	"errors"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/logstore/embedded/textindex"
)

// alarms carry the damage that anybody finds to the applier, which rebuilds what is
// damaged. Each holds one report: a second one about the same damage would add nothing.
type alarms struct {
	table   chan error    // what is wrong with the table
	text    chan struct{} // the text index is damaged
	journal chan struct{} // new damage of the journal was found
}

func newAlarms() *alarms {
	return &alarms{table: make(chan error, 1), text: make(chan struct{}, 1), journal: make(chan struct{}, 1)}
}

// tableError turns an error of a query into what the caller returns. If the
// table is damaged it is rebuilt in the background; reads fail or wait until
// then.
func (a *alarms) tableError(err error) error {
	if errors.Is(err, table.ErrClosed) {
		return fault.Busy(retryAfter, err, "The log table is not available at the moment")
	}
	if !table.Damaged(err) {
		return err
	}
	select {
	case a.table <- err:
	default: // another reader has reported it
	}
	return fault.Busy(retryAfter, err, "The log table is damaged and is being rebuilt")
}

// textError returns the fault for an answer of a text index that is damaged. It
// is rebuilt in the background.
func (a *alarms) textError(text *textindex.Index) error {
	err := text.Damaged()
	if err == nil {
		return nil
	}
	signal(a.text)
	return fault.Busy(retryAfter, err, "The text index is damaged and is being rebuilt")
}

// signal sends to a channel with a buffer of one, unless it is full.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// isClosed reports whether a channel to which nothing is sent is closed.
func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
