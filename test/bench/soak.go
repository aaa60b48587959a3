package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	// soakRate is the number of logs per second of a soak, and soakPart the logs that
	// are generated at a time.
	soakRate = 1000
	soakPart = 20 * soakRate
	// soakPause is the time between two searches, and soakWatch between two readings
	// of what the program uses.
	soakPause = 200 * time.Millisecond
	soakWatch = 10 * time.Second
	// soakWarm is the part of a soak in which caches fill. The two halves of the rest
	// are compared.
	soakWarm = 1.0 / 3
)

// usage is what the program uses at a moment.
type usage struct{ memory, descriptors, goroutines float64 }

// measureSoak sends logs at a constant rate for a long time and searches them
// in the meantime. What the program uses must stay the same.
func (b *bench) measureSoak() error {
	group, ctx := errgroup.WithContext(context.Background())
	soaking, stop := context.WithTimeout(ctx, b.soak)
	defer stop()
	var logs, searches []time.Duration
	var used []usage
	group.Go(func() (err error) {
		logs, err = b.soakLogs(soaking)
		return err
	})
	group.Go(func() (err error) {
		searches, err = b.soakSearches(soaking)
		return err
	})
	group.Go(func() (err error) {
		used, err = b.watch(soaking)
		return err
	})
	if err := group.Wait(); err != nil {
		return err
	}
	b.report.info("soak: logs", perSecond(len(logs), b.soak))
	b.report.info("soak: ingest, p99", milliseconds(percentile(logs, 0.99)))
	b.report.info("soak: searches, median", milliseconds(median(searches)))
	b.report.info("soak: searches, p99", milliseconds(percentile(searches, 0.99)))
	return b.reportUsage(used)
}

// reportUsage compares the halves of a soak after its start.
func (b *bench) reportUsage(used []usage) error {
	used = used[int(float64(len(used))*soakWarm):]
	half := len(used) / 2
	if half == 0 {
		return errors.New("the soak is too short to compare its halves")
	}
	for _, row := range []struct {
		name string
		of   func(usage) float64
		unit string
	}{
		{"memory", func(u usage) float64 { return u.memory / (1 << 20) }, "MB"},
		{"open files", func(u usage) float64 { return u.descriptors }, "files"},
		{"goroutines", func(u usage) float64 { return u.goroutines }, "goroutines"},
	} {
		mean := func(part []usage) quantity {
			sum := 0.0
			for _, u := range part {
				sum += row.of(u)
			}
			return quantity{sum / float64(len(part)), row.unit}
		}
		b.report.atMost("soak: "+row.name+", second half against first", mean(used[half:]), mean(used[:half]), 1.1)
	}
	return nil
}

// soakLogs sends logs until ctx ends and returns how long each took.
func (b *bench) soakLogs(ctx context.Context) (times []time.Duration, err error) {
	next := make(chan *bodySet, 1) // one part is generated while another is sent
	first := b.next
	go func() {
		defer close(next)
		for ; ctx.Err() == nil; first += soakPart {
			select {
			case next <- b.bodies(first, soakPart):
			case <-ctx.Done():
			}
		}
	}()
	for set := range next {
		sent, err := b.loadAtRate(context.Background(), set, soakRate)
		if err != nil {
			return nil, err
		}
		b.acknowledge(sent)
		times = append(times, sent.times...)
	}
	return times, nil
}

// soakSearches searches until ctx ends, with filters and free text in turn.
func (b *bench) soakSearches(ctx context.Context) (times []time.Duration, err error) {
	c, err := b.server.connect()
	if err != nil {
		return nil, err
	}
	defer c.close()
	bodies := slices.Concat(b.filterBodies(), b.textBodies())
	for i := 0; ctx.Err() == nil; i = (i + 1) % len(bodies) {
		began := time.Now()
		if _, err := c.expect(http.StatusOK, http.MethodPost, searchPath, bodies[i]); err != nil {
			return nil, err
		}
		times = append(times, time.Since(began))
		time.Sleep(soakPause)
	}
	return times, nil
}

// watch reads what the program uses until ctx ends.
func (b *bench) watch(ctx context.Context) (used []usage, err error) {
	tick := time.NewTicker(soakWatch)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return used, nil
		case <-tick.C:
			u, err := b.usage()
			if err != nil {
				return nil, err
			}
			used = append(used, u)
			b.progress("%.0f MB, %.0f open files, %.0f goroutines", u.memory/(1<<20), u.descriptors, u.goroutines)
		}
	}
}

// usage asks the program for what it uses.
func (b *bench) usage() (u usage, err error) {
	c, err := dial(b.metrics, apiKey)
	if err != nil {
		return u, err
	}
	defer c.close()
	metrics, err := c.expect(http.StatusOK, http.MethodGet, "/metrics", nil)
	if err != nil {
		return u, err
	}
	targets := map[string]*float64{
		"process_resident_memory_bytes": &u.memory, "process_open_fds": &u.descriptors, "go_goroutines": &u.goroutines,
	}
	for lines := bufio.NewScanner(bytes.NewReader(metrics)); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), " ")
		if to := targets[name]; to != nil {
			if *to, err = strconv.ParseFloat(value, 64); err != nil {
				return u, fmt.Errorf("metric %s: %w", name, err)
			}
			delete(targets, name)
		}
	}
	if len(targets) > 0 {
		return u, fmt.Errorf("%d metrics are missing", len(targets))
	}
	return u, nil
}
