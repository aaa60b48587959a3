package client

import (
	"context"
	"sync"
	"time"
)

// send sends a call until it is answered, tried often enough, or out of time.
// It returns the answer and the number of tries.
func (s *Service) send(parent context.Context, p *plan) ([]byte, int, *Error) {
	ctx, cancel := context.WithTimeout(parent, s.options.Timeout)
	defer cancel()
	for attempt := 1; ; attempt++ {
		raw, failure := s.try(ctx, p)
		if failure != nil && ctx.Err() != nil {
			return nil, attempt, ended(ctx, s.options.Timeout)
		}
		if failure == nil || !failure.retry || attempt > s.options.Retries {
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

// The waits between tries: half a second, doubled each time.
const (
	firstDelay   = 500 * time.Millisecond
	longestDelay = 8 * time.Second
)

// delay returns how long to wait after a failed try. Callers that failed
// together do not come back together.
func (s *Service) delay(failure *Error, attempt int) time.Duration {
	if failure.after >= 0 {
		return failure.after
	}
	delay := min(firstDelay<<min(attempt-1, 10), longestDelay)
	return delay - time.Duration(s.options.Random()*float64(delay)/4)
}

// try sends a call once. What a stream delivered cannot be taken back, so a
// try that has delivered something is the last.
func (s *Service) try(ctx context.Context, p *plan) ([]byte, *Error) {
	leave, err := s.gate.enter(ctx, p.target.door)
	if err != nil {
		return nil, newError(TypeTimeout, "The call found no free place")
	}
	defer leave()
	x := &exchange{}
	var pieces assembler
	if p.stream != nil {
		pieces = p.wire.pieces(func(d Delta) {
			p.delivered = true
			p.stream(d)
		})
		x.events = pieces.event
	}
	err = p.wire.send(x.within(ctx), p)
	switch {
	case !x.done && err != nil:
		x.failure = unreached(err)
	case !x.done:
		x.failure = newError(TypeUnknown, "The call was not sent")
	case x.failure == nil && pieces != nil && x.raw == nil:
		x.raw, x.failure = pieces.answer()
	}
	if x.failure != nil && p.delivered {
		x.failure.retry = false
	}
	return x.raw, x.failure
}

// gate bounds how many calls are under way behind each door.
type gate struct {
	limit int
	mutex sync.Mutex
	doors map[string]*door
}

// door is there for as long as somebody uses it.
type door struct {
	places chan struct{}
	users  int
}

// enter waits for a place behind the named door and returns how to leave it,
// or the context's error.
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
