package textindex

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func randomSet(r *rand.Rand) (*Set, map[int64]bool) {
	s, want := new(Set), map[int64]bool{}
	for range r.IntN(200) {
		id := int64(r.IntN(5)<<pageBits + r.IntN(1<<r.IntN(pageBits+1)))
		s.Add(id)
		want[id] = true
	}
	return s, want
}

func TestSetOperations(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	operations := []struct {
		name string
		do   func(a, b *Set)
		want func(inA, inB bool) bool
	}{
		{"and", (*Set).And, func(a, b bool) bool { return a && b }},
		{"or", (*Set).Or, func(a, b bool) bool { return a || b }},
		{"and not", (*Set).AndNot, func(a, b bool) bool { return a && !b }},
		{"take", func(a, b *Set) { a.take(b.Clone()) }, func(a, b bool) bool { return a || b }},
	}
	for range 100 {
		a, inA := randomSet(r)
		b, inB := randomSet(r)
		for _, op := range operations {
			got := a.Clone()
			op.do(got, b)
			want := map[int64]bool{}
			for _, id := range append(sortedIDs(inA), sortedIDs(inB)...) {
				if op.want(inA[id], inB[id]) {
					want[id] = true
				}
			}
			checkSet(t, op.name, got, sortedIDs(want))
		}
		checkSet(t, "left alone", a, sortedIDs(inA))
		checkSet(t, "left alone", b, sortedIDs(inB))
	}
}

func sortedIDs(in map[int64]bool) []int64 {
	var ids []int64
	for id := range in {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

func checkSet(t *testing.T, name string, s *Set, want []int64) {
	t.Helper()
	if got := s.IDs(-1); !slices.Equal(got, want) {
		t.Fatalf("%s: ids %v, want %v", name, got, want)
	}
	if got := s.Count(); got != len(want) {
		t.Fatalf("%s: count %d, want %d", name, got, len(want))
	}
	if got := s.Empty(); got != (len(want) == 0) {
		t.Fatalf("%s: empty %v with %d ids", name, got, len(want))
	}
	for _, id := range want {
		if !s.Has(id) || s.Has(id+1) != slices.Contains(want, id+1) {
			t.Fatalf("%s: Has is wrong around %d", name, id)
		}
	}
}

func TestSetIDsLimit(t *testing.T) {
	t.Parallel()
	var s Set
	for _, id := range []int64{9, 3, 70000} {
		s.Add(id)
	}
	for limit, want := range [][]int64{nil, {3}, {3, 9}, {3, 9, 70000}, {3, 9, 70000}} {
		if got := s.IDs(limit); !slices.Equal(got, want) {
			t.Errorf("IDs(%d) = %v, want %v", limit, got, want)
		}
	}
}

func TestSetBits(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		s, in := randomSet(r)
		upto := int64(r.IntN(6 << pageBits))
		bits := s.Bits(upto)
		for id := s.Base(); id <= upto; id++ {
			bit := id - s.Base()
			if got := bits[bit/8]&(0x80>>(bit%8)) != 0; got != in[id] {
				t.Fatalf("bit of id %d is %v", id, got)
			}
		}
	}
	if got := new(Set).Bits(-1); !slices.Equal(got, []byte{0}) {
		t.Errorf("empty bits %v", got)
	}
}

func TestSetCountUpTo(t *testing.T) {
	t.Parallel()
	s := &Set{}
	ids := []int64{3, 63, 64, 65, 127, 65535, 65536, 200_000, 200_001}
	for _, id := range ids {
		s.Add(id)
	}
	for _, upto := range []int64{0, 2, 3, 62, 63, 64, 126, 127, 128, 65534, 65535, 65536, 199_999, 200_000, 200_001, 1 << 40} {
		want := int64(0)
		for _, id := range ids {
			if id <= upto {
				want++
			}
		}
		if got := s.CountUpTo(upto); got != want {
			t.Errorf("%d ids up to %d, want %d", got, upto, want)
		}
	}
}
