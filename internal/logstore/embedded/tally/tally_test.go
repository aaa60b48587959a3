package tally

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
)

// TestIndex numbers keys, some of which end up in the same slots.
func TestIndex(t *testing.T) {
	t.Parallel()
	var x index
	numbers := map[int64]int{}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		key := r.Int64N(5000) << r.IntN(40)
		number, fresh := x.of(key)
		known, ok := numbers[key]
		if fresh == ok || ok && number != known || !ok && number != len(numbers) {
			t.Fatalf("key %d: number %d, fresh %v, known %d", key, number, fresh, known)
		}
		numbers[key] = number
	}
}

// TestSimilarKeys numbers keys that differ only in some of their bits, which must not end
// up next to each other: that would take minutes.
func TestSimilarKeys(t *testing.T) {
	t.Parallel()
	for shift := 0; shift < 45; shift += 4 {
		var x index
		h := hashes{most: math.MaxInt}
		for i := range int64(200_000) {
			x.of(i << shift)
			h.add(i<<shift, 1, 1, 0)
		}
		check.Equal(t, "numbers", x.size, 200_000)
		check.Equal(t, "hashes", h.size, 200_000)
	}
}

// TestHashes counts hashes in two parts and compares the sums and the first ones.
func TestHashes(t *testing.T) {
	t.Parallel()
	parts := [2]hashes{{most: 5000}, {most: 5000}}
	want := map[int64]hashed{}
	r := rand.New(rand.NewPCG(1, 2))
	for id := range int64(30_000) {
		hash, cost := r.Int64N(1000)<<r.IntN(3), float64(r.IntN(3))
		parts[id%2].add(hash, id, 1, cost)
		sum := want[hash]
		want[hash] = hashed{hash, 0, sum.requests + 1, sum.cost + cost}
	}
	all := &parts[0]
	all.merge(&parts[1])
	found := 0
	for one := range all.all() {
		if sum := want[one.hash]; one.requests != sum.requests || one.cost != sum.cost {
			t.Errorf("%+v instead of %+v", *one, sum)
		}
		found++
	}
	check.Equal(t, "hashes", found, len(want))

	var ordered []*hashed
	for _, sum := range want {
		ordered = append(ordered, &sum)
	}
	slices.SortFunc(ordered, ranked)
	for _, count := range []int{1, 50, len(want), len(want) + 1} {
		last := ordered[min(count, len(ordered))-1]
		like := 0
		for _, one := range ordered {
			if ranked(one, last) <= 0 {
				like++
			}
		}
		check.Equal(t, "top", len(all.top(count)), like)
	}
	check.Equal(t, "top of none", len((&hashes{}).top(5)), 0)
}

// TestTooManyHashes drops all of them, also if another part has too many.
func TestTooManyHashes(t *testing.T) {
	t.Parallel()
	few, many := hashes{most: 100}, hashes{most: 100}
	few.add(1, 1, 1, 0)
	for range 2 {
		for hash := range int64(100) {
			many.add(hash, 1, 1, 0)
		}
	}
	check.Equal(t, "100 exceed", many.exceeded, false)
	many.add(100, 1, 1, 0)
	check.Equal(t, "101 exceed", many.exceeded, true)
	many.add(1, 1, 1, 0)
	check.Equal(t, "slots", len(many.slots), 0)
	few.merge(&many)
	check.Equal(t, "exceeded after merging", few.exceeded, true)
}

// TestSortPoints sorts points by latencies of all sizes.
func TestSortPoints(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for _, count := range []int{0, 1, fewPoints, fewPoints + 1, 20_000} {
		for _, bits := range []int{1, 12, 13, 30, 48} {
			points := make([]point, count)
			for i := range points {
				latency := r.Uint64N(1 << bits)
				points[i] = point{low: uint32(latency), high: uint16(latency >> 32), kind: uint32(latency % 7)}
			}
			want := slices.SortedStableFunc(slices.Values(points), func(a, b point) int { return cmp.Compare(a.latency(), b.latency()) })
			if got := sortPoints(points, make([]point, count)); !slices.Equal(got, want) {
				t.Errorf("%d points of %d bits are not sorted", count, bits)
			}
		}
	}
}

// TestCounts interpolates between numbers, of which a few have places of their own.
func TestCounts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		numbers []int64
		want    float64
	}{{[]int64{3}, 3}, {[]int64{0, 100}, 95}, {[]int64{15, 16}, 15.95}, {[]int64{-5, 40, 20, 1}, 37}} {
		var c counts
		for _, n := range test.numbers {
			c.add(n, 1)
		}
		if got := c.quantile(0.95); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%v: %v instead of %v", test.numbers, got, test.want)
		}
	}
}

