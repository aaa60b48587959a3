package main

import (
	"fmt"
	"time"
)

// cpu returns the CPU time that the program and ClickHouse have used, which is 0
// without ClickHouse.
func (b *bench) cpu() (program, house time.Duration, err error) {
	if program, err = b.server.cpu(); err != nil || b.house == nil {
		return program, 0, err
	}
	house, err = b.house.cpu()
	return program, house, err
}

// insertedLogs is the number of logs that are inserted into plain ClickHouse in
// small blocks: enough for them to be merged, too.
const insertedLogs = 20_000

// compareInserts compares an ingest and the CPU time that it took ClickHouse with
// plain inserts of blocks as large as those of the program can be: of the same rows,
// flushed as the program's are, and of the rows of the anchor, which are smaller and
// not flushed.
func (b *bench) compareInserts(clients int, all *loaded, used time.Duration) error {
	logs, err := b.decode(0, min(insertedLogs, b.logs))
	if err != nil {
		return err
	}
	ours := perSecond(len(all.times), all.elapsed)
	name := fmt.Sprintf("ingest, %d clients, against inserts of %d equal rows", clients, clients)
	equal, err := b.house.insertEqual(len(logs), clients)
	if err != nil {
		return err
	}
	b.report.atLeast(name, ours, perSecond(len(logs), equal.took), 0.5)
	b.report.compare(name+", CPU of ClickHouse", perLog(used, len(all.times)), perLog(equal.cpu, len(logs)), "", nil)
	plain, err := b.house.insertPlain(logs, clients)
	if err != nil {
		return err
	}
	b.report.compare(fmt.Sprintf("ingest, %d clients, against inserts of %d smaller rows, not flushed", clients, clients), ours, perSecond(len(logs), plain.took), "", nil)
	return nil
}

func perLog(cpu time.Duration, logs int) quantity {
	return quantity{float64(cpu.Microseconds()) / float64(logs), "µs"}
}

// manyClients is the number of clients of a busy server, whose commits are larger.
const (
	manyClients    = 256
	manyClientLogs = 8000
)

// measureManyClients compares the ingest of a busy server with inserts into
// ClickHouse.
func (b *bench) measureManyClients() error {
	if b.house == nil {
		return nil
	}
	set := b.bodies(b.next, manyClientLogs)
	_, before, err := b.cpu()
	if err != nil {
		return err
	}
	ours, err := load(manyClients, b.server.address, set, sendLog)
	if err != nil {
		return err
	}
	_, after, err := b.cpu()
	if err != nil {
		return err
	}
	b.acknowledge(ours)
	return b.compareInserts(manyClients, ours, after-before)
}
