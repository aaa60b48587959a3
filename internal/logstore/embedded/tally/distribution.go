package tally

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
)

// dimension is what the logs are grouped by.
type dimension struct {
	breakdowns []chart.Breakdown
	places     []int32 // of the kinds among the breakdowns by their numbers, -1 for none
	// kept are the names that get a series of latencies over time. After keep, the places
	// are among them.
	kept  []string
	found [][]placed // by bucket
}

// placed is a point of a series.
type placed struct {
	place int
	chart.BucketLatency
}

// dimension groups the kinds by a name. Those without one are in no group.
func (t *Tally) dimension(name func(kind) string) *dimension {
	d := &dimension{places: make([]int32, len(t.shared.all))}
	known := map[string]int32{"": -1}
	for i := range t.totals {
		total := &t.totals[i]
		text := name(t.shared.all[total.number])
		place, ok := known[text]
		if !ok {
			place = int32(len(d.breakdowns))
			known[text] = place
			d.breakdowns = append(d.breakdowns, chart.Breakdown{Name: text})
		}
		if d.places[total.number] = place; place >= 0 {
			total.addTo(&d.breakdowns[place])
		}
	}
	return d
}

// keep restricts the dimension to the names that get a series: time and memory grow with
// their number for each bucket.
func (d *dimension) keep(names map[string]bool) {
	to := make([]int32, len(d.breakdowns))
	for i := range d.breakdowns {
		to[i] = -1
		if name := d.breakdowns[i].Name; names[name] {
			to[i] = int32(len(d.kept))
			d.kept = append(d.kept, name)
		}
	}
	for kind, place := range d.places {
		if place >= 0 {
			d.places[kind] = to[place]
		}
	}
}

// distributions writes the buckets, and finds the series. Buckets are independent of
// each other.
func (t *Tally) distributions(ctx context.Context, cores int, r *chart.Analytics, dimensions ...*dimension) error {
	slices.SortFunc(t.buckets, func(a, b bucket) int { return cmp.Compare(a.start, b.start) })
	r.Buckets = make([]chart.BucketStats, len(t.buckets))
	for _, d := range dimensions {
		d.found = make([][]placed, len(t.buckets))
	}
	var next atomic.Int64
	var workers errgroup.Group
	for range min(cores, len(t.buckets)) {
		workers.Go(guard.Task("analytics", func() error {
			var room scratch
			for at := next.Add(1) - 1; at < int64(len(t.buckets)) && ctx.Err() == nil; at = next.Add(1) - 1 {
				b := &t.buckets[at]
				sorted := room.sorted(b)
				r.Buckets[at] = b.stats(room.all(sorted))
				for _, d := range dimensions {
					d.found[at] = d.latencies(reqlog.Micros(b.start), sorted, &room)
				}
			}
			return ctx.Err()
		}))
	}
	return workers.Wait()
}

// latencies describes the latencies of each group in a bucket.
func (d *dimension) latencies(start reqlog.Micros, sorted []point, room *scratch) (found []placed) {
	for place, group := range room.split(sorted, d.places, len(d.kept)) {
		if len(group) > 0 {
			found = append(found, placed{place, chart.BucketLatency{Start: start, Requests: int64(len(group)), Latency: group.summary()}})
		}
	}
	return found
}

func (d *dimension) series() map[string][]chart.BucketLatency {
	series := map[string][]chart.BucketLatency{}
	for _, bucket := range d.found {
		for _, point := range bucket {
			name := d.kept[point.place]
			series[name] = append(series[name], point.BucketLatency)
		}
	}
	return series
}

// scratch is memory that buckets use in turn.
type scratch struct {
	points, spare []point
	latencies     latencies
	counts        []int
	groups        []latencies
}

// sorted returns the points of a bucket by latency.
func (s *scratch) sorted(b *bucket) []point {
	n := int(b.requests)
	if n > len(s.latencies) {
		s.points, s.spare, s.latencies = make([]point, n), make([]point, n), make(latencies, n)
	}
	at := copy(s.points, b.points)
	for _, more := range b.more {
		at += copy(s.points[at:], more)
	}
	return sortPoints(s.points[:n], s.spare[:n])
}

func (s *scratch) all(sorted []point) latencies {
	for i := range sorted {
		s.latencies[i] = sorted[i].latency()
	}
	return s.latencies[:len(sorted)]
}

// split returns the latencies of each group of points, in their order, given the group
// of each kind, which is -1 for none. They are valid until the next call.
func (s *scratch) split(sorted []point, places []int32, groups int) []latencies {
	if groups > len(s.counts) {
		s.counts, s.groups = make([]int, groups), make([]latencies, groups)
	}
	counts, split, room := s.counts[:groups], s.groups[:groups], s.latencies
	clear(counts)
	for i := range sorted {
		if g := places[sorted[i].kind]; g >= 0 {
			counts[g]++
		}
	}
	for g, count := range counts {
		split[g], room = room[:0:count], room[count:]
	}
	for i := range sorted {
		if g := places[sorted[i].kind]; g >= 0 {
			split[g] = append(split[g], sorted[i].latency())
		}
	}
	return split
}
