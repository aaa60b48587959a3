package playground

import (
	"context"
	"sync"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/guard"
)

// comeBack is when a caller may retry if all places are taken.
const comeBack = time.Second

// places limit the number of concurrent calls, in total and per workspace.
type places struct {
	total, each int
	stopping    context.Context
	stop        context.CancelFunc

	mu     sync.Mutex
	closed bool
	taken  int
	by     map[int64]int
	users  sync.WaitGroup
}

func newPlaces(total, each int) *places {
	p := &places{total: total, each: each, by: map[int64]int{}}
	p.stopping, p.stop = context.WithCancel(context.Background())
	return p
}

// enter takes a place. The returned context ends with the given one, and when
// the places are closed.
func (p *places) enter(ctx context.Context, workspace int64) (within context.Context, leave func(), err error) {
	if err := p.take(workspace); err != nil {
		return nil, nil, err
	}
	within, cancel := context.WithCancel(ctx)
	detach := context.AfterFunc(p.stopping, cancel)
	return within, func() {
		detach()
		cancel()
		p.free(workspace)
	}, nil
}

func (p *places) take(workspace int64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.closed:
		return fault.Busy(comeBack, nil, "The server is stopping")
	case p.by[workspace] >= p.each:
		refused := fault.New(fault.RateLimited, "The workspace already has %d playground calls in progress, which is the maximum", p.each)
		refused.RetryAfter = comeBack
		return refused
	case p.taken >= p.total:
		return fault.Busy(comeBack, nil, "Too many playground calls are in progress")
	}
	p.taken++
	p.by[workspace]++
	p.users.Add(1)
	return nil
}

func (p *places) free(workspace int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken--
	if p.by[workspace]--; p.by[workspace] == 0 {
		delete(p.by, workspace)
	}
	p.users.Done()
}

// close cancels all calls and waits until their places are released.
func (p *places) close(ctx context.Context) error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.stop()
	left := make(chan struct{})
	guard.Go("playground", func() {
		p.users.Wait()
		close(left)
	})
	select {
	case <-left:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
