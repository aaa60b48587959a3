package textindex

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// doc returns a document with some owner and time.
func doc(id int64) Doc { return Doc{ID: id, Owner: 1 + id/400%3, Time: id * 1000} }

// oddDocs returns documents with gaps between their ids, times that are not always
// in their order, and pages with one and with several owners.
func oddDocs(n int) (docs []Doc) {
	rng := rand.New(rand.NewPCG(1, 2))
	id, owner := int64(0), int64(1)
	for range n {
		id += 1 + rng.Int64N(3)
		switch rng.IntN(400) {
		case 0:
			id += 5000
		case 1:
			owner = 1 + rng.Int64N(3)
		}
		d := Doc{ID: id, Owner: owner, Time: id/10*10 - rng.Int64N(50)}
		if id%2000 > 1000 {
			d.Owner = 1 + rng.Int64N(3)
		}
		docs = append(docs, d)
	}
	return docs
}

func naiveNewest(docs []Doc, found *Set, w Wanted, n int) (ids []int64, total int64) {
	var chosen []Doc
	for _, d := range docs {
		if found.Has(d.ID) && d.Owner == w.Owner && d.ID <= w.UpTo && w.From <= d.Time && d.Time <= w.To {
			chosen = append(chosen, d)
		}
	}
	slices.SortFunc(chosen, newestFirst)
	for _, d := range chosen[:min(n, len(chosen))] {
		ids = append(ids, d.ID)
	}
	return ids, int64(len(chosen))
}

func TestNewest(t *testing.T) {
	docs := oddDocs(6000)
	last := docs[len(docs)-1]
	var gone Set
	for _, d := range docs {
		if d.ID%5 == 0 || d.ID/1000%7 == 0 {
			gone.Add(d.ID)
		}
	}
	unbounded := Wanted{UpTo: last.ID, From: math.MinInt64, To: math.MaxInt64}
	wanted := map[string]Wanted{
		"all":       unbounded,
		"some ids":  {UpTo: docs[3333].ID, From: math.MinInt64, To: math.MaxInt64},
		"from":      {UpTo: last.ID, From: docs[4000].Time, To: math.MaxInt64},
		"a range":   {UpTo: last.ID, From: docs[1000].Time, To: docs[1500].Time},
		"no time":   {UpTo: last.ID, From: 10, To: 5},
		"no id":     {UpTo: 0, From: math.MinInt64, To: math.MaxInt64},
		"beyond it": {UpTo: MaxID, From: math.MinInt64, To: math.MaxInt64},
	}
	dir := t.TempDir()
	ix := openIndex(t, dir, Options{SegmentDocs: 700, MergeFactor: 3})
	check := func(state string, docs []Doc) {
		t.Helper()
		var every, some Set
		for _, d := range docs {
			every.Add(d.ID)
			if d.ID%20 == 0 {
				some.Add(d.ID)
			}
		}
		for name, w := range wanted {
			for w.Owner = range int64(5) {
				for setName, set := range map[string]*Set{"every": &every, "some": &some, "none": {}} {
					for _, n := range []int{0, 1, 10, 500, len(docs) + 1} {
						ids, total, err := ix.Newest(set, w, n)
						wantIDs, wantTotal := naiveNewest(docs, set, w, n)
						if err != nil || total != wantTotal || !slices.Equal(ids, wantIDs) {
							t.Fatalf("%s, %s of %s, owner %d, %d newest: %d and %v, %v, want %d and %v",
								state, name, setName, w.Owner, n, total, ids[:min(5, len(ids))], err, wantTotal, wantIDs[:min(5, len(wantIDs))])
						}
					}
				}
			}
		}
	}
	for i, d := range docs {
		if err := ix.Add(d, []string{"word"}); err != nil {
			t.Fatal(err)
		}
		if i == 3000 {
			check("while documents are added", docs[:i+1])
		}
	}
	check("with documents in memory", docs)
	if err := ix.Flush(); err != nil {
		t.Fatal(err)
	}
	ix.settle()
	check("merged", docs)
	if _, err := ix.Remove(&gone, &Set{}, func(Removed) {}, func() bool { return false }); err != nil {
		t.Fatal(err)
	}
	left := slices.DeleteFunc(slices.Clone(docs), func(d Doc) bool { return gone.Has(d.ID) })
	check("after a removal", left)
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ix.Newest(&gone, unbounded, 1); err == nil {
		t.Error("a closed index answers")
	}
	ix = openIndex(t, dir, Options{})
	check("opened again", left)
}

func TestOwnerIsNeeded(t *testing.T) {
	ix := openIndex(t, t.TempDir(), Options{})
	for _, owner := range []int64{0, -1} {
		if err := ix.Add(Doc{ID: 1, Owner: owner}, nil); err == nil {
			t.Errorf("owner %d is accepted", owner)
		}
	}
}
