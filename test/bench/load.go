package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// bodySet is a series of generated bodies in one block of memory, so that the
// garbage collector does not scan them.
type bodySet struct {
	text []byte
	ends []int
}

func (s *bodySet) len() int { return len(s.ends) }

func (s *bodySet) at(i int) []byte {
	if i == 0 {
		return s.text[:s.ends[0]]
	}
	return s.text[s.ends[i-1]:s.ends[i]]
}

// bodies generates logs first to first+n before the measurement.
func (b *bench) bodies(first, n int) *bodySet {
	const parts = 2
	sets := make([]bodySet, parts)
	var wg sync.WaitGroup
	for p := range parts {
		wg.Go(func() {
			for i := first + n*p/parts; i < first+n*(p+1)/parts; i++ {
				sets[p].text = b.gen.Append(sets[p].text, i)
				sets[p].ends = append(sets[p].ends, len(sets[p].text))
			}
		})
	}
	wg.Wait()
	all := &sets[0]
	for _, end := range sets[1].ends {
		all.ends = append(all.ends, len(all.text)+end)
	}
	all.text = append(all.text, sets[1].text...)
	return all
}

// loaded is the result of sending a set of bodies.
type loaded struct {
	elapsed time.Duration
	times   []time.Duration
	ids     []int64
	bytes   int64
}

func (l *loaded) rate() float64 { return float64(len(l.times)) / l.elapsed.Seconds() }

func (l *loaded) longest() time.Duration { return slices.Max(l.times) }

// sending sends a body and returns the ID in the response, 0 for none.
type sending func(c *client, body []byte) (int64, error)

// load sends every body as a separate request over n connections, each of which
// sends the next one as soon as it gets a response.
func load(n int, address string, set *bodySet, send sending) (*loaded, error) {
	clients, err := dialAll(n, address)
	if err != nil {
		return nil, err
	}
	defer closeAll(clients)
	out := &loaded{times: make([]time.Duration, set.len()), ids: make([]int64, set.len()), bytes: int64(len(set.text))}
	var next atomic.Int64
	group, ctx := errgroup.WithContext(context.Background())
	began := time.Now()
	for _, c := range clients {
		group.Go(func() error {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= set.len() {
					return nil
				}
				start := time.Now()
				id, err := send(c, set.at(i))
				if err != nil {
					return err
				}
				out.times[i], out.ids[i] = time.Since(start), id
			}
			return nil
		})
	}
	err = group.Wait()
	out.elapsed = time.Since(began)
	return out, err
}

// sendLog logs a request and returns its ID.
func sendLog(c *client, body []byte) (int64, error) {
	answer, err := c.expect(http.StatusCreated, "POST", "/log-request", body)
	if err != nil {
		return 0, err
	}
	return requestID(answer)
}

// requestID extracts the ID from a response; decoding all of it would take more
// CPU than some servers need.
func requestID(answer []byte) (int64, error) {
	_, rest, found := bytes.Cut(answer, []byte(`"request_id":`))
	end := 0
	for end < len(rest) && rest[end] >= '0' && rest[end] <= '9' {
		end++
	}
	id, err := strconv.ParseInt(string(rest[:end]), 10, 64)
	if !found || err != nil {
		return 0, fmt.Errorf("no request id in the answer: %.200s", answer)
	}
	return id, nil
}

// loadParts is the number of equal parts of the load. The bodies of a part are
// generated while the server is idle.
const loadParts = 10

// measureIngest loads the logs, and measures search and analytics after a fifth
// of them.
func (b *bench) measureIngest() error {
	var all loaded
	var rates []float64
	var used, house time.Duration
	for part := range loadParts {
		from, to := b.logs*part/loadParts, b.logs*(part+1)/loadParts
		set := b.bodies(from, to-from)
		before, houseBefore, err := b.cpu()
		if err != nil {
			return err
		}
		l, err := load(b.clients, b.server.address, set, sendLog)
		if err != nil {
			return err
		}
		after, houseAfter, err := b.cpu()
		if err != nil {
			return err
		}
		used, house = used+after-before, house+houseAfter-houseBefore
		b.progress("logs %d to %d: %.0f/s, p99 %v, longest %v", from, to, l.rate(),
			percentile(l.times, 0.99).Round(10*time.Microsecond), l.longest().Round(time.Millisecond))
		rates = append(rates, l.rate())
		all.elapsed += l.elapsed
		all.times = append(all.times, l.times...)
		b.acknowledge(l)
		if part == loadParts/5-1 {
			if err := b.measureSmall(); err != nil {
				return err
			}
		}
	}
	b.rate = all.rate()
	b.reportIngest(&all, rates)
	b.report.info("ingest, CPU per log", perLog(used, b.logs))
	if b.house != nil {
		if err := b.compareInserts(b.clients, &all, house); err != nil {
			return err
		}
	}
	now, _, err := b.server.memory()
	if err != nil {
		return err
	}
	b.report.below(fmt.Sprintf("memory, after loading %d", b.logs), megabytes(now), 1024)
	return nil
}

// acknowledge records acknowledged logs.
func (b *bench) acknowledge(l *loaded) {
	b.ids = append(b.ids, l.ids...)
	b.bodyBytes += l.bytes
	b.report.BodyBytes = b.bodyBytes
	b.next += len(l.ids)
}

func (b *bench) reportIngest(all *loaded, rates []float64) {
	anchor := b.anchorIngest
	b.report.Rates = rates
	name := fmt.Sprintf("ingest, %d clients", b.clients)
	b.report.atLeast(name, perSecond(len(all.times), all.elapsed), perSecond(len(anchor.times), anchor.elapsed), 0.5)
	b.report.below("ingest, p99", milliseconds(percentile(all.times, 0.99)), 15)
	b.report.below("ingest, longest", milliseconds(all.longest()), 150)
	b.report.atLeast(fmt.Sprintf("ingest, last %d against first", b.logs/loadParts),
		quantity{rates[len(rates)-1], "/s"}, quantity{rates[0], "/s"}, 0.7)
}

// oneClientLogs is the number of logs that a single client sends sequentially.
const oneClientLogs = 2000

func (b *bench) measureOneClient() error {
	set := b.bodies(b.next, oneClientLogs)
	anchor, err := load(1, b.http.address, set, sendLog)
	if err != nil {
		return err
	}
	ours, err := load(1, b.server.address, set, sendLog)
	if err != nil {
		return err
	}
	b.acknowledge(ours)
	if b.house != nil {
		b.report.below("ingest, one client, p50", milliseconds(median(ours.times)), 30)
		return nil
	}
	b.report.atMost("ingest, one client, p50", milliseconds(median(ours.times)), milliseconds(median(anchor.times)), 4)
	return nil
}
