package grid_test

import (
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// TestLargeRows checks the limit on the total size of a row. Smaller values are
// still computed.
func TestLargeRows(t *testing.T) {
	t.Parallel()
	g := compile(t, []string{"q"}, [3]string{"a", "COALESCE", `{"sources":["q","q"]}`}, [3]string{"b", "COALESCE", `{"sources":["q","q"]}`},
		[3]string{"c", "COUNT", `{"source":"a","type":"chars"}`}, [3]string{"d", "COUNT", `{"source":"b","type":"chars"}`})
	large := tree(t, `"`+strings.Repeat("x", grid.MaxRow/2+10)+`"`)
	got, err := g.RunRow(t.Context(), env(), []jsontree.Value{large}, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	got[0].Value = jsontree.Value{}
	wantRow(t, `[[null],"The values of the row are larger than 16 MiB together",[8388618],"Dependency 'b' failed"]`, got)
}
