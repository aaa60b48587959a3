package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// aloneParts is the number of equal parts of the load without the plain engines.
const aloneParts = 20

// loadAlone loads the logs in requests with many, which takes a third of the time
// of single ones, and measures after a fifth of them, as measureIngest does.
func (b *bench) loadAlone() error {
	var elapsed time.Duration
	for part := range aloneParts {
		from, to := b.aloneBound(part), b.aloneBound(part+1)
		single := b.bodies(from, to-from)
		bodyBytes := int64(len(single.text))
		l, err := load(b.clients, b.server.address, batched(single), sendLogs)
		if err != nil {
			return err
		}
		b.progress("logs %d to %d: %.0f/s", from, to, float64(to-from)/l.elapsed.Seconds())
		b.report.Rates = append(b.report.Rates, float64(to-from)/l.elapsed.Seconds())
		elapsed += l.elapsed
		b.bodyBytes += bodyBytes
		b.report.BodyBytes, b.next = b.bodyBytes, to
		if part == aloneParts/5-1 {
			if err := b.measureSmall(); err != nil {
				return err
			}
		}
	}
	b.report.info(fmt.Sprintf("ingest, %d logs per request", batchLogs), perSecond(b.next, elapsed))
	b.report.atLeast("ingest, last part against first", quantity{b.report.Rates[aloneParts-1], "/s"}, quantity{b.report.Rates[0], "/s"}, 0.7)
	return nil
}

// aloneBound is the index of the first log of a part, a multiple of batchLogs.
func (b *bench) aloneBound(part int) int {
	return b.logs * part / aloneParts / batchLogs * batchLogs
}

// measureAlone measures searches, analytics and reads without the plain engines.
// Totals that the generator knows are checked.
func (b *bench) measureAlone() (err error) {
	if b.search, err = b.timeSearches(b.filterBodies()); err != nil {
		return err
	}
	for i, f := range b.filterCases() {
		b.report.info("search: "+f.name, milliseconds(b.search[i]))
	}
	b.report.below("search, 12 filters, geometric mean", milliseconds(geomean(b.search)), 100)
	b.report.info("search, 12 filters, slowest", milliseconds(slices.Max(b.search)))
	b.report.atMost("search, growth from a fifth", milliseconds(geomean(b.search)), milliseconds(geomean(b.small.search)), 4)
	if b.text, err = b.timeSearches(b.textBodies()); err != nil {
		return err
	}
	for i, t := range b.textCases() {
		b.report.info("text: "+t.name, milliseconds(b.text[i]))
	}
	if err := b.checkTexts(); err != nil {
		return err
	}
	for i, a := range b.analyticsCases() {
		took, err := b.timeAnalytics(a)
		if err != nil {
			return err
		}
		if i == 0 {
			b.report.below("analytics, "+a.name, milliseconds(took), 2500)
			b.report.atMost("analytics, growth from a fifth", milliseconds(took), milliseconds(b.small.analytics), 5.5)
			continue
		}
		b.report.info("analytics, "+a.name, milliseconds(took))
	}
	return b.readAlone()
}

// checkTexts checks the totals of free text that the generator knows.
func (b *bench) checkTexts() error {
	c, err := b.server.connect()
	if err != nil {
		return err
	}
	defer c.close()
	for _, t := range b.textCases() {
		if t.known < 0 {
			continue
		}
		found, err := searchProgram(c, t.body(1))
		if err != nil {
			return err
		}
		b.report.same("total of text: "+t.name, found.Total, int64(t.known))
	}
	return nil
}

// readAlone reads random logs by ID over one connection. The first ID of a new
// installation is 1, and batches of many clients leave no gaps.
func (b *bench) readAlone() error {
	c, err := b.server.connect()
	if err != nil {
		return err
	}
	defer c.close()
	rng := rand.New(rand.NewPCG(b.seed, 1))
	times, err := timed(pointIDs/10, func() error {
		id := 1 + rng.IntN(b.next)
		_, err := c.expect(http.StatusOK, http.MethodGet, "/api/public/v2/requests/"+strconv.Itoa(id), nil)
		return err
	})
	if err != nil {
		return err
	}
	b.report.below("one log by id, p50", milliseconds(median(times)), 5)
	b.report.info("one log by id, p99", milliseconds(percentile(times, 0.99)))
	now, _, err := b.server.memory()
	if err != nil {
		return err
	}
	b.report.below("memory, after all of it", megabytes(now), 2048)
	return nil
}
