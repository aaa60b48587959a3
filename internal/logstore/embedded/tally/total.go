package tally

import (
	"math"
	"slices"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
)

// total sums up the logs of a model, provider, prompt, error type or tag.
type total struct {
	requests, input, output int64
	cost                    float64
}

func (t *total) add(o *total) {
	t.requests += o.requests
	t.input += o.input
	t.output += o.output
	t.cost += o.cost
}

// addTo adds the total to a breakdown.
func (t *total) addTo(b *chart.Breakdown) {
	b.Requests += t.requests
	b.InputTokens += t.input
	b.OutputTokens += t.output
	b.Cost += t.cost
}

// toolTotal sums up the logs that called a tool. Latencies are in microseconds.
type toolTotal struct{ requests, sum, least, most uint64 }

func (t *toolTotal) add(o *toolTotal) {
	if t.requests == 0 || o.least < t.least {
		t.least = o.least
	}
	t.most = max(t.most, o.most)
	t.requests += o.requests
	t.sum += o.sum
}

func (t *toolTotal) stats(name string) chart.ToolStats {
	return chart.ToolStats{
		Name: name, Requests: int64(t.requests),
		Avg: seconds(float64(t.sum) / float64(t.requests)), Min: seconds(float64(t.least)), Max: seconds(float64(t.most)),
	}
}

// bucket sums up the logs of a bucket.
type bucket struct {
	start int64
	total
	cached, thinking int64
	warning, failed  int64
	json, toolCall   int64
	turns            int64
	calls            counts // of tools
	points           []point
	more             [][]point // those before
}

// The first and the largest number of points that are allocated at once.
const (
	minPoints = 16
	maxPoints = 8192
)

// add adds a point. Those that are there are never copied.
func (b *bucket) add(p point) {
	if len(b.points) == cap(b.points) {
		b.more = append(b.more, b.points)
		b.points = make([]point, 0, min(max(minPoints, 2*cap(b.points)), maxPoints))
	}
	b.points = append(b.points, p)
}

func (b *bucket) merge(o *bucket) {
	b.more = append(append(b.more, o.points), o.more...)
	b.total.add(&o.total)
	b.cached += o.cached
	b.thinking += o.thinking
	b.warning += o.warning
	b.failed += o.failed
	b.json += o.json
	b.toolCall += o.toolCall
	b.turns += o.turns
	for n, times := range o.calls.few {
		b.calls.add(int64(n), times)
	}
	for n, times := range o.calls.many {
		b.calls.add(n, times)
	}
}

func (b *bucket) stats(all latencies) chart.BucketStats {
	n := float64(b.requests)
	return chart.BucketStats{
		Start: reqlog.Micros(b.start), Requests: b.requests, Cost: b.cost, InputTokens: b.input, OutputTokens: b.output,
		CachedTokens: b.cached, ThinkingTokens: b.thinking, Latency: all.summary(),
		Success: b.requests - b.warning - b.failed, Warning: b.warning, Error: b.failed,
		JSON: b.json, ToolCall: b.toolCall, PlainText: b.requests - b.json - b.toolCall,
		AvgTurns: float64(b.turns) / n, AvgToolCalls: float64(b.calls.sum) / n, P95ToolCalls: b.calls.quantile(0.95),
	}
}

// counts tells how often each number occurs.
type counts struct {
	few   [16]int64 // of the numbers below
	many  map[int64]int64
	total int64
	sum   int64
}

func (c *counts) add(n, times int64) {
	c.total += times
	c.sum += n * times
	if 0 <= n && n < int64(len(c.few)) {
		c.few[n] += times
		return
	}
	if c.many == nil {
		c.many = map[int64]int64{}
	}
	c.many[n] += times
}

// quantile interpolates between the two numbers next to a place in their order.
func (c *counts) quantile(level float64) float64 {
	numbers := make([]int64, 0, len(c.few)+len(c.many))
	for n := range c.few {
		numbers = append(numbers, int64(n))
	}
	for n := range c.many {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	at := func(rank int64) float64 {
		for _, n := range numbers {
			times := c.many[n]
			if 0 <= n && n < int64(len(c.few)) {
				times = c.few[n]
			}
			if rank -= times; rank < 0 {
				return float64(n)
			}
		}
		return 0
	}
	return interpolate(level, c.total, at)
}

// interpolate returns a quantile of values, given those at places in their order.
func interpolate(level float64, count int64, at func(rank int64) float64) float64 {
	place := level * float64(count-1)
	low := math.Floor(place)
	below, above := at(int64(low)), at(int64(math.Ceil(place)))
	return below + (above-below)*(place-low)
}

// seconds are those of microseconds.
func seconds(micros float64) float64 { return micros / 1e6 }
