package script

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// IsWorker reports whether this process was started by a Runner. The main
// function then calls WorkerMain before anything else.
func IsWorker() bool {
	return len(os.Args) == 2 && (os.Args[1] == workerArgument || os.Args[1] == launchArgument)
}

// WorkerMain does what the process was started for and never returns.
func WorkerMain() {
	if os.Args[1] == launchArgument {
		os.Exit(launch())
	}
	os.Exit(work(os.Stdin, os.Stdout))
}

// work runs jobs until its input ends. It also notices the end of its input
// while a program runs, so that no worker outlives the server.
func work(in io.Reader, out io.Writer) int {
	time.Local = time.UTC
	runtime.GOMAXPROCS(2) // one for the program, one for the watchdog
	prepareProcess()
	m := newMemory()
	if err := confineWorker(); err != nil {
		fmt.Fprintln(os.Stderr, "confine:", err)
		return exitLaunch
	}
	if err := writeFrame(out, outcome{}); err != nil {
		return 1
	}
	jobs := make(chan job)
	go func() {
		for {
			var j job
			if err := readFrame(in, maxFrame, &j); err != nil {
				os.Exit(0) // the server has ended, or does not need this worker
			}
			jobs <- j
		}
	}()
	for j := range jobs {
		release := m.watch(j.Limits.Memory)
		answer := runJavaScript(j)
		release()
		if err := writeFrame(out, answer); err != nil {
			return 1
		}
		m.tidy()
	}
	return 0
}

// memory limits the memory of a program in three ways: the garbage collector
// works harder when little is left; a watchdog ends the process when too much
// is in use; and the kernel refuses allocations that are far too large, before
// the watchdog could see them.
type memory struct {
	base    int64 // bytes of objects and stacks without a program
	whole   int64 // bytes of the process without a program
	samples []metrics.Sample
}

const (
	watchEvery = 5 * time.Millisecond
	// keepBytes is the memory that an idle worker may keep.
	keepBytes = 16 << 20
)

func newMemory() *memory {
	m := &memory{samples: []metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}, {Name: "/gc/heap/live:bytes"},
		{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}, {Name: "/gc/heap/allocs:bytes"},
	}}
	runtime.GC()
	m.base, _ = m.used()
	m.whole = int64(m.samples[3].Value.Uint64() - m.samples[4].Value.Uint64())
	return m
}

// used returns the bytes of all objects, and of those that were live after the
// last garbage collection. Both include stacks.
func (m *memory) used() (all, live int64) {
	metrics.Read(m.samples)
	stacks := int64(m.samples[1].Value.Uint64())
	return int64(m.samples[0].Value.Uint64()) + stacks, int64(m.samples[2].Value.Uint64()) + stacks
}

// watch enforces a limit until the returned function is called.
func (m *memory) watch(limit int64) (release func()) {
	debug.SetMemoryLimit(m.whole + limit)
	debug.SetMaxStack(int(min(limit/2, 256<<20)))
	limitData(limit)
	done := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(watchEvery)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				m.check(m.base + limit)
			}
		}
	}()
	return func() { close(done); <-ended }
}

// check ends the process if a program exceeds the limit. Garbage does not count,
// so it is collected first. The program continues in the meantime, and the collector
// treats all objects created during a collection as live; on a busy machine
// these can exceed the limit, so they do not count either.
func (m *memory) check(limit int64) {
	if all, _ := m.used(); all <= limit {
		return
	}
	before := m.made()
	runtime.GC()
	if _, live := m.used(); live-(m.made()-before) > limit {
		os.Exit(exitMemory)
	}
}

// made returns the bytes of all objects ever created, as of the last reading.
func (m *memory) made() int64 { return int64(m.samples[5].Value.Uint64()) }

// tidy returns the memory of a large program to the system.
func (m *memory) tidy() {
	if all, _ := m.used(); all > m.base+keepBytes {
		debug.FreeOSMemory()
	}
}