// TestChangedLogs looks up names in logs that have others now.
func TestChangedLogs(t *testing.T) {
	t.Parallel()
	tally := New(chart.BucketDay, &Kinds{}, NewRoom())
	tally.kind(kind{model: 7, provider: 8, errorType: 9}, 1)
	result := func(names map[int64]logNames) error {
		_, err := tally.Result(t.Context(), 1, &Texts{names: names}, &chart.Analytics{})
		return err
	}
	for name, names := range map[string]map[int64]logNames{"deleted": {}, "changed": {1: {modelHash: 7, providerHash: 8}}} {
		if err := result(names); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	found := map[int64]logNames{1: {modelHash: 7, providerHash: 8, errorTypeHash: 9, model: "m"}}
	check.OK(t, result(found))
	tally.metadataKeys.add(5, 1, 1, 0)
	if err := result(found); !errors.Is(err, ErrChanged) {
		t.Errorf("other keys: %v", err)
	}
	tally.metadataKeys = hashes{}
	tally.values.add(5, 1, 1, 0)
	if err := result(found); !errors.Is(err, ErrChanged) {
		t.Errorf("another value: %v", err)
	}
}

// TestRoom counts metadata values of two tallies until there is no room for both.
func TestRoom(t *testing.T) {
	t.Parallel()
	room := &Room{}
	room.slots.Store(3000)
	first, second := New(chart.BucketDay, &Kinds{}, room), New(chart.BucketDay, &Kinds{}, room)
	for hash := range int64(1000) {
		first.values.add(hash, 1, 1, 0)
	}
	check.Equal(t, "room for the first", room.slots.Load(), 3000-2048)
	for hash := range int64(1000) {
		second.values.add(hash, 1, 1, 0)
	}
	check.Equal(t, "the first exceeds", first.values.exceeded, false)
	check.Equal(t, "the second exceeds", second.values.exceeded, true)
	check.Equal(t, "room after the second", room.slots.Load(), 3000-2048)
	check.OK(t, first.Merge(second))
	check.Equal(t, "both exceed", first.values.exceeded, true)
	first.Close()
	second.Close()
	check.Equal(t, "room at the end", room.slots.Load(), 3000)
}

// TestTooManyNames stops at the name that is too many, not at the end of a log.
func TestTooManyNames(t *testing.T) {
	t.Parallel()
	var g, o group[total]
	for range 2 {
		for i := range maxNames {
			g.at(strconv.Itoa(i)).add(&total{requests: 1})
		}
	}
	check.Equal(t, "exceeded", g.exceeded, false)
	check.Equal(t, "requests", g.at("7").requests, 2)
	o.at("another")
	o.merge(&g, (*total).add)
	check.Equal(t, "exceeded after merging", o.exceeded, true)
	for i := range 1000 {
		g.at("x" + strconv.Itoa(i)).add(&total{requests: 1})
	}
	check.Equal(t, "exceeded by another name", g.exceeded, true)
	check.Equal(t, "names", len(g.names), maxNames)
}

// TestSeriesOfFewNames groups the latencies of each bucket by the names of the answer only,
// even if every log has its own model and day.
func TestSeriesOfFewNames(t *testing.T) {
	t.Parallel()
	const logs = 3000
	tally := New(chart.BucketDay, &Kinds{}, NewRoom())
	texts := NewTexts()
	for id := range int64(logs) {
		of := tally.kind(kind{model: id, provider: 1, errorType: 2}, id)
		of.add(&total{requests: 1})
		b := tally.bucket(id * 86_400e6)
		b.total.add(&total{requests: 1})
		b.add(point{low: uint32(id), kind: of.number})
		texts.names[id] = logNames{modelHash: id, providerHash: 1, errorTypeHash: 2, model: "m" + strconv.FormatInt(id, 10), provider: "p"}
	}
	models := tally.dimension(func(of kind) string { return "m" + strconv.FormatInt(of.model, 10) })
	models.keep(map[string]bool{"m7": true, "m2999": true, "unknown": true})
	check.Equal(t, "groups", len(models.kept), 2)
	check.Equal(t, "place of another name", models.places[8], -1)

	var r chart.Analytics
	_, err := tally.Result(t.Context(), 2, texts, &r)
	check.OK(t, err)
	check.Equal(t, "series of models", len(r.ByModel), chart.TopRows)
	check.Equal(t, "buckets of the provider", len(r.ByProvider["p"]), logs)
	for name, series := range r.ByModel {
		id, _ := strconv.Atoi(name[1:])
		check.Equal(t, "latency of "+name, series[0].Latency.P50, seconds(float64(id)))
	}

	ended, end := context.WithCancel(t.Context())
	end()
	var none chart.Analytics
	if _, err := tally.Result(ended, 2, texts, &none); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the request: %v", err)
	}
	for _, b := range none.Buckets {
		check.Equal(t, "requests of a bucket after the end of the request", b.Requests, 0)
	}
}
