package textindex

import (
	"math/rand/v2"
	"testing"
)

// posting is one document of a list under test.
type posting struct {
	id   int64
	mask uint8
}

// TestListBuilder joins lists of neighbouring spans, sparse, dense and mixed,
// and reads the result.
func TestListBuilder(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(8, 9))
	for range 400 {
		var spans []span
		next := int64(r.IntN(200_000))
		for range 1 + r.IntN(4) {
			s := span{next, next + int64(r.IntN(3000))}
			spans = append(spans, s)
			next = s.last + 1 + int64(r.IntN(100))
			if r.IntN(20) == 0 {
				next += 1 << 24
			}
		}
		whole := span{spans[0].first, spans[len(spans)-1].last}
		b := newListBuilder(whole)
		b.setBits(appendPosting(nil, 0, 1), whole.first) // must not show after reset
		b.reset()
		var all []posting
		for _, s := range spans {
			postings := randomPostings(r, s)
			all = append(all, postings...)
			addPostings(b, s, postings)
		}
		list, dense := b.finish()
		checkList(t, list, dense, whole, all)
	}
}

func randomPostings(r *rand.Rand, s span) []posting {
	var postings []posting
	share, fields := 1<<r.IntN(10), 1+r.IntN(255)
	for id := s.first; id <= s.last; id++ {
		if mask := uint8(r.IntN(256) & fields); r.IntN(share) == 0 && mask != 0 {
			postings = append(postings, posting{id, mask})
		}
	}
	return postings
}

// addPostings makes a list as a segment would have it and adds that.
func addPostings(b *listBuilder, s span, postings []posting) {
	var sparse []byte
	last := s.first
	for _, p := range postings {
		sparse = appendPosting(sparse, uint64(p.id-last), p.mask)
		last = p.id
	}
	if len(sparse) == 0 {
		return
	}
	one := newListBuilder(s)
	one.addSparse(sparse, s.first)
	if list, dense := one.finish(); dense {
		b.addDense(list, s)
	} else {
		b.addSparse(list, s.first)
	}
}

func checkList(t *testing.T, list []byte, dense bool, s span, want []posting) {
	t.Helper()
	for field := range MaxFields + 1 {
		var got Set
		if dense {
			orDense(&got, list, s, 1<<field)
		} else {
			orSparse(&got, list, s, 1<<field)
		}
		n := 0
		for _, p := range want {
			has := p.mask&(1<<field) != 0
			if got.Has(p.id) != has {
				t.Fatalf("field %d of document %d is %v (dense %v)", field, p.id, !has, dense)
			}
			n += count(has)
		}
		if got.Count() != n {
			t.Fatalf("field %d has %d documents, want %d", field, got.Count(), n)
		}
	}
}

// TestDamagedLists reads random bytes as lists: anything may come out, but
// nothing outside the span, and no panic.
func TestDamagedLists(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(10, 11))
	s := span{1000, 3000}
	for range 20000 {
		list := make([]byte, r.IntN(40))
		for i := range list {
			list[i] = byte(r.Uint32())
		}
		var got Set
		orSparse(&got, list, s, anyField)
		orDense(&got, list, s, anyField)
		for id := range got.Each() {
			if id < s.first || id > s.last {
				t.Fatalf("list %v gives document %d", list, id)
			}
		}
		b := newListBuilder(span{500, 4000})
		b.addSparse(list, s.first)
		b.addDense(list, s)
		b.addSparse(list, s.first)
		b.finish()
	}
}
