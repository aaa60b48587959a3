package textbench

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// noTypoInPrefix lists the engines whose queries cannot find a longer word that
// begins with a misspelt one.
var noTypoInPrefix = []string{"bleve", "bluge"}

// TestResults compares the results of all engines with ours.
func TestResults(t *testing.T) {
	t.Parallel()
	const n = 2000
	want := map[string]result{}
	for _, name := range append([]string{"ours"}, slices.Sorted(maps.Keys(engines))...) {
		r, _ := start(t, engines[name], n)
		r.batch(n)
		for _, c := range searchCases(r.gen, n) {
			got, err := r.search(c.q)
			if err != nil {
				t.Fatal(err)
			}
			if want[c.name].count == 0 {
				want[c.name] = got
			}
			if c.q == "subscr" && slices.Contains(noTypoInPrefix, name) {
				if got.count == 0 || got.count > want[c.name].count {
					t.Errorf("%s: %s: found %d, ours %d", name, c.name, got.count, want[c.name].count)
				}
				continue
			}
			if diff := cmp.Diff(want[c.name], got, cmp.AllowUnexported(result{})); diff != "" {
				t.Errorf("%s: %s (-ours +got):\n%s", name, c.name, diff)
			}
		}
		if err := r.close(); err != nil {
			t.Fatal(err)
		}
	}
}
