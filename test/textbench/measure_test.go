package textbench

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/demo"
)

var (
	engineName  = flag.String("engine", "", "measure this engine")
	logs        = flag.Int("n", 2000, "number of logs")
	durable     = flag.Bool("durable", false, "make each batch durable")
	bulkBatch   = flag.Int("bulk", 1000, "number of logs per batch, at first")
	streamed    = flag.Int("batches", 20, "number of small batches that follow")
	segmentDocs = flag.Int("segment", 0, "number of documents that our index collects in memory, 0 for its default")
)

// smallBatch is about what the program commits at once with 32 clients.
const smallBatch = 30

// TestMeasure measures one engine. Memory is that of the process.
func TestMeasure(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(engines)) {
		if *engineName == "" || name == *engineName {
			t.Run(name, func(t *testing.T) { measure(t, engines[name]) })
		}
	}
}

// run is an engine under test and the logs it gets.
type run struct {
	*testing.T
	engine
	gen   *demo.Generator
	texts corpus
	next  int64 // id of the next log
}

// measure measures searches last, when the index is in the state of a running
// server.
func measure(t *testing.T, open opener) {
	r, dir := start(t, open, *logs+*streamed*smallBatch)
	begin := processCPU()
	for r.next < int64(*logs) {
		r.batch(min(*bulkBatch, *logs-int(r.next)))
	}
	settle()
	cpu := processCPU() - begin
	t.Logf("index: CPU per log %.1f µs, peak memory %d MB", micros(cpu)/float64(*logs), status(t, "VmHWM")>>10)
	r.stream(*streamed)
	debug.FreeOSMemory()
	t.Logf("memory when idle: %d MB", status(t, "RssAnon")>>10)
	for _, c := range searchCases(r.gen, *logs) {
		r.measureSearch(c)
	}
	if err := r.close(); err != nil {
		t.Fatal(err)
	}
	t.Logf("disk: %.1f MB", float64(size(t, dir))/1e6)
}

// start opens an engine and writes n logs for it.
func start(t *testing.T, open opener, n int) (*run, string) {
	t.Helper()
	r := &run{T: t, gen: newGenerator(n)}
	path := filepath.Join(t.TempDir(), "corpus")
	if err := writeCorpus(path, r.gen, n); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	r.texts = corpus{bufio.NewReaderSize(file, 1<<20)}
	resetPeak(t)
	dir := t.TempDir()
	if r.engine, err = open(dir, *durable); err != nil {
		t.Fatal(err)
	}
	return r, dir
}

// batch adds and commits the next n logs.
func (r *run) batch(n int) {
	r.Helper()
	for range n {
		doc, err := r.texts.next()
		if err != nil {
			r.Fatal(err)
		}
		if err := r.add(r.next, doc); err != nil {
			r.Fatal(err)
		}
		r.next++
	}
	if err := r.commit(); err != nil {
		r.Fatal(err)
	}
}

// measureSearch uses the CPU time, which does not depend on other processes.
func (r *run) measureSearch(c searchCase) {
	r.Helper()
	var found result
	var times []time.Duration
	for begin := time.Now(); len(times) < 5 || len(times) < 101 && time.Since(begin) < 5*time.Second; {
		before := processCPU()
		var err error
		if found, err = r.search(c.q); err != nil {
			r.Fatal(err)
		}
		times = append(times, processCPU()-before)
	}
	slices.Sort(times)
	r.Logf("%-22s %8.3f ms  %d logs, newest %v", c.name, millis(times[len(times)/2]), found.count, found.newest[:min(2, len(found.newest))])
}

// stream adds small batches, each of which must be found by the next search.
func (r *run) stream(batches int) {
	r.Helper()
	var visible, busy []time.Duration
	begin := processCPU()
	for range batches {
		start, cpu := time.Now(), processCPU()
		r.batch(smallBatch)
		found, err := r.search(r.gen.Identifier(int(r.next) - 1))
		if err != nil {
			r.Fatal(err)
		}
		visible, busy = append(visible, time.Since(start)), append(busy, processCPU()-cpu)
		if diff := cmp.Diff(result{1, []int64{r.next - 1}}, found, cmp.AllowUnexported(result{})); diff != "" {
			r.Fatal("the last log of a batch is not found: ", diff)
		}
	}
	settle()
	total := processCPU() - begin
	slices.Sort(visible)
	slices.Sort(busy)
	r.Logf("batches of %d: found after %.2f ms (median), %.2f ms (p99), CPU until then %.2f ms, CPU per log %.0f µs", smallBatch,
		millis(visible[batches/2]), millis(visible[batches*99/100]), millis(busy[batches/2]), micros(total)/float64(batches*smallBatch))
}

// settle waits until the process has nothing left to do in the background.
func settle() {
	for idle := 0; idle < 4; idle++ {
		before := processCPU()
		time.Sleep(250 * time.Millisecond)
		if processCPU()-before > 5*time.Millisecond {
			idle = 0
		}
	}
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func processCPU() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // the arguments are constants
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// resetPeak makes the peak of memory start anew.
func resetPeak(t *testing.T) {
	t.Helper()
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		t.Fatal(err)
	}
}

// status returns a number of kilobytes that Linux reports about the process.
func status(t *testing.T, name string) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(text, []byte(name+":"))
	n, err := strconv.Atoi(string(bytes.Fields(rest)[0]))
	if err != nil {
		t.Fatal(fmt.Errorf("read %s: %w", name, err))
	}
	return n
}

// size returns the size of the files below a folder.
func size(t *testing.T, dir string) (total int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return total
}
