package demo

import (
	"encoding/json"
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

var testConfig = Config{Seed: 7, Logs: 6_000, End: time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)}

type testBody struct {
	Provider, Model string
	Input, Output   struct{ Messages []testMessage }
	Start           time.Time `json:"request_start_time"`
	End             time.Time `json:"request_end_time"`
	Tags            []string
	Metadata        map[string]string
	Status          string
	InputTokens     int64 `json:"input_tokens"`
	Price           float64
	Score           *int64
}

type testMessage struct {
	Role    string
	Content []struct{ Text string }
	Calls   []struct {
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
}

func (m testMessage) text() string {
	text := ""
	for _, block := range m.Content {
		text += block.Text
	}
	return text
}

var testGenerator = sync.OnceValue(func() *Generator { return New(testConfig) })

// testBodies decodes all logs once for all tests.
var testBodies = sync.OnceValues(func() ([]testBody, error) {
	g := testGenerator()
	bodies := make([]testBody, testConfig.Logs)
	for i := range bodies {
		if err := json.Unmarshal(g.Append(nil, i), &bodies[i]); err != nil {
			return nil, fmt.Errorf("log %d: %w", i, err)
		}
	}
	return bodies, nil
})

func someBodies(t *testing.T, n int) []testBody {
	t.Helper()
	bodies, err := testBodies()
	if err != nil {
		t.Fatal(err)
	}
	return bodies[:n]
}

func TestSameSeedSameLogs(t *testing.T) {
	t.Parallel()
	a, b := New(testConfig), testGenerator()
	for i := range 200 {
		first := a.Next()
		if diff := cmp.Diff(string(first), string(b.Append(nil, i))); diff != "" {
			t.Fatalf("log %d (-next +append):\n%s", i, diff)
		}
	}
	other := testConfig
	other.Seed++
	if string(New(other).Next()) == string(b.Append(nil, 0)) {
		t.Error("another seed generates the same log")
	}
}

func TestAppendIsConcurrent(t *testing.T) {
	t.Parallel()
	g := testGenerator()
	want := string(g.Append(nil, 42))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				if got := string(g.Append(nil, 42)); got != want {
					t.Error("log 42 differs")
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestAppendKeepsPrefix(t *testing.T) {
	t.Parallel()
	g := testGenerator()
	if got, want := string(g.Append([]byte("kept"), 1)), "kept"+string(g.Append(nil, 1)); got != want {
		t.Errorf("got %.40q, want %.40q", got, want)
	}
}

// TestShares checks the mix of logs.
func TestShares(t *testing.T) {
	t.Parallel()
	const n = 6_000
	shares := map[string]float64{}
	for _, b := range someBodies(t, n) {
		for name, holds := range map[string]bool{
			"json":      outputIsObject(b),
			"tool call": len(b.Output.Messages) > 0 && len(b.Output.Messages[0].Calls) > 0,
			"failed":    b.Status != "SUCCESS",
			"scored":    b.Score != nil,
			"tagged":    len(b.Tags) > 0,
			"no answer": len(b.Output.Messages) == 0,
		} {
			if holds {
				shares[name] += 1.0 / n
			}
		}
	}
	for name, want := range map[string]struct{ low, high float64 }{
		"json":      {0.22, 0.28},
		"tool call": {0.13, 0.17},
		"failed":    {0.03, 0.05},
		"scored":    {0.07, 0.13},
		"tagged":    {0.40, 0.70},
		"no answer": {0.02, 0.05},
	} {
		if got := shares[name]; got < want.low || got > want.high {
			t.Errorf("share of %s is %.3f, want %.2f to %.2f", name, got, want.low, want.high)
		}
	}
}

func outputIsObject(b testBody) bool {
	if len(b.Output.Messages) == 0 {
		return false
	}
	var object map[string]any
	return json.Unmarshal([]byte(b.Output.Messages[0].text()), &object) == nil
}

func TestVariety(t *testing.T) {
	t.Parallel()
	seen := map[string]map[string]bool{}
	note := func(what, value string) {
		if seen[what] == nil {
			seen[what] = map[string]bool{}
		}
		seen[what][value] = true
	}
	for _, b := range someBodies(t, 6_000) {
		note("models", b.Model)
		note("providers", b.Provider)
		for _, tag := range b.Tags {
			note("tags", tag)
		}
		for key := range b.Metadata {
			note("metadata keys", key)
		}
		note("prompts", b.Metadata["prompt"])
	}
	got := map[string]int{}
	for what, values := range seen {
		got[what] = len(values)
	}
	want := map[string]int{"models": 12, "providers": 5, "tags": 30, "metadata keys": 6, "prompts": 40}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("distinct values (-want +got):\n%s", diff)
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	const n = 6_000
	g := testGenerator()
	total, largest := 0, 0
	for i := range n {
		size := len(g.Append(nil, i))
		total += size
		largest = max(largest, size)
	}
	if mean := total / n; mean < 2450 || mean > 2750 {
		t.Errorf("mean body is %d bytes, want about 2600", mean)
	}
	if largest < 10_000 {
		t.Errorf("largest body is %d bytes, want a heavy tail", largest)
	}
}

func TestTimesRise(t *testing.T) {
	t.Parallel()
	bodies := someBodies(t, testConfig.Logs)
	first, last := bodies[0].Start, bodies[len(bodies)-1].Start
	if span := last.Sub(first); span < 29*24*time.Hour || span > 31*24*time.Hour {
		t.Errorf("logs span %v, want about 30 days", span)
	}
	if last.After(testConfig.End) || testConfig.End.Sub(last) > time.Hour {
		t.Errorf("the last log starts at %v, want shortly before %v", last, testConfig.End)
	}
	jumps := 0
	for i, b := range bodies {
		if b.End.Before(b.Start) {
			t.Fatalf("log %d ends before it starts", i)
		}
		if i > 0 && b.Start.Before(bodies[i-1].Start.Add(-10*time.Minute)) {
			jumps++
		}
	}
	if jumps > 0 {
		t.Errorf("%d logs start more than ten minutes before the previous one", jumps)
	}
}

func TestTextFollowsNaturalFrequencies(t *testing.T) {
	t.Parallel()
	g := testGenerator()
	counts := map[string]int{}
	drawn := 300_000
	d := draft{Generator: g}
	d.source.Seed(1, 2)
	for range drawn {
		d.out = d.out[:0]
		d.word()
		counts[string(d.out)]++
	}
	first, tenth := float64(counts[commonWords[0]]), float64(counts[commonWords[9]])
	if ratio := first / tenth; math.Abs(ratio-4.3) > 0.8 {
		t.Errorf("the first word is drawn %.1f times as often as the tenth, want about 4.3", ratio)
	}
	if len(counts) < 10_000 {
		t.Errorf("only %d distinct words in %d", len(counts), drawn)
	}
}

func TestLogsAreAccepted(t *testing.T) {
	t.Parallel()
	g := testGenerator()
	for i := range 3000 {
		tree, err := jsontree.Parse(g.Append(nil, i))
		if err != nil {
			t.Fatalf("log %d: %v", i, err)
		}
		var problems fault.Problems
		in := reqlog.DecodeLog(tree, []any{"body"}, &problems)
		if err := problems.Err(); err != nil {
			t.Fatalf("log %d: %v", i, err)
		}
		if err := in.Check(); err != nil {
			t.Fatalf("log %d: %v", i, err)
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	g := testGenerator()
	var buf []byte
	size := 0
	for i := 0; b.Loop(); i++ {
		buf = g.Append(buf[:0], i)
		size += len(buf)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "logs/s")
	b.ReportMetric(float64(size)/float64(b.N), "bytes/log")
}
