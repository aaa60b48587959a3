package main

import (
	"context"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"
)

// pointIDs is the number of distinct logs to read; the plain server has all
// responses in memory. On ClickHouse, where copying them takes long, there are
// fewer.
const (
	pointIDs      = 20_000
	housePointIDs = 2_000
)

// pointTime is the duration of the measurement, after a warm-up of a quarter of
// it.
const pointTime = 4 * time.Second

// measurePoint reads random logs by ID over all connections, and the same bytes
// from the plain server.
func (b *bench) measurePoint() error {
	rng := rand.New(rand.NewPCG(b.seed, 1))
	ids := make([]string, pointIDs)
	if b.house != nil {
		ids = ids[:housePointIDs]
	}
	for i := range ids {
		ids[i] = strconv.FormatInt(b.ids[rng.IntN(len(b.ids))], 10)
	}
	if err := b.copyAnswers(ids); err != nil {
		return err
	}
	anchor, _, err := b.hammer(b.http.address, pointCalls("/item/", ids))
	if err != nil {
		return err
	}
	ours, _, err := b.hammer(b.server.address, pointCalls("/api/public/v2/requests/", ids))
	if err != nil {
		return err
	}
	b.report.atLeast("one log by id", ours, anchor, 0.15)
	return nil
}

func pointCalls(path string, ids []string) []call {
	calls := make([]call, len(ids))
	for i, id := range ids {
		calls[i] = call{method: http.MethodGet, path: path + id, status: http.StatusOK}
	}
	return calls
}

// copyAnswers copies the responses of the program to the plain server.
func (b *bench) copyAnswers(ids []string) error {
	from, err := b.server.connect()
	if err != nil {
		return err
	}
	defer from.close()
	to, err := dial(b.http.address, apiKey)
	if err != nil {
		return err
	}
	defer to.close()
	for _, id := range ids {
		answer, err := from.expect(http.StatusOK, "GET", "/api/public/v2/requests/"+id, nil)
		if err != nil {
			return err
		}
		if _, err := to.expect(http.StatusOK, "PUT", "/item/"+id, answer); err != nil {
			return err
		}
	}
	return nil
}

// call is a repeated request.
type call struct {
	method, path string
	body         []byte
	status       int // expected
}

// hammer sends random calls over all connections, and returns the throughput
// and the 99th percentile of the latency.
func (b *bench) hammer(address string, calls []call) (rate quantity, p99 time.Duration, err error) {
	clients, err := dialAll(b.clients, address)
	if err != nil {
		return rate, 0, err
	}
	defer closeAll(clients)
	warm := time.Now().Add(pointTime / 4)
	ctx, cancel := context.WithDeadline(context.Background(), warm.Add(pointTime))
	defer cancel()
	group, ctx := errgroup.WithContext(ctx)
	times := make([][]time.Duration, len(clients))
	for n, c := range clients {
		group.Go(func() error {
			rng := rand.New(rand.NewPCG(b.seed, uint64(n)))
			for ctx.Err() == nil {
				one := calls[rng.IntN(len(calls))]
				began := time.Now()
				if _, err := c.expect(one.status, one.method, one.path, one.body); err != nil {
					return err
				}
				if began.After(warm) {
					times[n] = append(times[n], time.Since(began))
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return rate, 0, err
	}
	all := slices.Concat(times...)
	return perSecond(len(all), time.Since(warm)), percentile(all, 0.99), nil
}
