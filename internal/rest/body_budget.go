package rest

import (
	"sync/atomic"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// freeBody is how much of each body is not charged, so that bodies of usual
// size never wait for large ones.
const freeBody = 16 << 10

// bodyBudget limits the memory of all request bodies in progress. Bytes are
// charged as they arrive and released when the request has been answered. A nil
// budget has no limit.
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

// charge is the share of one body in a budget.
type charge struct {
	budget *bodyBudget
	size   int64 // of the body and its tree
	taken  int64
}

// add charges n more bytes. A body that costs more than the whole budget is
// accepted if it is alone.
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

// moveTo charges another budget with everything until now.
func (c *charge) moveTo(budget *bodyBudget) error {
	size := c.size
	c.release()
	c.budget, c.size = budget, 0
	return c.add(size)
}

// release returns everything that was taken.
func (c *charge) release() {
	if c.taken > 0 {
		c.budget.left.Add(c.taken)
		c.taken = 0
	}
}

// addTree charges the tree that a JSON text is parsed into.
func (c *charge) addTree(text []byte) error {
	if c.budget == nil || len(text) <= freeBody {
		return nil
	}
	return c.add(int64(jsontree.TreeSize(text)))
}
