package main

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// engine is a plain engine with the loaded logs.
type engine interface {
	add(l *reqlog.Log) error
	finish() error
}

// anchorBatch is the number of logs per batch for the plain engines.
const anchorBatch = 2000

// loadAnchors fills DuckDB and the text index with the logs of the program,
// with the same IDs.
func (b *bench) loadAnchors() (err error) {
	if b.duck, err = openDuck(b.path("anchor.duckdb"), duckSchema, "log"); err != nil {
		return err
	}
	if b.fts, err = openFTS(b.path("anchor.fts")); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(context.Background())
	toDuck, toFTS := make(chan []*reqlog.Log, 2), make(chan []*reqlog.Log, 2)
	engines := []chan<- []*reqlog.Log{toDuck, toFTS}
	if b.house != nil {
		toHouse := make(chan []*reqlog.Log, 2)
		engines = append(engines, toHouse)
		group.Go(func() error { return fill(b.house, toHouse, nil) })
	}
	group.Go(func() error { return b.feed(ctx, engines...) })
	group.Go(func() error { return fill(b.duck, toDuck, nil) })
	group.Go(func() error {
		return fill(b.fts, toFTS, func(n int) {
			if n%100_000 == 0 {
				b.progress("text index: %d logs", n)
			}
		})
	})
	if err := group.Wait(); err != nil {
		return err
	}
	b.progress("text index: %d terms", len(b.fts.terms))
	return nil
}

// feed decodes the logs once for all engines.
func (b *bench) feed(ctx context.Context, engines ...chan<- []*reqlog.Log) error {
	defer func() {
		for _, e := range engines {
			close(e)
		}
	}()
	for from := 0; from < b.logs; from += anchorBatch {
		batch, err := b.decode(from, min(from+anchorBatch, b.logs))
		if err != nil {
			return err
		}
		for _, e := range engines {
			select {
			case e <- batch:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	return nil
}

func (b *bench) decode(from, to int) ([]*reqlog.Log, error) {
	batch := make([]*reqlog.Log, 0, to-from)
	for i := from; i < to; i++ {
		id := int64(i + 1)
		if i < len(b.ids) {
			id = b.ids[i]
		}
		l, err := b.decodeBody(b.gen.Append(nil, i), id)
		if err != nil {
			return nil, fmt.Errorf("log %d: %w", i, err)
		}
		batch = append(batch, l)
	}
	return batch, nil
}

// fill adds every batch to the engine and completes it.
func fill(e engine, batches <-chan []*reqlog.Log, progress func(n int)) error {
	n := 0
	for batch := range batches {
		for _, l := range batch {
			if err := e.add(l); err != nil {
				return err
			}
		}
		if n += len(batch); progress != nil {
			progress(n)
		}
	}
	return e.finish()
}
