package tally

import (
	"cmp"
	"slices"

	"github.com/promptuary/promptuary/internal/reqlog/chart"
)

// point is what the distributions of latencies need to know of a log: its latency in
// microseconds, in two parts, and the number of its kind.
type point struct {
	low  uint32
	kind uint32
	high uint16
}

// maxLatency is the highest latency of a point, almost nine years.
const maxLatency = 1<<48 - 1

func (p *point) latency() uint64 { return uint64(p.high)<<32 | uint64(p.low) }

// latencies are those of a group of logs in their order, in microseconds.
type latencies []uint64

// summary describes them as PostgreSQL's percentile_cont would.
func (l latencies) summary() chart.Latency {
	var sum uint64
	for _, latency := range l {
		sum += latency
	}
	at := func(rank int64) float64 { return float64(l[rank]) }
	n := int64(len(l))
	return chart.Latency{
		Avg: seconds(float64(sum) / float64(n)),
		P50: seconds(interpolate(0.5, n, at)), P90: seconds(interpolate(0.9, n, at)), P95: seconds(interpolate(0.95, n, at)),
	}
}

const (
	// digitBits is the size of the digits by which points are sorted.
	digitBits = 12
	digits    = 1 << digitBits
	// fewPoints is the number up to which comparing is faster.
	fewPoints = 1000
)

// sortPoints sorts by latency and returns the result in one of the two slices, which
// have the same length: digit by digit, which takes a fraction of the time that
// comparing would. Digits that all points share, as a rule the highest, are skipped.
func sortPoints(points, spare []point) []point {
	if len(points) <= fewPoints {
		slices.SortFunc(points, func(a, b point) int { return cmp.Compare(a.latency(), b.latency()) })
		return points
	}
	for shift := 0; maxLatency>>shift > 0; shift += digitBits {
		var next [digits]int32
		for i := range points {
			next[points[i].latency()>>shift%digits]++
		}
		if int(next[points[0].latency()>>shift%digits]) == len(points) {
			continue
		}
		sum := int32(0)
		for d, count := range next {
			next[d] = sum
			sum += count
		}
		for i := range points {
			d := points[i].latency() >> shift % digits
			spare[next[d]] = points[i]
			next[d]++
		}
		points, spare = spare, points
	}
	return points
}
