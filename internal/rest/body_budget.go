package rest

import (
	"io"
	"sync/atomic"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// freeBody is how much of each body costs nothing. Bodies of usual size never
// wait for large ones then, and a stranger who sends large bodies slowly
// cannot keep others from sending small ones.
const freeBody = 16 << 10

// bodyBudget bounds the memory of all bodies that are under way: what is read
// is taken from it, and given back when the request was answered. A nil budget
// has no bound.
type bodyBudget struct {
	total int64
	left  atomic.Int64
}

func newBodyBudget(bytes int64) *bodyBudget {
	if bytes == 0 {
		return nil
	}
	b := &bodyBudget{total: bytes}
	b.left.Store(bytes)
	return b
}

// charge is one body's part of the budget.
type charge struct {
	budget *bodyBudget
	size   int64 // of the body and its tree so far
	taken  int64
}

// add accounts for n more bytes. A body that costs more than the whole budget
// gets through when it is alone.
func (c *charge) add(n int64) error {
	c.size += n
	if c.budget == nil || c.size <= freeBody {
		return nil
	}
	due := min(c.size-freeBody, c.budget.total) - c.taken
	if c.budget.left.Add(-due) < 0 {
		c.budget.left.Add(due)
		return fault.Busy(time.Second, nil, "too many large requests at once")
	}
	c.taken += due
	return nil
}

// release gives back all that was taken.
func (c *charge) release() {
	if c.taken > 0 {
		c.budget.left.Add(c.taken)
		c.taken = 0
	}
}

// reader returns from with everything that is read accounted for.
func (c *charge) reader(from io.Reader) io.Reader { return &chargedReader{from, c} }

type chargedReader struct {
	from   io.Reader
	charge *charge
}

func (r *chargedReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if over := r.charge.add(int64(n)); over != nil {
		return 0, over
	}
	return n, err
}

// addTree accounts for the tree that a JSON text is parsed into.
func (c *charge) addTree(text []byte) error {
	if c.budget == nil || len(text) <= freeBody {
		return nil
	}
	return c.add(int64(jsontree.TreeSize(text)))
}
