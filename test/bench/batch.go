package main

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

const (
	// batchLogs is the number of logs of a request with many.
	batchLogs = 100
	// maxBatched is the most logs that are sent in such requests.
	maxBatched = 100_000
)

// measureBatches sends requests with many logs to an installation of their own.
func (b *bench) measureBatches() (err error) {
	server, err := startProgram(b.program, b.path("batch-data"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	if _, err := server.publishTemplates(); err != nil {
		return err
	}
	logs := min(b.logs, maxBatched) / batchLogs * batchLogs
	set := batched(b.bodies(0, logs))
	used, err := cpuOf(b.http.process, server.process)
	if err != nil {
		return err
	}
	anchor, err := load(b.clients, b.http.address, set, sendLogs)
	if err != nil {
		return err
	}
	ours, err := load(b.clients, server.address, set, sendLogs)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("ingest, %d logs per request", batchLogs)
	b.report.atLeast(name, perSecond(logs, ours.elapsed), perSecond(logs, anchor.elapsed), 0.5)
	b.report.info(name+", p99", milliseconds(percentile(ours.times, 0.99)))
	return used.report(b.report, "CPU per log, "+name, logs)
}

// batched joins bodies to requests with many logs each.
func batched(single *bodySet) *bodySet {
	set := &bodySet{}
	for i := range single.len() {
		if i%batchLogs == 0 {
			set.text = append(set.text, `{"requests":[`...)
		}
		set.text = append(append(set.text, single.at(i)...), ',')
		if i%batchLogs == batchLogs-1 {
			set.text = append(set.text[:len(set.text)-1], "]}"...)
			set.ends = append(set.ends, len(set.text))
		}
	}
	return set
}

// sendLogs logs many requests.
func sendLogs(c *client, body []byte) (int64, error) {
	_, err := c.expect(http.StatusCreated, http.MethodPost, "/log-requests", body)
	return 0, err
}

// cpuUse is how much CPU time two processes have used.
type cpuUse struct {
	anchor, ours         *process
	anchorTime, oursTime time.Duration
}

func cpuOf(anchor, ours *process) (use cpuUse, err error) {
	use = cpuUse{anchor: anchor, ours: ours}
	if use.anchorTime, err = anchor.cpu(); err != nil {
		return use, err
	}
	use.oursTime, err = ours.cpu()
	return use, err
}

// report adds the CPU time since then, per one of n. It depends less on what
// else a machine does than rates.
func (u cpuUse) report(r *report, name string, n int) error {
	now, err := cpuOf(u.anchor, u.ours)
	if err != nil {
		return err
	}
	per := func(t time.Duration) quantity { return quantity{float64(t.Microseconds()) / float64(n), "µs"} }
	r.compare(name, per(now.oursTime-u.oursTime), per(now.anchorTime-u.anchorTime), "", nil)
	return nil
}
