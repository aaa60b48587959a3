package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// pointIDs is how many different logs are read; the plain server keeps the
// answers for all of them in memory.
const pointIDs = 20_000

// pointTime is how long reading lasts, after a warm-up of a quarter of it.
const pointTime = 4 * time.Second

// measurePoint reads random logs by id over all connections, and the same
// bytes from the plain server.
func (b *bench) measurePoint() error {
	rng := rand.New(rand.NewPCG(b.seed, 1))
	ids := make([]string, pointIDs)
	for i := range ids {
		ids[i] = strconv.FormatInt(b.ids[rng.IntN(len(b.ids))], 10)
	}
	if err := b.copyAnswers(ids); err != nil {
		return err
	}
	anchor, err := b.readMany(b.http.address, "/item/", ids)
	if err != nil {
		return err
	}
	ours, err := b.readMany(b.server.address, "/api/public/v2/requests/", ids)
	if err != nil {
		return err
	}
	b.report.atLeast("one log by id", ours, anchor, 0.15)
	return nil
}

// copyAnswers gives the program's answers to the plain server.
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

// readMany returns how many reads per second the server answers.
func (b *bench) readMany(address, path string, ids []string) (quantity, error) {
	clients, err := dialAll(b.clients, address, apiKey)
	if err != nil {
		return quantity{}, err
	}
	defer closeAll(clients)
	var count atomic.Int64
	ctx, cancel := context.WithTimeout(context.Background(), pointTime+pointTime/4)
	defer cancel()
	group, ctx := errgroup.WithContext(ctx)
	for n, c := range clients {
		group.Go(func() error {
			rng := rand.New(rand.NewPCG(b.seed, uint64(n)))
			for ctx.Err() == nil {
				if _, err := c.expect(http.StatusOK, "GET", path+ids[rng.IntN(len(ids))], nil); err != nil {
					return err
				}
				count.Add(1)
			}
			return nil
		})
	}
	warm := time.After(pointTime / 4)
	<-warm
	began, before := time.Now(), count.Load()
	if err := group.Wait(); err != nil {
		return quantity{}, fmt.Errorf("read by id: %w", err)
	}
	return perSecond(int(count.Load()-before), time.Since(began)), nil
}
