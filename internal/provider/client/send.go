package client

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/promptuary/promptuary/internal/provider"
)

// send sends a call until it succeeds, has no attempts left, or runs out of
// time. It returns the answer and the number of attempts.
func (s *Service) send(parent context.Context, p *plan) ([]byte, int, *provider.Error) {
	ctx, cancel := context.WithTimeout(parent, s.options.Timeout)
	defer cancel()
	for attempt := 1; ; attempt++ {
		raw, failure := s.try(ctx, p)
		if failure != nil && ctx.Err() != nil {
			return nil, attempt, ended(ctx, s.options.Timeout)
		}
		if failure == nil || !failure.Retry || attempt > s.options.Retries {
			return raw, attempt, failure
		}
		delay := s.delay(failure, attempt)
		if deadline, ok := ctx.Deadline(); delay > s.options.LongestWait || ok && time.Until(deadline) < delay {
			return nil, attempt, failure
		}
		if s.options.Wait(ctx, delay) != nil {
			return nil, attempt, ended(ctx, s.options.Timeout)
		}
	}
}

// ended returns the failure of a call that ran out of time or was cancelled.
func ended(ctx context.Context, timeout time.Duration) *provider.Error {
	failure := provider.NewError(provider.TypeTimeout, "The provider did not answer within %s", timeout)
	if errors.Is(ctx.Err(), context.Canceled) {
		failure = provider.NewError(provider.TypeUnknown, "The call was cancelled")
	}
	failure.Cause = ctx.Err()
	return failure
}

// The waits between attempts: half a second, doubled each time.
const (
	firstDelay   = 500 * time.Millisecond
	longestDelay = 8 * time.Second
)

// delay returns how long to wait after a failed attempt, with jitter.
func (s *Service) delay(failure *provider.Error, attempt int) time.Duration {
	if failure.After >= 0 {
		return failure.After
	}
	delay := min(firstDelay<<min(attempt-1, 10), longestDelay)
	return delay - time.Duration(s.options.Random()*float64(delay)/4)
}

// try sends a call once. Streamed pieces cannot be withdrawn, so an attempt
// that has delivered some is the last.
func (s *Service) try(ctx context.Context, p *plan) ([]byte, *provider.Error) {
	leave, err := s.gate.enter(ctx, p.target.door)
	if err != nil {
		return nil, provider.NewError(provider.TypeTimeout, "Too many calls to this provider at once; try again later")
	}
	defer leave()
	if p.stream == nil {
		return s.exchange(ctx, p, nil)
	}
	stream := p.api.Caller.Stream(func(d provider.Delta) {
		p.delivered = true
		p.stream(d)
	})
	raw, failure := s.exchange(ctx, p, stream.Event)
	if failure == nil && raw == nil {
		raw, failure = stream.Answer()
	}
	if failure != nil && p.delivered {
		failure.Retry = false
	}
	return raw, failure
}

// gate limits the number of concurrent calls for each door.
type gate struct {
	limit int
	mutex sync.Mutex
	doors map[string]*door
}

// door exists as long as it is in use.
type door struct {
	places chan struct{}
	users  int
}

// enter waits for a free slot of the named door. It returns a function that
// releases the slot, or the error of the context.
func (g *gate) enter(ctx context.Context, name string) (leave func(), err error) {
	d := g.approach(name)
	select {
	case d.places <- struct{}{}:
		return func() {
			<-d.places
			g.depart(name, d)
		}, nil
	case <-ctx.Done():
		g.depart(name, d)
		return nil, ctx.Err()
	}
}

func (g *gate) approach(name string) *door {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	d := g.doors[name]
	if d == nil {
		d = &door{places: make(chan struct{}, g.limit)}
		g.doors[name] = d
	}
	d.users++
	return d
}

func (g *gate) depart(name string, d *door) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if d.users--; d.users == 0 {
		delete(g.doors, name)
	}
}
