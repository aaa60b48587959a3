package main

import (
	"context"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

// mixedTime is the duration of ingest with concurrent searches.
const mixedTime = 10 * time.Second

// measureMixed searches while logs arrive at half the measured ingest rate. The
// load is open: a slow response does not delay other logs.
func (b *bench) measureMixed() error {
	set := b.bodies(b.next, min(int(b.rate/2*mixedTime.Seconds()), b.extraLogs()-oneClientLogs-manyClientLogs))
	group, ctx := errgroup.WithContext(context.Background())
	ingesting, stop := context.WithCancel(ctx)
	var ingest *loaded
	var search, text timesPerBody
	group.Go(func() (err error) {
		defer stop()
		ingest, err = b.loadAtRate(ctx, set, b.rate/2)
		return err
	})
	group.Go(func() (err error) {
		search, err = b.searchUntil(ingesting, b.filterBodies())
		return err
	})
	group.Go(func() (err error) {
		text, err = b.searchUntil(ingesting, b.textBodies())
		return err
	})
	if err := group.Wait(); err != nil {
		return err
	}
	b.acknowledge(ingest)
	b.report.info("mixed: logs taken in", perSecond(len(ingest.times), ingest.elapsed))
	b.report.info("mixed: ingest p99, from when the log was due", milliseconds(percentile(ingest.times, 0.99)))
	b.report.atMost("mixed: search, median", milliseconds(median(search.medians())), milliseconds(median(b.search)), 2)
	b.report.below("mixed: search, p99", milliseconds(percentile(slices.Concat(search...), 0.99)), 150)
	b.report.atMost("mixed: free text, median", milliseconds(median(text.medians())), milliseconds(median(b.text)), 2)
	return nil
}

// timesPerBody are the times of several searches, each made many times.
type timesPerBody [][]time.Duration

// medians returns the median of each search, whose median is comparable with
// that of an idle server.
func (t timesPerBody) medians() (medians []time.Duration) {
	for _, times := range t {
		if len(times) > 0 {
			medians = append(medians, median(times))
		}
	}
	return medians
}

// searchUntil searches until ctx ends. It cycles through all bodies.
func (b *bench) searchUntil(ctx context.Context, bodies [][]byte) (timesPerBody, error) {
	c, err := b.server.connect()
	if err != nil {
		return nil, err
	}
	defer c.close()
	perBody := make(timesPerBody, len(bodies))
	for i := 0; ctx.Err() == nil; i = (i + 1) % len(bodies) {
		began := time.Now()
		if _, err := c.expect(http.StatusOK, "POST", searchPath, bodies[i]); err != nil {
			return nil, err
		}
		perBody[i] = append(perBody[i], time.Since(began))
	}
	return perBody, nil
}

// loadAtRate sends the bodies at a constant rate. Times count from when the log
// was due, even if all connections were busy.
func (b *bench) loadAtRate(ctx context.Context, set *bodySet, rate float64) (*loaded, error) {
	clients, err := dialAll(2*b.clients, b.server.address)
	if err != nil {
		return nil, err
	}
	defer closeAll(clients)
	out := &loaded{times: make([]time.Duration, set.len()), ids: make([]int64, set.len()), bytes: int64(len(set.text))}
	due := make(chan int, set.len())
	began := time.Now()
	dueAt := func(i int) time.Time { return began.Add(time.Duration(float64(i) / rate * float64(time.Second))) }
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(due)
		return schedule(ctx, set.len(), dueAt, due)
	})
	for _, c := range clients {
		group.Go(func() error {
			for i := range due {
				id, err := sendLog(c, set.at(i))
				if err != nil {
					return err
				}
				out.times[i], out.ids[i] = time.Since(dueAt(i)), id
			}
			return nil
		})
	}
	err = group.Wait()
	out.elapsed = time.Since(began)
	return out, err
}

// schedule sends the indexes as they become due, with a resolution of a
// millisecond.
func schedule(ctx context.Context, n int, dueAt func(int) time.Time, due chan<- int) error {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for i := 0; i < n; {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case now := <-tick.C:
			for i < n && !dueAt(i).After(now) {
				due <- i
				i++
			}
		}
	}
	return nil
}
