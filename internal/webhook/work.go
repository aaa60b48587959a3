package webhook

import (
	"context"
	"math/rand/v2"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/job"
)

// Kind is the kind of the jobs, whose subject is a webhook. A webhook with pending
// deliveries has a job.
const Kind job.Kind = "webhook"

const (
	// batch is the number of deliveries that are read at once, and parallel the
	// number that are sent to one target at the same time.
	batch    = 64
	parallel = 4
	// firstWait is the time until the second attempt. It is multiplied by waitFactor
	// for every other, up to maxWait.
	firstWait  = 10 * time.Second
	waitFactor = 4
	maxWait    = 6 * time.Hour
	// maxAttempts is enough for a target that is away for a day.
	maxAttempts = 10
	// keepFor and keepNewest limit the history of a webhook.
	keepFor    = 30 * 24 * time.Hour
	keepNewest = 10_000
)

// Backoff returns the time until the next attempt after a number of failures, and
// whether there is one. Up to a fifth is added at random, so that targets that were
// away are not called by everyone at once.
func Backoff(failures int64) (time.Duration, bool) {
	if failures >= maxAttempts {
		return 0, false
	}
	wait := firstWait
	for range failures - 1 {
		wait = min(wait*waitFactor, maxWait)
	}
	return wait + rand.N(wait/5), true
}

// Work delivers what is due, and leaves the job until more is.
func (s *Service) Work(ctx context.Context, task *job.Task) error {
	for {
		target, err := s.options.Store.GetWebhook(ctx, task.Workspace, task.Subject)
		if fault.Is(err, fault.NotFound) {
			return s.options.Store.InTx(ctx, task.End)
		}
		if err != nil {
			return err
		}
		due, err := s.due(ctx, &target)
		if err != nil {
			return err
		}
		if len(due) == 0 {
			left, err := s.leave(ctx, task, &target)
			if left || err != nil {
				return err
			}
			continue
		}
		if err := s.deliverAll(ctx, task, &target, due); err != nil {
			return err
		}
		select {
		case <-task.Stopping():
			return job.ErrStopped
		default:
		}
	}
}

// due returns what a webhook must be sent now: nothing while it is disabled.
func (s *Service) due(ctx context.Context, target *Webhook) ([]Delivery, error) {
	if !target.Enabled {
		return nil, nil
	}
	return s.options.Store.DueDeliveries(ctx, target.ID, batch)
}

// leave ends the job, or its lease until the next delivery is due. It reports false
// if something became due in the meantime: anyone who adds a delivery locks the job, too.
func (s *Service) leave(ctx context.Context, task *job.Task, target *Webhook) (left bool, err error) {
	if err := s.options.Store.PruneDeliveries(ctx, target.ID, s.options.Clock().Add(-keepFor), keepNewest); err != nil {
		return false, err
	}
	err = s.options.Store.InTx(ctx, func(ctx context.Context) error {
		if err := task.Hold(ctx); err != nil {
			return err
		}
		current, err := s.options.Store.GetWebhook(ctx, task.Workspace, task.Subject)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		if err != nil || !current.Enabled {
			left = true
			return task.End(ctx)
		}
		wait, more, err := s.options.Store.NextDelivery(ctx, target.ID)
		switch left = !more || wait > 0; {
		case err != nil || !left:
			return err
		case more:
			return task.Leave(ctx, wait)
		}
		return task.End(ctx)
	})
	return left, err
}

// deliverAll makes an attempt for each delivery.
func (s *Service) deliverAll(ctx context.Context, task *job.Task, target *Webhook, due []Delivery) error {
	var group errgroup.Group
	group.SetLimit(parallel)
	for _, one := range due {
		group.Go(guard.Task("webhook delivery", func() error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return s.deliver(ctx, task, target, one)
		}))
	}
	return group.Wait()
}

// deliver makes one attempt and stores how it ended.
func (s *Service) deliver(ctx context.Context, task *job.Task, target *Webhook, d Delivery) error {
	d.Last = s.attempt(ctx, target, &d)
	if ctx.Err() != nil {
		return context.Cause(ctx) // it is not the target's fault
	}
	d.Attempts++
	wait := s.count(&d)
	return s.options.Store.InTx(ctx, func(ctx context.Context) error {
		if err := task.Hold(ctx); err != nil {
			return err
		}
		return s.options.Store.SaveDelivery(ctx, d, wait)
	})
}

// count sets the state of a delivery after an attempt. It returns the time until the
// next one.
func (s *Service) count(d *Delivery) time.Duration {
	if d.Last.ok() {
		s.accepted.Add(1)
		d.State = Delivered
		return 0
	}
	s.failed.Add(1)
	d.Failures++
	wait, again := s.options.Wait(d.Failures)
	if !again {
		s.buried.Add(1)
		d.State = Dead
	}
	return wait
}

// attempt sends a delivery to its target.
func (s *Service) attempt(ctx context.Context, target *Webhook, d *Delivery) Attempt {
	began := s.options.Clock()
	message, err := s.message(target, d, began)
	if err != nil {
		return Attempt{At: &began, Failure: err.Error()}
	}
	done := s.options.Sender.Send(ctx, message)
	done.At, done.Took = &began, s.options.Clock().Sub(began)
	return done
}

func (s *Service) message(target *Webhook, d *Delivery, now time.Time) (Message, error) {
	m := Message{URL: target.URL, Header: map[string]string{}, Body: []byte(d.Payload)}
	switch target.Format {
	case Slack:
		m.Body = slackMessage(d.Payload)
	case Email:
		text := textOf(d.Payload)
		subject, _, _ := strings.Cut(text, "\n")
		return Message{URL: target.URL, Header: map[string]string{"Subject": subject, "Event-ID": d.EventID}, Body: []byte(text)}, nil
	default:
		key, err := s.open(target)
		if err != nil {
			return m, err
		}
		m.Header = Headers(key, d.EventID, now, m.Body)
	}
	m.Header["Content-Type"] = "application/json"
	return m, nil
}
